package peer

import (
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// ProgressEvery is how often a master tells what it has done, and how often thieves tell their
// owners how far their loans are: a script that strikes at half of a run of seconds should do so
// near half of it.
const ProgressEvery = 200 * time.Millisecond

// progressMax bounds the loans in one message: a thief that has more of one owner has small ones.
const progressMax = 256

// KindProgress is above the kinds of other messages as it once was none of the machine's.
const KindProgress uint8 = 202

// Progress tells an owner how far the jobs are that it has lent to the sender. It is for people to
// see, and decides nothing.
type Progress struct {
	Numbers []steal.LoanNo // of the loans …
	Done    []float32
}

func (Progress) Kind() uint8 { return KindProgress }

// Begun is a job that executes here, and how much of it is done, from 0 to 1.
type Begun struct {
	Borrow steal.Borrow
	Done   float64
}

// Progressed is the effect that a thief has told how far a job is that was taken.
type Progressed struct {
	Ref  steal.Ref
	Done float64
}

// progress is what owners and thieves tell each other of how far jobs are.
type progress struct {
	outbox
	ledger *steal.Ledger
}

// told hears how far jobs are that somebody here has begun, and tells their owners.
func (x *progress) told(all []Begun) []membership.Effect {
	var owners []life
	told := map[life]*Progress{}
	for _, b := range all {
		loan, ok := x.ledger.Loan(b.Borrow)
		if !ok {
			continue // a root, or one that its owner has given up
		}
		owner := life{loan.Owner, loan.Incarnation}
		m := told[owner]
		if m == nil {
			m = &Progress{}
			told[owner] = m
			owners = append(owners, owner)
		}
		if len(m.Numbers) < progressMax {
			m.Numbers, m.Done = append(m.Numbers, loan.Number), append(m.Done, float32(b.Done))
		}
	}
	for _, o := range owners {
		x.send(o, *told[o])
	}
	return x.flush()
}

// hearProgress takes a thief's word on how far its loans are.
func (x *progress) hearProgress(from membership.PeerID, m Progress) []membership.Effect {
	if len(m.Numbers) != len(m.Done) {
		return nil
	}
	for i, number := range m.Numbers[:min(len(m.Numbers), progressMax)] {
		done := float64(m.Done[i])
		if ref, ok := x.ledger.Ref(from, number); ok && done >= 0 && done < 1 {
			x.do(Progressed{ref, done})
		}
	}
	return x.flush()
}
