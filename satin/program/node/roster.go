package node

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"satingrid/satin"
	"satingrid/satin/program/across"
	"satingrid/satin/program/console"
	"satingrid/satin/program/local"
)

// goneMax bounds the peers that are remembered after they are gone, so that their
// names still mean them.
const goneMax = 1024

// roster is what a node remembers of the peers that have gone, and the runs that have ended.
type roster struct {
	mu    sync.Mutex     // protects what follows
	gone  []goneOne      // the latest last
	all   map[string]int // how many ever went, by how
	ended []endedRun     // the latest last
}

type endedRun struct {
	id, how string
	at      time.Time
}

type goneOne struct {
	id, name, how string
	late          bool // it left before it had handed over everything
	site          string
	at            time.Time
	noticed       time.Duration // since it was last heard; 0: another has noticed
}

// event notes who goes, and what ends.
func (r *roster) event(e satin.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch e.Kind {
	case satin.EventLost:
		r.lost(e)
	case satin.EventEnded:
		if len(r.ended) == across.EndedMax {
			r.ended = r.ended[1:]
		}
		r.ended = append(r.ended, endedRun{e.Run.String(), e.How, time.Now()})
	}
}

func (r *roster) lost(e satin.Event) {
	if len(r.gone) == goneMax {
		r.gone = r.gone[1:]
	}
	how := local.Ended(e.How)
	r.gone = append(r.gone, goneOne{e.ID, e.Peer, how, e.Late, e.Site, time.Now(), e.Noticed})
	if r.all == nil {
		r.all = map[string]int{}
	}
	r.all[how]++
}

// counts is how many peers have gone, by how.
func (r *roster) counts() map[string]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.all)
}

// told are the last that have gone, the latest first, as who observes is told, and when that was
// since this node began.
func (r *roster) told(began time.Time) (all []across.Absentee) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, g := range slices.Backward(r.gone[max(len(r.gone)-across.GoneMax, 0):]) {
		all = append(all, across.Absentee{
			Peer: g.name, ID: g.id, Site: g.site, How: g.how, Late: g.late,
			At: console.Round(max(g.at.Sub(began), 0).Seconds()), Noticed: console.Round(g.noticed.Seconds()),
		})
	}
	return all
}

// toldEnds are the last runs that have ended, as told has peers.
func (r *roster) toldEnds(began time.Time) (all []across.Conclusion) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, x := range slices.Backward(r.ended) {
		all = append(all, across.Conclusion{Run: x.id, How: x.how, At: console.Round(max(x.at.Sub(began), 0).Seconds())})
	}
	return all
}

// last is how a peer went, most recently, once this was told.
func (r *roster) last(id string) (g goneOne, told bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, g := range slices.Backward(r.gone) {
		if g.id == id {
			return g, true
		}
	}
	return g, false
}

// find is the id of a peer that is gone, by name.
func (r *roster) find(name string) (id string, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, g := range slices.Backward(r.gone) {
		if g.name == name {
			return g.id, true
		}
	}
	return "", false
}

func (g goneOne) inOrder() bool { return g.how == "leave" && !g.late }

// departure says how a peer went that was to leave.
func departure(name string, g goneOne, began time.Time) string {
	took := console.Brief(time.Since(began).Seconds())
	switch {
	case g.inOrder():
		return fmt.Sprintf("%s has left after %s", name, took)
	case g.late:
		return fmt.Sprintf("%s has left after %s, before it had handed over everything; the others do again what it still had", name, took)
	}
	return fmt.Sprintf("%s is gone (%s) before it had left in order; the others do again what it still had", name, g.how)
}
