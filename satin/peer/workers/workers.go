// Package workers is the contract between the machine of a peer and whatever executes jobs there,
// the data plane, as two interfaces: [Orders] is what the machine orders, and [Events] is what the
// data plane says. What each means, and in which order they come, is told in package peer under
// The workers; package workerstest holds data planes to it.
//
// Orders have no answer but the events that they want. They are carried out in the order in which
// the machine returned them, before another event is said, and none of them may be expected to have
// happened when that is. Both sides are called by one goroutine, the loop that owns the machine.
package workers

import (
	"time"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// Orders are the effects that concern the workers, one method each. A data plane has them.
type Orders interface {
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
	Compared(now time.Duration, run peer.RunNo, digest steal.Key, v peer.Verdict, why steal.Result) []peer.Effect
	Differed(now time.Duration, nonce steal.Nonce, differ bool) []peer.Effect
	Told(now time.Duration, run peer.RunNo, fact []byte) []peer.Effect

	Unkept(now time.Duration, run peer.RunNo) []peer.Effect
	Gathered(now time.Duration, parts []peer.Part) []peer.Effect
	Unfinished(now time.Duration, run peer.RunNo, keys []steal.Key) []peer.Effect
}

var _ Events = (*peer.Peer)(nil)

// Carry hands an effect to a data plane if it is an order, and tells whether it is.
func Carry(to Orders, e peer.Effect) bool {
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
