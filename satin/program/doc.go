// Package program makes a binary a grid program: one line of main gives it every verb. It runs
// alone, on several processes of this machine or on a grid of nodes, it is a node, it tells who is
// there, and lets peers leave, move and be barred.
//
// A [Program] has a name, and everything is named after it: a program change says "change: …" on
// stderr, reads CHANGE_WORKERS where --workers is not given, and keeps its state in
// $XDG_STATE_HOME/change. Its [Program.Main] is the command line.
//
// An [Application] says of itself what it is called, what it takes, how words on a command line
// become a root task ([Prepared]) and how an [Answer] is shown; a [Checker] verifies answers. All
// else – grids, peers, time, files of events, exit codes – is done here, where no application is
// named.
//
// [Submit] shows the answers of a typed run, [OpenOutput] opens a file that appears whole or not at
// all. What run --json prints is a [Document], and a line of --events is an [Event].
//
// # Folders
//
// Package node has the verbs of who runs nodes: node, leave, migrate, kick, status, peers, cancel
// and key; package admin is how these talk to a node that runs. Package local makes a grid of
// processes, which is what run --sites is, and package chaos does to it what a script says. Package
// console is what all verbs print by, and wording what sentences for a person are made of. None of
// them imports this package. Package programtest tests an application without a command around it.
//
// # Costs
//
// Nothing for a spawn, or for a job. The binary is about as large as the carrier makes it: libp2p
// is linked in, and net/http.
//
// # Limitations
//
// A flag of an application may not have the name of another that takes a value where it takes none,
// nor the other way round: flags stand anywhere on a command line.
package program
