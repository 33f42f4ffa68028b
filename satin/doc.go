// Package satin runs divide-and-conquer programs on all cores of a machine, and on
// machines that come and go.
//
// A program is a tree of jobs. A job is a value of a type with a Run method, a [Task]: its exported
// fields are its arguments. Run splits its problem with [Spawn], which makes a job that any worker
// of any peer may take, and [Future.Wait], which returns what it came to. [All], [Each] and [First]
// do both for lists. [Run] computes a root task, on a [Peer] of a grid or, with a nil peer, alone
// in this process; [Submit] does so in the background. A run that is to be kept ([Keep]) goes on
// without who has submitted it, and [Attach] comes back to it. Package satin/program makes commands
// of all that.
//
//	type Fib struct{ N int }
//
//	func (f Fib) Run(s *satin.Scope) (int, error) {
//		if f.N < 2 {
//			return f.N, nil
//		}
//		x := satin.Spawn(s, Fib{f.N - 1})   // may be stolen
//		y, err := Fib{f.N - 2}.Run(s)       // a plain call: part of this job
//		if err != nil {
//			return 0, err
//		}
//		n, err := x.Wait(s)
//		return n + y, err
//	}
//
// What jobs share is reached through the [Scope] that Run is given: the root's fields ([Root]),
// values made from them ([Derive], [Local]), the best solution so far ([Offer], [Best]), facts that
// others have found ([Tell], [Heard]), random numbers ([Scope.Rand]).
//
// # What really happens
//
// Each core is a worker. Spawn pushes a job on the worker's own deque; Wait usually pops it again
// and runs it as a plain call. A worker without a job takes the oldest one of another's deque,
// which is the largest. This is work stealing; the deque is split in the manner of Lace (van Dijk
// and van de Pol, 2014): its private part is touched without atomic operations, and thieves ask, by
// a trip wire that each Spawn and Wait reads, for jobs to be published.
//
// When no worker of this process has work, the process asks other peers, near ones first
// (cluster-aware random stealing: van Nieuwpoort, Kielmann, Bal, PPoPP 2001). A job that waits for
// a child in another process gives its worker up: its fiber, a goroutine with its deque, parks, and
// the worker goes on with another. How peers find each other, lend, return and elect is told in
// package satin/peer, and what carries that out in a process in package satin/control.
//
// # When peers come and go
//
// Five times a second every worker marks the jobs on its stack. From then on a marked job keeps
// the results of its children, encoded, under keys that are digests of their tasks: [Peer] hands
// them to another peer every ten seconds (Config.CopyEvery), and to an heir when it leaves. When
// a peer is lost, its jobs are done again by whoever lent them, and what is kept of them anywhere
// is found by its key and used, wherever in the tree it turns up. Jobs that worked for the lost
// peer are told to stop, after they have given out what they had finished. [Submission.Stats]
// says what each loss has cost. A peer with a state folder also stores on disk what is finished
// (Config.Store): when all have ended, the next ones go on from there.
//
// A job that was told to stop has no result, whatever its Run returns. So a result is always the
// value of its key, and whichever result comes first is right.
//
// # Errors
//
// An error that Run returns is what the parent's Wait returns, as a [JobError] that names the
// job; the failed job's children are given up. Its text is all that is left of it, wherever the job
// ran: errors.As finds none of the program's types in it, and errors.Is tells two errors apart by
// their texts. What a parent has to tell apart belongs into the result: a field that says that a
// part is infeasible, and no error. A panic fails the whole run, which returns a [PanicError].
// [ErrWithdrawn] from Wait says that nobody wants the waiting job, or its child, any more: return
// it.
//
// # Costs
//
// A spawn and its wait cost a few nanoseconds, no allocation, no lock; `satin bench` measures them
// beside plain Go. A steal within the process costs about a microsecond, one across processes two
// network messages and the encoding of the job. Five times a second every worker notes which of its
// jobs are unfinished, which costs microseconds.
//
// # Files
//
// From low to high: a file uses those before it, with few exceptions.
//
//	carry.go       whether the values of a type can travel
//	apart.go       a program's own code, which may panic
//	codec.go       values as bytes
//	spans.go       memory that two parts of a value share
//	differ.go      where two values differ
//	whole.go       values that arrive as they left, and their keys
//	errors.go      why a job or a run fails
//	result.go      failures as bytes
//	best.go        the best solution so far
//	job.go         a task, and a job, which is one in a slot of a deque
//	registry.go    what a program brings
//	hello.go       whether two builds compute the same
//	facts.go       what jobs tell each other
//	values.go      values that are made once
//	seen.go        what programs see of a grid
//	redone.go      what losses have made workers do again
//	run.go         one computation
//	part.go        a finished child of an unfinished job
//	outside.go     what workers are told, and whom they tell
//	shared.go      a job, as others than its parent know it
//	lent.go        … while another process has it
//	withdraw.go    … once nobody wants it
//	jobkey.go      … by its key
//	loans.go       all that are lent
//	public.go      the jobs of a deque that thieves may take
//	letters.go     values for jobs on a fiber's stack
//	costs.go       what jobs have cost, and will
//	checkpoint.go  what a fiber's unfinished jobs have finished
//	deque.go       what a fiber has spawned, and what runs on it
//	fiber.go       a goroutine with a deque, as others know it
//	backlog.go     what waits for a worker
//	turns.go       which run's turn it is
//	pool.go        workers and their fibers
//	runs.go        the runs of a pool
//	scope.go       a fiber and its deque, as its goroutine knows them
//	estimate.go    how far jobs are
//	mark.go        ticks
//	note.go        results that are kept
//	mail.go        what was withdrawn, or arrived, in a stack
//	strict.go      what Testing.Strict checks
//	trip.go        what the trip wire asks for
//	wait.go        waiting for a child
//	frame.go       a job of another fiber on this stack
//	park.go        waiting without a worker
//	find.go        looking for a job
//	spawn.go       Spawn and Wait
//	list.go        many children
//	given.go       what a job is given beside its fields
//	offer.go       the best, for jobs
//	tell.go        facts, for jobs
//	lend.go        jobs to and from other processes
//	use.go         values to the jobs that have their keys
//	plane.go       the workers as the machine knows them: runs
//	take.go        … what it asks for
//	said.go        … what it is told
//	execute.go     … what it orders
//	executed.go    … and what has come of it
//	compare.go     … and bests
//	peer.go        a peer
//	grid.go        … of a grid
//	visit.go       what hosts of other builds are asked
//	stored.go      what is on disk of runs
//	gridpeer.go    … what it can be asked there
//	option.go      what a submission says beside its task
//	foretold.go    how long a run will take
//	submission.go  a run that was asked for
//	attach.go      … by another
//	root.go        … of a grid
//
// # Limitations
//
// Code never travels: all peers run one build. A task that is not a function of its fields, the
// root's fields and the best gives wrong answers when it is redone; the documentation of [Task]
// says what to avoid. A job that computes for long without Spawn, Wait or [Scope.Aborted] does
// not notice that it was withdrawn, and lets thieves wait. Waiting twice for a future is
// noticed only sometimes, but always under Testing.Strict.
//
// What a job had finished is kept, and so found again after a loss, only from the first tick on
// that saw the job unfinished, and only of children that took a millisecond or more. A job that
// runs for minutes without a Spawn is redone whole.
package satin
