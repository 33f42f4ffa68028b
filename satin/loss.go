package satin

import (
	"slices"
	"sync/atomic"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/satin/peer/workers"
	"satingrid/satin/wire"
)

const (
	// lossesKept bounds the losses whose cost is counted, the latest ones.
	lossesKept = 256

	// lossSharesMax bounds those that one report tells of, the latest ones.
	lossSharesMax = 64
)

// lossID tells the losses of one peer's lives apart.
type lossID struct {
	peer membership.PeerID
	life wire.Life
}

// redone counts the work that a loss has made necessary again, on this peer. The loop has it.
type redone struct {
	id   lossID
	runs map[peer.RunNo]*runAgain // that it has struck
}

// of is what the loss has cost a run.
func (r *redone) of(no peer.RunNo) *runAgain {
	a := r.runs[no]
	if a == nil {
		a = new(runAgain)
		r.runs[no] = a
	}
	return a
}

// Of is that for the workers.
func (r *redone) Of(no peer.RunNo) workers.Redone { return r.of(no) }

// runAgain is the work of one run that one loss has made necessary again.
type runAgain struct {
	spent   atomic.Int64 // nanoseconds of workers on what had been done before, as far as it can be told
	longest atomic.Int64 // how long the lost peer had worked on one of them
	root    bool         // the root is one of them, and done again here; the loop's
}

// CameBack notes a job that is put back, and how long the lost peer had worked on it.
func (r *runAgain) CameBack(worked time.Duration) {
	for {
		old := r.longest.Load()
		if int64(worked) <= old || r.longest.CompareAndSwap(old, int64(worked)) {
			return
		}
	}
}

// DidAgain adds to what was spent.
func (r *runAgain) DidAgain(worked time.Duration) { r.spent.Add(int64(worked)) }

// lossShare is what one survivor tells of what a loss has cost it.
type lossShare struct {
	Peer      membership.PeerID
	Life      wire.Life
	Name      string
	Site      string
	How       membership.How
	Noticed   time.Duration // 0 where another noticed
	Restarted int
	Reused    int
	Saved     time.Duration
	Spent     time.Duration
	Longest   time.Duration
	Root      bool // was lost, and is done again by this survivor
}

func (x lossShare) id() lossID { return lossID{x.Peer, x.Life} }

// lossBegins makes a loss the one to which what is put back from now on is put down.
func (l *loop) lossBegins(m membership.Member) {
	l.again = &redone{id: lossID{m.ID, wire.LifeOf(m.Incarnation)}, runs: map[peer.RunNo]*runAgain{}}
	if len(l.redone) == lossesKept {
		l.redone = l.redone[1:]
	}
	l.redone = append(l.redone, l.again)
}

// lossOf is the latest loss of a peer, or nil.
func (l *loop) lossOf(id membership.PeerID) *redone {
	for i := len(l.redone) - 1; i >= 0; i-- {
		if l.redone[i].id.peer == id {
			return l.redone[i]
		}
	}
	return nil
}

// lossesOf are the losses since a run began, with what they have cost it here.
func (l *loop) lossesOf(g *runHere) []peer.LossReport {
	all := l.machine.Losses(g.no)
	return slices.DeleteFunc(all, func(x peer.LossReport) bool { return x.At < g.began })
}

// lossShares are what the losses since a run began have cost this peer.
func (l *loop) lossShares(g *runHere) (shares []lossShare) {
	for _, x := range l.lossesOf(g) {
		s := lossShare{
			Peer: x.Peer, Life: wire.LifeOf(x.Incarnation), Name: x.Name, Site: string(x.Site), How: x.How, Noticed: x.Noticed,
			Restarted: x.Restarted, Reused: x.Reused, Saved: x.Saved,
		}
		if r := l.lossOf(x.Peer); r != nil && r.id == s.id() && r.runs[g.no] != nil {
			a := r.runs[g.no]
			s.Spent, s.Longest, s.Root = time.Duration(a.spent.Load()), time.Duration(a.longest.Load()), a.root
		}
		if s.Restarted > 0 || s.Reused > 0 || s.Spent > 0 || s.Root {
			shares = append(shares, s)
		}
	}
	return shares[max(0, len(shares)-lossSharesMax):]
}

