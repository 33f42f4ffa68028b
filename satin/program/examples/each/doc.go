// Each runs an executable once for each line of a list, on all machines of a grid: it is xargs
// that survives its machines.
//
//	ls *.wav | each run -- flac -9 -o /shared/{}.flac {}
//
// In the words after --, {} is the line; where none has it, the line is the last argument.
// They are the arguments of the executable as they stand: there is no shell, so no quoting and
// no globs. What each has written to standard output is printed in the order of the lines. The
// exit code is 0 if all of theirs are, and else [failed]; --json has all of them.
//
// # What a node allows
//
// Whoever may submit runs to a grid of this program runs executables on its nodes. So a node
// refuses unless it was started with --allow-exec, and a run that meets one that refuses
// fails. A run alone or on --sites needs no flag: it is on the machine of whoever types it.
//
// # At least once
//
// A machine that dies takes with it what its executables had done, and they run again
// elsewhere: each line is run at least once, perhaps twice, perhaps twice at a time, and the
// exit code and the output are those of one of them. So an executable must be one that may run
// twice: that writes the same file with the same content, and best under another name first,
// as mv makes whole files.
//
// An executable is killed with its process group when nobody wants it any more: when the run
// is interrupted or cancelled, when the peer leaves or finds that another has the result. It
// is not told before. A peer that dies at once leaves behind what its executables have
// started, on Linux all but the executables themselves.
//
// # Limitations
//
// Standard input is empty. An executable's files are its own affair: they must be where it
// runs, for instance on a file system that all machines share. Of an output of more than 1 MiB
// the rest is dropped, and said to be; all outputs together must fit in --result-max.
package main
