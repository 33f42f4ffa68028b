package statistics

import (
	"math"
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
)

// usefulMax is the most that an answer can say that it took: one that says so has taken more.
const usefulMax = math.MaxUint32 * time.Millisecond

// explain is what the losses have cost. What is found again is put down to the latest loss, though
// it may be of the work of an earlier one: when a site goes, its peers are lost one after the
// other. So what it saves beyond what that one has cost is taken off the ones before, the nearest
// first, and then off those of its site after it.
//
// A loss that only others have seen, as those do whom a cut parts, comes after those that this
// process has seen, and is one of the run's if it has cost it anything.
func (r *Tally) explain() []Loss {
	all := slices.Clone(r.seen)
	for _, x := range r.told {
		if !slices.Contains(all, x) && slices.ContainsFunc(x.shares, share.costs) {
			all = append(all, x)
		}
	}
	losses, over := make([]Loss, len(all)), make([]float64, len(all))
	charged := time.Duration(0) // to earlier losses: it was not there any more to be lost
	for i, x := range all {
		losses[i], over[i] = r.cost(x, max(0, x.spent-charged))
		charged = sum(charged, ofSeconds(losses[i].RedoneSeconds))
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
	r.settle(losses)
	return losses
}

// settle makes what the losses have cost together what was executed again: what the workers spent,
// not to verify, and the answer did not take. What was put down to each is its part of that.
//
// That is a bound only while there is no answer, where jobs were given up, which is among it,
// and where results were stored before, of which some may not be in the answer. They were found
// by former lives, whose time nobody tells, or by the peers of this one. Where a master was lost
// it may be the latter: then all that had been done is put down to its loss, and what of that
// was stored counts as done again no more. Else it is not even a bound where the run was on
// before it was submitted here: what peers did that had gone by then, nobody tells.
func (r *Tally) settle(losses []Loss) {
	all := r.effort()
	former := all.resumed
	switch {
	case r.hasLostRoot():
		former = 0
	case r.late:
		return
	}
	again := max(0, sum(sum(r.executed(), r.untold()), former)-r.useful).Seconds()
	put, restarted, aborted := 0.0, int64(0), int64(0)
	for _, x := range losses {
		put += x.RedoneSeconds
		restarted = sum(restarted, int64(x.Restarted))
	}
	for _, a := range r.peers {
		aborted = sum(aborted, a.stats.Aborted)
	}
	exact := r.useful > 0 && r.useful < usefulMax && aborted == 0 && all.resumed == 0 && !r.late
	if put <= again && !exact {
		return
	}
	for i, x := range losses {
		switch {
		case put > 0:
			losses[i].RedoneSeconds *= again / put
		case restarted > 0:
			losses[i].RedoneSeconds = again * float64(x.Restarted) / float64(restarted)
		}
	}
}

// hasLostRoot tells whether the root began anew somewhere.
func (r *Tally) hasLostRoot() bool {
	return slices.ContainsFunc(slices.Concat(r.seen, r.told), func(x *loss) bool {
		return slices.ContainsFunc(x.shares, func(s share) bool { return s.Root })
	})
}

// untold is about what lost peers have spent since they told last.
func (r *Tally) untold() (all time.Duration) {
	for _, a := range r.peers {
		if a.told && !a.final && a.stats.State != membership.Here.String() {
			all = sum(all, peer.ReportEvery/2*time.Duration(a.stats.Workers))
		}
	}
	return all
}

// spare takes what was saved off what was redone, and says how much that was.
func (l *Loss) spare(saved float64) float64 {
	saved = min(saved, l.RedoneSeconds)
	l.RedoneSeconds -= saved
	return saved
}

// cost says what a loss has cost, and how many seconds more than that what was found has saved.
// before is what everybody had done before, and had not been lost by then.
func (r *Tally) cost(x *loss, before time.Duration) (c Loss, over float64) {
	c = x.Loss
	if c.Elsewhere = !slices.Contains(r.seen, x); c.Elsewhere {
		first := x.shares[0]
		c.Peer, c.Site, c.How = first.Name, first.Site, first.How.String()
	}
	var spent, longest, saved time.Duration
	var restarted, reused int64
	root := false
	for _, s := range x.shares {
		restarted = sum(restarted, int64(s.Restarted))
		reused = sum(reused, int64(s.Reused))
		saved = sum(saved, s.Saved)
		spent = sum(spent, s.Spent)
		longest = max(longest, s.Longest)
		root = root || s.Root
		if s.Noticed > 0 && (c.Noticed == 0 || c.Elsewhere && s.Noticed < c.Noticed) {
			c.Noticed = s.Noticed
		}
	}
	if spent = min(spent, r.most(x.peer, longest)); root {
		spent = before
	}
	c.Restarted, c.Reused = int(min(restarted, math.MaxInt)), int(min(reused, math.MaxInt))
	c.SavedSeconds = saved.Seconds()
	c.RedoneSeconds = max(0, spent-saved).Seconds()
	return c, max(0, saved-spent).Seconds()
}

// most is what a lost peer can have spent on what was put back: what it had spent in the run, and
// what it could have while it worked on the job that it had longest.
func (r *Tally) most(id membership.PeerID, longest time.Duration) time.Duration {
	a := r.of(id)
	workers := max(1, a.stats.Workers)
	most := ofSeconds(longest.Seconds() * float64(workers))
	if a.told {
		most = min(most, sum(ofSeconds(a.stats.Busy), peer.ReportEvery*time.Duration(workers)))
	}
	return most
}
