// Package control is a peer's control plane: one goroutine that owns the machine of package peer,
// takes what happens one after the other, and carries out what the machine decides.
//
// [Open] makes a [Loop] and returns when the grid has let it in. What the loop has from outside
// stands in its [Config]: the carrier, a [Clock], the [Handshake] at which hosts show each other
// what they are, and who makes its workers. It knows the workers as a workers.Plane, and they know
// it as a workers.Loop. A [Submission] is a run that this process has asked for. What a task is,
// how its values are written, and what computes them, is all in package satin.
//
// # Who does what
//
//	goroutine      started by      waited for by   does
//	the loop       Open            Stop            what is decided, and all fields of Loop
//	the carrier's  the carrier     Carrier.Close   reads, decodes, holds up who says too much
//	a dial         toHosts.Dial    Stop            reaches for one host
//	a bulk         toHosts         Stop            encodes and sends one long message
//	an answer      deliver         Stop            reads what a submission came to
//	hands          Hands.Give      Stop            one thing after another, as files here
//	the disk's     diskQueue.give  Stop, a while   what there is of runs, written and read
//	the voice      Open            Stop, a second  tells the program of events, and logs
//	the workers'   NewWorkers      who made them   compute, and post
//	an asker's     a program       nobody          waits in Members, Leave, Submit …
//
// Nothing slow is done on the loop, and none of the program's code: its heartbeats are answered
// while a disk, a slow link, a terminal that is held, or a Better that never returns has others
// waiting.
//
// # The order of what happens
//
// The loop waits for one of: its end, what was posted, a message, or a deadline. What workers,
// dials, timers and programs bring is posted and done in the order in which it was. Each event is
// told to the machine with the time, and its effects are carried out in their order before anything
// else is done. Carrying one out may be an event itself (a message to a host with no session is a
// dial): what comes of that is carried out at once, within. When a session ends, the messages
// that came before are heard first. When the machine asks the workers for something, the answer is
// posted, never given at once.
//
// After each round a deadline of the driver that has come is a tick. When the loop ends, whoever
// waits for an answer is told why, and the state folder gets the last news.
//
// # What is simulated
//
// Whatever decides is in package driver, which package gridsim drives its hosts by, too: what is
// sent when and how, when a submission has ended and as what, who has left and who was lost, how
// this peer came to be in its grid and why it ends, what losses have cost. Left here is what needs
// no simulation as there is nothing to decide: the goroutine around the driver, its queues, files,
// and the words in which people and programs are told. One thing
// that waits for no one is here nevertheless, since it bounds the process and not the grid: when
// memory goes back to the system (giveBack).
//
// # Files
//
// From low to high: a file uses those before it, with few exceptions.
//
//	errors.go        why a peer ends
//	event.go         what happened, for people
//	clock.go         where the time is from
//	hands.go         one thing after another, beside the loop
//	posted.go        what others have for the loop to do
//	config.go        what a loop is told, and its handshake
//	kept.go          what a peer is called, in the state folder
//	bars.go          who is kept out, so too
//	ends.go          which runs have ended
//	addresses.go     where hosts are, so too
//	lines.go         each a file of lines
//	folder.go        all of them written, when the driver says so
//	diskqueue.go     one thing after another, on a disk that may never answer
//	record.go        a run's record as a store has it
//	restarts.go      how many lives of this peer it was on in, to no end
//	disk.go          what there is of runs, written there
//	stored.go        what is written there, for people
//	disks.go         how long a process that ends waits for both
//	giveback.go      memory that goes back to the system
//	far.go           bytes sent to other sites, and within the own one
//	requests.go      how requests for jobs fare
//	voice.go         what the program is told, and its log
//	runs.go          the runs on this peer, and their workers
//	joining.go       why this peer ends, or is not let in
//	incoming.go      what other hosts say, decoded
//	submission.go    a run that was asked for
//	submissions.go   all of them
//	loop.go          the loop: its components
//	ask.go           a question to the loop
//	submit.go        runs, asked for and withdrawn
//	attach.go        … that were on before
//	commands.go      commands about them
//	listed.go        all runs of the grid, for people
//	totals.go        what this peer has done in all of them
//	members.go       who comes and goes
//	leave.go         leave, and order to leave
//	barring.go       bar, and be barred
//	dial.go          what came of dials
//	net.go           the carrier as the driver has it
//	owner.go         the loop as the driver has it
//	run.go           the goroutine: events in, effects out
//	workers.go       the loop as the workers see it
//	receive.go       what the carrier brings
//	open.go          Open and Stop
//
// # Limits
//
// Queues are bounded: messages that wait for the loop (framesMax, then the carrier's readers wait),
// messages that wait for a dial and long ones under way (package driver), what one host may say
// beside its jobs (package driver), what waits for a disk (diskOrdersMax). What is posted is
// bounded by workers, loans and the calls of the application that are under way.
//
// # Limitations
//
// A caller's context ends when its maker says, whatever Config's clock: how long a caller of Order
// waits is up to it, and Leave asks the calendar how long it has. Statistics lag, and those of a
// peer that dies are what it told last. An answer waits for the last ones for a moment; package
// peer says how long.
package control
