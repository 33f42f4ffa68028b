package control

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
)

// explainAll is what the losses have cost. What is found again is put down to the latest loss,
// though it may be of the work of an earlier one: when a site goes, its peers are lost one after
// the other. So what it saves beyond what that one has cost is taken off the ones before, the
// nearest first, and then off those of its site after it.
//
// A loss that only others have seen, as those do whom a cut parts, comes after those that this
// process has seen. The caller holds a.mu.
func (a *runStats) explainAll() []Loss {
	losses, ids, spent := slices.Clone(a.losses), slices.Clone(a.ids), slices.Clone(a.spent)
	for _, id := range a.told {
		if !slices.Contains(ids, id) {
			losses, ids, spent = append(losses, a.elsewhere(id)), append(ids, id), append(spent, 0)
		}
	}
	over := make([]float64, len(losses))
	charged := time.Duration(0) // to earlier losses: it was not there any more to be lost
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
func (a *runStats) elsewhere(id lossID) (loss Loss) {
	loss.Elsewhere = true
	for _, x := range a.shares[id] {
		loss.Peer, loss.Site, loss.How = x.Name, x.Site, x.How.String()
	}
	return loss
}

// settle makes what the losses have cost together what was executed again: what the workers spent
// and the answer did not take. What was put down to each is its part of that. Where jobs were given
// up, that is among it, and while there is no answer all work is, so then it is a bound only. The
// caller holds a.mu.
func (a *runStats) settle(losses []Loss) {
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
func (a *runStats) untold() (sum time.Duration) {
	for id, final := range a.final {
		if p := a.peers[id]; !final && p.State != membership.Here.String() {
			sum += peer.ReportEvery / 2 * time.Duration(p.Workers)
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
// How much of a job that is done again had been done before, nobody knows exactly. It is the share
// that its thief told last of what it cost now, but no more than what the lost peer had spent in
// the run, or could have while it worked on the one that it had longest; and what was found again
// is taken off. When the root was lost, all was that everybody had done before and had not been
// lost by then.
func (a *runStats) explain(loss *Loss, id lossID, before time.Duration) (over time.Duration) {
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
		most = min(most, time.Duration(p.Busy*float64(time.Second))+peer.ReportEvery*workers)
	}
	spent = min(spent, most)
	if root {
		spent = before
	}
	loss.RedoneSeconds = max(0, spent-saved).Seconds()
	return max(0, saved-spent)
}
