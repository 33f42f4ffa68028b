package peer

import (
	"fmt"
	"slices"
	"time"

	"satingrid/steal"
)

// Bounds of tombstones. An hour is longer than a peer may be cut off and still bring back a run
// that somebody waits for: who that was is asked before it starts. What keeps a run nobody is asked
// about: its tombstone lasts as long as a run may be kept, so that neither a peer that was away for
// days nor a disk brings the run back. The number bounds memory to some 400 KB of either, where
// runs are short.
const (
	EndedKeptFor = time.Hour
	EndedMax     = 4096
	// what is about to be forgotten is not learned any more: ages are rounded, and two peers
	// would bring it back to each other for ever
	endedLate = time.Minute
)

// Epitaph is how a submission has ended.
type Epitaph uint8

// The ends of submissions.
const (
	// nobody waits by it any more, or what it kept was kept for long enough
	EndWithdrawn Epitaph = iota
	EndAnswered
	// its run was cancelled, for all: of the run whose first it is nothing is on, whoever else
	// waits for it
	EndCancelled
	// the answer that it kept is kept no longer: others needed its place
	EndDisplaced
	EndFailed // it is answered, with an error
	// its answer was kept for long enough: what people are told of one that was withdrawn then
	EndExpired
)

// answeredBy is how a submission ends with its answer.
func answeredBy(r steal.Result) Epitaph {
	if r.Outcome == steal.Value {
		return EndAnswered
	}
	return EndFailed
}

func (e Epitaph) isAnswer() bool { return e == EndAnswered || e == EndFailed }

func (e Epitaph) String() string {
	switch e {
	case EndAnswered:
		return "answered"
	case EndCancelled:
		return "cancelled"
	case EndDisplaced:
		return "displaced"
	case EndFailed:
		return "failed"
	case EndExpired:
		return "expired"
	}
	return "withdrawn"
}

// tombstones are of submissions that are answered or withdrawn. Peers need not have the
// same: where five runs end in a second, none has all, and each has forgotten others. What they
// compare is which runs are on, and who brings up one that is over is told so.
type tombstones struct {
	waited byAge // of those that somebody waited by
	ofKept byAge // of those that kept a run
}

// byAge are tombstones that last equally long, the oldest first.
type byAge struct {
	at    map[steal.Submission]ending
	order []steal.Submission // by when they were buried here
}

// ending is when and how a submission ended.
type ending struct {
	at  time.Duration
	how Epitaph
}

// of is where a submission is buried, and for how long.
func (g *tombstones) of(s steal.Submission) (in *byAge, keptFor time.Duration) {
	if s.Keeps {
		return &g.ofKept, KeepMax
	}
	return &g.waited, EndedKeptFor
}

// add buries a submission that ended some time ago, and tells whether that is news. So it is when
// all of its run is cancelled.
func (g *tombstones) add(now time.Duration, t Tombstone) bool {
	in, keptFor := g.of(t.Submission)
	age := time.Duration(t.Seconds) * time.Second
	was, known := in.at[t.Submission]
	cancels := known && t.How == EndCancelled && was.how != EndCancelled
	named := t.Submission.Submitter.Sound()
	if known && !cancels || age >= keptFor-endedLate || !named {
		return false
	}
	if cancels {
		in.at[t.Submission] = ending{was.at, EndCancelled}
		return true
	}
	in.add(t.Submission, ending{now - age, t.How})
	return true
}

func (g *byAge) add(s steal.Submission, x ending) {
	if len(g.order) == EndedMax {
		g.removeOldest()
	}
	if g.at == nil {
		g.at = map[steal.Submission]ending{}
	}
	g.at[s] = x
	g.order = append(g.order, s)
}

func (g *byAge) removeOldest() {
	s := g.order[0]
	delete(g.at, s)
	g.order[0] = steal.Submission{}
	g.order = g.order[1:]
}

// forget drops what has been kept long enough.
func (g *tombstones) forget(now time.Duration) {
	g.waited.forget(now - EndedKeptFor)
	g.ofKept.forget(now - KeepMax)
}

func (g *byAge) forget(until time.Duration) {
	for len(g.order) > 0 && g.at[g.order[0]].at <= until {
		g.removeOldest()
	}
}

// has tells whether a submission has ended.
func (g *tombstones) has(s steal.Submission) bool {
	in, _ := g.of(s)
	_, ok := in.at[s]
	return ok
}

// isCancelled tells whether all of the run was cancelled whose first submission it is.
func (g *tombstones) isCancelled(first steal.Submission) bool {
	in, _ := g.of(first)
	return in.at[first].how == EndCancelled
}

// living are those of submissions that have not ended; what is none is dropped.
func (g *tombstones) living(all []steal.Submission) (live []steal.Submission) {
	for _, s := range all {
		if !g.has(s) && s.Submitter.Sound() {
			live = append(live, s)
		}
	}
	return live
}

// over are the tombstones of those of submissions that have ended, if there are some.
func (g *tombstones) over(now time.Duration, all ...steal.Submission) (e Ended, some bool) {
	for _, s := range all {
		in, _ := g.of(s)
		if x, ok := in.at[s]; ok {
			e.Submissions = append(e.Submissions, Tombstone{Submission: s, Seconds: secondsSince(x.at, now), How: x.how})
		}
	}
	return e, len(e.Submissions) > 0
}

// overOf is over of what a record names. That its run was cancelled is told, though what the record
// names is not known here.
func (g *tombstones) overOf(now time.Duration, h *Head) []Tombstone {
	all := h.Submissions[:min(len(h.Submissions), submissionsTold)]
	if g.isCancelled(h.Run.First) && !slices.Contains(all, h.Run.First) {
		all = append(slices.Clone(all), h.Run.First)
	}
	e, _ := g.over(now, all...)
	return e.Submissions
}

// youngest are those that were buried here last: so many of what somebody waited by. Of what kept
// runs they are all that go into one message beside these: who joins now may be the only one that
// is left when a disk comes back.
func (g *tombstones) youngest(now time.Duration, n int) []Tombstone {
	e, _ := g.over(now, slices.Concat(g.waited.youngest(n), g.ofKept.youngest(EndedMax-n))...)
	return e.Submissions
}

func (g *byAge) youngest(n int) []steal.Submission { return g.order[max(0, len(g.order)-n):] }

// check says what does not hold.
func (g *tombstones) check() error {
	for _, in := range []*byAge{&g.waited, &g.ofKept} {
		if len(in.at) != len(in.order) || len(in.order) > EndedMax {
			return fmt.Errorf("peer: %d tombstones in a row of %d", len(in.at), len(in.order))
		}
	}
	return nil
}
