package gridsim

import (
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// Report is what a simulation came to.
type Report struct {
	Hash     [32]byte      // of every event and message
	Events   uint64        //
	Took     time.Duration // virtual time from the submission to the last answer
	Busy     time.Duration // worker time spent in jobs
	Workers  int           // of all peers that were ever there
	Jobs     uint64        // jobs executed, wherever
	Messages uint64
	BytesFar uint64 // between sites
	LentNear uint64
	LentFar  uint64
	Again    uint64
	Used     uint64 // jobs that got their value from elsewhere
	Heard    uint64 // facts that came from another peer
	Joined   int    // times that a peer learned of another
	Lost     int    // times that a peer learned of a loss
	Killed   int
	Rejoined int
	Epochs   int // the greatest epoch
	Last     []string
}

// Run plays a simulation to its end: the run, then the time in which nothing may be left of it.
func Run(o Options) (Report, error) {
	w := newWorld(o)
	submitter := w.populate()
	w.asker = submitter
	for _, j := range o.Joins {
		w.after(j.At, func() { w.join(j) })
	}
	for _, k := range o.Kills {
		w.after(k.At, func() { w.killOne(k, submitter) })
	}
	for _, p := range o.Pauses {
		w.after(p.At, func() { w.pause(p, submitter) })
	}
	var began time.Duration
	left := o.Submitted
	w.after(time.Duration(len(w.hosts))*o.Gap+submitAfter, func() {
		began = w.now
		for range o.Submitted {
			w.submit(submitter)
		}
	})
	w.report.Last = nil
	w.play(o.Limit, func() bool {
		left = o.Submitted
		for _, n := range submitter.delivered {
			left -= min(n, 1)
		}
		return left == 0
	})
	if w.err == nil && left > 0 {
		w.fail("end", "%d of %d answers have not come within %v", left, o.Submitted, o.Limit)
	}
	w.report.Took = w.now - began
	w.calm = true
	w.play(w.now+o.Settle, w.settled)
	if w.err == nil && !w.settled() {
		w.fail("empty", "%s", w.leftover())
	}
	return w.finish(), w.err
}

// populate starts the hosts: the first peer founds the grid, the others join it through a drawn one.
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
			w.after(time.Duration(n)*w.opts.Gap, func() { w.start(s.Name, s.Workers, false, w.contact(nil)) })
		}
	}
	if w.opts.ByPeer {
		return first
	}
	return w.start("", 0, true, first)
}

// contact draws a host to join through: a member, or the submitter, who keeps the run when no member is left.
func (w *World) contact(except *host) *host {
	var in []*host
	for _, h := range w.hosts {
		if h.up && h != except && h.member() {
			in = append(in, h)
		}
	}
	if len(in) == 0 {
		return w.asker
	}
	return in[w.rng.IntN(len(in))]
}

// member tells whether the grid has let the host in.
func (h *host) member() bool { return h.peer.Self().State != 0 }

func (w *World) join(j Join) { w.start(j.Site, 1, false, w.contact(nil)) }

// killOne kills the peer of that number, unless it is the submitter or the last member.
func (w *World) killOne(k Kill, submitter *host) {
	members := 0
	for _, h := range w.hosts {
		if h.up && h.member() {
			members++
		}
	}
	if h := w.peerNo(k.Host); h != nil && h.up && h != submitter && (members > 1 || !h.member()) {
		w.kill(h, k.Machine)
	}
}

// pause stops the process of the peer of that number, unless it is the submitter.
func (w *World) pause(p Pause, submitter *host) {
	if h := w.peerNo(p.Host); h != nil && h.up && h != submitter {
		w.note(h, "stops", 0, uint64(p.For), 0)
		h.asleep = w.now + p.For
	}
}

// peerNo is the peer of that number, counted from 1 without the client.
func (w *World) peerNo(n int) *host {
	for _, h := range w.hosts {
		if !h.client {
			n--
		}
		if n == 0 && !h.client {
			return h
		}
	}
	return nil
}

func (w *World) submit(h *host) {
	root := w.work.Root()
	_, effects, err := h.peer.Submit(w.now, peer.Root{Run: steal.KeyOf(root), Task: taskName, Args: root})
	if err != nil {
		w.fail("machine", "%v", err)
	}
	h.do(effects)
}

// checkEvery is after how many events every host is looked at, where CheckAll is not set.
const checkEvery = 256

// play lets events happen until a time, a finding, or until enough has happened.
func (w *World) play(until time.Duration, enough func() bool) {
	for n := 0; w.err == nil && len(w.queue) > 0 && w.queue[0].at <= until; n++ {
		w.step()
		if n%checkEvery == 0 {
			w.checkAll()
		}
		if enough() {
			return
		}
	}
}

// finish sums up.
func (w *World) finish() Report {
	r := w.report
	r.Events, r.Last = w.events, w.last
	copy(r.Hash[:], w.log.Sum(nil))
	for _, h := range w.hosts {
		s := h.peer.Stats()
		r.LentNear += s.LentNear
		r.LentFar += s.LentFar
		r.Again += s.Again
		r.Busy += h.plane.busy
		r.Workers += int(h.peer.Self().Workers)
	}
	return r
}

// SitesOf makes sites a, b, … of so many peers with one worker each.
func SitesOf(peers ...int) []Site {
	var out []Site
	for n, p := range peers {
		out = append(out, Site{Name: membership.Site('a' + rune(n)), Peers: p, Workers: 1})
	}
	return out
}
