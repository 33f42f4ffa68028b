package recording

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"satingrid/satin/program/across"
	"satingrid/satin/program/console"
	"satingrid/satin/program/observe"
	"satingrid/satin/program/wording"
)

const (
	hintsMax  = 10      // that are told
	stintsMax = 1 << 14 // peers, each counted in each run

	// a straggler does less than half of what the median of its site does, where at least so
	// many have computed at least so long
	stragglerBelow = 0.5
	stragglerAmong = 3
	stragglerLeast = 10.0 // seconds of a worker

	// a run's end is told of when less than half of the workers compute until it is over, and
	// that leaves so much of all its time without work
	endBelow = 0.5
	endLeast = 0.05
)

// stint is what a peer has done in a run.
type stint struct {
	run, name, site string
	jobs            int64
	busy            float64
}

// rundown is how a run ends. What is idle while no other is on is so for lack of its jobs.
type rundown struct {
	shared bool    // others were on beside it, and nothing is known
	there  float64 // seconds of workers while it was on
	since  float64 // when most workers began to be without work
	idle   float64 // seconds of workers since then; 0: most compute
	over   bool
}

// advice gathers what sentences on what would have helped are made of.
type advice struct {
	stints  map[[2]string]*stint // by run and peer
	endings map[string]*rundown  // by run
	copied  bool                 // a part was given to another peer to keep
	bare    uint64               // jobs that were put back before that
}

func newAdvice() advice {
	return advice{stints: map[[2]string]*stint{}, endings: map[string]*rundown{}}
}

// worked adds what a peer has done for a run since it told last.
func (h *advice) worked(peer across.Doing, run across.RunShare, jobs int64, busy float64) {
	key := [2]string{run.ID, peer.ID}
	p := h.stints[key]
	if p == nil {
		if len(h.stints) == stintsMax {
			return
		}
		p = &stint{run: run.ID, name: peer.Name, site: peer.Site}
		h.stints[key] = p
	}
	p.jobs += max(jobs, 0)
	p.busy += max(busy, 0)
}

// looked takes how many seconds of workers there were since the look before, how many of them
// computed, and how many jobs were put back.
func (h *advice) looked(before, now Look, there, busy float64, again uint64) {
	h.copied = h.copied || slices.ContainsFunc(now.Peers, func(d across.Doing) bool { return d.Totals.CopiesSent > 0 })
	if !h.copied {
		h.bare += again
	}
	was, on := runsOn(before.Sample), runsOn(now.Sample)
	for id, e := range h.endings {
		e.over = e.over || !slices.Contains(on, id)
	}
	if len(on) == 0 {
		return // part of that time was after its end
	}
	shared := len(on) > 1 || buildsOf(now.Sample) > 1
	for _, id := range on {
		e := h.endings[id]
		if e == nil {
			if len(h.endings) == runsMax {
				continue
			}
			e = &rundown{}
			h.endings[id] = e
		}
		if e.shared = e.shared || shared; !e.shared && slices.Contains(was, id) {
			e.looked(before.At.Seconds(), there, busy)
		}
	}
}

// looked takes the time since a second.
func (e *rundown) looked(since, there, busy float64) {
	e.there += there
	switch {
	case there == 0: // nobody told
	case busy >= endBelow*there:
		e.idle = 0
	default:
		if e.idle == 0 {
			e.since = since
		}
		e.idle += there - busy
	}
}

// buildsOf is how many grids there are: workers of one have no jobs of another.
func buildsOf(s observe.Sample) int {
	builds := map[string]bool{}
	for _, d := range s.Peers {
		builds[d.Build] = true
	}
	return len(builds)
}

// runsOn are the runs that are computed, or wait to be.
func runsOn(s observe.Sample) (ids []string) {
	for _, r := range s.Runs {
		if (observe.RunView{RunLine: r}).IsOn() {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// told are the sentences, of the runs in their order.
func (h *advice) told(runs []RunSummary) []string {
	all, stints := []string{}, map[string][]stint{}
	for _, p := range h.stints {
		if p.busy >= stragglerLeast {
			stints[p.run] = append(stints[p.run], *p)
		}
	}
	for _, r := range runs {
		name := runName(across.RunLine{ID: r.ID, App: r.App, Input: r.Input})
		all = append(all, stragglers(stints[r.ID], name)...)
		if e := h.endings[r.ID]; e != nil && e.over && !e.shared && e.idle > 0 && e.idle >= endLeast*e.there {
			all = append(all, fmt.Sprintf("From %s to its end %s had too few jobs: %s of workers were without work then, %s of what it had. Smaller ones can be shared.",
				Clock(e.since), name, console.Brief(e.idle), observe.Percent(e.idle/e.there)))
		}
	}
	if h.bare > 0 {
		all = append(all, fmt.Sprintf("%s put back after losses before anything was copied: copies at shorter intervals (--copies) may save such work.", wasOrWere(h.bare)))
	}
	return all[:min(len(all), hintsMax)]
}

func wasOrWere(jobs uint64) string {
	if jobs == 1 {
		return "1 job was"
	}
	return wording.Count(int(jobs), "job") + " were"
}

// stragglers are those of a run, by site.
func stragglers(of []stint, run string) (all []string) {
	sites := map[string][]stint{}
	for _, p := range of {
		sites[p.site] = append(sites[p.site], p)
	}
	for _, site := range slices.Sorted(maps.Keys(sites)) {
		peers := sites[site]
		if len(peers) < stragglerAmong {
			continue
		}
		rate := func(p stint) float64 { return float64(p.jobs) / p.busy }
		slices.SortFunc(peers, func(a, b stint) int { return cmp.Or(cmp.Compare(rate(a), rate(b)), strings.Compare(a.name, b.name)) })
		median := rate(peers[len(peers)/2])
		for _, p := range peers {
			if rate(p) < stragglerBelow*median {
				all = append(all, fmt.Sprintf("%s did %s jobs of %s in a second of work, and the median of its site %s: its machine is slower or does something else, or its jobs were larger.",
					p.name, observe.Amount(rate(p)), run, observe.Amount(median)))
			}
		}
	}
	return all
}
