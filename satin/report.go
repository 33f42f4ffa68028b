package satin

import (
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// kindReport is the kind of the one message that does not go through the machine: it tells people, and
// decides nothing.
const kindReport uint8 = 200

// reportEvery is how often a peer tells the submitter of a run what it does for it.
const reportEvery = 500 * time.Millisecond

// report is what one peer has done for a run so far.
type report struct {
	Run   steal.Instance
	Stats PeerStats

	Master   bool    // the root executes here …
	Progress float64 // … and is done to this extent
	Final    bool
}

func (report) Kind() uint8 { return kindReport }

// reports sends the reports that are due.
func (l *loop) reports() {
	for _, g := range l.runs {
		if l.now() >= g.reportAt {
			g.reportAt = l.now() + reportEvery
			l.sendReport(g, false)
		}
	}
}

// sendReport tells the run's first submitter.
func (l *loop) sendReport(g *gridRun, final bool) {
	if l.conf.Client {
		return
	}
	stats := l.machine.Stats()
	r := report{Run: g.instance, Final: final, Stats: PeerStats{
		Name: l.conf.Name, Site: l.conf.Site, State: l.machine.Self().State.String(), Workers: l.plane.workers,
		Jobs: g.plane.jobs.Load(), Aborted: g.plane.aborted.Load(), Busy: time.Duration(g.plane.busy.Load()).Seconds(),
		LentNear: int64(stats.LentNear - g.before.LentNear), LentFar: int64(stats.LentFar - g.before.LentFar), Again: int64(stats.Again - g.before.Again),
	}}
	if g.root != nil {
		r.Master, r.Progress = true, math.Float64frombits(g.root.progress.Load())
	}
	if to := g.instance.First.Submitter; to != l.self {
		data, err := encodeMessage(peer.Message{Body: r})
		if err != nil {
			panic("satin: BUG: " + err.Error())
		}
		l.sendBytes(to, data)
	} else {
		l.reported(to, r)
	}
}

// reported takes a report about a run of this process.
func (l *loop) reported(from membership.PeerID, r report) {
	for _, sub := range l.subs {
		if sub.root.Run == r.Run.Run {
			sub.account.take(from, r)
		}
	}
}

// account is what a submitter knows of its run: what the peers tell, and who came and went.
type account struct {
	mu       sync.Mutex // protects what follows
	peers    map[membership.PeerID]PeerStats
	final    map[membership.PeerID]bool
	losses   []Loss
	masters  []string
	progress float64
}

func newAccount() *account {
	return &account{peers: map[membership.PeerID]PeerStats{}, final: map[membership.PeerID]bool{}}
}

// take adds a report.
func (a *account) take(from membership.PeerID, r report) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.peers[from] = r.Stats
	a.final[from] = r.Final
	if r.Master {
		a.progress = max(a.progress, r.Progress)
		if n := len(a.masters); n == 0 || a.masters[n-1] != r.Stats.Name {
			a.masters = append(a.masters, r.Stats.Name)
		}
	}
}

// joined and lost note who came and went.

func (a *account) joined(m membership.Member) {
	a.mu.Lock()
	defer a.mu.Unlock()
	p := a.peers[m.ID]
	p.Name, p.Site, p.Workers, p.State = m.Name, string(m.Site), int(m.Workers), m.State.String()
	a.peers[m.ID] = p
}

func (a *account) lost(e membership.Lost) {
	a.mu.Lock()
	defer a.mu.Unlock()
	p := a.peers[e.Member.ID]
	p.Name, p.Site, p.Workers = e.Member.Name, string(e.Member.Site), int(e.Member.Workers)
	p.State = membership.Dead.String()
	if e.Member.How == membership.Went {
		p.State = membership.Left.String()
	}
	a.peers[e.Member.ID] = p
	a.losses = append(a.losses, Loss{p.Name, p.Site, e.Member.How.String(), e.Noticed})
}

// complete tells whether every peer that is still here has told its last.
func (a *account) complete() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for id, p := range a.peers {
		if p.State == membership.Here.String() && !a.final[id] {
			return false
		}
	}
	return true
}

// stats is the account as the application sees it.
func (a *account) stats() Stats {
	a.mu.Lock()
	defer a.mu.Unlock()
	s := Stats{Losses: slices.Clone(a.losses), Masters: slices.Clone(a.masters)}
	for _, p := range a.peers {
		s.Peers = append(s.Peers, p)
	}
	slices.SortFunc(s.Peers, func(x, y PeerStats) int { return strings.Compare(x.Name, y.Name) })
	return s
}
