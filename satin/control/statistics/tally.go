package statistics

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
)

// lossesMax bounds the losses of one run: those that this process has seen, and those that others
// tell of. Of the first the earliest are forgotten, of the others the latest.
const lossesMax = 1024

// Tally is what a submitter knows of its run.
type Tally struct {
	late     bool          // the run was on before it was submitted here
	peers    []*about      // by id
	seen     []*loss       // by this process, the latest last
	told     []*loss       // by others, in the order in which that came
	useful   time.Duration // worker time that is in the answer; 0 while that is not known
	masters  []string
	progress float64
}

// about is what is known of one peer.
type about struct {
	id       membership.PeerID
	stats    PeerStats
	isMember bool          // known not by reports only
	told     bool          // something
	final    bool          // … and its last
	at       time.Duration // when it told last
	effort   effort        // as it told last, …
	before   effort        // … and of its former lives
	isMaster bool          // as was told last: two are while the grid is cut
}

// effort is the worker time that a peer tells of.
type effort struct{ busy, verified, resumed time.Duration }

func (e effort) plus(o effort) effort {
	return effort{sum(e.busy, o.busy), sum(e.verified, o.verified), sum(e.resumed, o.resumed)}
}

// lossID tells the losses of one peer's lives apart.
type lossID struct {
	peer membership.PeerID
	life peer.Life
}

// loss is one life of a peer that is gone.
type loss struct {
	lossID
	Loss
	spent  time.Duration // by all workers, when this process saw it
	shares []share       // by who tells
}

// share is what one survivor tells of what a loss has cost it.
type share struct {
	by membership.PeerID
	peer.LossShare
}

// costs tells whether that is more than that it was noticed.
func (s share) costs() bool { return s.Costs() }

// of is what is known of a peer.
func (r *Tally) of(id membership.PeerID) *about {
	n, ok := slices.BinarySearchFunc(r.peers, id, func(a *about, id membership.PeerID) int {
		return cmp.Compare(a.id, id)
	})
	if !ok {
		r.peers = slices.Insert(r.peers, n, &about{id: id})
	}
	return r.peers[n]
}

// Joined hears of a member.
func (r *Tally) Joined(m membership.Member) {
	a := r.of(m.ID)
	a.isMember = true
	p := &a.stats
	p.Name, p.Site, p.Workers, p.State = m.Name, string(m.Site), int(m.Workers), m.State.String()
}

// Lost hears of a loss, and how that member was lost. A life that came back, as others had heard it
// all the time, and is lost once more, is one loss: the later.
func (r *Tally) Lost(e membership.Lost, how membership.How) {
	p := &r.of(e.Member.ID).stats
	p.Name, p.Site, p.Workers = e.Member.Name, string(e.Member.Site), int(e.Member.Workers)
	p.State = membership.Dead.String()
	if how == membership.Went {
		p.State = membership.Left.String()
	}
	id := lossID{e.Member.ID, peer.LifeOf(e.Member.Incarnation)}
	x := find(r.seen, id)
	if x == nil {
		x = find(r.told, id)
	}
	if x == nil {
		x = &loss{lossID: id}
	}
	r.seen = slices.DeleteFunc(r.seen, func(o *loss) bool { return o == x })
	x.Loss = Loss{Peer: p.Name, Site: p.Site, How: how.String(), Noticed: e.Noticed}
	x.spent = r.executed()
	if len(r.seen) == lossesMax {
		r.seen = r.seen[1:]
	}
	r.seen = append(r.seen, x)
}

// find is a loss in a list, or nil.
func find(all []*loss, id lossID) *loss {
	for _, x := range slices.Backward(all) {
		if x.lossID == id {
			return x
		}
	}
	return nil
}

// Mastered hears of a master. One may be so for less than the time between two reports.
func (r *Tally) Mastered(id membership.PeerID, name string) {
	r.enterMaster(id, name)
	r.of(id).isMaster = true
}

// enterMaster enters a master, unless that is known.
func (r *Tally) enterMaster(id membership.PeerID, name string) {
	if !r.of(id).isMaster {
		r.masters = append(r.masters, name)
	}
}

// Told hears a peer's report.
func (r *Tally) Told(now time.Duration, from membership.PeerID, m peer.Report) {
	a := r.of(from)
	if s := a.stats.State; s == membership.Dead.String() || s == membership.Left.String() {
		m.Stats.State = s // the report was on its way when the peer was lost
	}
	if m.Stats.Busy < a.stats.Busy { // it counts from nothing: this is another life of it
		a.before = a.before.plus(a.effort)
	}
	a.stats, a.told, a.final, a.at = m.Stats, true, m.Final, now
	a.effort = effort{ofSeconds(m.Stats.Busy), m.Verified, m.Resumed}
	for _, x := range m.Losses {
		r.shared(from, x)
	}
	if m.Master {
		r.progress = m.Progress
		r.enterMaster(from, m.Stats.Name)
	}
	a.isMaster = m.Master
}

// shared takes what a survivor tells of a loss, in place of what it told before.
func (r *Tally) shared(by membership.PeerID, x peer.LossShare) {
	id := lossID{x.Peer, x.Life}
	l := find(r.told, id)
	if l == nil && len(r.told) < lossesMax {
		if l = find(r.seen, id); l == nil {
			l = &loss{lossID: id}
		}
		r.told = append(r.told, l)
	}
	if l == nil {
		return
	}
	n, again := slices.BinarySearchFunc(l.shares, by, func(s share, id membership.PeerID) int {
		return cmp.Compare(s.by, id)
	})
	if !again {
		l.shares = slices.Insert(l.shares, n, share{})
	}
	l.shares[n] = share{by, x}
}

// Answered hears what worker time the answer has taken, its own by all who had a part in it.
func (r *Tally) Answered(cost time.Duration) { r.useful = cost }

// IsLate hears that the run was on before it was submitted here.
func (r *Tally) IsLate() { r.late = true }

// Progress is how far its master has told last that the run is, from 0 to 1. It may fall: what was
// guessed too high is told lower as soon as that is seen.
func (r *Tally) Progress() float64 { return r.progress }

// effort is that of all peers.
func (r *Tally) effort() (all effort) {
	for _, a := range r.peers {
		all = all.plus(a.before).plus(a.effort)
	}
	return all
}

// executed is the worker time that the peers have told of, but for what they verified.
func (r *Tally) executed() time.Duration {
	all := r.effort()
	return max(0, all.busy-all.verified)
}

// isGone tells whether a peer is gone of which nothing but reports was ever heard: it may have died
// before its name came here.
func (a *about) isGone(now time.Duration) bool {
	return !a.isMember && now-a.at > 3*peer.ReportEvery
}

// Stats is what is known now, of a run that was submitted so long ago.
func (r *Tally) Stats(now, took time.Duration) Stats {
	s := Stats{Seconds: took.Seconds(), Losses: r.explain(), Masters: slices.Clone(r.masters), Done: r.progress}
	for _, a := range r.peers {
		p := a.stats
		if p.State == membership.Here.String() && a.isGone(now) {
			p.State = membership.Dead.String()
		}
		s.Peers = append(s.Peers, p)
	}
	slices.SortStableFunc(s.Peers, func(x, y PeerStats) int { return strings.Compare(x.Name, y.Name) })
	return s
}
