// # Files
//
// From low to high: a file uses those before it, with few exceptions. First the words:
//
//	config.go         what a peer is told, and what it counts
//	life.go           an incarnation, as it travels
//	terms.go          what a run is submitted under
//	asked.go          … and by whom, for people
//	role.go           what a host is to this peer
//	effects.go        what its owner is to carry out
//	messages.go       what peers say
//	store.go          what is written to the disk, and read there
//	component.go      how components say what they want done
//	portion.go        how much one message brings
//
// One run:
//
//	poison.go         jobs that kill their processes
//	panicking.go      a job that has panicked here
//	best.go           the best, as this peer holds it
//	trial.go          … and values to be compared with it
//	lookup.go         results that may be had elsewhere
//	facts.go          what jobs tell each other
//	support.go        who works for a master's root
//	itsmaster.go      who is master of a run
//	roothere.go       its root, as far as it has come
//	waiters.go        who waits for it, and who keeps it
//	lacked.go         who says that there is none
//	demand.go         whether it is still wanted
//	handover.go       whether a leaver's heir holds it
//	run.go            all that is kept for a run
//	contact.go        where its submitters may be dialled
//	runs.go           the runs that are on
//	extent.go         how far it is, as its master says
//	keeps.go          what keeps it, whoever waits
//	status.go         … as people see it
//	answering.go      an answer on its way
//	bringing.go       … to a master that does not know it
//	tombstones.go     submissions that have ended
//	ends.go           … of which the disk has some
//
// What people are told of it:
//
//	losses.go         what losses have cost
//	report.go         what a peer tells submitters
//	reports.go        … and what they have heard
//	contribution.go   what was done here
//
// Messages:
//
//	name.go           those that say the same
//	kind.go           one kind of them
//	size.go           how long they are
//	vet.go            what digests say of them
//	say.go            who may say what
//	postponing.go     those that wait for a best or a record
//	bests.go          bests, told to all runs
//
// Jobs:
//
//	contradict.go     two answers to one submission
//	submissions.go    what this peer has asked for
//	attaching.go      … of runs that were on before, or are to be kept
//	died.go           submitters that are gone
//	verify.go         results that are found once more
//	deaths.go         deaths, counted for poison
//	stops.go          jobs that were told to stop
//	salvage.go        what is left of them, and put back
//	look.go           look-ups, told to all runs
//	hints.go          facts, told to all runs
//	stealing.go       jobs that are lent
//	keepfor.go        what is kept for others
//	copies.go         what others keep
//	cover.go          … which results that covers
//	custody.go        … what each of them has of it
//	holder.go         … and who keeps it
//	borrowing.go      jobs that are borrowed
//	ondisk.go         what the disk has of a run, as far as is known
//	storing.go        what it is to have, and what is used of it
//
// Who is here:
//
//	order.go          orders to leave
//	leave.go          leaving
//	will.go           … what the heir gets
//	stay.go           … and staying after all
//	opening.go        others have jobs, or none
//	roots.go          the roots of all runs
//	mastership.go     who is master of which run
//	claim.go          … where there are two
//	joining.go        the way in
//	hearsay.go        … by way of a client
//	strand.go         … and in vain
//	hosts.go          where hosts are
//	greeting.go       who is who
//	presence.go       what is said of who is here
//	gossip.go         the tables of who holds what
//	comparing.go      what was missed
//
// What several components do after each other:
//
//	endings.go        runs end
//	admission.go      submissions are taken
//	full.go           … or there is no room
//	entrust.go        … and held by two
//	records.go        records of runs come and go
//	learning.go       a Snapshot comes
//	decisions.go      answers are settled
//	repeats.go        … and repeated
//	succession.go     a root starts again
//	progress.go       how far loans are
//	join.go           this peer comes in
//	depart.go         it goes
//	ordered.go        others go at its word
//	commands.go       runs do
//
// The whole:
//
//	peer.go           its components, its ticks
//	apply.go          what components want done
//	crash.go          what is done at a loss
//	kinds.go          the table of all messages
//	receive.go        … by which they are heard
//	workers.go        what workers tell
//	people.go         what people ask
//	disk.go           what the disk tells
//	reported.go       what was done for a run
//	reach.go          what the carrier tells
//	sight.go          what is seen from outside
//	check.go          what always holds
//	compose.go        how the components are put together
package peer
