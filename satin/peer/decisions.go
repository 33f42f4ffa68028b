package peer

import (
	"fmt"
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// decisions settle what the answers of runs are, each once, and send them to who waits for them.
type decisions struct {
	outbox
	self        membership.PeerID
	client      bool
	failure     runFailure
	members     electorate
	runs        *runs
	tombstones  *tombstones
	submissions *submissions
	mastership  *mastership
	postponed   *postponing
	leaving     *leaving
}

// decide settles what a run's answer is, once, and sends it to all that asked.
func (d *decisions) decide(now time.Duration, r *run, result steal.Result) []membership.Effect {
	if r.answer != nil {
		return nil
	}
	if result.Outcome == steal.Value && r.best.value != nil {
		result.Bytes, result.Choosing = r.best.value, true
	}
	result = d.withinTerms(r, result)
	r.answer = &result
	return d.deliver(now, r)
}

// withinTerms is a run's answer, or why it is none: its submitter could not take it.
func (d *decisions) withinTerms(r *run, answer steal.Result) steal.Result {
	if answer.Outcome != steal.Value || len(answer.Bytes) <= int(r.terms.ResultMax) {
		return answer
	}
	return d.failure(r.task, r.instance.Run, "", fmt.Sprintf(
		"the answer of task %s is %d bytes: %d may travel (Config.ResultMax)", r.task, len(answer.Bytes), r.terms.ResultMax))
}

// deliver makes this peer the one that sends a run's answer.
func (d *decisions) deliver(now time.Duration, r *run) []membership.Effect {
	r.answering.begin(now)
	for _, s := range r.submissions {
		d.also(r.answering.owe(now, s, r.epoch))
	}
	if !d.isOwn(r) {
		d.also(r.answering.keepElsewhere(now, r.epoch))
	}
	if r.master == d.self && r.isKept() {
		d.publish(r.record(now)) // it is not computed any more
		d.do(opens{})
		d.do(WantWork{r.no})
		d.do(fills{})
	}
	return d.flush()
}

// isOwn tells whether it is this peer alone that waits for a run, which ends with its answer.
func (d *decisions) isOwn(r *run) bool {
	return !r.isKept() && !slices.ContainsFunc(r.all(), func(s steal.Submission) bool { return !d.submissions.isOwn(s) })
}

// tick repeats what of a run's answer, or of its failure, has not been acknowledged.
func (d *decisions) tick(now time.Duration, r *run) []membership.Effect {
	for n := range r.deliveries {
		if now >= r.deliveries[n].again {
			d.also(r.answering.deliver(now, n, r.epoch))
		}
	}
	if r.failure != nil && now >= r.failAt {
		d.also(d.fail(now, r, *r.failure))
	}
	if now >= r.keptBy.again && r.isWanted() {
		d.also(r.answering.sendKeep(now, r.epoch))
	}
	if now >= r.brought.deadline() {
		d.also(r.answering.bring(now, r.epoch))
	}
	return d.flush()
}

// fails hears that a run fails, here or, by what it is told again, at the master.
func (d *decisions) fails(now time.Duration, f fails) []membership.Effect {
	r := d.runs.find(f.run)
	if r == nil || !f.again && (r.failure != nil || r.answer != nil || d.client) {
		return nil
	}
	return d.fail(now, r, f.result)
}

// fail makes a job's panic the run's answer, by way of the master if that is another.
func (d *decisions) fail(now time.Duration, r *run, result steal.Result) []membership.Effect {
	if r.master != d.self {
		return r.panicking.tell(now, r.master, result)
	}
	r.failure = nil
	d.dropRoot(r)
	d.also(d.decide(now, r, result))
	return d.flush()
}

// dropRoot stops a root whose run has its answer.
func (d *decisions) dropRoot(r *run) {
	if r.root.borrow != 0 {
		d.do(Withdraw{Borrow: r.root.borrow})
		r.root.borrow = 0
	}
}

// hearFail hears of a panic in another peer. Who is not the master tells
// the one that it knows.
func (d *decisions) hearFail(now time.Duration, f Fail) []membership.Effect {
	if f.Result.Outcome != steal.Panicked {
		return nil
	}
	return d.fails(now, fails{run: f.Run, result: f.Result})
}

// hearKeep takes an answer to keep for its master, once the best that it names is here. It is sent
// to the submitters when the master is gone.
func (d *decisions) hearKeep(now time.Duration, a *arrival, k Keep) []membership.Effect {
	r := d.runs.find(k.Run)
	if r == nil || !r.root.isHere() {
		return d.postponed.postpone(now, a.peer, a.message, k.Run, k.Best)
	}
	ok, effects := d.postponed.admits(now, a, r, k.Best)
	if d.also(effects); !ok {
		return d.flush()
	}
	d.do(tells{a.peer, Kept{k.Run}})
	if a.peer == r.master {
		r.brought.known(a.life)
	}
	switch {
	case r.answer != nil:
	case r.master == d.self:
		// Whoever was master before has finished. Every answer is right, whatever epoch it
		// is of, and what this peer does is done.
		r.answering.dates(now, k.Seconds)
		d.also(d.decide(now, r, k.Result))
		d.dropRoot(r)
	default:
		if r.answer = &k.Result; r.isKept() && !r.over {
			d.do(opens{})
			d.do(WantWork{r.no})
			d.do(fills{})
		}
		r.answering.isOver(now, k.Seconds)
		if r.master == a.peer {
			d.mastership.changed()
		}
	}
	if k.Epoch.Compare(r.epoch) < 0 && r.master != a.peer {
		d.do(tells{a.peer, r.record(now)})
		d.also(d.tellMaster(now, r)) // who said so may be gone before it reads that
	}
	return d.flush()
}

// hearKept hears that somebody keeps the answer of a run. A leaver may have asked it to.
func (d *decisions) hearKept(now time.Duration, from life, k Kept) []membership.Effect {
	if r := d.runs.find(k.Run); r != nil {
		r.answering.hearKept(from.peer)
	}
	d.leaving.heirHeard(now, from)
	d.do(goesOn{})
	return d.flush()
}

// tellMaster has the master of a run hear the answer that this peer has of one before. It would
// compute all again, and for ever where a job of it panics here: what has its answer here fails no
// more.
func (d *decisions) tellMaster(now time.Duration, r *run) []membership.Effect {
	m, ok := d.members.Member(r.master)
	if r.answer == nil || r.master == d.self || !ok || !r.brought.begins(life{m.ID, m.Incarnation}, r.answering.repeats()) {
		return nil
	}
	return r.answering.bring(now, r.epoch)
}

// hearAnswer takes an answer to one of this peer's submissions, once the best that it names is
// here. One to another's is passed on.
func (d *decisions) hearAnswer(now time.Duration, a *arrival, answer Answer) []membership.Effect {
	r := d.runs.find(answer.Run)
	forSelf := answer.To == "" || answer.To == d.self
	if r != nil && (!forSelf || d.submissions.own(answer.Nonce) != nil) {
		held, effects := r.best.take(now, a.life, answer.Best)
		d.also(effects)
		if _, bad := r.best.trial.isSpoilt(answer.Best.Digest); !held && !bad {
			// the answer is its best, and is decoded where it is delivered
			d.also(d.postponed.postpone(now, a.peer, a.message, answer.Run, answer.Best))
			return d.flush()
		}
	}
	if forSelf {
		d.submissions.joinedRun(answer.Nonce, answer.Run)
		d.also(d.submissions.answered(answer.Nonce, answer.Result, a.peer))
	} else {
		d.passOn(now, r, a.peer, answer)
	}
	return d.flush()
}

// passOn passes an answer on to its submitter, which its sender may not reach.
func (d *decisions) passOn(now time.Duration, r *run, from membership.PeerID, a Answer) {
	s := steal.Submission{Submitter: a.To, Nonce: a.Nonce}
	if over, some := d.tombstones.over(now, s); some {
		d.do(tells{from, over})
		return
	}
	if r == nil || !slices.Contains(r.submissions, s) || from == a.To {
		return
	}
	r.demand.between = true
	a.Best = r.best.stamp(a.To, lifeOf(d.members, a.To).incarnation)
	d.do(tells{a.To, a})
}
