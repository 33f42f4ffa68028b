package recording

import (
	"satingrid/satin/program/across"
)

// LoansBytes is how much of a recording single loans may take, unless it is told otherwise. Those
// that end later are not in it.
const LoansBytes = 16 << 20

// SingleLoans are those loans that ended between two looks.
type SingleLoans struct {
	Of     map[string][]across.Loan // by the peer that has executed them, the oldest first
	Missed uint64                   // that ended, too, more than peers tell of at a time
	Last   bool                     // those that end later are not in the recording
}

// any tells whether there is something to be said.
func (l SingleLoans) any() bool { return len(l.Of) > 0 || l.Missed > 0 || l.Last }

// fresh are the loans of a look that were not in those before.
type fresh map[string]lastOf

// lastOf is the last loan that a peer has told of, and how long that one was up then.
type lastOf struct {
	no uint64
	up float64
}

// of takes the next look.
func (f fresh) of(peers []across.Doing) (l SingleLoans) {
	l.Of = map[string][]across.Loan{}
	for _, d := range peers {
		last, known := f[d.ID]
		if !d.Answers {
			continue
		}
		if d.Uptime < last.up { // another life
			last.no = 0
		}
		for _, is := range d.Loans {
			if is.No <= last.no {
				continue
			}
			if known {
				l.Missed += is.No - last.no - 1
			}
			known, last.no = true, is.No
			l.Of[d.ID] = append(l.Of[d.ID], is)
		}
		f[d.ID] = lastOf{last.no, d.Uptime}
	}
	return l
}
