// Package peer is one whole peer of the grid as one deterministic machine, composed of
// [membership.View], [steal.Ledger], [steal.Thief], [steal.Victim], [orphan.Table],
// [orphan.Results] and components of its own. The flows of the grid are written here, once.
//
// A [Peer] takes events, one method each, and returns effects, small structs that its owner carries
// out. It does no I/O, starts no goroutine, reads no clock and draws from no global random source.
// [Peer.Deadline] is when it wants [Peer.Tick]. Any interleaving of events is right, late, doubled
// and lost messages included; only speed suffers. What may be seen of a Peer is its [Sight].
//
// What it decides beyond those is decided in components, each of which is told events, too, has
// fields of its own and knows nothing of Peer:
//
//   - of one run: itsMaster, demand, answering, best, lookup, facts and the other fields of run;
//   - of jobs and what they come to: stealing, verifier, stops, salvage and losses; copier and
//     keeper; storing; looks, bests and hints; postponing, where what waits for a best is;
//   - of who is here: greeting, which says who may be heard; presence, joining, entering, learning,
//     comparing, adverts and hosts; leaving, departing and orders;
//   - of the life of runs: admission, records and roots, where they begin and become known;
//     mastership, succession and deaths; decisions, repeats and endings, by which they are answered
//     and end; opening;
//   - of who waits for them: submissions, which are its own, and submitters; reports, contributions
//     and progress.
//
// The runs that are on are in runs, the submissions that have ended in tombstones. What a
// component wants done it returns, for Peer to carry out; component.go says how. Where several must
// act in turn, one has the others as its fields, and returns what they return; departing, entering,
// learning, opening, presence, admission and records do little else. A step that needs what the
// effects of the one before have brought about is an effect itself, such as knows. What a survivor
// does at a loss stands in order in crash.go.
//
// # The flows
//
// On peer 5 of N, all running the same code.
//
// Join:
//
//  1. 5 is subscribed to what the grid publishes before it asks anything. What arrives early is
//     merged at once: records, bests and tombstones are lattices, so the order does not matter and
//     nothing needs to be kept back.
//  2. 5 sends Pull to a peer, or client, it is connected to, and repeats it to the next one
//     until a Snapshot comes: members, bars, the youngest tombstones and the head of every run.
//     Records with root and best follow it, one a run. From a client 5 takes the runs, and of
//     members where they may be asked: it asks them, too, and when nobody has answered for
//     [hearsayFor] it goes on alone. What a client says of a run that another has submitted holds
//     until a member tells of it.
//  3. 5 takes the join number after the largest it sees, publishes Hello, and says it to the
//     members in person and to whoever connects to it from then on. Who hears it and does not know
//     it, a client included, asks Who it is. Where there are [membership.MembersMax] others it is
//     [Stranded], and so it is later when an older member, or for ten seconds all that it hears of,
//     has no seat for it.
//  4. 5 steals, from the peer that it is connected to first. A loan of a run whose record has not
//     come yet waits for it.
//  5. Soon after it has joined, and later once a second, 5 sends a Digest to a member. Whose digest
//     differs answers with its Snapshot, and gets 5's in return. So nothing that was published and
//     lost stays lost. Who brings up a submission that has ended is told so; tombstones themselves
//     are not compared. A run of which 5 has heard only what another advertised it asks that one
//     about. Each second round goes to one that is held dead, those first to whom a session stands.
//     Of those with sessions to each other the first also asks a client each time, which tells
//     where all are that it has sessions with: two groups may know of each other through it alone.
//
// Who may say what is in one table, by what the sender is – a member, a client, a stranger –, and
// looked up where every message comes in; see kinds.go. Whether one is a client is proved at the
// handshake ([Peer.Proved]). Who may not say what it said, and may be a member whose greeting was
// lost, is asked who it is.
//
// No value from outside lasts for ever. Epochs are believed up to a [membership.Ceiling], join
// numbers and bars like that in package membership, and the numbers of others' lists of results
// in package orphan. Who is gone, tombstones and bars are forgotten by age, and nobody teaches
// anew what others forgot.
//
// Steal:
//
//  1. A worker of 5 has no job. 5 asks 7, in its site, and, while its site has had nothing lately
//     or 7 is slow to answer, 9 outside it: at most one request in each direction is out, and
//     neither waits for the other's answer.
//  2. 7 asks its workers for their oldest jobs ([steal.WantJobs]) and 5 waits. What they give
//     ([Peer.Taken]) is entered in the ledger, then sent: Lend. When they do not give in time, or
//     have nothing, 7 says Nothing, remembers 5, and wakes it or sends it what turns up.
//  3. 5 enters what arrives as borrowed and executes it, whether or not it still waits. 5 wakes
//     those that asked it in vain.
//  4. A job's result goes back: Return, repeated until Returned. 7 settles it
//     into the job that waits.
//  5. Leases, probes and withdrawals: package steal.
//
// Shares. Runs that want workers have them by their shares, on every peer, whichever is older:
//
//  1. The workers of 5 account what each run has had over its share ([steal.Fair]), and choose
//     where jobs begin, are taken and stolen: of the run that is behind. A job that computes is not
//     cut: it parks at its next Spawn or Wait when another run is behind by more than
//     [steal.FairSlice]. A run that begins to want workers starts level, so that neither the old
//     starve the new nor the new the old.
//  2. When 5 has nothing of a run that is behind its part, it says so ([Peer.Lacks]), and asks for
//     jobs of such runs, though none of its workers is idle: the run's master, who has given last,
//     anybody in turn; at most one such request is out, and after some in vain there is a pause.
//     Runs whose answer is only kept are left out, and of more than one request can name each has
//     its turn, one that has just come before the others.
//  3. The victim gives of the first of these runs that has any, and says Nothing at once else. It
//     does not remember who asked: that one asks again, soon at first.
//
// Submit and answer:
//
//  1. 5, a peer or a client, sends Submit to the oldest peer, and repeats it, to the master when it
//     is known and to anybody else in turn, until it is answered. Whoever is neither master of that
//     run nor the oldest passes it on. The root rides along the first time, with each repeat by way
//     of others while 5 hears of no such run, and goes to whoever asks for it.
//  2. The oldest peer, 1, makes the record: the [steal.Instance], itself as master, epoch 1, and
//     publishes it. When a run of that key is under way, the submission joins it.
//  3. Every peer keeps the record, with the root and where the submitters may be dialled, and tells
//     its workers of the run.
//  4. 1 executes the root. Its result, or the run's best at that time when it has one, is the
//     answer.
//  5. 1 sends Answer to each submitter and repeats it until it is acknowledged, every other time by
//     way of any member, which passes it on: the link between the two may be dead. Meanwhile the
//     oldest other peer keeps it, too (Keep), and sends it when 1 is gone, or when a repeated
//     submission comes by. When 1 is gone it also advertises it, as it would a copy: should another
//     succeed 1, that one finds it under the root's key.
//  6. 5 delivers the first answer, and says Ended, which acknowledges it. Later ones are
//     acknowledged, compared and dropped; one that contradicts is a [Contradiction]. Who has passed
//     on the answer passes on that.
//  7. Ended is published, and everybody keeps it, as a tombstone, for [EndedKeptFor]; what kept a
//     run for [KeepMax], on its disk, too, so that neither who was away for long nor a disk brings
//     it back. When all of a run's submissions have ended, all that is kept for the run is dropped
//     in one step. A submission that has ended cannot be started again.
//  8. A submission that its submitter has not repeated for [UnheardMax] is withdrawn by the
//     master; when it was seen to die – its connection broke, and a dial was refused – after
//     [DiedMax].
//  9. When there are [RunsMax] runs, or roots of 256 MiB, 128 of one submitter, and another
//     is submitted, 1 gives up the one that has waited longest with its answer for submitters
//     of whom none was heard for five minutes, or whose answer, here or at another master, is only
//     kept; of a submitter that has too many roots, one of its own. When there is none, it says
//     Full, and 5 delivers that as a failure.
//
// Runs that are kept go on whatever becomes of who has submitted them, and their answers stay:
//
//  1. 5 submits with [Terms].Keep. The record has two submissions then: the one that 5 waits by,
//     which ends as any other does, and one that keeps the run ([steal.Submission].Keeps), by which
//     nobody waits. That one is the run's first.
//  2. 1, the master, asks the oldest other peer whether it holds the record and the root, until
//     that one says Holds, and another when that one is gone. Where nobody else is there it
//     takes its disk's word, if it has one, and waits for a disk that fails. Then it says
//     Accepted once more, Safe, and 5 hears Admitted. From now on the death of no one process
//     loses the run; before, 5 repeats its submission often. An answer that comes first is not
//     held up for that.
//  3. 5 dies, or lets go ([Peer.Release]): its own submission ends. Nobody looks for it, tells it
//     anything or asks it whether the run is wanted: what keeps it says so.
//  4. The answer is sent to those who wait, kept by 1 and one more peer, and handed on, as any is.
//     The record says that it is there, so nobody asks for jobs any more. It is kept from when it
//     was there first, whoever is master since, or from when it was last asked for with a longer
//     time ahead; then the master ends what keeps the run. A master that has lost it computes it
//     again no longer than that.
//  5. 9 attaches by the run's id ([Peer.Attach]): a Submit with Joins and no root. It joins the
//     run, and has its answer as 5 would have. Where the oldest peer knows of no such run, it says
//     NoRun: unless 9 knows of it itself, which may bring the run then, that is the end. So it is
//     where 9 was never part of the run and is told so again and again, and where all who had its
//     root are gone: the master has asked for it in vain for long.
//  6. Anybody ends a run for all ([Cancel]: whoever waits for it, or keeps it, though the master
//     does not know of that, and whoever brings it up later hears that it was cancelled), or gives
//     it another share ([Reshare]): a member, or a
//     client by a message, which is repeated until its own record shows that it was done. Only the
//     master knows all submissions: a member passes Cancel on to it, and ends the run itself where
//     the master is gone. Orders of shares are numbered, and the latest holds: numbers are
//     believed up to a [membership.Ceiling], of two orders of one number the greater share holds.
//
// Terms. What a run is submitted under – how large its results may be, how much of it is verified,
// its share of the workers – is settled by those who hear of the submission and stands in the
// record: every peer keeps to it. A submission of the same root under other limits is another run;
// one that asks for a greater share raises that of the run. A result beyond the limit fails the run
// where it is made, the answer at the master. Every member carries what a run was promised: who
// executes a job must not decide what the run comes to.
//
// Masters. A run's master is in its record, and stays until it has left or died; leaving,
// suspected, or back under another incarnation, it is present.
//
//  1. When 5 finds the master gone, it looks who succeeds it: the heir that it named when it left,
//     else the oldest peer that is not leaving. One that was silent has [returnMax] to come back:
//     when a cut has healed, each side hears for a moment what the other believes of its peers.
//  2. If that is 5, it raises the epoch, publishes the record and puts the root back. The greater
//     epoch holds, for all who are not master of that run themselves.
//  3. If 5 holds no more than the record – from a client, or from before it was stopped for long –
//     it first asks the submitter, Wanted, in person and by way of others. A repeat of the
//     submission says yes, Ended no. It starts nothing until then.
//  4. Everybody says Support to the master of its runs every two seconds, and to a former
//     one when it changes.
//  5. When 5, a master, hears of another that lives, it does not yield to the number: it says
//     Claim, with the workers that support it. The one with more stays, of equals the one that was
//     declared dead less often, then the older. It raises the epoch above both, unless it has the
//     greater one, and the other leaves its root. A master that has its answer stays in any case. A
//     Claim that gets no answer goes by way of others. Who hears from a master itself that it has
//     left its root follows the other, dead or alive: one that is dead is succeeded.
//  6. A loan by a master whose epoch 7 knows to be over is refused, and 7 tells it who is master.
//     An answer is right whatever the epoch: it is kept, and ends the run. Who has one of an epoch
//     before brings it to the master, Keep, that does not know of it.
//
// Panic. When a job panics on 5, 5 tells the master, Fail, and repeats that until the run has
// ended: the panic is its answer. Every other time it tells any member, which tells the master in
// turn: two that died one after the other may have raised the epoch to one number, and some believe
// in the one that is dead, until the run ends, while the other is master.
//
// Poison. When 5 sees a process die – a broken connection, then a refused one – it counts that for
// the jobs that it had lent there, one for each worker, and for the root when that was the
// master's, with the age of the job. Deaths are in the record. When five of one job are of about
// the same age, no other peer of these sites died within ten seconds, unless of that job, and fewer
// died elsewhere meanwhile than died of it, the run fails and names it. A job that its own owner
// executes counts as the job above it that was lent, or as the root; a root that kills its process
// is found only when its masters died in different sites, or ten seconds apart. Where nobody is
// left to count, the disk does: a root with which more than three lives of a peer have ended,
// without a result of its run, waits while that peer is alone, from a minute up to an hour
// ([StartsAfter]).
//
// Verify. By the run's terms 5 draws some of the jobs that it lends, and keeps their arguments.
// When one has come back, 5 executes it again before it uses and acknowledges the result, with the
// fields that it was spawned with and not with those that were sent; it is not lent to the same
// thief. Two results that differ fail the run, with the job and both peers; choosing ones are left
// out, and what never leaves its owner is not verified. Nor is what is executed to verify a result,
// with all its parts, wherever they are lent: a Lend says so of each job. Who only passes a job on
// that it has borrowed draws nothing: those through whose hands it went would execute it one after
// another. So a job is executed at most once for itself, once more when it was lent and drawn, and
// once for each job above it of which that is true: a share of 0.1 costs a tenth of the work for
// each level at which jobs were lent.
//
// Loss of X, on every survivor, in this order; see crash.go:
//
//  1. 5 does not await X any more: requests to it and from it are forgotten, and what X sent and
//     waits here for a best is dropped.
//  2. The table's entries whose holder is X go.
//  3. Jobs borrowed from X are orphans. Each is withdrawn with Salvage: its finished parts are
//     kept and advertised, what it has lent on becomes an orphan by the same rule, at its
//     thief, and one that returns before it was told is kept itself. So are the results that X
//     has not acknowledged.
//  4. What is kept for X is advertised.
//  5. Jobs lent to X go back on the deque, again; one whose result is held here is settled instead.
//  6. When X was the master of a run, another succeeds it, as told below under Masters.
//
// Reuse (package orphan tells how the table of who holds what is kept alike):
//
//  1. While there are entries of a run, 5 asks its workers five times a second which keys they
//     miss. A job that a loss puts back is looked up at once, the root included.
//  2. What 5 holds itself is used. For the rest WantResult goes to a holder, the dearest first,
//     while the work goes on; nothing is stopped before the value is there. An answer that comes
//     too late is still used; one that does not come within [fetchMax] is given up, and that holder
//     is not asked for that key again.
//  3. ResultIs names the holder's best, like a loan does, and waits for it. Then the workers are
//     told to Use the value: what worked on it is withdrawn.
//
// Copies:
//
//  1. Every ten seconds, and more often for two minutes after a death, 5 asks its workers for their
//     parts, and adds the results whose owners have not acknowledged them, and those that it has
//     returned within its site and must still keep. What its holder lacks goes there in a Copy, one
//     run at a time, and is repeated until Copied; what these parts replace is taken back in the
//     same message, or the last of several. When the root has returned nothing is taken back until
//     another peer keeps the answer. The holder is in another site, if there is one. One in a third
//     has the dearest parts, too, and takes the place of the first when that is gone.
//  2. When a holder is gone, leaves, or does not answer for [copyWait], all that is current goes to
//     another. When the sum of what it keeps is not what it should be, too, at the next round.
//  3. A result that 5 returned is kept by 5, too. As often it asks the owner, Uncovered, and drops
//     what is Covered: what was settled before the owner last listed its parts, all of which its
//     holders have acknowledged since. An owner that cannot list all that is finished, since that
//     is too much or too long, covers nothing any more.
//  4. One message, of a will, too, brings as much as the link carried in a second; see portion.go.
//
// Store. What 5 has on its disk outlives all processes, and each instance of a run: it is kept by
// what the run computes, for its build. Nothing of it decides anything by itself:
//
//  1. A run that is a second old, or is kept whatever becomes of its submitter, has its record
//     written, the root once. At each round of copies 5 writes what is finished and current there
//     ([Save]): the parts of its workers and what it keeps for others, and takes off what these
//     replace, all or nothing. The answer takes the place of all that it was made of. What 5 has
//     made for others stays, the dearest of it: 5 may be the only one that comes back.
//  2. All results are written with the best that 5 holds, or after it, and name it. One batch is
//     under way at a time: where the disk is slow the next one has more, and where it fails 5 goes
//     on in memory, and tries again.
//  3. When the root of a run has come to 5, the disk is asked what it has of that ([WantStored]),
//     and nothing is written before it has said that: what cannot be read now may be there later.
//     Its best is compared first. When that is held, or a better one, and 5 is in, the results are
//     orphans': they are advertised, and found by whoever does that work again. So a loss of all, a
//     peer that starts again, and a root that is submitted again after it was given up, are one
//     path. What a disk has of another run is not used, nor, where the run is verified, what was
//     found with less of that. A run that is submitted to be computed anew ([Terms].Fresh) has the
//     disk forget instead, unless the run is the very one whose record was there. One run is asked
//     about after the other, and no more is read than there is room for in memory.
//  4. A process that starts is told of the records that its disk has ([Peer.Remembered]), before it
//     looks for others. They are no more than records: 5 is master of such a run only when nobody
//     else is, and asks the submitters before it starts the root, unless the run is kept. A
//     tombstone ends it, as ever: loans and answers are fenced by instances, the store is not.
//  5. When a run ends that was answered, as its tombstones say, all that the disk has of it goes;
//     when it was given up, its record. The rest waits for the same root, as long as there is room.
//  6. Who leaves in order writes what it has, with what its own jobs were salvaged to, and goes
//     when that is done. Of a run of which the disk has not said what it has, it writes how it goes
//     on, and no result.
//
// Of two runs of one root that are under way at once, under other terms, the one that comes first
// to the disk has the place in which whoever computes the same looks later. The other one is
// beside it, as long as it lasts: their bests may differ, and neither is to be lost for the other.
//
// Leave, of 5, by a deadline; see leave.go. It is a crash with a will:
//
//  1. 5 says that it is leaving, asks for nothing and lends nothing any more.
//
//  2. What it has borrowed, and the roots that it executes, are withdrawn with Salvage. A job that
//     never started or is told is handed back: Missing names it. What arrives from now on is
//     handed back at once.
//
//  3. A job that returns before it is told is returned as ever.
//
//  4. When no job is left, or half the time is over, 5 sends all results that it keeps, for itself
//     and for others, to its heir: Will, repeated until Willed. An heir that dies, or does not
//     answer for [heirWait], is followed by another, who gets all. Answers that 5 is delivering, or
//     keeps for their master, are kept by the heir, too; and of these and of runs that are to be
//     kept it says that it holds them, as of a master, in answer to this leave: all that had the
//     root may be leaving, and what the heir had before may have gone with it, unnoticed. When all
//     are leaving, the heir is the one that has the most time, and that one waits for the others.
//     So of two that leave at once no more than one is the other's heir. Either knows of the
//     other's leave, at the latest, by what a leaver says to its heir, before it helps that to go.
//
//  5. 5 says that it has left and who its heir is: the others run the path of a loss at once, and
//     the heir succeeds it as master. When the deadline passes before, it leaves all the same, and
//     what was not handed on is lost like in a crash: of runs that are to be kept it says so.
//
//  6. Where its leave is bound to a site, one of that site must have answered 5 after it had
//     nothing left to do, and none may be suspected alone. When nobody is there any more, 5 stays:
//     it takes another life, in which it goes on, gets back what comes to it, and starts its roots
//     again. What it has handed back is elsewhere.
//
// Order. A person at 5 wants 7 to leave ([Peer.Order]):
//
//  1. 5 says Order to 7, and repeats it until it sees 7 leaving or gone; then, or when nobody is at
//     the site to which the order is bound, [OrderDone]. [Peer.Recall] ends that.
//  2. 7 takes an order from a member that is present, for the life that it is in, while it does
//     not leave yet, and, where the order is bound, somebody is at that site. It leaves as above.
//  3. Who leaves and has not handed over everything says Late to all before its last word, so that
//     whoever waits for it does not believe that it left in order ([LeavesLate]).
//
// Statistics. People want to know, at the end of a run too, who has done what for it:
//
//  1. 7, whose workers have been told of a run, says Report to those who have submitted it, every
//     [ReportEvery] or sooner ([Peer.Did]), and once more when the run has ended there. A Report
//     has all that was done so far, and what the losses that 7 has survived have cost it: one that
//     is lost is made good by the next, but for the last.
//  2. 5, which has submitted it, hears them of members, and bounds them; what no peer can say is
//     dropped. One whose greeting was lost is asked Who it is, and heard from its next on. What is
//     told of a run that nobody here waits for is dropped, too.
//  3. When the answer has come, 5 says Ended, or, of a run that is kept, its master says that it
//     has its answer, on which [WantWork] follows; and the others' last Reports are a round trip
//     away: without them the statistics of a run of a second would be half a second old. So the
//     answer, which is delivered and read meanwhile, is handed on at [AllReported]: when everybody
//     has told its last who has told anything, is here and does not leave; and at the latest
//     [reportPatience], 300 ms, after it has come, since a last Report may be lost, and nobody
//     repeats it for what is only for people to see. Where nobody has told anything, as in a run
//     that is over at once, nothing is waited for.
//
// Suspicion. Somebody held 5 dead, or a side of a cut did, and others did not:
//
//  1. 5 hears that its incarnation is refused. It takes another, in which it goes on from that, and
//     says Hello. It advertises anew what it holds.
//  2. 7 knew 5 in the life before: it calls it by the new one, and loans, copies and what 7 keeps
//     for it stay. Only what was on its way between the two is lost, and leases, acknowledgements
//     and digests see to that.
//  3. 9 had lost 5, by the path above, or missed a life between: it says Refused with Void set. 5
//     runs steps 3 and 5 for its loans with 9, and moves its copies when 9 has them. When Void is
//     lost, leases end the loans.
//  4. When a cut heals, 7 hears from the other side that 5 is dead while it hears 5 itself. It does
//     not believe it, and tells 5, who takes another life by step 1. What is still said after two
//     seconds is believed: 5 sends, and does not hear.
//
// This is safe because a loan is numbered by the process that lends, whatever its incarnation,
// and because a life names the one from which it goes on with that one's random part: no other
// process can pass for it. So a side of a loan that was given up at the other is like a side
// whose messages were lost.
//
// The best: whoever prunes by it holds it. The workers' best is the run's best here, and the
// machine's is what they said last: they alone compare, one value after another, since that runs
// the program's code. What a worker finds it has compared itself, and says by Offered. So a best
// never falls, whatever comes when:
//
//  1. Every message that lends, returns or answers names the sender's best by digest and carries
//     it, unless this incarnation of the receiver has acknowledged that one for this instance.
//  2. A receiver that holds neither that best nor a better one keeps the message back. When it
//     carries the value, that is compared ([Compare]); else the sender is asked for it. A value
//     that waits to be compared, or is being compared, is not held: it is not acknowledged, and
//     nothing that names it is used. Only that message waits. Whatever is not usable within
//     [PostponedFor] is dropped unacknowledged, as if it were lost. A best too big to ride along
//     has one transfer a receiver. It is published by name; who has submitted the run asks for it,
//     to have something to show when the run is interrupted.
//  3. [Peer.Compared] says that the value is the workers' best now, or that theirs is as good:
//     either way it is held, and the messages that named it are used. The next is compared. A
//     worker may find a better best meanwhile; it says so before, and the value is compared with
//     that. Values wait in bounded numbers, of each sender and in all; one too many is dropped, and
//     asked for again when a message that waits for it is looked at. A run that ends takes with it
//     what waits, and a verdict that comes later is ignored.
//  4. A value that cannot be read, or on which the program's order panics, is dropped and its
//     sender named; the run goes on. But work that was done under it, a loan, a result, a copy,
//     could never be used, and waits no more: with it the run fails, by what the order panicked
//     with. So does a run whose order has not answered in [trialMax], and one whose worker offers a
//     best that cannot travel.
//  5. A better one that a worker offers is also published, at most one a run every [gossipEvery].
//
// Facts that workers tell are published, at most [factsBytes] every [factsEvery], and heard once by
// everybody else. They are hints, and may be lost.
package peer
