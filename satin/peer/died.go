package peer

import (
	"time"

	"satingrid/membership"
	"satingrid/membership/addresses"
	"satingrid/steal"
)

// DiedMax is how long a submission stands whose submitter was seen to die: its
// connection broke, and then its machine refused another. One that is only silent – cut off,
// stopped, behind a NAT – has UnheardMax.
const DiedMax = time.Minute

// downSince is when the connection to a submitter broke, and when it was seen to be
// dead; 0: it was not.
type downSince struct{ broke, died time.Duration }

// broke hears that the connection to a submitter broke.
func (w *demand) broke(now time.Duration, id membership.PeerID) {
	if w.down == nil {
		w.down = map[membership.PeerID]downSince{}
	}
	if _, known := w.down[id]; !known && len(w.down) < SubmissionsMax {
		w.down[id] = downSince{broke: now}
	}
}

// refused hears that where somebody was no process listens any more.
func (w *demand) refused(now time.Duration, id membership.PeerID) {
	if at, broke := w.down[id]; broke && at.died == 0 {
		w.down[id] = downSince{at.broke, max(now, 1)}
	}
}

// isBereft tells whether a submission's submitter was seen to die so long ago that
// nobody needs its answer.
func (w *demand) isBereft(now time.Duration, s steal.Submission) bool {
	at := w.down[s.Submitter]
	return at.died > 0 && now-at.died >= DiedMax
}

// broke hears that the connection to somebody broke, and tells whether that one waits for a run.
func (s *runs) broke(now time.Duration, id membership.PeerID) (waits bool) {
	for _, r := range s.all {
		if r.waits(id) {
			r.demand.broke(now, id)
			waits = true
		}
	}
	return waits
}

// refused hears that where somebody was no process listens any more.
func (s *runs) refused(now time.Duration, id membership.PeerID) {
	for _, r := range s.all {
		r.demand.refused(now, id)
	}
}

// reached hears of a submitter: it speaks, or there is a connection to it.
func (s *runs) reached(id membership.PeerID) {
	for _, r := range s.all {
		delete(r.demand.down, id)
	}
}

// sought are those who wait for a run that a peer is master of, and were not seen to die.
func (s *runs) sought(master membership.PeerID) (all []Contact) {
	for _, r := range s.all {
		for _, c := range r.contacts {
			if r.master == master && r.waits(c.Submitter) && r.demand.down[c.Submitter].died == 0 {
				all = append(all, c)
			}
		}
	}
	return all
}

// submitters are those who wait for runs, as far as they are looked for.
type submitters struct {
	members electorate
	runs    *runs
	hosts   *hosts
}

// down hears that the connection to somebody broke. When that is who waits for a run, and no
// member, of which the view sees to that, a dial tells whether it has died.
func (s *submitters) down(now time.Duration, id membership.PeerID) []membership.Effect {
	if _, member := s.members.Member(id); !member && entered(s.members.Self()) && s.runs.broke(now, id) {
		return s.hosts.redial(now, membership.Dial{ID: id, Addrs: s.hosts.addrs(id)})
	}
	return nil
}

// seek has those looked for who wait for a run of which this peer is master, and to whom no session
// stands. The answer is for them, and they may be all that is left between two groups of a grid:
// whoever came during a cut, when those left who had known both sides of it, knows nobody else.
func (s *submitters) seek(now time.Duration) {
	for _, c := range s.runs.sought(s.members.Self().ID) {
		if _, member := s.members.Member(c.Submitter); !member && !s.hosts.book.HasSession(c.Submitter) {
			s.hosts.book.Called(now, addresses.Known{ID: c.Submitter, Client: true, Addrs: c.Addrs})
		}
	}
}
