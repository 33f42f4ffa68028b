package gridsim

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// Run plays a simulation to its end: the run with its faults, then the time in which it must end
// without any, then that in which nothing may be left of it.
func Run(o Options) (Report, error) {
	w := newWorld(o)
	w.who.asker = w.populate()
	for _, f := range o.Faults {
		w.after(f.At, func() { w.fire(f) })
	}
	began := o.begin()
	asked := false
	w.after(began, func() {
		asked = true
		for range o.Submitted {
			w.submit(w.who.asker)
		}
		for n, share := range o.Beside {
			w.submitUnder(w.who.asker, peer.Terms{Verify: o.Verify, Share: share, ResultMax: peer.ResultCarried - uint32(n) - 1})
		}
	})
	w.play(max(began, o.heal()), func() bool { return asked && w.kept.owed() == 0 })
	if w.err == nil && w.kept.owed() > 0 {
		w.heal()
		w.demandEnd()
	}
	w.report.Took = w.now - began
	w.hearOut()
	w.checkRedone()
	w.heal()
	w.demandTold()
	settle := o.Settle + w.longest // of a run that has ended a job may be under way
	if w.report.Cancelled > 0 {
		// peers that a cut and a migration have parted for good may not hear of that before
		// they have an answer
		settle += w.patience()
	}
	if len(w.kept.all) > 0 || w.opts.Kept {
		settle += keepFor + peer.DiedMax
	}
	if slices.ContainsFunc(w.kept.all, func(d *deposit) bool { return d.again }) {
		settle += w.patience()
	}
	w.demandOne(w.now + settle)
	w.play(w.now+settle, w.who.settled)
	if w.err == nil && !w.who.settled() {
		w.fail("empty", "%s", w.who.leftover())
	}
	w.demandEnded()
	demandWayIn(w)
	demandFolders(w)
	w.checkAll()
	return w.finish(), w.err
}

// endMin is how long a run may take after its faults have ended, beside the time for its work: the
// grid has to find itself again, and messages have to find out that they were lost.
const endMin = time.Minute

// demandEnd plays until all is answered. Those that are there may wait for each job on the longest
// path several times: to be done, done again, and compared.
func (w *World) demandEnd() {
	limit := w.now + w.patience()
	w.play(limit, func() bool { return w.kept.owed() == 0 })
	if w.err == nil && w.kept.owed() > 0 {
		w.fail("end", "%d answers have not come by %v, %v after the faults", w.kept.owed(), limit, endMin)
	}
}

// patience is how long those that stay may take to do all the work again, beside finding each
// other.
func (w *World) patience() time.Duration {
	workers := 0
	for _, h := range w.who.members() {
		if h.goesOn() {
			workers += h.plane.workers()
		}
	}
	d := endMin + 3*w.opts.Work/time.Duration(max(workers, 1)) + 5*w.opts.Span + 5*w.opts.Heavy
	if len(w.kept.all) > 0 {
		d += attachMax
	}
	if w.opts.Verify > 0 { // what is compared is done again, at each level on which it was lent
		d += 60 * w.opts.Span
	}
	return d
}

// heal ends all faults. Somebody must be there to compute.
func (w *World) heal() {
	if w.net.calm {
		return
	}
	w.net.heals()
	w.kept.calmAt = w.now
	for _, h := range w.who.hosts {
		h.asleep = 0
	}
	if w.kept.owed() > 0 && !slices.ContainsFunc(w.who.members(), (*host).goesOn) {
		w.join(w.opts.Sites[0].Name, 1)
	}
}

// goesOn tells whether a member goes on computing: it neither leaves, nor will when it hears that
// it was told to, or barred, or has a twin.
func (h *host) goesOn() bool { return !h.ordered && h.leaveBy == 0 && !h.barred && !unaware(h) }

// populate starts the hosts: the first peer founds the grid, the others join it
// through a drawn one.
func (w *World) populate() (submitter *host) {
	var first *host
	n := 0
	for _, s := range w.opts.Sites {
		for range s.Peers {
			if first == nil {
				first = w.start(s.Name, s.Workers, false, nil)
				continue
			}
			n++
			w.after(time.Duration(n)*w.opts.Gap, func() { w.start(s.Name, s.Workers, false, w.who.contact(nil)) })
		}
	}
	if w.opts.ByPeer {
		return first
	}
	return w.start("", 0, true, first)
}

func (w *World) submit(h *host) {
	terms := peer.Terms{Verify: w.opts.Verify}
	if w.opts.Kept {
		terms.Keep = uint32(keepFor / time.Second)
	}
	w.submitUnder(h, terms)
}

// submitUnder submits the root. Under other terms it is another run.
func (w *World) submitUnder(h *host, terms peer.Terms) {
	root := w.work.Root()
	w.left++
	nonce, effects, err := h.driver.Submit(peer.RootOf(steal.KeyOf(root), taskName, root).With(terms))
	if err != nil {
		w.fail("machine", "%v", err)
	}
	h.asked = append(h.asked, nonce)
	if w.opts.Asides {
		h.answers[nonce] = &answer{jobs: map[membership.PeerID]uint64{}}
	}
	h.do(effects)
}

// checkEvery is after how many events one host more is looked at, where CheckAll is not set. So a
// host is after as many of its own, however many there are.
const checkEvery = 128

// play lets events happen until a time, a finding, or until enough has happened.
func (w *World) play(until time.Duration, enough func() bool) {
	for n := 0; w.err == nil && len(w.queue) > 0 && w.queue[0].at <= until; n++ {
		w.step()
		if n%checkEvery == 0 {
			w.checkNext()
		}
		if enough() {
			return
		}
	}
}

// SitesOf makes sites a, b, … of so many peers with one worker each.
func SitesOf(peers ...int) []Site {
	var out []Site
	for n, p := range peers {
		out = append(out, Site{Name: membership.Site('a' + rune(n)), Peers: p, Workers: 1})
	}
	return out
}
