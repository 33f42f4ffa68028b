package satin

import (
	"sync"
	"time"

	"satingrid/satin/peer"
)

// LoansKept is of how many jobs that have ended a peer tells: of all of the last second, where 64
// workers are and each takes 15 ms.
const LoansKept = 4096

// LoanStats is a job of another peer, or the root of a run, that was executed here to its end. Of
// one that was withdrawn before nobody is told.
type LoanStats struct {
	No   uint64 // the first that has ended here has 1, the next one 2
	Run  RunID
	From string        // the name of the peer whose job it was; "": it is a root
	What string        // its task as a [Labelled] says; "": it says nothing
	Ago  time.Duration // since it ended
	Took time.Duration // from when a worker took it, with all that it waited for
}

// Labelled is a task that says, in a few words, which part of its problem it is: "tile 0,64 to
// 128,128". A peer asks it about each job that came from another, once, when that has ended, and
// tells those who watch the grid; see [LoanStats]. It reads the fields alone, and is quick.
//
// It never decides anything: of a Label that panics, or is longer than 64 bytes, there is nothing
// or the beginning.
type Labelled interface{ Label() string }

// labelMax bounds the bytes of a label: each loan that is told of has one.
const labelMax = 64

// labelOf is what a job says of itself.
func labelOf(j slot) (what string) {
	l, ok := j.fields().(Labelled)
	if !ok || apart(func() { what = clip(l.Label(), labelMax) }) != nil {
		return ""
	}
	return what
}

// Loans are the last jobs of other peers, and roots, that have ended here, the oldest first: those
// after a number, and at most [LoansKept]. Where the first of them has not the next number those
// between are forgotten. A peer that computes alone has none.
func (p *Peer) Loans(after uint64) []LoanStats {
	return p.pool.executed.after(time.Since(p.pool.start), after)
}

// executed are the loans that have ended last.
type executed struct {
	mu   sync.Mutex
	last uint64 // number
	// number n is at n-1 modulo LoansKept, with when it ended in place of how long ago
	kept []LoanStats
}

// add notes one that has ended.
func (x *executed) add(l LoanStats) {
	x.mu.Lock()
	defer x.mu.Unlock()
	at := int(x.last % LoansKept)
	x.last++
	if l.No = x.last; at < len(x.kept) {
		x.kept[at] = l
	} else {
		x.kept = append(x.kept, l)
	}
}

// after are those after a number.
func (x *executed) after(now time.Duration, no uint64) (all []LoanStats) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for n := x.last - min(x.last, LoansKept); n < x.last; n++ {
		if l := x.kept[n%LoansKept]; l.No > no {
			l.Ago = now - l.Ago
			all = append(all, l)
		}
	}
	return all
}

// ownerOf is what people call the peer whose job is to be executed; "": it is a root.
func (d *plane) ownerOf(e peer.Execute) string {
	switch {
	case e.IsRoot:
		return ""
	case e.Owner == "": // a result is verified
		return d.pool.name
	}
	return d.loop.NameOf(e.Owner)
}
