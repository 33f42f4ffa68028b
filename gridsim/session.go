package gridsim

import (
	"fmt"
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/satin/control/driver"
	"satingrid/satin/peer"
)

// What the carrier does in time.
const (
	dialPatience = 3 * time.Second // a dial that nothing answers
	// a session through which nothing passes ends: two keep-alives, and a write that waits
	silentAfter = 7 * time.Second
	wholeWithin = 10 * time.Second
)

// session is a connection between two hosts, maybe through a third.
type session struct {
	ends  [2]*host
	told  [2]bool // the end has heard of it
	relay *host
	over  bool

	queues [2]sendQueue // of each end
	ears   [2]*listener // of each end, once it has heard something of the other
}

// end is the number of a host's end.
func (s *session) end(h *host) int {
	if s.ends[0] == h {
		return 0
	}
	return 1
}

func (s *session) other(h *host) *host { return s.ends[1-s.end(h)] }

// place is where a host can be dialled, without its id. Hosts that come may take the place
// of one that is gone.
func place(n int) string { return fmt.Sprintf("/sim/%d", n) }

// addr is a host's address.
func (h *host) addr() string { return h.place + "/p2p/" + string(h.id) }

// toHosts is the carrier of a host as its driver has it.
type toHosts struct{ *host }

// Encode makes a message's bytes. What that takes is put down when it is sent.
func (t toHosts) Encode(m peer.Message) []byte { return t.w.net.codec.encode(t.host, m) }

// Send carries a frame through a session, if there is one. Of a host that is not even being dialled
// the machine should know that it cannot be told anything.
func (t toHosts) Send(to membership.PeerID, frame []byte) (up bool) {
	h, s := t.host, t.sessions[to]
	if s == nil || !s.told[s.end(h)] {
		if !h.driver.IsDialling(to) {
			m, _ := messages.Decode(frame)
			h.w.fail("session", "%s says %T to %s, with which it has no session, and which it does not dial", h.id, m.Body, to)
		}
		return false
	}
	if !s.over {
		h.sendsBy(s, frame)
	}
	return true
}

// SendBulk carries a long message. It is over when it has come, or would have.
func (t toHosts) SendBulk(to membership.PeerID, encode func() []byte, over func(up bool)) {
	h, s := t.host, t.sessions[to]
	switch {
	case s == nil || !s.told[s.end(h)]:
		h.turn(0, tag("bulk", uint64(h.no)), func() { over(false) })
	default:
		in := h.w.net.linkOf(h, s.other(h)).Delay
		if !s.over {
			d, told := h.w.net.send(s, h, s.other(h), encode(), over)
			if told {
				return
			}
			in += d
		}
		h.turn(in, tag("bulk", uint64(h.no)), func() { over(true) })
	}
}

// BytesFar is how many bytes were sent to other sites.
func (t toHosts) BytesFar() int64 { return t.bytesFar }

// Publish carries a frame to all.
func (t toHosts) Publish(frame []byte) { t.w.net.publish(t.host, frame) }

// Dial takes a round trip where somebody answers, and as long as one waits where nothing does.
func (t toHosts) Dial(d membership.Dial) {
	h := t.host
	h.w.report.Dials++
	h.w.note(h, "dials", 0, uint64(len(d.Addrs)), 0)
	h.turn(h.w.net.roundTrip(h, d), tag("dial", uint64(h.no)), func() { h.dialled(d, false) })
}

// idOf is the id at the end of an address. It may have slashes in it here.
func idOf(addr string) string {
	for n := len(addr) - len("/p2p/"); n >= 0; n-- {
		if addr[n:n+len("/p2p/")] == "/p2p/" {
			return addr[n+len("/p2p/"):]
		}
	}
	return ""
}

// asOther is a host as those have it who have a session with it.
func asOther(h *host) driver.Other {
	return driver.Other{ID: h.id, Process: uint64(h.no) + 1, Client: h.client, Addrs: []string{h.addr()}}
}

