package across

import (
	"slices"
	"sync"
	"time"
)

// keptFor is how long a grid is known after it was told of for the last time: some rounds of those
// who tell may fail.
const keptFor = 2 * time.Minute

// Neighbours are the grids of other builds that a node knows of, as it was told. The zero value
// knows of none.
type Neighbours struct {
	mu             sync.Mutex // protects what follows
	next, previous []neighbour
}

// neighbour is a grid, with when each of its addresses was told.
type neighbour struct {
	build, made string
	addrs       []addrTold
}

type addrTold struct {
	addr string
	at   time.Time
}

// Succeeds notes that a grid is a successor of the node's own; news: it was not known. One that is
// known to be before it is not after it, too: nodes of both may have been started with --next.
func (n *Neighbours) Succeeds(g Grid, now time.Time) (news bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return !has(&n.previous, g, now) && note(&n.next, g, now)
}

// Precedes notes that the node's own grid is a successor of another, unless it is the other way
// round.
func (n *Neighbours) Precedes(g Grid, now time.Time) (news bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return !has(&n.next, g, now) && note(&n.previous, g, now)
}

// has tells whether a grid was told of lately.
func has(all *[]neighbour, g Grid, now time.Time) bool {
	forget(all, now)
	return slices.ContainsFunc(*all, func(n neighbour) bool { return n.build == g.Build })
}

// Known are those that were told of lately.
func (n *Neighbours) Known(now time.Time) (next, previous []Grid) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return known(&n.next, now), known(&n.previous, now)
}

// note adds what was told: an address that is told again is as new as one that is. When there is
// no room for one more grid, that one is not noted.
func note(all *[]neighbour, g Grid, now time.Time) (news bool) {
	forget(all, now)
	i := slices.IndexFunc(*all, func(n neighbour) bool { return n.build == g.Build })
	if news = i < 0; news {
		if len(*all) == gridsMax {
			return false
		}
		i = len(*all)
		*all = append(*all, neighbour{build: g.Build})
	}
	n := &(*all)[i]
	n.made = g.Made
	again := map[string]bool{}
	for _, a := range g.Addrs {
		again[a] = true
	}
	n.addrs = slices.DeleteFunc(n.addrs, func(t addrTold) bool { return again[t.addr] })
	for _, a := range g.Addrs {
		if again[a] {
			n.addrs = append(n.addrs, addrTold{a, now})
			again[a] = false
		}
	}
	n.addrs = n.addrs[max(0, len(n.addrs)-addrsMax):]
	return news
}

// forget drops what was told long ago.
func forget(all *[]neighbour, now time.Time) {
	for i := range *all {
		n := &(*all)[i]
		n.addrs = slices.DeleteFunc(n.addrs, func(t addrTold) bool { return now.Sub(t.at) > keptFor })
	}
	*all = slices.DeleteFunc(*all, func(n neighbour) bool { return len(n.addrs) == 0 })
}

// known is what was told lately, the latest address of each grid first.
func known(all *[]neighbour, now time.Time) []Grid {
	forget(all, now)
	grids := []Grid{}
	for _, n := range *all {
		g := Grid{Build: n.build, Made: n.made}
		for _, t := range slices.Backward(n.addrs) {
			g.Addrs = append(g.Addrs, t.addr)
		}
		grids = append(grids, g)
	}
	return grids
}
