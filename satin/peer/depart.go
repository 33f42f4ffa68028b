package peer

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// Stayed is the effect that this peer does not leave after all: nobody is at the site
// that was to take over.
type Stayed struct{}

// departing has the other components do what a leave asks of them. What is handed on to whom, and
// when, [leaving] decides.
type departing struct {
	outbox
	view       farewell
	leaving    *leaving
	runs       *runs
	mastership *mastership
	ledger     *steal.Ledger
	stops      *stops
	verifier   *verifier
	stealing   *stealing
	opening    *opening
	storing    *storing
}

// farewell is where a peer says that it goes, or stays; it is a [membership.View].
type farewell interface {
	members
	Leaving(grace time.Duration) []membership.Effect
	Leave(heir membership.PeerID) []membership.Effect
	Stay(now time.Duration) (effects []membership.Effect, ok bool)
}

// stayedOn says that this peer has another life, in which it stays.
type stayedOn struct{}

// departs says that this peer is to leave.
type departs struct {
	deadline time.Duration
	heirs    membership.Site
	bound    bool // only while somebody is there who stays
}

// begin begins to leave, or shortens the time that there is.
func (d *departing) begin(now time.Duration, e departs) []membership.Effect {
	switch l := d.leaving; {
	case l.active:
		l.shorten(now, e.deadline, e.bound)
	case e.bound && isDeserted(d.view, e.heirs, false):
		d.do(Stayed{})
	case d.view.Self().State == 0: // nobody knows this peer
		d.also(l.goes(""))
	default:
		l.begin(now, e.deadline, e.heirs, e.bound)
		d.start(now)
	}
	return d.flush()
}

// start is steps 1 to 3 of a leave: nothing is asked for or lent any more, everybody is told, and
// what was borrowed is withdrawn. A job that is computing and returns before it is told is returned
// as ever; one that was told, or never started, is handed back when the workers say so.
func (d *departing) start(now time.Duration) {
	d.also(d.view.Leaving(d.leaving.until - now))
	d.also(d.opening.look(now))
	d.also(d.stealing.works(now))
	borrowed := d.ledger.Borrowings()
	roots := d.runs.roots()
	d.stops.leaves(slices.Concat(borrowed, roots))
	for _, b := range borrowed {
		d.also(d.stops.halt(b))
	}
	d.also(d.verifier.leave())
	for _, b := range roots {
		d.also(d.stops.halt(b))
	}
}

// unsettled is how many jobs are borrowed or lent, or are roots and orphans that execute here.
func (d *departing) unsettled() int {
	return d.ledger.Borrowed() + d.ledger.Lent() + len(d.stops.orphans) + len(d.runs.roots())
}

// handOver has the heir hold the runs that are to be kept, and keep the answers that are here,
// whether this peer delivers them or keeps them for their master: that one may be gone before
// another keeps them. It delivers them from now on. In any case it is asked whether it holds the
// run: what it had before this leave may have gone with it, unnoticed.
func (d *departing) handOver(now time.Duration) []membership.Effect {
	heir, all, bytes := d.leaving.heir, true, 0
	for _, r := range d.runs.all {
		if d.has(r, heir) {
			continue
		}
		all = false
		if r.handover.begins(now, heir, &d.runs.questions) {
			d.ask(now, r)
		}
		if r.answer != nil {
			d.also(d.answer(now, r, heir))
			bytes += len(r.answer.Bytes)
		} else {
			bytes += int(r.root.size)
		}
	}
	d.also(d.leaving.answered(now, bytes, all))
	return d.flush()
}

// has tells whether an heir has of a run what it should.
func (d *departing) has(r *run, heir life) bool {
	switch {
	case r.answer != nil && r.isWanted():
		return r.handover.has(heir) && hasAnswer(heir, &r.answering)
	case !r.root.isHere() || !r.isKept():
		return true
	}
	return r.handover.has(heir)
}

// hasAnswer tells whether somebody keeps a run's answer, or is its master and has it.
func hasAnswer(who life, a *answering) bool {
	return a.keptBy.is(who) && a.keptBy.again == steal.Never || !a.delivering && a.brought.has(who)
}

// answer has an answer kept by an heir that does not have it.
func (d *departing) answer(now time.Duration, r *run, heir life) []membership.Effect {
	if hasAnswer(heir, &r.answering) {
		return nil
	}
	return r.answering.keepWith(now, heir, r.epoch)
}

// unheld is how many runs that are to be kept an heir does not have: where there is none, the disk.
// One that was never in has promised nothing.
func (d *departing) unheld(heir life) (n int) {
	if d.view.Self().State == 0 {
		return 0
	}
	for _, r := range d.runs.all {
		if r.isKept() && r.root.isHere() && !d.has(r, heir) && (heir.peer != "" || !d.storing.on) {
			n++
		}
	}
	return n
}

// ask asks an heir whether it holds a run. It fetches a root that it lacks.
func (d *departing) ask(now time.Duration, r *run) {
	r.handover.asks(now, r.root.size)
	rec := r.recordFor(now, r.handover.to, false)
	rec.Root, rec.Confirm, rec.Leaver = nil, r.handover.number, true
	d.send(r.handover.to, rec)
}

// repeat asks again where it is due, unless another is the heir by now.
func (d *departing) repeat(now time.Duration, r *run) []membership.Effect {
	switch {
	case now < r.handover.deadline():
	case r.handover.to == d.leaving.heir && d.leaving.heir != (life{}):
		d.ask(now, r)
	default:
		r.handover.forget()
	}
	return d.flush()
}

// keepWith has the answer kept by an heir, unless that is under way.
func (a *answering) keepWith(now time.Duration, heir life, e membership.Epoch) []membership.Effect {
	if a.keptBy.is(heir) {
		return nil
	}
	a.keptBy = answerHolder{by: heir.peer, incarnation: heir.incarnation, gap: a.repeats()}
	return a.sendKeep(now, e)
}

// is tells whether it is somebody, in its present life, that keeps the answer or is to.
func (k *answerHolder) is(who life) bool { return k.by == who.peer && k.incarnation == who.incarnation }

// leave is step 5: the others run the crash path at once, and the heir follows this peer as master.
func (d *departing) leave(l leaves) []membership.Effect {
	d.also(d.view.Leave(l.Heir))
	d.do(Left(l))
	return d.flush()
}

// stay calls the leave off, as soon as this peer may take another life.
func (d *departing) stay(now time.Duration) []membership.Effect {
	effects, ok := d.view.Stay(now)
	if !ok {
		return nil
	}
	d.leaving.off()
	for _, r := range d.runs.all {
		r.handover = handover{}
		if !r.delivering { // it is the master's again to have it kept
			r.keptBy = answerHolder{again: steal.Never}
		}
	}
	d.also(effects)
	d.do(stayedOn{})
	return d.flush()
}

// stayed goes on in the other life: there may be jobs again, here and elsewhere, and its roots
// start again.
func (d *departing) stayed(now time.Duration) []membership.Effect {
	d.also(d.stealing.works(now))
	d.also(d.opening.look(now))
	d.mastership.changed()
	d.do(Stayed{})
	return d.flush()
}
