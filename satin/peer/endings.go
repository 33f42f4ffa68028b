package peer

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// endings end submissions, the runs that nobody waits for any more, and all that is kept of those.
type endings struct {
	outbox
	self        membership.PeerID
	members     electorate
	runs        *runs
	tombstones  *tombstones
	ends        *ends
	submissions *submissions
	contributed *contributions
	opening     *opening
	storing     *storing
	table       *orphan.Table
	drops       []func(steal.Instance) // each drops what another component keeps of a run
}

// bury ends submissions, and the runs that nobody waits for any more. It tells whether that is
// news.
func (e *endings) bury(now time.Duration, stones []Tombstone) (news bool, effects []membership.Effect) {
	for _, t := range stones[:min(len(stones), EndedMax)] {
		is, effects := e.ends.bury(now, t)
		if e.also(effects); !is {
			continue
		}
		news = true
		e.also(e.submissions.endedElsewhere(t))
		for _, r := range slices.Clone(e.runs.all) {
			r.disk.done = r.disk.done || t.How.isAnswer() && slices.Contains(r.submissions, t.Submission)
			r.removes(t.Submission)
			if r.isCancelled(t) {
				e.buryRest(now, r)
			}
			if !r.isWanted() {
				e.do(RunOver{r.id, r.endedBy(t)})
				e.also(e.end(now, r))
			}
		}
	}
	if news {
		e.table.Sweep(e.isOver)
	}
	return news, e.flush()
}

// RunOver tells that a run is on no more, and how it has ended.
type RunOver struct {
	ID  steal.Key // the instance's
	How Epitaph
}

// endedBy is how a run has ended of which that was the last submission.
func (r *run) endedBy(last Tombstone) Epitaph {
	switch {
	case last.How != EndWithdrawn:
	case last.Submission.Keeps && r.over:
		return EndExpired
	case !last.Submission.Keeps && r.disk.done:
		return EndAnswered // for somebody before
	}
	return last.How
}

// buryRest ends, of a run that was cancelled, what waits for it or keeps it and was not known to
// whoever cancelled it.
func (e *endings) buryRest(now time.Duration, r *run) {
	rest := endOf(r.all(), EndCancelled).Submissions
	for _, t := range rest {
		_, effects := e.ends.bury(now, t)
		e.also(effects)
		r.removes(t.Submission)
		e.also(e.submissions.endedElsewhere(t))
	}
}

// end drops all that is kept for a run, in one step.
func (e *endings) end(now time.Duration, r *run) []membership.Effect {
	for _, drop := range e.drops {
		drop(r.instance)
	}
	e.table.Drop(r.instance)
	e.contributed.ended(r.no, r.disk.resumed)
	e.also(e.storing.ended(r))
	e.runs.end(r)
	if r.root.isHere() {
		e.do(EndRun{r.no})
	}
	e.also(e.opening.look(now))
	return e.flush()
}

// isOver tells whether a run has ended here. One that is not known yet may be about to come.
func (e *endings) isOver(run steal.Instance) bool {
	return e.runs.find(run) == nil && e.tombstones.has(run.First)
}

// hearEnded hears from somebody that submissions have ended, or, from nobody, that this peer has
// found it. The master passes it on to all; who has brought the submitter another's answer, to the
// master.
func (e *endings) hearEnded(now time.Duration, from membership.PeerID, over Ended) []membership.Effect {
	var masters []membership.PeerID // that must hear of it from here
	for _, t := range over.Submissions[:min(len(over.Submissions), EndedMax)] {
		for _, r := range e.runs.all {
			tell := r.demand.between || r.master == e.self
			if tell && r.isTouched(t) && !slices.Contains(masters, r.master) {
				masters = append(masters, r.master)
			}
		}
	}
	news, effects := e.bury(now, over.Submissions)
	if e.also(effects); !news {
		return e.flush()
	}
	for _, m := range masters {
		if m == e.self {
			e.publish(over)
		} else if _, present := e.members.Member(m); present && m != from && entered(e.members.Self()) {
			e.do(tells{m, over})
		}
	}
	return e.flush()
}

// cancel ends a run for all who wait for it, and what keeps it: those who are known here, or, where
// the run was cancelled, whoever does. Each submitter is told, and delivers that.
func (e *endings) cancel(now time.Duration, r *run, how Epitaph) []membership.Effect {
	over, tell := endOf(r.all(), how), []membership.PeerID{r.master}
	if first := r.instance.First; how == EndCancelled && !slices.Contains(r.all(), first) {
		over.Submissions = append(over.Submissions, Tombstone{Submission: first, How: how})
	}
	for _, s := range r.submissions {
		if !slices.Contains(tell, s.Submitter) {
			tell = append(tell, s.Submitter)
		}
	}
	news, effects := e.bury(now, over.Submissions)
	if e.also(effects); news {
		e.publish(over)
		for _, id := range tell {
			if id != e.self {
				e.do(tells{id, over})
			}
		}
	}
	return e.flush()
}

// tellOver tells one that brings up submissions that have ended.
func (e *endings) tellOver(now time.Duration, to membership.PeerID, heads []Head) []membership.Effect {
	var over Ended
	for n := range heads[:min(len(heads), RunsMax)] {
		over.Submissions = append(over.Submissions, e.tombstones.overOf(now, &heads[n])...)
	}
	if len(over.Submissions) > 0 {
		e.do(tells{to, over})
	}
	return e.flush()
}

// hearWanted tells one that asks whether a submission is wanted: for this peer's own, and what is
// known to be over. What is asked of another is passed on.
func (e *endings) hearWanted(now time.Duration, from membership.PeerID, w Wanted) []membership.Effect {
	if over, some := e.tombstones.over(now, w.Submission); some {
		e.do(tells{from, over})
	} else if w.Submission.Submitter == e.self {
		e.also(e.submissions.askedIfWanted(from, w.Submission))
	} else if r := e.runs.awaitedBy(w.Submission); r != nil {
		e.also(r.demand.pass(w))
	}
	return e.flush()
}
