package peer

import (
	"cmp"
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

const (
	// reportPatience is how long an answer waits for the peers' last reports, so that its
	// statistics are whole.
	reportPatience = 300 * time.Millisecond

	// reportersMax bounds those of one submission: a full grid, and as many that have come
	// meanwhile.
	reportersMax = 2 * membership.MembersMax

	// unreportedMax bounds the answers that wait for last reports.
	unreportedMax = SubmissionsMax
)

// Reported is the effect that a peer has told what it has done for the run of a submission.
type Reported struct {
	Nonce  steal.Nonce
	From   membership.PeerID
	Report Report
}

// AllReported is the effect that the statistics of an answer that was delivered are as whole as
// they will be: who has told anything, and is here, has told its last, or has had time to.
type AllReported struct{ Nonce steal.Nonce }

// reports are what peers tell of the runs that this one has submitted.
type reports struct {
	outbox
	members members
	all     []*reporting // of submissions that wait for an answer, and of answers that wait
}

// reporting is who has told what of one submission.
type reporting struct {
	nonce steal.Nonce
	run   steal.Instance // that it is part of: its own, until another is told
	by    []reporter     // by id
	until time.Duration  // its answer waits, at most so long; 0: it has not come
}

// reporter is one who has told something.
type reporter struct {
	life
	number uint64 // of its last report
	here   bool   // as it says: one that leaves may be gone before the run has ended
	final  bool
}

// submitted hears of a submission, and of the run that it begins if there is none that it may join.
func (r *reports) submitted(nonce steal.Nonce, own steal.Instance) {
	r.all = append(r.all, &reporting{nonce: nonce, run: own})
}

// accepted hears of which run a submission is part. It may become part of another: where all
// who knew the first are gone. Two runs of one root are two: they were submitted under other terms,
// or one has ended.
func (r *reports) accepted(nonce steal.Nonce, run steal.Instance) {
	for _, o := range r.all {
		if o.nonce == nonce && o.run != run {
			o.run, o.by = run, nil
		}
	}
}

// cancelled hears that nothing will be delivered for a submission.
func (r *reports) cancelled(nonce steal.Nonce) {
	r.all = slices.DeleteFunc(r.all, func(o *reporting) bool { return o.nonce == nonce })
}

// delivered hears that the answer to a submission is there. From now on look says when its
// statistics are whole.
func (r *reports) delivered(now time.Duration, nonce steal.Nonce) {
	waiting := 0
	for _, o := range slices.Backward(r.all) {
		if o.nonce == nonce {
			o.until = now + reportPatience
		}
		if o.until > 0 {
			if waiting++; waiting > unreportedMax {
				o.until = max(now, 1)
			}
		}
	}
}

// hearReport takes a member's report.
func (r *reports) hearReport(from life, m Report) []membership.Effect {
	for _, o := range r.all {
		if o.run != m.Run || !m.sound() {
			continue
		}
		here := m.Stats.State == membership.Here.String()
		if o.hears(reporter{life: from, number: m.Number, here: here, final: m.Final}) {
			r.do(Reported{o.nonce, from.peer, m})
		}
	}
	return r.flush()
}

// hears notes who has told something, if there is room, and if that one has told nothing later:
// reports may be on their way when the last comes.
func (o *reporting) hears(by reporter) bool {
	n, again := slices.BinarySearchFunc(o.by, by.peer, func(x reporter, id membership.PeerID) int {
		return cmp.Compare(x.peer, id)
	})
	switch {
	case again && by.before(&o.by[n]):
		return false
	case again:
		o.by[n] = by
	case len(o.by) < reportersMax:
		o.by = slices.Insert(o.by, n, by)
	default:
		return false
	}
	return true
}

// before tells whether what one has told is older than something else that it has.
func (b *reporter) before(last *reporter) bool {
	return cmp.Or(b.incarnation.Compare(last.incarnation), cmp.Compare(b.number, last.number)) < 0
}

// look says which answers need not wait any more.
func (r *reports) look(now time.Duration) []membership.Effect {
	r.all = slices.DeleteFunc(r.all, func(o *reporting) bool {
		done := o.until > 0 && (now >= o.until || r.isWhole(o))
		if done {
			r.do(AllReported{o.nonce})
		}
		return done
	})
	return r.flush()
}

// isWhole tells whether every peer that is still here, and has told anything, has told its last. In
// a run that is over at once many have not heard of it, and never will.
func (r *reports) isWhole(o *reporting) bool {
	for _, by := range o.by {
		if _, present := r.members.Member(by.peer); present && by.here && !by.final {
			return false
		}
	}
	return true
}

// waits tells whether look has anything to look at.
func (r *reports) waits() bool { return r.deadline() < steal.Never }

// deadline is when an answer has waited long enough.
func (r *reports) deadline() time.Duration {
	at := steal.Never
	for _, o := range r.all {
		if o.until > 0 {
			at = min(at, o.until)
		}
	}
	return at
}
