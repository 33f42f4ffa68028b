// Package node has the verbs of who runs nodes. [Command] is node, which is a peer until it is told
// to leave. [KeyCommand] makes secrets and tickets. The others ask the node that runs here, or tell
// it something:
//
//   - who is there: [PeersCommand], [StatusCommand];
//   - that peers shall leave, [LeaveCommand], move to another site, [MigrateCommand], or be barred,
//     [KickCommand];
//   - which runs there are, [JobsCommand], and what has happened to one, [LogsCommand];
//   - that a run shall end, [CancelCommand], or have another share, [ShareCommand].
//
// [StoreCommand] looks after what a node has on disk of runs, whether it runs or not.
//
// Those about runs may ask any member of a grid by a visit instead, or come as a client of it where
// nobody can be visited: a [Where] is how a command line leads there. [Find] reads what --join
// names, and [JoinError] says why a grid was not joined and what to do.
//
// A node of another build, which its grid refuses, founds the grid of its own build as the
// successor of that when it is started with --next, and tells the members of the old one. Visits
// between builds, in the form that package across has, are answered with what commands on the
// node's own machine are told. Clients go to the grid of their build wherever they are led: see
// [Invitation].
//
// They are named after the program that they are part of, by its console, and its tasks are given.
// Package program puts them together; package admin is how they talk to a node.
//
// # Limitations
//
// A node is told what to do through a socket in its state folder, so only on its own machine, and
// only by its own user. What a run is told, any client of its grid may tell it.
package node
