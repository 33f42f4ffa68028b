package gridsim

import (
	"math/rand/v2"
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// keepFor is how long the answers of runs are kept that are left to the grid: longer than anybody
// waits before he attaches to one.
const keepFor = time.Minute

// attachMax is the longest that somebody waits before he attaches.
const attachMax = 20 * time.Second

// The bits of N of a fault Deposit.
const (
	depositLets    = 1 << iota // its client lets go of it and stays for a moment; else it dies
	depositCancels             // somebody cancels it before anybody attaches
	depositAsker               // it is the submitter who attaches, else a client that comes
)

// deposit is a run that a client leaves to the grid, and for whose answer another comes.
type deposit struct {
	fault     Fault
	by        *host
	nonce     steal.Nonce
	id        steal.Key
	admitted  bool
	lost      bool // all that held it are gone
	again     bool // … or were once: who has its record may have it done again
	cancelled bool
	done      bool // nothing more is to come of it
}

// deposits are all of them.
type deposits struct {
	w      *World
	all    []*deposit
	calmAt time.Duration // when the faults stopped
}

// drawDeposits draws runs that are left to the grid. It has a source of its own, as drawMore has.
func (o *Options) drawDeposits(r *rand.Rand) {
	if r.IntN(4) > 0 {
		return
	}
	o.add(Fault{
		Kind: Deposit, At: o.begin() + time.Duration(r.Int64N(int64(2*time.Second))), For: time.Duration(r.Int64N(int64(attachMax))),
		N: r.IntN(2) | 2*(r.IntN(4)/3) | 4*r.IntN(2),
	})
	o.Work *= 2
	o.sortFaults()
}

// drawEnds draws two runs that are left to the grid and cancelled soon after one another, and
// members that leave then: what they have in their folders is all that is known of it later. It has
// a source of its own, as drawMore has.
func (o *Options) drawEnds(r *rand.Rand) {
	if r.IntN(16) > 0 {
		return
	}
	at := o.begin() + time.Duration(r.Int64N(int64(time.Second)))
	takes := 2*time.Second + time.Duration(r.Int64N(int64(6*time.Second)))
	for n := range 2 {
		o.add(Fault{Kind: Deposit, At: at, For: takes + time.Duration(n)*time.Second, N: depositCancels})
	}
	for range 2 {
		o.add(Fault{Kind: Leave, At: at + takes/2 + time.Duration(r.Int64N(int64(4*time.Second))), For: 4 * time.Second})
	}
	o.Work *= 3
	o.sortFaults()
}

// fire has a client come that submits a run to be kept.
func (k *deposits) fire(f Fault) bool {
	w := k.w
	h := w.start("", 0, true, w.who.contact(nil))
	terms := peer.Terms{Verify: w.opts.Verify, Keep: uint32(keepFor / time.Second), ResultMax: peer.ResultCarried - 100 - uint32(len(k.all))}
	w.submitUnder(h, terms)
	k.all = append(k.all, &deposit{fault: f, by: h, nonce: h.asked[0]})
	return true
}

// owed is how many answers are to come, here and of deposits.
func (k *deposits) owed() int {
	w := k.w
	n := w.left
	for _, d := range k.all {
		if !d.done {
			n++
		}
	}
	return n
}

// admits hears that the grid has a submission. A deposit's client goes then.
func (k *deposits) admits(h *host, e peer.Admitted) {
	w := k.w
	at := slices.IndexFunc(k.all, func(d *deposit) bool { return d.by == h && d.nonce == e.Nonce && !d.admitted })
	if at < 0 {
		return
	}
	d := k.all[at]
	if h.delivered[e.Nonce] > 0 { // it has its answer: nothing was promised before
		d.done = true
		return
	}
	d.admitted, d.id = true, e.Run.ID()
	k.check(d)
	w.after(0, func() { k.leaves(d) })
	if d.fault.N&depositCancels != 0 {
		w.after(d.fault.For/2, func() { k.cancels(d) })
	}
	w.after(d.fault.For, func() { k.comes(d) })
}

// strands hears that nobody has let a client in that deposits a run, or that has come for one:
// then another comes.
func (k *deposits) strands(h *host) {
	w := k.w
	for _, d := range k.all {
		d.done = d.done || d.by == h && !d.admitted
	}
	for _, nonce := range h.asked {
		if d := h.attached[nonce]; d != nil && !d.done {
			w.after(time.Second, func() { k.comes(d) })
		}
	}
}

// leaves has the client of a deposit go.
func (k *deposits) leaves(d *deposit) {
	w := k.w
	h := d.by
	if !h.up {
		return
	}
	if h.delivered[d.nonce] == 0 {
		w.left--
	}
	if d.fault.N&depositLets == 0 {
		w.end(h, d.fault.For%2 == 0)
		return
	}
	if h.delivered[d.nonce] == 0 {
		h.asked = nil
		h.driver.Release(d.nonce)
	}
	w.after(time.Second, func() { w.end(h, false) })
}

// accepts hears that a host says of a submission that it has come to a run. Where it says that this
// is safe, another holds the run, or the host's disk has it, if there is one.
func (k *deposits) accepts(h *host, m membership.Body) {
	a, ok := m.(peer.Accepted)
	if !ok || !a.Safe {
		return
	}
	w, id := k.w, a.Run.ID()
	h.alone[id] = len(h.peer.Sight().Members()) == 0
	if _, on := h.peer.Sight().Root(id); !on { // that was to be said before the run was over
		return
	}
	held := slices.ContainsFunc(w.who.hosts, func(o *host) bool { return o != h && (holdsRun(o, id) || trustsDead(h, o, id)) })
	if d := h.folder.disk; d != nil && !held && !d.hasRun(a.Run) {
		w.fail("kept", "%s says that a run is safe which nobody else holds, and its disk does not have", h.id)
	}
}

// holdsRun tells whether a host holds a run's record and root.
func holdsRun(h *host, id steal.Key) bool {
	root, _ := h.peer.Sight().Root(id)
	return h.up && !h.client && root.Args != nil
}

// diedWith tells whether a host held a run when it ended.
func diedWith(h *host, id steal.Key) bool {
	if h.up || h.client {
		return false
	}
	root, _ := h.peer.Sight().Root(id)
	return root.Args != nil
}

// trustsDead tells whether another host that held a run has died, and this one does not know that
// yet: it may have stood still since.
func trustsDead(h, o *host, id steal.Key) bool {
	if !diedWith(o, id) {
		return false
	}
	m, sees := h.peer.Sight().Member(o.id)
	last := o.peer.Sight().Self().Incarnation
	return sees && m.Incarnation.Join == last.Join && m.Incarnation.Compare(last) <= 0
}

// holds tells whether a host holds a deposit's record and root.
func (d *deposit) holds(h *host) bool { return holdsRun(h, d.id) }

// check sees that one that the grid says it has is held by two peers, or by a disk: whoever was
// alone when it said so may know others by now, or may not know yet that the other has died. Where
// one has died while that was on its way, it may be who held it.
func (k *deposits) check(d *deposit) {
	w := k.w
	holders, others, disks, fallen := 0, 0, 0, false
	for _, h := range w.who.hosts {
		fallen = fallen || diedWith(h, d.id) && w.now-h.endedAt < time.Second
		if d.holds(h) {
			holders++
			fallen = fallen || slices.ContainsFunc(w.who.hosts, func(o *host) bool { return trustsDead(h, o, d.id) })
			if !h.alone[d.id] {
				others = max(others, len(h.peer.Sight().Members()))
			}
			if h.folder.disk.hasRecord() {
				disks++
			}
		}
	}
	if holders == 0 && disks == 0 && !fallen && !d.cancelled {
		w.fail("kept", "a run is said to be kept that nobody holds")
	}
	if holders < 2 && others > 0 && disks == 0 && !fallen {
		w.fail("kept", "a run is said to be kept that %d peers hold, one of which knows %d others", holders, others)
	}
}

// loses hears that a host has ended: it may have been the last that held a deposit.
func (k *deposits) loses() {
	w := k.w
	for _, d := range k.all {
		if d.admitted && !d.lost {
			d.lost = !slices.ContainsFunc(w.who.hosts, d.holds)
			d.again = d.again || d.lost
		}
	}
}

// finds hears that a host has started, whose disk may have what all others had lost.
func (k *deposits) finds(h *host) {
	for _, d := range k.all {
		d.lost = d.lost && !d.holds(h)
	}
}

// cancels has some host that knows it cancel it.
func (k *deposits) cancels(d *deposit) {
	w := k.w
	for _, h := range w.who.hosts {
		for _, r := range h.peer.Sight().Runs() {
			if r.ID != d.id || !h.up || h.asleep > w.now || d.done {
				continue
			}
			d.cancelled = true
			_, effects, err := h.peer.Command(w.now, d.id, peer.Cancel{})
			if err != nil {
				w.fail("machine", "%v", err)
			}
			h.do(effects)
			return
		}
	}
}

// answers hears of an answer to one that has attached to a deposit, and tells whether it is to be
// looked at: of one that was cancelled it may be that it was.
func (d *deposit) answers() (looked bool) {
	d.done = true
	return !d.cancelled
}

// notOn hears that somebody who came for a deposit is told that there is none. It is well where it
// was cancelled or lost; while the grid is in several groups, it comes again.
func (k *deposits) notOn(h *host, n steal.Nonce) {
	w := k.w
	d := h.attached[n]
	if d == nil {
		w.fail("once", "%s is told that there is no run for a submission that begins one", h.id)
		return
	}
	h.asked = slices.DeleteFunc(h.asked, func(o steal.Nonce) bool { return o == n })
	if h.delivered[n] == 0 { // else its statistics are waited for, though nobody reads them
		delete(h.answers, n)
	}
	switch {
	case d.lost || d.cancelled:
		d.done = true
	case w.net.calm && w.now > k.calmAt+wholeWithin:
		w.fail("kept", "%s is told that there is no run %s, which is held", h.id, d.id.Short())
	default:
		w.after(time.Second, func() { k.comes(d) })
	}
}

// comes has somebody attach to a deposit.
func (k *deposits) comes(d *deposit) {
	w := k.w
	h := w.who.asker
	if d.fault.N&depositAsker == 0 || !h.up || h.asleep > w.now {
		h = w.start("", 0, true, w.who.contact(nil))
	}
	nonce, effects, err := h.driver.Attach(d.id, taskName)
	if err != nil {
		w.fail("machine", "%v", err)
	}
	h.asked = append(h.asked, nonce)
	h.attached[nonce] = d
	if w.opts.Asides {
		h.answers[nonce] = &answer{jobs: map[membership.PeerID]uint64{}}
	}
	h.do(effects)
}
