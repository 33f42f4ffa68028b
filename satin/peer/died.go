package peer

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/membership/addresses"
	"satingrid/steal"
)

// DiedMax is how long a run goes on whose submitter was seen to die, unless it is kept: its
// connection broke, and then its machine refused another. One that is only silent – cut off,
// stopped, behind a NAT – has UnheardMax.
const DiedMax = time.Minute

// submitterDown hears that the connection to somebody broke. When that is who waits for a run, and
// no member, of which the view sees to that, a dial tells whether it has died.
func (p *Peer) submitterDown(id membership.PeerID) {
	if _, member := p.view.Member(id); member || !p.entered() {
		return
	}
	asked := false
	for _, r := range p.runs.all {
		if r.isAskedBy(id) {
			r.broke(id, p.now)
			asked = true
		}
	}
	if asked {
		p.apply(p.hosts.redial(p.now, membership.Dial{ID: id, Addrs: p.hosts.addrs(id)}))
	}
}

// submitterRefuses hears that where somebody was no process listens any more.
func (p *Peer) submitterRefuses(id membership.PeerID) {
	for _, r := range p.runs.all {
		if at, broke := r.down[id]; broke && at.died == 0 {
			r.down[id] = downSince{at.broke, max(p.now, 1)}
		}
	}
}

// submitterLives hears of a submitter: it speaks, or there is a connection to it.
func (p *Peer) submitterLives(id membership.PeerID) {
	for _, r := range p.runs.all {
		delete(r.down, id)
	}
}

// seekSubmitters has those looked for who wait for a run that this peer reigns over, and to
// whom no session stands. The answer is for them, and they may be all that is left between
// two parts of a grid: whoever came during a cut, when those left who had known both sides of
// it, knows nobody else.
func (p *Peer) seekSubmitters() {
	for _, r := range p.runs.all {
		if r.master != p.conf.Member.ID {
			continue
		}
		for _, c := range r.contacts {
			if _, member := p.view.Member(c.Submitter); !member && !p.book.HasSession(c.Submitter) && r.down[c.Submitter].died == 0 {
				p.book.Called(p.now, addresses.Known{ID: c.Submitter, Client: true, Addrs: c.Addrs})
			}
		}
	}
}

// downSince is when the connection to a submitter broke, and when it was seen to be
// dead; 0: it was not.
type downSince struct{ broke, died time.Duration }

func (r *run) broke(id membership.PeerID, now time.Duration) {
	if r.down == nil {
		r.down = map[membership.PeerID]downSince{}
	}
	if _, known := r.down[id]; !known && len(r.down) < SubmissionsMax {
		r.down[id] = downSince{broke: now}
	}
}

func (r *run) isAskedBy(id membership.PeerID) bool {
	return slices.ContainsFunc(r.submissions, func(s steal.Submission) bool { return s.Submitter == id })
}

// isBereft tells whether a submission's submitter was seen to die so long ago that
// nobody needs its answer.
func (r *run) isBereft(s steal.Submission, now time.Duration) bool {
	at := r.down[s.Submitter]
	return at.died > 0 && !r.terms.Kept && now-at.died >= DiedMax
}

// CancelRun ends a run for all who wait for it, as somebody at this member wants. Each submitter is
// told, and delivers that.
func (p *Peer) CancelRun(now time.Duration, no RunNo) []Effect {
	p.begin(now)
	r := p.runs.numbered(no)
	if r == nil || p.conf.Member.Client {
		return p.end()
	}
	var e Ended
	tell := []membership.PeerID{r.master}
	for _, s := range r.submissions {
		e.Submissions = append(e.Submissions, Tombstone{Submission: s})
		if !slices.Contains(tell, s.Submitter) {
			tell = append(tell, s.Submitter)
		}
	}
	if p.bury(e.Submissions) {
		p.publish(e)
		for _, id := range tell {
			if id != p.conf.Member.ID {
				p.send(id, e)
			}
		}
	}
	return p.end()
}