// Bar keeps a host out, or lets it in again. One with which a session stands is told why it ends,
// where it can be; else it finds that nothing passes any more.
func (t toHosts) Bar(id membership.PeerID, barred bool) {
	if t.refuses[id] = barred; barred {
		t.sessions[id].hangsUp(t.host, driver.ShutOut)
	}
}

// TellTwin ends the session with a host, which is told that it has a twin.
func (t toHosts) TellTwin(id membership.PeerID) {
	if s := t.sessions[id]; s != nil {
		o := s.other(t.host)
		o.tellers = append(o.tellers, t.host)
		s.hangsUp(t.host, driver.TwinMet)
	}
}

// hangsUp ends a session, if it stands, and tells the other end why.
func (s *session) hangsUp(h *host, why driver.Parting) {
	if s == nil || s.over {
		return
	}
	o := s.other(h)
	s.over = true
	h.w.net.graph++
	h.w.report.Broken++
	h.turn(0, tag("bars", uint64(o.no)), func() { h.disconnect(s, driver.Broken) })
	switch {
	case !o.up:
	case h.w.net.isCut(h, o):
		o.turn(silentAfter, tag("reset", uint64(h.no)), func() { o.disconnect(s, driver.Broken) })
	default:
		o.turn(h.w.net.linkOf(h, o).Delay, tag("barred", uint64(h.no)), func() {
			// it was up, though it has not heard of that yet
			s.told[s.end(o)] = s.told[s.end(o)] || why == driver.TwinMet
			o.disconnect(s, why)
		})
	}
}

// dialled is the outcome of a dial. One that met silence waits for it to end.
func (h *host) dialled(d membership.Dial, waited bool) {
	w := h.w
	var found, relay *host
	var met []*host
	silent := false
	for _, a := range d.Addrs {
		o := w.net.at(a)
		switch {
		case o == nil:
		case w.net.isCut(h, o) || w.net.isCut(o, h) || o.asleep > w.now || !o.up && o.machine:
			silent = true
		case !o.up:
		case o.id != d.ID:
			met = append(met, o)
		default:
			if relay = w.net.relayFor(h, o); o.natted {
				w.net.metNAT(o)
			}
			if o.natted && relay == nil {
				silent = true
				continue
			}
			found = o
		}
	}
	if found == nil && silent && !waited {
		h.turn(dialPatience, tag("dial", uint64(h.no)), func() { h.dialled(d, true) })
		return
	}
	switch {
	case found != nil && !waited && found.refuses[h.id]:
		h.driver.Dialled(d.ID, driver.Barred)
	case found != nil && !waited && h.refuses[found.id]:
		h.driver.Dialled(d.ID, driver.Denied)
	case found != nil && !waited:
		h.meet(found, relay)
		h.driver.Dialled(d.ID, driver.Reached)
	case silent || waited:
		h.driver.Dialled(d.ID, driver.Silent)
	default:
		h.driver.Dialled(d.ID, driver.Nobody)
	}
	for _, o := range met {
		h.driver.Met(o.addr(), o.id)
	}
}

// meet makes a session between two hosts that live. Both ends hear of it, the one
// that was dialled later.
func (h *host) meet(other, relay *host) {
	w := h.w
	s := h.sessions[other.id]
	if s != nil && !s.over && s.other(h) != other && s.other(h).up {
		return // with its twin, which is dialled no second time
	}
	if theirs := other.sessions[h.id]; s == nil && theirs != nil && !theirs.over && theirs.other(other) == h {
		s = theirs // they have dialled each other
		h.sessions[other.id] = s
		w.net.graph++
	}
	if s == nil || s.over || s.other(h) != other {
		if s != nil {
			s.yields(h, other)
		}
		if old := other.sessions[h.id]; old != nil {
			old.over = true
		}
		s = &session{ends: [2]*host{h, other}, relay: relay}
		h.sessions[other.id] = s
		w.net.graph++
		w.report.Sessions++
		other.turn(w.net.linkOf(h, other).Delay, tag("met", uint64(h.no)), func() { other.isMet(s) })
	}
	s.told[s.end(h)] = true
	h.driver.Up(asOther(other))
}

