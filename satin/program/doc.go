// Package program makes a binary a grid program: one line of main gives it every verb. It runs
// alone, on several processes of this machine or on a grid of nodes, it is a node, it tells who is
// there, and lets peers leave, move and be barred.
//
//	func main() { program.Main(program.Of("change", parse)) }
//
// A [Program] has a name, and everything is named after it: a program change says "change: …" on
// stderr, reads CHANGE_WORKERS where --workers is not given, and keeps its state in
// $XDG_STATE_HOME/change, however its file is called. Its [Program.Main] is the command line.
//
// An [Application] says of itself what it is called, what it takes, how what stands on a command
// line ([Input]) becomes a root task ([Prepared]) and how an [Answer] is shown; a [Checker]
// verifies answers. [Of] makes one of a task and a function that reads the command line. All else
// is done here, where no application is named: grids, peers, time, files of events, exit codes.
// Where a program has one application, it is not named on command lines either: change run 500,
// not change run change 500.
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
// Flags stand anywhere on a command line. So one of an application may not have the name of another
// that takes a value where it takes none, nor the other way round; the first start tells.
package program
