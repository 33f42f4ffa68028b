package steal

import (
	"time"

	"satingrid/membership"
)

// Lending is a job that is lent, to be looked at.
type Lending struct {
	Ref Ref
	Run Instance
	Key Key
	At  time.Duration
}

// LentTo lists the oldest jobs that are lent to a peer, at most max.
func (l *Ledger) LentTo(thief membership.PeerID, max int) (out []Lending) {
	a := l.with(thief)
	if a == nil {
		return nil
	}
	for _, e := range a.lent[:min(len(a.lent), max)] {
		out = append(out, Lending{e.ref, e.run, e.key, e.at})
	}
	return out
}

// LoanOf is a loan of a run that is not over.
func (l *Ledger) LoanOf(thief membership.PeerID, number LoanNo, run Instance) (Lending, bool) {
	if a := l.with(thief); a != nil {
		if at, ok := findLent(a.lent, number); ok && a.lent[at].run == run {
			e := a.lent[at]
			return Lending{e.ref, e.run, e.key, e.at}, true
		}
	}
	return Lending{}, false
}

// HasRef tells whether a job is lent.
func (l *Ledger) HasRef(ref Ref) bool { return l.byRef[ref] != nil }
