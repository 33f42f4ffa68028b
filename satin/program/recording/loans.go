package recording

import (
	"time"

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

// Fresh tells the loans of a look that were not in those before. It is made empty.
type Fresh map[string]lastOf

// lastOf is the last loan that a peer has told of, and how long that one was up then.
type lastOf struct {
	no uint64
	up float64
}

// What is taken of one look; more is counted as missed. A line has some 100 bytes for each.
const (
	lookLoansMax = 1 << 15
	missedMax    = 1 << 20 // between two loans of a peer
)

// Of takes the next look, so long after one began to look.
func (f Fresh) Of(peers []across.Doing, since time.Duration) (l SingleLoans) {
	l.Of = map[string][]across.Loan{}
	room := lookLoansMax
	for _, d := range peers {
		last, known := f[d.ID]
		// of one that was there before nobody knows how many of its loans are older
		known = known || d.Uptime < since.Seconds()
		if !d.Answers {
			continue
		}
		if n := len(d.Loans); d.Uptime < last.up || n > 0 && d.Loans[n-1].No < last.no {
			// another life
			last.no = 0
		}
		for _, is := range d.Loans {
			if is.No <= last.no {
				continue
			}
			if known {
				l.Missed += min(is.No-last.no-1, missedMax)
			}
			known, last.no = true, is.No
			if room--; room < 0 {
				l.Missed++
				continue
			}
			l.Of[d.ID] = append(l.Of[d.ID], is)
		}
		f[d.ID] = lastOf{last.no, d.Uptime}
	}
	return l
}
