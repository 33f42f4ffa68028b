// Package peer is one whole peer of the grid as one deterministic machine, composed of [membership.View],
// [steal.Ledger], [steal.Thief] and [steal.Victim]. The flows of the grid are written here, once.
//
// A [Peer] takes events, one method each, and returns effects, small structs that its owner carries out. It does no I/O, starts no
// goroutine, reads no clock and draws from no global random source. [Peer.Deadline] is when it wants [Peer.Tick]. Any
// interleaving of events is right, late, doubled and lost messages included; only speed suffers.
//
// What it decides beyond those is decided in parts, each of which is told events, too, has fields of
// its own and knows nothing of Peer: of a run its best, poison and lookup; of all runs verifier,
// copier, keeper and leaving. What a part wants done it returns, for Peer to carry out; part.go says
// how.
//
// # The flows
//
// On peer 5 of N, all running the same code.
//
// Join:
//
//  1. 5 is subscribed to what the grid publishes before it asks anything. What arrives early is merged at once: records, bests and
//     tombstones are lattices, so the order does not matter and nothing needs to be kept back.
//  2. 5 sends Pull to a peer, or client, it is connected to, and repeats it to the next one until a Snapshot comes:
//     members, bars, the youngest tombstones and the head of every run. Records with root and best follow it, one a run. From a client 5 takes the runs, and of members where they may be
//     asked: it asks them, too, and when nobody has answered for [hearsayFor] it goes on alone.
//  3. 5 takes the join number after the largest it sees, publishes Hello, and says it to the members in person and to
//     whoever connects to it from then on. Who hears it and does not know it, a client included, asks Who it is.
//  4. 5 steals, from the peer that it is connected to first. A loan of a run whose record has not come yet waits for it.
//  5. Soon after it has joined, and later once a second, 5 sends a Digest to a member. Whose digest differs answers with its Snapshot, and
//     gets 5's in return. So nothing that was published and lost stays lost. Who brings up a submission that has ended is told so; tombstones themselves are not compared.
//     A run of which 5 has heard only what another advertised it asks that one about. Each second round goes to one that is held dead, those first to whom a session stands.
//
// Who may say what is in one table, by what the sender is – a member, a client, a stranger –, and looked up where every message comes in; see say.go. Whether one is a client is proved at the
// handshake ([Peer.Proved]). Who may not say what it said, and may be a member whose greeting was lost, is asked who it is.
//
// No value from outside lasts for ever. Epochs are believed up to a [membership.Ceiling], join numbers and bars like that in package membership, and the numbers of others' lists of results
// in package orphan. Who is gone, tombstones and bars are forgotten by age, and nobody teaches anew what others forgot.
//
// Steal:
//
//  1. A worker of 5 has no job. 5 asks 7, in its site, and 9, outside it, at once: at most one request
//     in each direction is out, and neither waits for the other.
//  2. 7 asks its workers for their oldest jobs ([steal.WantJobs]) and 5 waits. What they give ([Peer.Taken]) is entered in the ledger, then
//     sent: Lend. When they do not give in time, or have nothing, 7 says Nothing, remembers 5, and wakes it or sends
//     it what turns up.
//  3. 5 enters what arrives as borrowed and executes it, whether or not it still waits. 5 wakes those that asked it in vain.
//  4. A job's result goes back: Return, repeated until Returned. 7 settles it into the job that waits.
//  5. Leases, probes and withdrawals: package steal.
//
// Shares. Runs that want workers have them by their shares, on every peer, whichever is older:
//
//  1. The workers of 5 account what each run has had over its share ([steal.Fair]), and choose where jobs begin, are taken and stolen: of the run
//     that is behind. A job that computes is not cut: it parks at its next Spawn or Wait when another run is behind by more than
//     [steal.FairSlice]. A run that begins to want workers starts level, so that neither the old starve the new nor the new the old.
//  2. When 5 has nothing of a run that is behind its part, it says so ([Peer.Lacks]), and asks for jobs of such runs, though none of its workers is
//     idle: the run's master, who has given last, anybody in turn; at most one such request is out, and after some in vain there is a pause.
//  3. The victim gives of the first of these runs that has any, and says Nothing at once else. It does not remember who asked: that one asks again, soon at first.
//
// Submit and answer:
//
//  1. 5, a peer or a client, sends Submit to the oldest peer, and repeats it, to the master when it is known and to anybody else in turn, until it is
//     answered. Whoever is neither master of that run nor the oldest passes it on. The root rides along the first time,
//     with each repeat by way of others while 5 hears of no such run, and goes to whoever asks for it.
//  2. The oldest peer, 1, makes the record: the [steal.Instance], itself as master, epoch 1, and publishes it. When a run
//     of that key is under way, the submission joins it.
//  3. Every peer keeps the record, with the root and where the submitters may be dialled, and tells its workers of the run.
//  4. 1 executes the root. Its result, or the run's best at that time when it has one, is the answer.
//  5. 1 sends Answer to each submitter and repeats it until it is acknowledged, every other time by way of any member, which passes it on: the link between
//     the two may be dead. Meanwhile the oldest other peer keeps it, too (Keep), and sends it when 1 is gone, or when a repeated submission comes by. When 1 is gone it also
//     advertises it, as it would a copy: should another succeed 1, that one finds it under the root's key.
//  6. 5 delivers the first answer, and says Ended, which acknowledges it. Later ones are acknowledged, compared and dropped; one that contradicts is a [Fault].
//     Who has passed on the answer passes on that.
//  7. Ended is published, and everybody keeps it, as a tombstone, for [EndedKeptFor]. When all of a run's submissions have ended, all that is kept for the run
//     is dropped in one step. A submission that has ended cannot be started again.
//  8. A submission that its submitter has not repeated for [UnheardMax] is withdrawn by the master; when it was seen to die – its connection broke, and
//     a dial was refused – after [DiedMax], unless the run is kept. [Peer.CancelRun] withdraws all of a run's, at any member, and tells the submitters.
//  9. When there are [RunsMax] runs, or roots of 256 MiB, 128 of one submitter, and another is submitted, 1
//     gives up the one that has waited longest with its answer for submitters of whom none was heard for five
//     minutes. When there is none, it says Full, and 5 delivers that as a failure.
//
// Terms. What a run is submitted under – how large its results may be, how much of it is verified, its share of the workers – is settled by
// those who hear of the submission and stands in the record: every peer keeps to it. A submission of the same root under other limits is another
// run; one that asks for a greater share raises that of the run. A result beyond the limit fails the run where it is made, the answer at the master.
// Every member carries what a run was promised: who executes a job must not decide what the run comes to.
//
// Masters. A run's master is in its record, and stays until it has left or died; leaving, suspected, or back under another incarnation, it is present.
//
//  1. When 5 finds the master gone, it looks who succeeds it: the heir that it named when it left, else the oldest peer that is not leaving. One that was silent
//     has [returnMax] to come back: when a cut has healed, each side hears for a moment what the other believes of its peers.
//  2. If that is 5, it raises the epoch, publishes the record and puts the root back. The greater epoch holds, for all who are not master of that run themselves.
//  3. If 5 holds no more than the record – from a client, or from before it was stopped for long – it first asks the submitter, Wanted, in person and by way of
//     others. A repeat of the submission says yes, Ended no. It starts nothing until then.
//  4. Everybody says Follow to the master of its runs every two seconds, and to a former one when it changes.
//  5. When 5, a master, hears of another that lives, it does not yield to the number: it says Contest, with the workers that follow it. The one with more stays,
//     of equals the one that was declared dead less often, then the older. It raises the epoch above both, unless it has the greater one, and the other leaves its root. A master that
//     has its answer stays in any case. A Contest that gets no answer goes by way of others.
//     Who hears from a master itself that it has left its root follows the other, dead or alive: one that is dead is succeeded.
//  6. A loan by a master whose epoch 7 knows to be over is refused, and 7 tells it who reigns. An answer is right whatever the epoch: it is kept, and ends the run.
//
// Panic. When a job panics on 5, 5 tells the master, Fail, and repeats that until the run has ended: the panic is its answer. Every other time it tells any member, which tells the
// master in turn: two that died one after the other may have raised the epoch to one number, and some believe in the one that is dead, until the run ends, while the other reigns.
//
// Poison. When 5 sees a process die – a broken connection, then a refused one – it counts that for the jobs that it had lent there, one for each worker, and for the root when that
// was the master's, with the age of the job. Deaths are in the record. When five of one job are of about the same age, no other peer of these
// sites died within ten seconds, unless of that job, and fewer died elsewhere meanwhile than died of it, the run fails and names it. A job that its own owner executes counts as the job above it that was lent, or as the root;
// a root that kills its process is found only when its masters died in different sites, or ten seconds apart.
//
// Verify. By the run's terms 5 draws some of the jobs that it lends, and keeps their arguments. When one has come back, 5 executes it again before it uses and acknowledges the result, with the
// fields that it was spawned with and not with those that were sent; it is
// not lent to the same thief. Two results that differ fail the run, with the job and both peers; choosing ones are left out, and what never leaves its owner is not
// verified. Nor is what is executed to verify a result, with all its parts, wherever they are lent: a Lend says so of each job. Who only passes a job on that it has borrowed
// draws nothing: those through whose hands it went would execute it one after another. So a job is executed at most once for itself, once more when it was lent and drawn, and once
// for each job above it of which that is true: a share of 0.1 costs a tenth of the work for each level at which jobs were lent.
//
// Loss of X, on every survivor, in this order; see crash.go:
//
//  1. 5 does not await X any more: requests to it and from it are forgotten, and what X sent and waits here for a best is dropped.
//  2. The table's entries whose holder is X go.
//  3. Jobs borrowed from X are orphans. Each is withdrawn with Salvage: its finished parts are kept and advertised, what it has lent on becomes an orphan by the
//     same rule, at its thief, and one that returns before it was told is kept itself. So are the results that X has not acknowledged.
//  4. What is kept for X is advertised.
//  5. Jobs lent to X go back on the deque, again; one whose result is held here is settled instead.
//  6. When X was the master of a run, another succeeds it, as told below under Masters.
//
// Reuse (package orphan tells how the table of who holds what is kept alike):
//
//  1. While there are entries of a run, 5 asks its workers five times a second which keys they miss. A job that a loss puts back is looked up
//     at once, the root included.
//  2. What 5 holds itself is used. For the rest WantResult goes to a holder, the dearest first, while the work goes on; nothing is stopped before
//     the value is there. An answer that comes too late is still used; one that does not come within [fetchMax] is given up, and that holder is not asked for that key again.
//  3. ResultIs names the holder's best, like a loan does, and waits for it. Then the workers are told to Use the value: what worked on it is withdrawn.
//
// Copies:
//
//  1. Every ten seconds, and more often for two minutes after a death, 5 asks its workers for their parts, and adds the results whose owners have not acknowledged them, and those that it has returned within its site and must
//     still keep. What its holder lacks goes there in a Copy, one run at a time, and is repeated until Copied; what these parts replace is taken back in the same message, or the
//     last of several. When the root has returned nothing is taken back until another peer keeps the answer. The holder is a peer in another site, if there is one.
//  2. When the holder is gone, leaves, or does not answer for [copyWait], all that is current goes to another. When the sum of what it keeps is not what it
//     should be, too, at the next round.
//  3. A result that 5 returned is kept by 5, too. As often it asks the owner, Uncovered, and drops what is Covered: what was settled before the owner last
//     listed its parts, all of which have been acknowledged since. An owner that cannot list all that is finished, since that is too much or too long, covers nothing any more.
//  4. One message brings as much as the link carried in about a second; see portion.go. The same goes for wills.
//
// Leave, of 5, by a deadline; see leave.go. It is a crash with a will:
//
//  1. 5 says that it is leaving, asks for nothing and lends nothing any more.
//
//  2. What it has borrowed, and the roots that it executes, are withdrawn with Salvage. A job that never started or is told is handed back: Held names it missing. What arrives
//     from now on is handed back at once.
//
//  3. A job that returns before it is told is returned as ever.
//
//  4. When no job is left, or half the time is over, 5 sends all results that it keeps, for itself and for others, to its heir: Will, repeated until Willed. An heir that dies,
//     or does not answer for [heirWait], is followed by another, who gets all. Answers that 5 is delivering are kept by the heir, too. When all are leaving, the heir is the one that has
//     the most time, and that one waits for the others.
//
//  5. 5 says that it has left and who its heir is: the others run the path of a loss at once, and the heir succeeds it as master. When the deadline passes before, it
//     leaves all the same, and what was not handed on is lost like in a crash.
//
//  6. Where its leave is bound to a site, one of that site must have answered 5 after it had nothing left to do, and none may be suspected
//     alone. When nobody is there any more, 5 stays: it takes another life, in which it goes on, gets back what comes to it, and starts its roots
//     again. What it has handed back is elsewhere.
//
// Suspicion. Somebody held 5 dead, or a side of a cut did, and others did not:
//
//  1. 5 hears that its incarnation is refused. It takes another, in which it goes on from that, and says Hello. It advertises anew what it holds.
//  2. 7 knew 5 in the life before: it calls it by the new one, and loans, copies and what 7 keeps for it stay. Only what was on its way between the two is lost, and leases,
//     acknowledgements and digests see to that.
//  3. 9 had lost 5, by the path above, or missed a life between: it says Refused with Void set. 5 runs steps 3 and 5 for its loans with 9, and moves its copies when 9 has them. When
//     Void is lost, leases end the loans.
//  4. When a cut heals, 7 hears from the other side that 5 is dead while it hears 5 itself. It does not believe it, and tells 5, who takes another life by step 1. What is still
//     said after two seconds is believed: 5 sends, and does not hear.
//
// This is safe because a loan is numbered by the process that lends, whatever its incarnation, and because a life names the one from which it goes on with that one's random part: no
// other process can pass for it. So a side of a loan that was given up at the other is like a side whose messages were lost.
//
// The best: whoever prunes by it holds it. The workers' best is the run's best here, and the machine's is what they said last: they alone compare,
// one value after another, since that runs the program's code. What a worker finds it has compared itself, and says by Offered. So a best never falls, whatever comes when:
//
//  1. Every message that lends, returns or answers names the sender's best by digest and carries it, unless this
//     incarnation of the receiver has acknowledged that one for this instance.
//  2. A receiver that holds neither that best nor a better one keeps the message back. When it carries the value, that is compared ([Compare]); else the
//     sender is asked for it. A value that waits to be compared, or is being compared, is not held: it is not acknowledged, and nothing that names it is used. Only that
//     message waits. Whatever is not usable within [HeldFor] is dropped unacknowledged, as if it were lost.
//     A best too big to ride along has one transfer a receiver. It is published by name; who has submitted the run asks for it,
//     to have something to show when the run is interrupted.
//  3. [Peer.Compared] says that the value is the workers' best now, or that theirs is as good: either way it is held, and the messages that named it are used. The next is
//     compared. A worker may find a better best meanwhile; it says so before, and the value is compared with that. Values wait in bounded numbers, of each sender
//     and in all; one too many is dropped, and asked for again when a message that waits for it is looked at. A run that ends takes with it what waits, and a verdict
//     that comes later is ignored.
//  4. A value that cannot be read, or on which the program's order panics, is dropped and its sender named; the run goes on. But work that was done under it, a loan, a
//     result, a copy, could never be used, and waits no more: with it the run fails, by what the order panicked with. So does a run whose order has not answered in [trialMax],
//     and one whose worker offers a best that cannot travel.
//  5. A better one that a worker offers is also published, at most one a run every [gossipEvery].
//
// Facts that workers tell are published, at most [factsBytes] every [factsEvery], and heard once by everybody else. They are hints, and may be lost.
//
// # The workers
//
// The data plane is whatever executes jobs. It talks to the machine only in events and effects: package workers has both in code, and package workerstest
// holds data planes to what follows. All effects
// are orders without an answer, except those that want one, to be carried out in the order in which they are returned; none of them may be expected to have
// happened when the next event is sent. Numbers are never used twice in
// a process, and never 0: Run (a [RunNo]) and Borrow (a [steal.Borrow]) are given by the machine, Ref (a [steal.Ref]) by the data plane. Bytes are shared and read-only, in both directions.
// A client has no workers, and never sees Execute, Withdraw, WantJobs, PutBack or Settle; StartRun, EndRun and Compare show it the runs and their bests.
//
// Effects:
//
//   - [StartRun]: the run exists; here is its root. It comes before any Execute of that run.
//   - [ShareIs]: its share of the workers has changed.
//   - [EndRun]: the run is over. All its jobs are withdrawn, everything kept for it is dropped. No event of
//     that run is expected any more; late ones are ignored.
//   - [Execute]: run this job, borrowed or a root, and say [Peer.Finished] with its Borrow. One with a Ref is run here, with the fields of
//     the job with that Ref, if that is still waited for. Until a worker starts it, it waits in a queue of the
//     data plane, from which idle workers take it, of the run whose turn it is, and from which jobs may be Taken like from a deque, and are PassedOn. A root and one with a Ref
//     stay; and so does each until the run's root has been read: peers that can begin nothing would pass a job around among them, a thousand times in some seconds.
//   - [Withdraw]: nobody waits for that borrowed job or root. It is stopped at its next Spawn or Wait, or never starts, and whatever
//     it returns is no result. Its lent descendants are reported by [Peer.Abandoned] as the worker finds them. A Finished that is
//     already on its way is ignored.
//   - [steal.WantJobs]: take the N oldest jobs, of Bytes together beyond the first, or one more, and not more than half of what is to be had, rounded up, and say [Peer.Taken]. It must be answered once, at the workers' next spawns, and at the latest when all
//     workers are idle; with no jobs if need be. They are of the run whose turn it is; with Of, of the first of these runs that has some, and the
//     answer comes at once, though there be none; then those that work for them are asked to publish, for the next time. At most one is open at a time. From then on each job taken is a job in the hands of the machine, with a Ref, and its waiter waits.
//   - [PutBack]: the job with that Ref goes back on a deque, to be executed here or taken again, under a new Ref.
//   - [Settle]: the result of the job with that Ref. Its waiter goes on; its error, if that is what it is, becomes the
//     waiter's. When the job taken was itself a borrowed one that no worker had started, this result is its own: say Finished for its Borrow.
//   - [Compare]: compare a value that came from outside with the workers' best, and put it in its place if it is better, of equally good ones the smaller bytes; say [Peer.Compared], with Better
//     before any worker can prune by it. At most one is open at a time for a run. It may take long, and no other effect waits for it.
//   - [Differ]: tell by [Peer.Differed] whether one of two answers is better than the other. At most one is open at a time.
//   - [WantParts]: list the parts, and say [Peer.Gathered]. A part is a finished child of an unfinished job, or of a withdrawn one that has not
//     been told; its parent was found unfinished by a tick before the child ended. One that has failed need not be a part. The list is complete: of all workers and parked jobs, the results included
//     that came from thieves and wait to be used. It must be answered once, soon; at most one is open at a time.
//   - [WantKeys]: list the keys of the run's unfinished jobs that ticks have found, those that wait for others included, and of the oldest that
//     wait to be started, at most [KeysMax]; say [Peer.Unfinished]. It must be answered once, soon; at most one is open at a time for a run.
//   - [Use]: every unfinished job of the run with that key has this result, its waiters go on, and what worked on it or below it is withdrawn, without Salvage. A key that no unfinished job has
//     is ignored. A job taken that gets its value so is said to be Abandoned; a borrowed one is Finished with that result.
//   - [Hear]: a fact for the run's jobs, see satin.Heard.
//
// A Withdraw with Salvage concerns an orphan, a root that is left, or a peer that leaves. The job and all that work on it or on its descendants, here, are
// told at their next Spawn or Wait; a job that is computing and returns before it was told is a finished child like any other. Of each
// stack that is told the parts of the withdrawn jobs go to [Peer.Salvaged], in one event or several, and what they have lent is Abandoned, as orphaned. For the job itself
// exactly one of [Peer.Finished], when it returned and was never told, and [Peer.Stopped] is said, after the salvage of its own stack.
//
// PutBack and Settle come at most once for a Ref, and never both. The data plane ignores them for a Ref that it has abandoned, and for jobs of a run that
// has ended none comes. What a loss puts back follows its [membership.Lost] among the effects of the same event.
//
// Events:
//
//   - [Peer.Idle] with the number of workers that have no job and found none in this process; it is said whenever that number changes, 0 included,
//     which is what it is before anything is said.
//     A worker that only waits for a lent job has no job.
//   - [Peer.Lacks] with the runs of which the workers execute less than their part, though nothing of them waits here, while others have workers; who
//     lacks most comes first. It is said whenever that changes, with none at last.
//   - [Peer.Taken] answers WantJobs.
//   - [Peer.Finished]: an executed job returned and nothing withdrew it.
//   - [Peer.Panicked]: a job of the run panicked, on whose behalf ever. The workers stop all jobs of the run, and begin none of it that they are given later. No Finished is expected of them any
//     more, and no Stopped but of those that were withdrawn with Salvage before; what they have lent is Abandoned.
//   - [Peer.Abandoned]: these Refs, which were Taken, are not waited for any more: aborted, used, or their parent was withdrawn; orphaned, when that was with Salvage.
//   - [Peer.Gathered] answers WantParts, and [Peer.Unfinished] WantKeys. [Peer.Unkept] comes before it for each run of which not all that is finished is listed, for want of room.
//   - [Peer.Salvaged]: parts of jobs that were withdrawn with Salvage. [Peer.Stopped]: such a job was told, or never started; it has no result.
//   - [Peer.Told]: a worker told a fact that follows from the root alone, of at most [FactMax] bytes.
//   - [Peer.Offered]: a worker offered a best that is better than all that they knew, and theirs now. It, and Compared, must be said before Taken and Finished of jobs that may have seen it.
//
// # The carrier
//
// The carrier authenticates peers by id, admits only those that proved the grid's secret, and bounds every message before it decodes it.
// Effects: [Send], [Publish], which reaches everybody but this peer, [membership.Dial]. A Send to a host with which no session stands is ordered only while that host is being
// dialled: it waits for that, within bounds, and is lost when the dial fails. Each Dial has one outcome: [Peer.Connected], [Peer.ConnectRefused], [Peer.Denied] or [Peer.Unreached];
// where another host was found, [Peer.Met] follows. Further events: [Peer.Received]; [Peer.Connected] for each new session, which is also whom to join through; [Peer.Reset] when the last
// session with a host ended. Whom to dial, and when again, is decided here: package addresses tells how. [Peer.Open] founds a grid where nobody is known. Who has a past, and whom nobody
// answers, says [WentOn], and goes on alone as the same grid; who has none, or is refused, says [Stranded], and founds nothing. At [KeepAddresses] the book, [Peer.Addresses], is to be kept for the next start.
// Messages may be lost, doubled and reordered; big ones may travel on streams of their own. [Bodies] lists them, with what a decoder must refuse.
//
// # The loop
//
// Nothing slow is done there: a Peer runs none of the program's code, encodes and decodes nothing, and makes no digest of a root, a result or a best. What comes in was
// checked by [Vet] where it was decoded; what comes from the workers brings its digest along.
//
// One goroutine owns the machine. It calls one method at a time, carries out the effects that it returns before the next call, and calls [Peer.Tick] when [Peer.Deadline],
// asked after every call, is reached. now is any clock that never runs backwards.
//
// # The application
//
// Effects: [Deliver] once for each [Peer.Submit] that was not cancelled, and [Fault]. [Started], [membership.Joined], [membership.Lost], [membership.Rejoined],
// [membership.Banned] and [Mastered] tell a person what happens. A run that this machine fails has a result made by Config.Failure. [Peer.Bars] are to be kept for the next
// start. [Peer.RunOf], [Peer.Best], [Peer.Runs], [Peer.Members] and [Peer.Stats] may be asked at any time.
//
// # Costs
//
// An event costs about a microsecond, a steal about ten events on both sides together. Memory is bounded by the
// constants of the three packages: members, loans, runs, tombstones, waiting messages.
//
// # Limitations
//
// A member is believed: it can bar others, end runs, and answer them wrongly, and whoever has the secret can be a member.
// What a peer has finished since its last copies is lost with it, and a result that only one peer advertises is lost with that one. A result
// that a thief returned within its site is copied by both for one round. Where a grid has two or three peers and one is killed every few seconds, always at one age of the same job, that
// job is taken for poison. Running orphans are not adopted. What an heir keeps for a
// third peer it keeps until that one dies or the run ends.
package peer
