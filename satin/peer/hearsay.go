package peer

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// hearsayFor is how long one that joins through a client asks those whom the client has known,
// before it goes on alone: four requests to each.
const hearsayFor = 2 * time.Second

// hearsay is what a client has said of members to one that joins: where they may be asked. Whether
// they live, and in which life, they say themselves.
type hearsay struct {
	members []rumour
	// the greatest join number, as far as a client is believed: who enters alone is younger
	newest uint64
	heard  bool          // a client has been heard …
	alone  time.Duration // … and this is when to enter alone
}

// rumour is one that a client has named.
type rumour struct {
	Contact
	again time.Duration // it is not asked before
}

// addrs is where one that a client has named may be asked.
func (h *hearsay) addrs(id membership.PeerID) (addrs []string, ok bool) {
	at := slices.IndexFunc(h.members, func(m rumour) bool { return m.Submitter == id })
	if at < 0 {
		return nil, false
	}
	return h.members[at].Addrs, true
}

// named hears of members from a client: whom else to ask.
func (j *joining) named(now time.Duration, members []membership.Member) []membership.Effect {
	h := &j.hearsay
	if !h.heard {
		h.heard, h.alone = true, now+hearsayFor
	}
	before := len(h.members)
	for _, m := range members[:min(len(members), membership.SnapshotMax)] {
		c := Contact{Submitter: m.ID, Addrs: m.Addrs}
		h.newest = max(h.newest, min(m.Incarnation.Join, membership.RaiseMax))
		known := m.ID == j.self || slices.ContainsFunc(h.members, func(o rumour) bool { return o.Submitter == m.ID })
		sound := m.ID.Sound() && (len(c.Addrs) == 0 || c.sound())
		if !known && sound && m.State.Present() && len(h.members) < contactsMax {
			h.members = append(h.members, rumour{Contact: c})
		}
	}
	if len(h.members) == 0 {
		h.alone = now
	}
	if len(h.members) == before && now < h.alone {
		return nil // only news is a reason to ask at once: each request has its answer
	}
	j.again = now
	return j.tick(now)
}

// askHearsay asks those that a client has named, and enters alone when none has answered for long.
func (j *joining) askHearsay(now time.Duration) bool {
	h := &j.hearsay
	switch {
	case !h.heard:
		return false
	case now >= h.alone:
		j.do(entersAlone{asked: true})
		return true
	}
	for n := range h.members {
		if m := &h.members[n]; now >= m.again {
			m.again = now + pullEvery
			j.pull(m.Submitter)
		}
	}
	j.again = min(now+pullEvery, h.alone)
	return false
}

// isAlonesRun tells whether nobody but one submitter waits for a run.
func (r *run) isAlonesRun(from membership.PeerID) bool {
	return !slices.ContainsFunc(r.all(), func(s steal.Submission) bool { return s.Submitter != from })
}
