package steal

import (
	"slices"
	"time"

	"satingrid/membership"
)

// Times of leases.
const (
	// how long an owner waits before it asks a thief about its loans
	Lease      = 5 * time.Second
	ProbeMax   = 10 * time.Second // how long probes may stay unanswered
	probeAgain = time.Second      // an unanswered probe is repeated so often
	freshMax   = time.Second      // a younger loan is not asked for: it may still be on its way
)

// lease is the clock of what is lent to one thief.
type lease struct {
	due     time.Duration // when to probe
	number  ProbeNo       // of the last probe
	waiting bool          // a probe is unanswered …
	since   time.Duration // … since then
	telling bool          // the thief must hear a list without what was withdrawn …
	told    ProbeNo       // … from the probe after this one
	// probes went unanswered for ProbeMax: nothing is lent to it until it answers
	shunned bool
}

// begin starts the lease at the first loan. What was asked about earlier loans does
// not matter any more.
func (e *lease) begin(now time.Duration) {
	if !e.telling && !e.shunned {
		e.waiting, e.due = false, now+Lease
	}
}

// tell sees to it that a withdrawal reaches the thief, though its message may be lost. idle says
// that there was nothing else to probe for.
func (e *lease) tell(now time.Duration, idle bool) {
	if idle {
		e.waiting, e.due = false, now+Lease
	}
	e.telling, e.told = true, e.number
}

// Tick lets time pass: probes go out, results are repeated, what was unanswered
// for too long goes back.
func (l *Ledger) Tick(now time.Duration) []membership.Effect {
	for _, a := range l.accounts {
		if a.asks() && now >= a.lease.due {
			l.probe(now, a)
		}
		for _, b := range a.borrowed {
			if b.result != nil && now >= b.again {
				b.again = now + b.gap.Next() + offBeat
				l.out = append(l.out, Repeat{b.borrow})
			}
		}
	}
	return l.flush()
}

// asks tells whether there is anything to probe for.
func (a *account) asks() bool { return len(a.lent) > 0 || a.lease.telling || a.lease.shunned }

// probe asks a thief about all but its youngest loans.
func (l *Ledger) probe(now time.Duration, a *account) {
	e := &a.lease
	if e.waiting && now-e.since >= ProbeMax && !e.shunned {
		e.shunned = true
		l.expired += uint64(len(a.lent))
		l.putBack(a)
	}
	p := Probe{Before: l.number + 1, Numbers: make([]LoanNo, 0, len(a.lent))}
	for _, j := range a.lent {
		if now-j.at < freshMax {
			p.Before = j.number
			break
		}
		p.Numbers = append(p.Numbers, j.number)
	}
	if len(p.Numbers) == 0 && !e.telling && !e.shunned {
		e.due = now + freshMax
		return
	}
	e.number++
	p.Number = e.number
	if !e.waiting {
		e.waiting, e.since = true, now
	}
	e.due = now + probeAgain
	if e.shunned {
		e.due = now + Lease
	}
	l.out = append(l.out, membership.Send{To: a.peer, Incarnation: a.incarnation, Body: p})
}

// Recheck asks all thieves about their loans soon: this peer was held dead, and
// does not know by whom.
func (l *Ledger) Recheck(now time.Duration) {
	for _, a := range l.accounts {
		a.lease.due = min(a.lease.due, now+probeAgain)
	}
}

// HearMissing hears which of the loans that it was asked about a thief has not got. Those go back:
// it has promised never to accept them.
func (l *Ledger) HearMissing(now time.Duration, thief membership.PeerID, h Missing) []membership.Effect {
	a := l.with(thief)
	if a == nil {
		return nil
	}
	for _, n := range h.Numbers {
		if at, ok := findLent(a.lent, n); ok {
			e := a.lent[at]
			l.end(a, at)
			l.out = append(l.out, LoanLost{Ref: e.ref, Run: e.run, Key: e.key})
		}
	}
	e := &a.lease
	if e.waiting && h.Number <= e.number && h.Number != 0 {
		e.waiting, e.shunned = false, false
		e.due = now + Lease
		if h.Number > e.told {
			e.telling = false
		}
	}
	return l.flush()
}

// Deadline is when Tick wants to be called; Never when there is nothing to wait for.
func (l *Ledger) Deadline() time.Duration {
	at := Never
	for _, a := range l.accounts {
		if a.asks() {
			at = min(at, a.lease.due)
		}
		for _, b := range a.borrowed {
			if b.result != nil {
				at = min(at, b.again)
			}
		}
	}
	return at
}

// Never is the deadline of a machine that waits for nothing.
const Never = time.Duration(1<<63 - 1)

// Lent and Borrowed count what is in the ledger.
func (l *Ledger) Lent() int { return len(l.byRef) }

// Borrowed counts the jobs of other peers that are here, and the results that are
// not acknowledged yet.
func (l *Ledger) Borrowed() int { return len(l.byBorrow) }

// Expired is how many loans have ended because the thief did not answer.
func (l *Ledger) Expired() uint64 { return l.expired }

// Refs lists, ascending, the references of all jobs that are lent.
func (l *Ledger) Refs() []Ref {
	all := make([]Ref, 0, len(l.byRef))
	for _, a := range l.accounts {
		for _, e := range a.lent {
			all = append(all, e.ref)
		}
	}
	slices.Sort(all)
	return all
}