// isMet is the other end of meet.
func (h *host) isMet(s *session) {
	o := s.other(h)
	if s.told[s.end(h)] {
		return
	}
	// it has taken the place of another, though it may be over by now
	if old := h.sessions[o.id]; old != nil && old != s && (old.over || !s.over) {
		old.yields(h, o)
	}
	if s.over {
		return
	}
	h.sessions[o.id] = s
	s.told[s.end(h)] = true
	h.driver.Up(asOther(o))
}

// disconnect ends a session as this end sees it.
func (h *host) disconnect(s *session, how driver.Parting) {
	id := s.other(h).id
	if s.over = true; h.sessions[id] == s {
		delete(h.sessions, id)
	}
	if s.told[s.end(h)] {
		s.told[s.end(h)] = false
		h.driver.Down(id, how)
	}
}

// breaks ends a session, and lets both ends that live hear of it.
func (n *network) breaks(s *session, after time.Duration) {
	if s.over {
		return
	}
	s.over = true
	n.graph++
	n.report.Broken++
	for _, h := range s.ends {
		if h.up {
			how := driver.Broken
			if s.other(h).says {
				how = driver.Goodbye
			}
			h.turn(after, tag("reset", uint64(s.other(h).no)), func() { h.disconnect(s, how) })
		}
	}
}

// goesSilent ends, when nothing has passed for a while, the sessions through which nothing does.
func (n *network) goesSilent(still func(*session) bool) {
	n.time.after(silentAfter, func() {
		for _, s := range n.all(still) {
			n.report.Silenced++
			n.breaks(s, 0)
		}
	})
}

// cutEnds ends the sessions across a cut that lasts.
func (n *network) cutEnds(c *cut) {
	n.goesSilent(func(s *session) bool {
		return n.time.now < c.until && slices.Contains(n.cuts, c) && (c.stops(s.ends[0], s.ends[1]) || c.stops(s.ends[1], s.ends[0]))
	})
}

// hostEnds ends the sessions of a process that is gone, and those that it passes on. Nobody hears
// of a machine that dies.
func (n *network) hostEnds(h *host) {
	if n.shared != nil {
		n.shared.hostEnds(h)
	}
	mine := func(s *session) bool { return s.ends[0] == h || s.ends[1] == h || s.relay == h }
	if h.machine {
		n.goesSilent(mine)
		return
	}
	for _, s := range n.all(mine) {
		n.breaks(s, n.linkOf(s.ends[0], s.ends[1]).Delay)
	}
}

// remains tells whether a host is a member that is not about to go.
func (h *host) remains() bool {
	return h.up && !h.client && h.member() && h.leaveBy == 0 && !h.barred && h.w.who.byID[h.id] == h
}

// demandOne plays until the grid is one, and until a time at the most. All can
// reach each other now.
func (w *World) demandOne(limit time.Duration) {
	if !w.who.meetable() {
		return
	}
	reached := w.now
	if w.net.moves > 0 {
		// until then nobody knows that they are cut off
		reached = max(w.now, w.net.movedAt+silentAfter)
	}
	limit = min(limit, reached+wholeWithin)
	looked := time.Duration(-1)
	for w.err == nil && w.who.whole() != "" && w.now < limit {
		looked = w.now
		w.play(limit, func() bool { return w.now >= looked+100*time.Millisecond })
		if w.now == looked {
			break
		}
	}
	if who := w.who.whole(); w.err == nil && who != "" {
		w.fail("apart", "%v after all could reach each other: %s", wholeWithin, who)
	}
}

// strands ends a host that nobody let in. Whoever submitted through it was told so.
func (h *host) strands() {
	h.w.report.Stranded++
	if m := passedBy(h); m != nil {
		h.w.fail("way in", "%s came at %v and says that it reaches nobody, and %s was there all the time", h.id, h.came, m.id)
	}
	for _, nonce := range h.asked {
		if h.delivered[nonce] == 0 && h.attached[nonce] == nil {
			h.w.left--
		}
	}
	h.w.kept.strands(h)
	h.asked = nil
	h.w.after(0, func() { h.w.end(h, false) })
}
