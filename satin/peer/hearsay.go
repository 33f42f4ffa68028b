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

// awaits tells whether one was asked so lately that its answer may still come.
func (h *hearsay) awaits(now time.Duration, id membership.PeerID) bool {
	return slices.ContainsFunc(h.members, func(m rumour) bool { return m.Submitter == id && m.again > now })
}

// addrs is where one that a client has named may be asked.
func (h *hearsay) addrs(id membership.PeerID) (addrs []string, ok bool) {
	at := slices.IndexFunc(h.members, func(m rumour) bool { return m.Submitter == id })
	if at < 0 {
		return nil, false
	}
	return h.members[at].Addrs, true
}

// fromClient takes what a client has sent: the runs that it holds, and for one that joins whom else
// to ask.
func (p *Peer) fromClient(from membership.PeerID, s Snapshot) {
	_, effects := p.endings.bury(p.now, ownEnds(from, s.Ended))
	p.apply(effects)
	p.apply(p.endings.tellOver(p.now, from, s.Heads))
	for n := range s.Heads[:min(len(s.Heads), RunsMax)] {
		r, effects := p.records.learnFromClient(p.now, from, &s.Heads[n], nil)
		p.apply(effects)
		switch {
		case r == nil || r.root != nil:
		case p.join.active:
			// it comes in the Record that follows the Snapshot
			r.fetchAt = p.now + fetchEvery
		default:
			p.apply(p.roots.want(p.now, r, from))
		}
	}
	if p.join.active {
		p.apply(p.join.named(p.now, s.Members))
	}
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
		sound := m.ID != "" && (len(c.Addrs) == 0 && len(m.ID) <= membership.IDBytesMax || c.sound())
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
		j.do(entersAlone{})
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

// enterAlone goes on with what a client holds: all others are gone, or cannot be reached.
func (p *Peer) enterAlone() {
	p.join.letIn(p.now)
	p.comparing.soon(p.now)
	if !p.conf.Member.Client {
		p.view.Above(p.join.hearsay.newest)
		p.enter()
	}
	for _, r := range p.runs.all {
		if r.root == nil {
			r.fetchAt = p.now
		}
	}
	p.apply(p.submissions.anew(p.now))
}

// unknownMax is for how long members have to say that they do not know a run before a client
// forgets it: a record is everywhere within seconds, and who has gone on alone is found.
const unknownMax = time.Minute

// lacked is since when a client hears that a run is not known: of its master, or of anybody when
// that one is gone.
type lacked struct {
	by membership.PeerID
	at time.Duration // 0: it is known
}

// dropUnknown forgets the runs of others that are in no snapshot of a member for long. Members are
// told that a run is over, or withdraw it; a client may have been told of one by another client
// alone, that made it up, and would hold it and ask for its root for ever. While a run's master
// lives its word alone counts: a client stands between the sides of a cut, and may be the only one
// to hold what one side is to have from the other when that has died.
func (p *Peer) dropUnknown(from membership.PeerID, s Snapshot) {
	if !p.conf.Member.Client || p.join.active || s.Parts&PartRuns == 0 {
		return
	}
	for _, r := range slices.Clone(p.runs.all) {
		by := membership.PeerID("") // anybody
		if p.view.Lives(r.master, r.epoch.Master) {
			by = r.master
		}
		switch known := slices.ContainsFunc(s.Heads, func(h Head) bool { return h.Run == r.instance }); {
		case known || p.submissions.awaits(r.submissions):
			r.lacked = lacked{}
		case by != "" && by != from:
			if r.lacked.by != by {
				r.lacked = lacked{}
			}
		case r.lacked.by != by || r.lacked.at == 0 || p.now-r.lacked.at > UnheardMax:
			// a word of long ago is not repeated by this one
			r.lacked = lacked{by, p.now}
		case p.now-r.lacked.at > unknownMax:
			p.apply(p.endings.end(p.now, r))
		}
	}
}

// isAlonesRun tells whether nobody but one submitter waits for a run.
func (r *run) isAlonesRun(from membership.PeerID) bool {
	return !slices.ContainsFunc(r.submissions, func(s steal.Submission) bool { return s.Submitter != from })
}
