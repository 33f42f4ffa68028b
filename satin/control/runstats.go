package control

import (
	"slices"
	"strings"
	"sync"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
)

// runStats is what a submitter knows of its run: what the peers tell, and who came and went.
type runStats struct {
	clock Clock

	mu       sync.Mutex // protects what follows
	peers    map[membership.PeerID]PeerStats
	final    map[membership.PeerID]bool
	members  map[membership.PeerID]bool // known not by reports only
	reported map[membership.PeerID]time.Duration
	losses   []Loss
	ids      []lossID        // of losses, one for one
	spent    []time.Duration // by all workers when it was lost, one for one
	shares   map[lossID]map[membership.PeerID]peer.LossShare
	told     []lossID      // of shares, in the order in which they came
	useful   time.Duration // worker time that is in the answer; 0 while that is not known
	masters  []string
	// isMaster is who told last that it is the master: two do while the grid is cut.
	isMaster map[membership.PeerID]bool
	progress float64
}

func newRunStats(c Clock) *runStats {
	return &runStats{
		clock: c,
		peers: map[membership.PeerID]PeerStats{}, final: map[membership.PeerID]bool{},
		isMaster: map[membership.PeerID]bool{},
		members:  map[membership.PeerID]bool{}, reported: map[membership.PeerID]time.Duration{},
		shares: map[lossID]map[membership.PeerID]peer.LossShare{},
	}
}

// take adds a report.
func (a *runStats) take(from membership.PeerID, r peer.Report) {
	a.mu.Lock()
	defer a.mu.Unlock()
	gone := []string{membership.Dead.String(), membership.Left.String()}
	if p, ok := a.peers[from]; ok && slices.Contains(gone, p.State) {
		r.Stats.State = p.State // the report was on its way when the peer was lost
	}
	a.peers[from] = r.Stats
	a.final[from], a.reported[from] = r.Final, a.clock.Now()
	for _, x := range r.Losses {
		id := lossID{x.Peer, x.Life}
		by := a.shares[id]
		if by == nil && len(a.shares) < lossesKept {
			by = map[membership.PeerID]peer.LossShare{}
			a.shares[id] = by
			a.told = append(a.told, id)
		}
		if by != nil {
			by[from] = x
		}
	}
	if r.Master {
		a.progress = max(a.progress, r.Progress)
		a.enterMaster(from, r.Stats.Name)
	}
	a.isMaster[from] = r.Master
}

// mastered notes a master that this peer has heard of. One may be so for less than the time between
// two reports.
func (a *runStats) mastered(id membership.PeerID, name string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.enterMaster(id, name)
	a.isMaster[id] = true
}

// enterMaster enters a master, unless that is known. The caller holds the mutex.
func (a *runStats) enterMaster(id membership.PeerID, name string) {
	if !a.isMaster[id] {
		a.masters = append(a.masters, name)
	}
}

// joined and lost note who came and went.

func (a *runStats) joined(m membership.Member) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.members[m.ID] = true
	p := a.peers[m.ID]
	p.Name, p.Site, p.Workers, p.State = m.Name, string(m.Site), int(m.Workers), m.State.String()
	a.peers[m.ID] = p
}

func (a *runStats) lost(e membership.Lost, how membership.How) {
	a.mu.Lock()
	defer a.mu.Unlock()
	p := a.peers[e.Member.ID]
	p.Name, p.Site, p.Workers = e.Member.Name, string(e.Member.Site), int(e.Member.Workers)
	p.State = membership.Dead.String()
	if how == membership.Went {
		p.State = membership.Left.String()
	}
	a.peers[e.Member.ID] = p
	loss := Loss{Peer: p.Name, Site: p.Site, How: how.String(), Noticed: e.Noticed}
	a.losses = append(a.losses, loss)
	a.ids = append(a.ids, lossID{e.Member.ID, peer.LifeOf(e.Member.Incarnation)})
	a.spent = append(a.spent, a.executed())
}

// executed is the worker time that the peers have told of. The caller holds a.mu.
func (a *runStats) executed() time.Duration {
	all := 0.0
	for _, p := range a.peers {
		all += p.Busy
	}
	return time.Duration(all * float64(time.Second))
}

// answered notes what worker time the answer has taken, its own by all who had a part in it.
func (a *runStats) answered(cost time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.useful = cost
}

// isGone tells whether a peer is gone of which nothing but reports was ever heard: it may have died
// before its name came here. The caller holds a.mu.
func (a *runStats) isGone(id membership.PeerID) bool {
	return !a.members[id] && a.clock.Now()-a.reported[id] > 3*peer.ReportEvery
}

// stats is what is known as the application sees it.
func (a *runStats) stats() Stats {
	a.mu.Lock()
	defer a.mu.Unlock()
	s := Stats{Losses: a.explainAll(), Masters: slices.Clone(a.masters)}
	for id, p := range a.peers {
		if p.State == membership.Here.String() && a.isGone(id) {
			p.State = membership.Dead.String()
		}
		s.Peers = append(s.Peers, p)
	}
	slices.SortFunc(s.Peers, func(x, y PeerStats) int { return strings.Compare(x.Name, y.Name) })
	return s
}
