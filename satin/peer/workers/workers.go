// Package workers is the contract between the machine of a peer and whatever executes jobs there,
// the data plane, as interfaces: [Calls] is what the machine orders, [Events] is what the data
// plane says, and a [Plane] carries out the one and is asked, besides, what others are told of.
// What each means, and in which order they come, is told in package peer under The workers; package
// workerstest holds data planes to all of it. In a process, where whoever owns the machine and the
// workers are goroutines, he is a [Loop] to them.
//
// Orders have no answer but the events that they want. They are carried out in the order in which
// the machine returned them, before another event is said, and none of them may be expected to have
// happened when that is. Both sides are called by one goroutine, the loop that owns the machine.
package workers

import (
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// Calls are the effects that concern the workers, one method each. A data plane has them.
type Calls interface {
	StartRun(peer.StartRun)
	EndRun(peer.EndRun)
	ShareIs(peer.ShareIs)

	Execute(peer.Execute)
	Withdraw(peer.Withdraw)

	WantJobs(steal.WantJobs)
	PutBack(peer.PutBack)
	Settle(peer.Settle)

	Compare(peer.Compare)
	Differ(peer.Differ)
	Hear(peer.Hear)

	WantParts(peer.WantParts)
	WantKeys(peer.WantKeys)
	Use(peer.Use)
}

// Events is what a data plane says; a [peer.Peer] hears it. Each returns effects, orders among
// them.
type Events interface {
	Idle(now time.Duration, workers int) []peer.Effect
	Lacks(now time.Duration, runs []peer.RunNo) []peer.Effect

	Taken(now time.Duration, jobs []peer.Job) []peer.Effect
	Abandoned(now time.Duration, refs []steal.Ref, orphaned bool) []peer.Effect

	Finished(now time.Duration, borrow steal.Borrow, result steal.Result) []peer.Effect
	Panicked(now time.Duration, run peer.RunNo, result steal.Result) []peer.Effect
	Salvaged(now time.Duration, parts []peer.Part) []peer.Effect
	Stopped(now time.Duration, borrow steal.Borrow) []peer.Effect

	Offered(now time.Duration, run peer.RunNo, best steal.Stamp) []peer.Effect
	Compared(
		now time.Duration, run peer.RunNo, digest steal.Key, v peer.Merit, why steal.Result,
	) []peer.Effect
	Differed(now time.Duration, nonce steal.Nonce, differ bool) []peer.Effect
	Told(now time.Duration, run peer.RunNo, fact []byte) []peer.Effect

	Unkept(now time.Duration, run peer.RunNo) []peer.Effect
	Gathered(now time.Duration, parts []peer.Part) []peer.Effect
	Unfinished(now time.Duration, run peer.RunNo, keys []steal.Key) []peer.Effect
}

var _ Events = (*peer.Peer)(nil)

// Plane is a data plane as whoever drives the machine has it. Besides the orders it is asked what
// others are told of, which decides nothing. All of it is called by one goroutine.
type Plane interface {
	Calls

	// Run is a run that is on here, or nil: one that the workers cannot compute never is.
	Run(no peer.RunNo) Run
	// Executing is how many jobs that were borrowed, and roots, are in the workers' hands.
	Executing() int
	// Shares tells how far those are, from 0 to 1, that somebody has begun and nobody has
	// ended.
	Shares(each func(borrow steal.Borrow, done float64))
	// Progressed notes how far a taken job is, as its thief tells.
	Progressed(ref steal.Ref, done float64)
}

// Run is a run as the workers have it.
type Run interface {
	Task() string          // its root's
	Counts() Performed     // of what was done for it here
	Progress() float64     // of its root, from 0 to 1, while that is executed here
	Redone() []peer.Redone // by the losses that have put jobs back, the earliest first
	Best() any             // the program's own, nil when there is none; any goroutine may ask
}

// Performed is what workers have done for a run.
type Performed struct {
	Jobs    int64 // spawned here: one that is lent, too, and no root
	Aborted int64 // given up by the program
	Busy    time.Duration
}

// Loop is the goroutine that owns the machine, as a data plane that has goroutines of its own sees
// it.
type Loop interface {
	// Post has the loop do something, after what was posted before. It never blocks, and any
	// goroutine may call it.
	Post(do func())
	// Go does something beside the loop, whose end waits for it.
	Go(do func())

	// What follows is for what the loop itself does.

	// Now is the loop's time.
	Now() time.Duration
	// Do carries out what an event has come to.
	Do(effects []peer.Effect)
	// Flush does what was posted so far.
	Flush()
	// NameOf is what people call a member.
	NameOf(id membership.PeerID) string
}

// Carry hands an effect to a data plane if it is an order, and tells whether it is.
func Carry(to Calls, e peer.Effect) bool {
	switch e := e.(type) {
	case peer.StartRun:
		to.StartRun(e)
	case peer.EndRun:
		to.EndRun(e)
	case peer.ShareIs:
		to.ShareIs(e)
	case peer.Execute:
		to.Execute(e)
	case peer.Withdraw:
		to.Withdraw(e)
	case steal.WantJobs:
		to.WantJobs(e)
	case peer.PutBack:
		to.PutBack(e)
	case peer.Settle:
		to.Settle(e)
	case peer.Compare:
		to.Compare(e)
	case peer.Differ:
		to.Differ(e)
	case peer.Hear:
		to.Hear(e)
	case peer.WantParts:
		to.WantParts(e)
	case peer.WantKeys:
		to.WantKeys(e)
	case peer.Use:
		to.Use(e)
	default:
		return false
	}
	return true
}
