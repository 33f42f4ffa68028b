// # The workers
//
// The data plane is whatever executes jobs. It talks to the machine only in events and effects:
// package workers has both in code, and package workerstest holds data planes to what follows. All
// effects are orders without an answer, except those that want one, to be carried out in the order
// in which they are returned; none of them may be expected to have happened when the next event is
// sent. Numbers are never used twice in a process, and never 0: Run (a [RunNo]) and Borrow (a
// [steal.Borrow]) are given by the machine, Ref (a [steal.Ref]) by the data plane. Bytes are shared
// and read-only, in both directions. A client has no workers, and never sees Execute, Withdraw,
// WantJobs, PutBack or Settle; StartRun, EndRun and Compare show it the runs and their bests.
// Package workers says what each order is in code: workers.Calls are the effects, workers.Events
// the events, and workers.Plane adds what the data plane is asked, see below.
//
// Effects:
//
//   - [StartRun]: the run exists; here is its root. It comes before any Execute of that run.
//   - [ShareIs]: its share of the workers has changed.
//   - [EndRun]: the run is over. All its jobs are withdrawn, everything kept for it is dropped. No
//     event of that run is expected any more; late ones are ignored.
//   - [Execute]: run this job, borrowed or a root, and say [Peer.Finished] with its Borrow. One
//     with a Ref is run here, with the fields of the job with that Ref, if that is still waited
//     for. Until a worker starts it, it waits in a queue of the data plane, from which idle
//     workers take it, of the run whose turn it is, and from which jobs may be Taken like from a
//     deque, and are PassedOn. A root and one with a Ref stay; and so does each until the run's
//     root has been read: peers that can begin nothing would pass a job around among them, a
//     thousand times in some seconds.
//   - [Withdraw]: nobody waits for that borrowed job or root. It is stopped at its next Spawn
//     or Wait, or never starts, and whatever it returns is no result. Its lent descendants
//     are reported by [Peer.Abandoned] as the worker finds them. A Finished that is already
//     on its way is ignored.
//   - [steal.WantJobs]: take the N oldest jobs, of Bytes together beyond the first, or one more,
//     and not more than half of what is to be had, rounded up, and say [Peer.Taken]. It must be
//     answered once, at the workers' next spawns, and at the latest when all workers are idle; with
//     no jobs if need be. They are of the run whose turn it is; with Of, of the first of these runs
//     that has some, and the answer comes at once, though there be none; then those that work for
//     them are asked to publish, for the next time. At most one is open at a time. From then on
//     each job taken is a job in the hands of the machine, with a Ref, and its waiter waits.
//   - [PutBack]: the job with that Ref goes back on a deque, to be executed here or taken
//     again, under a new Ref. With Loss, what it costs then, as far as its thief had done it, is
//     put down to that loss.
//   - [Settle]: the result of the job with that Ref. Its waiter goes on; its error, if that is what
//     it is, becomes the waiter's. When the job taken was itself a borrowed one that no worker had
//     started, this result is its own: say Finished for its Borrow.
//   - [Compare]: compare a value that came from outside with the workers' best, and put it in its
//     place if it is better, of equally good ones the smaller bytes; say [Peer.Compared], with
//     Better before any worker can prune by it. At most one is open at a time for a run. It may
//     take long, and no other effect waits for it.
//   - [Differ]: tell by [Peer.Differed] whether one of two answers is better than the other. At
//     most one is open at a time.
//   - [WantParts]: list the parts, and say [Peer.Gathered]. A part is a finished child of an
//     unfinished job, or of a withdrawn one that has not been told; its parent was found unfinished
//     by a tick before the child ended. One that has failed need not be a part. The list is
//     complete: of all workers and parked jobs, the results included that came from thieves and
//     wait to be used. It must be answered once, soon; at most one is open at a time.
//   - [WantKeys]: list the keys of the run's unfinished jobs that ticks have found, those that wait
//     for others included, and of the oldest that wait to be started, at most [KeysMax]; say
//     [Peer.Unfinished]. It must be answered once, soon; at most one is open at a time for a run.
//   - [Use]: every unfinished job of the run with that key has this result, its waiters go on, and
//     what worked on it or below it is withdrawn, without Salvage. A key that no unfinished job has
//     is ignored. A job taken that gets its value so is said to be Abandoned; a borrowed one is
//     Finished with that result.
//   - [Hear]: a fact for the run's jobs, see satin.Heard.
//
// A Withdraw with Salvage concerns an orphan, a root that is left, or a peer that leaves. The job
// and all that work on it or on its descendants, here, are told at their next Spawn or Wait; a job
// that is computing and returns before it was told is a finished child like any other. Of each
// stack that is told the parts of the withdrawn jobs go to [Peer.Salvaged], in one event or
// several, and what they have lent is Abandoned, as orphaned. For the job itself exactly one of
// [Peer.Finished], when it returned and was never told, and [Peer.Stopped] is said, after the
// salvage of its own stack.
//
// PutBack and Settle come at most once for a Ref, and never both. The data plane ignores them for a
// Ref that it has abandoned, but for the result of an orphan's child, or of an orphan that was lent
// on: whoever returned it keeps it no longer, so it is Salvaged, however late. For jobs of a run
// that has ended none comes. What a loss puts back follows its [membership.Lost] among the effects
// of the same event.
//
// Events:
//
//   - [Peer.Idle] with the number of workers that have no job and found none in this process; it is
//     said whenever that number changes, 0 included, which is what it is before anything is said. A
//     worker that only waits for a lent job has no job.
//   - [Peer.Lacks] with the runs of which the workers execute less than their part, though nothing
//     of them waits here, while others have workers; who lacks most comes first. It is said
//     whenever that changes, with none at last.
//   - [Peer.Taken] answers WantJobs.
//   - [Peer.Finished]: an executed job returned and nothing withdrew it.
//   - [Peer.Panicked]: a job of the run panicked, on whose behalf ever. The workers stop all jobs
//     of the run, and begin none of it that they are given later. No Finished is expected of them
//     any more, and no Stopped but of those that were withdrawn with Salvage before; what they
//     have lent is Abandoned.
//   - [Peer.Abandoned]: these Refs, which were Taken, are not waited for any more: aborted, used,
//     or their parent was withdrawn; orphaned, when that was with Salvage.
//   - [Peer.Gathered] answers WantParts, and [Peer.Unfinished] WantKeys. [Peer.Unkept] comes before
//     it for each run of which not all that is finished is listed, for want of room.
//   - [Peer.Salvaged]: parts of jobs that were withdrawn with Salvage. [Peer.Stopped]: such a job
//     was told, or never started; it has no result.
//   - [Peer.Told]: a worker told a fact that follows from the root alone, of at
//     most [FactMax] bytes.
//   - [Peer.Offered]: a worker offered a best that is better than all that they knew, and theirs
//     now. It, and Compared, must be said before Taken and Finished of jobs that may have seen it.
//
// The data plane is also asked, for others to be told, between any two events. It decides nothing,
// and package driver knows when:
//
//   - Run: what was done for a run here, while it is on: from StartRun to EndRun, and never if the
//     workers cannot compute it. That is [Work], and said by [Peer.Did]; if it was ever said, then
//     once more at EndRun. Counts may lag by a tick. Redone is by [LossNo].
//   - Executing: how many jobs it was told to execute that have not ended. Those that are in the
//     machine's hands again are among them.
//   - Shares: how far these are, those that somebody has begun, said by [Peer.HowFar].
//   - Progressed: the other way round, how far the job with that Ref is, as its thief tells in
//     [Progressed]. For a Ref that is not taken any more it is ignored.
//
// # The carrier
//
// The carrier authenticates peers by id, admits only those that proved the grid's secret, and
// bounds every message before it decodes it. Effects: [Send], [Publish], which reaches everybody
// but this peer, [membership.Dial]. A Send to a host with which no session stands is ordered only
// while that host is being dialled: it waits for that, within bounds, and is lost when the dial
// fails. Each Dial has one outcome: [Peer.Connected], or [Peer.DialFailed], with what it came to;
// where another host was found, [Peer.Met] follows. Further events: [Peer.Received];
// [Peer.Connected] for each new session, which is also whom to join through; [Peer.Disconnected]
// when the last session with a host ended. Whom to dial, and when again, is decided here: package
// addresses tells how. [Peer.Open] founds a grid where nobody is known. Who has a
// past, and whom nobody answers, says [WentOn], and goes on alone as the same grid; who has none,
// or is refused, says [Stranded], and founds nothing. At [KeepAddresses] the book,
// [Sight.Addresses], is to be kept for the next start. Messages may be lost, doubled and
// reordered; big ones may travel on streams of their own. [Bodies] lists them, with what a
// decoder must refuse.
//
// # The disk
//
// A peer that was told of one ([Config].Store) orders three things: [Save], which [Peer.Saved]
// answers, [Forget], and [WantStored], which [Peer.Stored] answers once. They are done in their
// order. What was saved is there whole or not at all, and after a crash so is each batch, in order;
// what is read is what was written, for the same build, or it is not there. Of more results than
// fit into memory (package orphan) the dearest are read. At the start [Peer.Remembered] comes once.
// At [KeepEnds] [Sight.Ends] are to be kept for that.
//
// # The loop
//
// Nothing slow is done there: a Peer runs none of the program's code, encodes and decodes nothing,
// and makes no digest of a root, a result or a best. What comes in was checked by [Vet] where it
// was decoded; what comes from the workers brings its digest along.
//
// One goroutine owns the machine. It calls one method at a time, carries out the effects that it
// returns before the next call, and calls [Peer.Tick] when [Peer.Deadline], asked after every call,
// is reached. now is any clock that never runs backwards.
//
// # The application
//
// Effects: [Deliver] once for each [Peer.Submit] that was not cancelled, [AllReported] once after
// each of these, [Reported] until then, and [Contradiction]. [Started],
// [membership.Joined], [membership.Lost], [membership.Rejoined], [membership.Banned] and [Mastered]
// tell a person what happens. A run that this machine fails has a result made by Config.Failure.
// [Sight.Bars] are to be kept for the next start. [Sight.RunOf], [Sight.Best], [Sight.Runs],
// [Sight.Members] and [Sight.Stats] may be asked at any time.
//
// # Costs
//
// An event costs about a microsecond, a steal about ten events on both sides together.
// Memory is bounded by the constants of the three packages: members, loans, runs,
// tombstones, waiting messages, reporters.
//
// # Limitations
//
// A member is believed: it can bar others, end runs, and answer them wrongly, and whoever has the
// secret can be a member. What a peer has finished since its last copies is lost with it, and a
// result that only one peer advertises is lost with that one. A result that a thief returned
// within its site is copied by both for one round. Where a grid has two or three peers and one is
// killed every few seconds, always at one age of the same job, that job is taken for poison.
// A disk that was away when a run ended brings it back when all have forgotten that: its submitter
// is asked, and one that is kept is computed again.
// Running orphans are not adopted. What an heir keeps for a third peer it keeps until that one
// dies or the run ends.
package peer
