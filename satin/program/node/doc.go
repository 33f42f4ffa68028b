// Package node has the verbs of who runs nodes. [Command] is node, which is a peer until it is told
// to leave. [KeyCommand] makes secrets and tickets. The others ask the node that runs here, or tell
// it something:
//
//   - who is there: [PeersCommand], [StatusCommand];
//   - that peers shall leave, [LeaveCommand], move to another site, [MigrateCommand], or be barred,
//     [KickCommand];
//   - that a run shall end: [CancelCommand].
//
// [Find] reads what --join names, and [JoinError] says why a grid was not joined and what to do.
// [AnswerHere] lets a process that has submitted a run be found by CancelCommand.
//
// They are named after the program that they are part of, by its console, and its tasks are given.
// Package program puts them together; package admin is how they talk to a node.
//
// # Limitations
//
// A node is told what to do through a socket in its state folder, so only on its own machine, and
// only by its own user.
package node
