// Package program makes a binary a grid program: one line of main gives it every verb. It runs
// alone, on several processes of this machine or on a grid of nodes; it hands runs to a grid, and
// comes back to them from anywhere; it is a node, it tells who is there, and lets peers leave, move
// and be barred.
//
//	func main() { program.Main(program.Of("change", parse)) }
//
// A [Program] has a name, and everything is named after it: a program change says "change: …" on
// stderr, reads CHANGE_WORKERS where --workers is not given, and keeps its state in
// $XDG_STATE_HOME/change, however its file is called. Its [Program.Main] is the command line.
//
// An [Application] says of itself what it is called, what it takes, and, by its [Root], how what
// stands on a command line ([Input]) becomes a root task and how an [Answer] is shown; a [Checker]
// verifies answers. [Of] makes one of a task and a function that reads the command line. All else
// is done here, where no application is named: grids, peers, time, files of events, exit codes.
// Where a program has one application, it is not named on command lines either: change run 500,
// not change run change 500.
//
// [RootOf] makes a Root, [OpenOutput] opens a file that appears whole or not at all. What run
// --json prints is a [Document], and a line of --events is an [Event].
//
// # Folders
//
// The verbs that know applications are here: run, submit, watch, result, check and apps. Package
// node has those of who runs nodes, and of runs whatever they compute: node, leave, migrate, kick,
// status, peers, jobs, logs, cancel, share, store and key. Package admin is how these talk to a
// node that runs, package across what the grids of two builds say to each other, and package runs
// what runs are to people: their names, and what has happened to them. Package local makes a grid
// of processes, which is what run --sites is, and package chaos does to it what a script says.
// Package console is what all verbs print by, and wording what sentences for a person are made of.
// None of them imports this package. Package programtest tests an application without a command
// around it.
//
// # Costs
//
// Nothing for a spawn, or for a job. The binary is about as large as the carrier makes it: libp2p
// is linked in, and net/http.
//
// # Limitations
//
// Flags stand anywhere on a command line. So one of an application may not have the name of another
// that takes a value where it takes none, nor the other way round; the first start tells.
package program
