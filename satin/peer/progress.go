package peer

import (
	"time"

	"satingrid/steal"
)

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

// HowFar hears how far jobs are that somebody has begun, and tells those that have lent them.
func (p *Peer) HowFar(now time.Duration, all []Begun) []Effect {
	p.begin(now)
	var owners []life
	told := map[life]*Progress{}
	for _, b := range all {
		loan, ok := p.ledger.Loan(b.Borrow)
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
		p.sendTo(o.peer, o.incarnation, *told[o])
	}
	return p.end()
}

// progressed takes a thief's word on how far its loans are.
func (p *Peer) progressed(a arrival, m Progress) {
	if len(m.Numbers) != len(m.Done) {
		return
	}
	for i, number := range m.Numbers[:min(len(m.Numbers), progressMax)] {
		done := float64(m.Done[i])
		if ref, ok := p.ledger.Ref(a.peer, number); ok && done >= 0 && done < 1 {
			p.out = append(p.out, Progressed{ref, done})
		}
	}
}