// explainAll is what the losses have cost. What is found again is put down to the latest loss, though it may be of the work of an earlier one: when a site goes, its peers are
// lost one after the other. So what it saves beyond what that one has cost is taken off the ones before, the nearest first, and then off those of its site after it.
//
// A loss that only others have seen, as those do whom a cut parts, comes after those that this process has seen. The caller holds a.mu.
func (a *account) explainAll() []Loss {
	losses, ids, spent := slices.Clone(a.losses), slices.Clone(a.ids), slices.Clone(a.spent)
	for _, id := range a.told {
		if !slices.Contains(ids, id) {
			losses, ids, spent = append(losses, a.elsewhere(id)), append(ids, id), append(spent, 0)
		}
	}
	over := make([]float64, len(losses))
	charged := time.Duration(0) // what was put down to earlier losses was not there any more to be lost
	for i := range losses {
		over[i] = a.explain(&losses[i], ids[i], max(0, spent[i]-charged)).Seconds()
		charged += time.Duration(losses[i].RedoneSeconds * float64(time.Second))
		for j := i - 1; j >= 0; j-- {
			over[i] -= losses[j].spare(over[i])
		}
	}
	for i := range losses {
		for j := i + 1; j < len(losses); j++ {
			if losses[j].Site == losses[i].Site {
				over[i] -= losses[j].spare(over[i])
			}
		}
	}
	a.settle(losses)
	return losses
}

// elsewhere is a loss as those tell of it who have seen it.
func (a *account) elsewhere(id lossID) (loss Loss) {
	loss.Elsewhere = true
	for _, x := range a.shares[id] {
		loss.Peer, loss.Site, loss.How = x.Name, x.Site, x.How.String()
	}
	return loss
}

// settle makes what the losses have cost together what was executed again: what the workers spent and the answer did not take. What was put down to each is its part of that. Where
// jobs were given up, that is among it, and while there is no answer all work is, so then it is a bound only. The caller holds a.mu.
func (a *account) settle(losses []Loss) {
	again := max(0, a.executed()+a.untold()-a.useful).Seconds()
	sum, restarted, aborted := 0.0, 0, int64(0)
	for _, x := range losses {
		sum += x.RedoneSeconds
		restarted += x.Restarted
	}
	for _, p := range a.peers {
		aborted += p.Aborted
	}
	if exact := a.useful > 0 && aborted == 0; sum <= again && !exact {
		return
	}
	for i, x := range losses {
		switch {
		case sum > 0:
			losses[i].RedoneSeconds *= again / sum
		case restarted > 0:
			losses[i].RedoneSeconds = again * float64(x.Restarted) / float64(restarted)
		}
	}
}

// untold is about what lost peers have spent since they told last. The caller holds a.mu.
func (a *account) untold() (sum time.Duration) {
	for id, final := range a.final {
		if p := a.peers[id]; !final && p.State != membership.Here.String() {
			sum += reportEvery / 2 * time.Duration(p.Workers)
		}
	}
	return sum
}

// spare takes what was saved off what was redone, and says how much that was.
func (l *Loss) spare(saved float64) float64 {
	saved = min(saved, l.RedoneSeconds)
	l.RedoneSeconds -= saved
	return saved
}

// explain says what a loss has cost, and how much more than that what was found has saved.
//
// How much of a job that is done again had been done before, nobody knows exactly. It is the share that its thief
// told last of what it cost now, but no more than what the lost peer had spent in the run, or could have
// while it worked on the one that it had longest; and what was found again is taken off. When the root was lost, all was that
// everybody had done before and had not been lost by then.
func (a *account) explain(loss *Loss, id lossID, before time.Duration) (over time.Duration) {
	var spent, longest, saved time.Duration
	root := false
	for _, x := range a.shares[id] {
		loss.Restarted += x.Restarted
		loss.Reused += x.Reused
		saved += x.Saved
		spent += x.Spent
		longest = max(longest, x.Longest)
		root = root || x.Root
		if x.Noticed > 0 && (loss.Noticed == 0 || loss.Elsewhere && x.Noticed < loss.Noticed) {
			loss.Noticed = x.Noticed
		}
	}
	loss.SavedSeconds = saved.Seconds()
	p := a.peers[id.peer]
	workers := time.Duration(max(1, p.Workers))
	most := longest * workers
	if _, told := a.final[id.peer]; told {
		most = min(most, time.Duration(p.Busy*float64(time.Second))+reportEvery*workers)
	}
	spent = min(spent, most)
	if root {
		spent = before
	}
	loss.RedoneSeconds = max(0, spent-saved).Seconds()
	return max(0, saved-spent)
}
