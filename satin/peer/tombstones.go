package peer

import (
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// Bounds of tombstones. An hour is longer than a peer may be cut off and still bring back a run;
// the number bounds memory to some 400 KB where runs are short.
const (
	EndedKeptFor = time.Hour
	EndedMax     = 4096
	// what is about to be forgotten is not learned any more: ages are rounded, and two peers
	// would bring it back to each other for ever
	endedLate = time.Minute
)

// tombstones are of submissions that are answered or withdrawn. Peers need not have the
// same: where five runs end in a second, none has all, and each has forgotten others. What they
// compare is which runs are on, and who brings up one that is over is told so.
type tombstones struct {
	at    map[steal.Submission]time.Duration // when it ended
	order []steal.Submission                 // by when they were buried here
}

// add buries a submission that ended some time ago, and tells whether that is news.
func (g *tombstones) add(now time.Duration, t Tombstone) bool {
	age := time.Duration(t.Seconds) * time.Second
	if _, known := g.at[t.Submission]; known || age >= EndedKeptFor-endedLate || len(t.Submission.Submitter) > membership.IDBytesMax {
		return false
	}
	if len(g.order) == EndedMax {
		g.removeOldest()
	}
	if g.at == nil {
		g.at = map[steal.Submission]time.Duration{}
	}
	g.at[t.Submission] = now - age
	g.order = append(g.order, t.Submission)
	return true
}

func (g *tombstones) removeOldest() {
	s := g.order[0]
	delete(g.at, s)
	g.order[0] = steal.Submission{}
	g.order = g.order[1:]
}

// forget drops what has been kept long enough.
func (g *tombstones) forget(now time.Duration) {
	for len(g.order) > 0 && now-g.at[g.order[0]] >= EndedKeptFor {
		g.removeOldest()
	}
}

// has tells whether a submission has ended.
func (g *tombstones) has(s steal.Submission) bool {
	_, ok := g.at[s]
	return ok
}

// living are those of submissions that have not ended; what is none is dropped.
func (g *tombstones) living(all []steal.Submission) (live []steal.Submission) {
	for _, s := range all {
		if !g.has(s) && s.Submitter != "" && len(s.Submitter) <= membership.IDBytesMax {
			live = append(live, s)
		}
	}
	return live
}

// over are the tombstones of those of submissions that have ended, if there are some.
func (g *tombstones) over(now time.Duration, all ...steal.Submission) (e Ended, some bool) {
	for _, s := range all {
		if at, ok := g.at[s]; ok {
			e.Submissions = append(e.Submissions, Tombstone{Submission: s, Seconds: uint32((now - at) / time.Second)})
		}
	}
	return e, len(e.Submissions) > 0
}

// youngest are those that were buried here last.
func (g *tombstones) youngest(now time.Duration, n int) []Tombstone {
	e, _ := g.over(now, g.order[max(0, len(g.order)-n):]...)
	return e.Submissions
}
