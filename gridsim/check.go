package gridsim

import (
	"slices"
	"strings"
	"time"

	"satingrid/membership"
	"satingrid/satin/control/driver"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// delivered checks an answer as it is delivered.
func (w *World) delivered(h *host, d peer.Deliver) {
	if a := h.answers[d.Nonce]; a != nil {
		a.at = w.now
		if d.Result.Outcome == steal.Value {
			a.cost = time.Duration(d.Result.Cost) * time.Millisecond
		}
	}
	if of := h.attached[d.Nonce]; of != nil && !of.answers() {
		return
	}
	if h.delivered[d.Nonce] > 1 {
		w.fail("once", "an answer was delivered %d times", h.delivered[d.Nonce])
	}
	switch {
	case w.hear != nil:
		w.hear(d)
		return
	case w.looksPoisoned(d.Result):
		w.report.Poisoned++
		return
	case isFickle(w.work):
		w.unmasked(d.Result)
		return
	}
	if err := w.work.Right(d.Result); err != nil {
		w.fail("answer", "%v", err)
	}
}

// looksPoisoned tells whether a run failed because some peers crashed at one age of one job, which
// to the grid looks like a job that kills its process. So many must have crashed.
func (w *World) looksPoisoned(r steal.Result) bool {
	const crashes = 5
	return r.Outcome == steal.Panicked && strings.Contains(string(r.Bytes), "kills its process") && w.report.Killed >= crashes
}

// unmasked takes the answer of a run whose jobs break their contract: any value, or that Verify
// found it, and which task does so.
func (w *World) unmasked(r steal.Result) {
	text := string(r.Bytes)
	switch {
	case r.Outcome != steal.Panicked:
	case strings.Contains(text, "the job "+taskName) && strings.Contains(text, "not a function of its fields"):
		w.report.Unmasked++
	default:
		w.fail("answer", "the run failed, and not because a job of task %s is no function of its fields: %s", taskName, text)
	}
}

// silencing are the faults because of which the living may be held dead: nothing is heard of them.
var silencing = map[FaultKind]bool{
	Pause: true, PauseMaster: true, AskerAway: true, Kick: true, LostGossip: true,
	CutTwoWay: true, CutOneWay: true, DeadLink: true, DeadAnswer: true, DeadLoan: true,
	JoinNatted: true, Moves: true, Twin: true,
}

// hides tells whether links lose what is sent, or bring it when it is too late: that may
// hide the living, too.
func (l Link) hides() bool { return l.Loss > 0 || l.Late > 0 }

// mayMistake tells whether anything may have hidden the living.
func (w *World) mayMistake() bool { return w.hidden || w.opts.Near.hides() || w.opts.Far.hides() }

// checkDeath sees that nobody is held dead who lives, computes and can be reached.
func (h *host) checkDeath(m membership.Member) {
	o := h.w.who.byID[m.ID]
	wrong := o.up && o.leaveBy == 0 && !o.barred && !h.barred && o.peer.Sight().Self().Incarnation == m.Incarnation
	if wrong {
		h.w.report.Mistaken++
	}
	if h.w.mayMistake() {
		return
	}
	h.w.report.Judged++
	if wrong {
		h.w.fail("false death", "%s holds %s dead (%v), which lives and can be reached", h.id, m.ID, m.How)
	}
}

// checkLeaver sees that who is said to have left has, and so late as is said. What one of two twins
// says is taken for the other's word.
func (h *host) checkLeaver(e driver.MemberLost) {
	o := h.w.who.byID[e.Member.ID]
	if o == nil || o.twin != nil || o.peer.Sight().Self().Incarnation != e.Member.Incarnation {
		return // it was made up, or has another life
	}
	if e.How == membership.Went && o.killed && o.leaveBy == 0 {
		h.w.fail("leaver", "%s holds %s to have left, which was killed", h.id, o.id)
	}
	if e.Late && !o.leftLate {
		h.w.fail("leaver", "%s holds %s to have left late, and it has not", h.id, o.id)
	}
}

// checkAll looks at every host.
func (w *World) checkAll() {
	for _, h := range w.who.hosts {
		if h.up {
			h.check()
		}
	}
}

// checkNext looks at the host whose turn it is.
func (w *World) checkNext() {
	for all := w.who.hosts; ; {
		h := all[w.looked%len(all)]
		if w.looked++; h.up {
			h.check()
			return
		}
		if w.looked%len(all) == 0 {
			return // all may be dead
		}
	}
}

// check looks at what must hold at a host between any two events.
func (h *host) check() {
	if err := h.peer.Sight().Check(); err != nil {
		h.w.fail("machine", "%s: %v", h.id, err)
	}
	if h.posted == 0 && h.asleep <= h.w.now {
		if lent, held := h.peer.Sight().Ledger().Refs(), h.plane.held(); !slices.Equal(lent, held) {
			h.w.fail("one state", "%s: the ledger has %v, the data plane misses %v", h.id, lent, held)
		}
	}
	h.checkTurns()
	checkWayIn(h)
	for _, r := range h.plane.runs {
		h.checkBest(r)
		h.checkKept(r)
		if r.best != nil {
			h.checkTrust(r)
		}
	}
}

// checkKept compares the results that a peer keeps of a run with those that one core finds, and
// counts the orphans', of which none may go while the run is on.
func (h *host) checkKept(r *planeRun) {
	orphans := 0
	for _, i := range h.peer.Sight().Results().Items(r.instance) {
		if i.Orphan {
			orphans++
		}
		if want, ok := h.w.values.of(r.key, i.Key); ok && same(i.Result, want) != nil {
			h.w.fail("entry", "%s keeps a result of %v: %v", h.id, i.Key, same(i.Result, want))
		}
	}
	if orphans < r.kept {
		h.w.fail("entry", "%s had %d results of orphans, and has %d", h.id, r.kept, orphans)
	}
	r.kept = orphans
}

// checkTrust sees that whoever is believed to hold a peer's best holds it: it is sent nothing but
// the digest. Left out is who has dropped the run meanwhile, because the only submission it knew of
// had ended: with the run went its jobs, and whoever meets the digest again asks for the best.
func (h *host) checkTrust(r *planeRun) {
	all, digest := h.peer.Sight().Trusted(r.no)
	for _, id := range all {
		o := h.w.who.byID[id]
		if m, ok := h.peer.Sight().Member(id); o.up && ok && len(o.epochs) < 2 && m.Incarnation == o.peer.Sight().Self().Incarnation && !o.peer.Sight().HasBest(r.instance, digest) {
			h.w.fail("best", "%s believes that %s holds %v", h.id, id, digest)
		}
	}
}

// checkWill sees that a leaver's orphans' results are with its heir, when it goes before its
// deadline. What it keeps for owners that live, they may have taken back from the heir since;
// and an heir that knew only of submissions that were withdrawn has dropped the run meanwhile,
// with what it was given.
func (h *host) checkWill(l peer.Left) {
	w := h.w
	heir := w.who.byID[l.Heir]
	h.heir = heir
	if heir == nil || heir.twin != nil || w.now >= h.leaveBy {
		return
	}
	if l.Lost > 0 {
		w.fail("will", "%s has left though %d results were not acknowledged", h.id, l.Lost)
	}
	checkHeir(h)
	for _, i := range h.peer.Sight().Results().All() {
		on := slices.ContainsFunc(heir.plane.runs, func(r *planeRun) bool { return r.instance == i.Run && !r.again })
		if !on || !heir.up || !i.Orphan {
			continue
		}
		if _, ok := heir.peer.Sight().Results().Get(i.Run, i.Key); !ok {
			w.fail("will", "%s has left, and its heir %s does not have the result of %v", h.id, l.Heir, i.Key)
			return
		}
	}
}

// checkEpoch sees that a run's epochs only grow, and that a new master counts them on.
func (h *host) checkEpoch(m peer.Mastered) {
	old, known := h.epochs[m.Run]
	// a former life of this host is another
	isMaster := m.Epoch.Master == h.peer.Sight().Self().Incarnation
	if known && (m.Epoch.Compare(old) <= 0 || isMaster && m.Epoch.Number <= old.Number) {
		h.w.fail("epoch", "at %s epoch %d of %s follows epoch %d", h.id, m.Epoch.Number, m.Master, old.Number)
	}
	h.epochs[m.Run] = m.Epoch
}

// checkBest compares a run's best with the one that was seen at the last look.
func (h *host) checkBest(r *planeRun) {
	if r.best == nil {
		return
	}
	work := h.w.work
	if !work.Witnessed(r.best) {
		h.w.fail("best", "%s holds %x without its witness", h.id, r.best)
	}
	if r.seen != nil && work.Better("", r.seen, r.best) {
		h.w.fail("best", "%s fell from %x to %x", h.id, r.seen, r.best)
	}
	r.seen = r.best
	if held, ok := h.peer.Sight().Best(r.no); h.posted == 0 && (!ok || work.Better("", r.best, held)) {
		h.w.fail("best", "the workers of %s prune by %x, which their peer does not hold", h.id, r.best)
	}
}

// checkRedone compares the work that was done with the work that there is.
func (w *World) checkRedone() {
	var busy time.Duration
	for _, h := range w.who.hosts {
		busy += h.plane.busy
	}
	w.report.Redone = busy - w.opts.Work
	if w.opts.Redone > 0 && w.report.Redone > w.opts.Redone {
		w.fail("redone", "%v of %v were done twice, %v at most are allowed", w.report.Redone, w.opts.Work, w.opts.Redone)
	}
}
