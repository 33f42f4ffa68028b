// Package console is how the commands of a program talk: where they print, what their exit codes
// are, how they say that something takes long, and what they do when they are interrupted.
//
// A [Console] has the name of the program, and all that is named after it: its lines on stderr
// begin with it ([Console.Say]), NAME_SITE in the environment stands in for --site
// ([Console.Variable]), and its state is kept in a folder of that name ([Console.StateFolder]). An
// [Error] has the exit code that it causes, and [Console.Report] prints it. A [Meter] shows that a
// run goes on, [WhileSlow] that a short thing does, [Interrupts] are the signals that ask a command
// to stop.
package console
