package gridsim

import (
	"math/rand/v2"
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// host is a process: a peer or a client, with its data plane.
type host struct {
	w         *World
	no        int
	id        membership.PeerID
	site      membership.Site
	client    bool
	up        bool
	peer      *peer.Peer
	plane     *plane
	tickAt    time.Duration // the tick that is in the queue
	tickSeq   uint64        // its number: older ones are void
	posted    int           // events of the data plane that are on their way to the peer
	asleep    time.Duration // the process is stopped until then
	leaveBy   time.Duration
	barred    bool     // somebody has barred it; it may not know yet
	asked     []uint64 // the submissions that it has not cancelled
	delivered map[uint64]int
	epochs    map[peer.RunNo]membership.Epoch
}

// start makes a host and lets it found the grid or join it through a contact.
func (w *World) start(site membership.Site, workers int, client bool, contact *host) *host {
	return w.startAs(w.name(site), site, workers, client, contact)
}

func (w *World) startAs(id membership.PeerID, site membership.Site, workers int, client bool, contact *host) *host {
	no := len(w.hosts)
	h := &host{w: w, no: no, site: site, client: client, up: true, tickAt: steal.Never, id: id, delivered: map[uint64]int{}, epochs: map[peer.RunNo]membership.Epoch{}}
	conf := peer.Config{
		Member: membership.Config{ID: h.id, Site: site, Workers: uint16(workers), Client: client},
		Policy: w.opts.Policy,
		Better: w.work.Better,
		Plant:  w.opts.Plant,
		Verify: w.opts.Verify, CopyEvery: w.opts.CopyEvery,
	}
	h.peer = peer.New(conf, rand.New(rand.NewPCG(w.opts.Seed, uint64(no)+1)))
	h.plane = newPlane(h, workers)
	w.hosts = append(w.hosts, h)
	w.byID[h.id] = h
	w.note(h, "starts", 0, uint64(workers), 0)
	if contact == nil {
		h.do(h.peer.Found(w.now))
	} else {
		h.do(h.peer.Join(w.now))
		h.meet(contact)
		h.in(redialEvery, tag("redial", 0), h.redial)
	}
	h.do(h.peer.Idle(w.now, workers))
	return h
}

// redialEvery is how often a carrier tries the next address of its ticket.
const redialEvery = 2 * time.Second

// meet connects a host with another, if that one lives. Both ends hear of it.
func (h *host) meet(other *host) {
	h.do(h.peer.Connected(h.w.now, other.id))
	if other.up {
		other.in(h.w.linkOf(h, other).Delay, tag("met", uint64(h.no)), func() { other.do(other.peer.Connected(h.w.now, h.id)) })
	}
}

// redial brings another contact to a host that has not been let in, or to a client that knows nobody any more.
func (h *host) redial() {
	switch {
	case h.peer.Joining():
		h.meet(h.w.contact(h))
	case !h.client:
		return
	}
	h.in(redialEvery, tag("redial", 0), h.redial)
}

// in lets something happen to the process in d from now: when it is stopped by then, once it goes on; never, if it is dead.
func (h *host) in(d time.Duration, tag uint64, do func()) {
	h.w.tagged(d, tag+uint64(h.no), func() {
		switch {
		case !h.up:
		case h.asleep > h.w.now:
			h.in(h.asleep-h.w.now, tag, do)
		default:
			do()
		}
	})
}

// receive is the arrival of a message.
func (h *host) receive(from membership.PeerID, m peer.Message) {
	h.w.note(h, "receives", m.Body.Kind(), uint64(h.w.byID[from].no), 0)
	h.do(h.peer.Received(h.w.now, from, m))
}

// post brings an event of the data plane to the peer, a little later and in order, as a channel would.
func (h *host) post(what string, number uint64, event func() []peer.Effect) {
	h.posted++
	h.in(time.Microsecond, tag(what, number), func() {
		h.posted--
		h.w.posts++
		h.w.note(h, what, 0, number, 0)
		h.do(event())
	})
}

// do carries out the effects of an event, and sees to the next tick.
func (h *host) do(effects []peer.Effect) {
	for _, e := range effects {
		h.effect(e)
	}
	if at := h.peer.Deadline(); at < h.tickAt {
		h.tickIn(max(at, h.w.now))
	}
	if h.w.opts.CheckAll {
		h.check()
	}
}

func (h *host) tickIn(at time.Duration) {
	h.tickSeq++
	h.tickAt = at
	number := h.tickSeq
	h.in(at-h.w.now, tag("tick", 0), func() {
		if number == h.tickSeq {
			h.tickAt = steal.Never
			h.w.note(h, "ticks", 0, 0, 0)
			h.do(h.peer.Tick(h.w.now))
		}
	})
}

func (h *host) effect(e peer.Effect) {
	w := h.w
	switch e := e.(type) {
	case peer.Send:
		if to := w.byID[e.To]; to != nil {
			w.carry(h, to, e.Message)
		}
	case peer.Publish:
		for _, to := range w.hosts {
			switch {
			case to == h || !to.up:
			case w.now < w.gossipLost && w.rng.IntN(4) > 0:
				w.loseGossip()
			default:
				w.carry(h, to, e.Message)
			}
		}
	case membership.Dial:
		w.dial(h, e.ID)
	case peer.Deliver:
		w.note(h, "delivers", uint8(e.Result.Outcome), e.Nonce, 0)
		if h.delivered[e.Nonce]++; !slices.Contains(h.asked, e.Nonce) {
			w.fail("once", "an answer was delivered for a submission that %s has cancelled", h.id)
		} else if h.delivered[e.Nonce] == 1 {
			w.left--
		}
		w.delivered(h, e)
	case peer.Fault:
		if !isFickle(w.work) {
			w.fail("answer", "%s", e.Text)
		}
	case membership.Joined:
		w.report.Joined++
	case membership.Lost:
		w.note(h, "loses", uint8(e.Member.How), uint64(w.byID[e.Member.ID].no), uint64(e.Noticed))
		w.report.Lost++
	case peer.Mastered:
		w.note(h, "master", 0, uint64(e.Run), uint64(e.Epoch.Number))
		h.checkEpoch(e)
		if e.Master == h.id && e.Epoch.Number > 1 {
			w.succeeded(h)
		}
		w.report.Epochs = max(w.report.Epochs, int(e.Epoch.Number))
	case membership.Rejoined:
		w.report.Rejoined++
	case peer.Left:
		w.note(h, "left", 0, 0, 0)
		h.checkWill(e)
		w.after(0, func() { w.end(h, false) })
	case membership.Banned:
		w.after(0, func() { w.end(h, false) })
	case peer.Started, membership.Bar:
	default:
		h.plane.effect(e)
	}
}

// dial tries a connection again after one broke.
func (w *World) dial(from *host, id membership.PeerID) {
	to := w.byID[id]
	from.in(2*w.linkOf(from, to).Delay, tag("dial", uint64(to.no)), func() {
		switch {
		case w.isCut(from, to) || w.isCut(to, from):
			from.do(from.peer.Unreached(w.now, id))
		case to.up:
			from.meet(to)
		default:
			from.do(from.peer.ConnectRefused(w.now, id))
		}
	})
}

// kill lets a host's process crash.
func (w *World) kill(h *host, machine bool) {
	if h.up {
		w.report.Killed++
		w.report.Beheaded += min(h.plane.roots(), 1)
		w.end(h, machine)
	}
}

// end ends a host's process, whyever. Its connections break, and the others see it, unless the machine died with it.
func (w *World) end(h *host, machine bool) {
	if !h.up {
		return
	}
	h.up = false
	w.note(h, "dies", 0, 0, 0)
	if machine {
		return
	}
	for _, o := range w.hosts {
		if o.up {
			o.in(w.linkOf(h, o).Delay, tag("reset", uint64(h.no)), func() { o.do(o.peer.Reset(w.now, h.id)) })
		}
	}
}
