// Package launch is the verb launch: it starts nodes where people have machines, says how they
// stand, and ends them.
//
// A [Launch] is what one command line has started, and a [Launcher] is how that is done in one kind
// of place. There are three:
//
//   - local: on this machine, by a script that its shell executes;
//   - ssh: on machines that ssh reaches, by the same script. The executable is copied there once
//     for each of its contents, and the ticket goes by standard input;
//   - slurm: as tasks of a job array, by a batch script.
//
// What a launcher does stands in a script, which --print shows and one may keep. A [Standing] is
// how one node stands. [Command] puts it all on the command line.
//
// # What is kept
//
// A launch is a folder below launch/ in the state folder, with a file that says what was started
// and where. A node has a folder of its own, in that of its launch or, elsewhere, in one of the
// same name: its state, its log and its process id.
//
// A process is known to be the node by its arguments, which name that folder, since its id may be
// another's by now. It is told to leave by SIGTERM, as anybody would tell it. Machines may share
// the folder: beside the process id stands on which of them it is, and no other looks after it.
//
// # Limitations
//
// What a printed script starts is neither listed nor stopped by the verb. The folders of nodes stay
// when these have left, with the runs that are stored there, unless --remove is given; no later
// launch uses them again.
//
// A machine on which logind ends what a user leaves behind (KillUserProcesses=yes) ends nodes with
// the last session, unless the user lingers there. The machines of ssh must be able to execute this
// very executable, and the user's shell there must read quotes as sh does, which csh does not.
// Nodes beside each other on one machine divide its cores as it tells them, without a look at a
// container's quota.
package launch
