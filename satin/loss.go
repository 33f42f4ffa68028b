package satin

import (
	"sync/atomic"
	"time"

	"satingrid/membership"
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
	life lifeOnWire
}

// redone counts the work that a loss has made necessary again, on this peer.
type redone struct {
	id      lossID
	spent   atomic.Int64 // nanoseconds of workers on what had been done before, as far as it can be told
	longest atomic.Int64 // how long the lost peer had had one of them
	root    bool         // the root is one of them, and done again here
}

// add notes a job that is put back, and how long it was gone.
func (r *redone) add(gone time.Duration) {
	for {
		old := r.longest.Load()
		if int64(gone) <= old || r.longest.CompareAndSwap(old, int64(gone)) {
			return
		}
	}
}

// repeat is why a job is done again.
type repeat struct {
	loss *redone
	done float64       // how far the thief said that it was; 0 when it never did
	gone time.Duration // how long the thief had it
}

// ended puts down to the loss what of a job's cost was spent before.
func (r *repeat) ended(cost time.Duration) {
	if r.done > 0 {
		cost = time.Duration(float64(cost) * r.done)
	} else {
		cost = min(cost, r.gone)
	}
	r.loss.spent.Add(int64(cost))
}

// lossShare is what one survivor tells of what a loss has cost it.
type lossShare struct {
	Peer      membership.PeerID
	Life      lifeOnWire
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
	l.again = &redone{id: lossID{m.ID, toWire(m.Incarnation)}}
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

// lossShares are what the losses since a run began have cost this peer.
func (l *loop) lossShares(g *gridRun) (shares []lossShare) {
	for _, x := range l.machine.Losses() {
		if x.At < g.began {
			continue
		}
		s := lossShare{Peer: x.Peer, Life: toWire(x.Incarnation), Restarted: x.Restarted, Reused: x.Reused, Saved: x.Saved}
		if r := l.lossOf(x.Peer); r != nil && r.id == s.id() {
			s.Spent, s.Longest, s.Root = time.Duration(r.spent.Load()), time.Duration(r.longest.Load()), r.root
		}
		if s.Restarted > 0 || s.Reused > 0 || s.Spent > 0 || s.Root {
			shares = append(shares, s)
		}
	}
	return shares[max(0, len(shares)-lossSharesMax):]
}

// explainAll says what the losses have cost. What is found again is put down to the latest loss, though it may be of the work of an earlier one: when a site goes, its peers are
// lost one after the other. So what it saves beyond what that one has cost is taken off the ones before, the nearest first, and then off those of its site after it.
// The caller holds a.mu.
func (a *account) explainAll(losses []Loss) {
	over := make([]float64, len(losses))
	for i := range losses {
		over[i] = a.explain(&losses[i], a.ids[i], a.spent[i]).Seconds()
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
// while it had the job that it had longest; and what was found again is taken off. When the root was lost, all was that
// everybody had done before.
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

// isAgain tells whether the job is done again because of a loss.
func (h *shared) isAgain() bool {
	if h == nil {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.again != nil
}

// redid counts what a job has cost that its parent has run.
func (h *shared) redid(cost time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.again.ended(cost)
}
