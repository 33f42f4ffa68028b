package observe

import (
	"fmt"
	"maps"
	"slices"

	"satingrid/satin/program/across"
	"satingrid/satin/program/console"
	"satingrid/satin/program/wording"
)

const (
	leavesSoon = 30 * 60.0 // seconds: who has to be gone within them is warned of
	idleBelow  = 0.005     // of the workers: it is shown as 0 %
	memoryHigh = 0.8       // of what there is
	namesMax   = 4         // in one warning
)

// warnings are what is wrong with a grid, in words, the worst first.
func warnings(now Sample, v View) []string {
	all := append([]string{}, now.Missing...)
	say := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	warnOfSites(now, say)
	warnOfPeers(v.Peers, say)
	warnOfRuns(v, say)
	warnOfIdle(v, say)
	return all
}

// warnOfSites tells of sites that are not seen by all, and of builds.
func warnOfSites(now Sample, say func(string, ...any)) {
	old, count := map[string]bool{}, map[string]int{}
	for _, m := range now.Mute {
		old[m.Build] = old[m.Build] || m.Refuses
	}
	for _, m := range now.Mute {
		if !m.Refuses {
			say("no host of site %s answers from here; it has %s, as %s", m.Site, wording.Count(m.Peers, "peer"), whoSees(now.Hosts, m.Site))
		}
	}
	var builds []string
	for _, p := range now.Peers {
		if count[p.Build]++; count[p.Build] == 1 {
			builds = append(builds, p.Build)
		}
	}
	for _, build := range builds {
		if old[build] {
			say("peers of build %.12s do not tell what they do: it is an older one", build)
		}
	}
	if len(builds) > 1 {
		for i, build := range builds {
			builds[i] = fmt.Sprintf("%.12s with %s", build, wording.Count(count[build], "peer"))
		}
		say("there are %s, each a grid of its own: %s", wording.Count(len(builds), "build"), named(builds))
		return // members of one see no sites of the other
	}
	if len(now.Hosts) < 2 {
		return
	}
	for _, site := range SitesOf(now) {
		by := seenBy(now.Hosts, site)
		if len(by) == 1 {
			say("site %s is seen by %s alone, of %d hosts that were asked", site, by[0], len(now.Hosts))
		}
	}
}

// SitesOf are the sites of a sample.
func SitesOf(s Sample) (sites []string) {
	for _, p := range s.Peers {
		if !slices.Contains(sites, p.Site) {
			sites = append(sites, p.Site)
		}
	}
	return sites
}

// seenBy are the hosts that see somebody at a site of whom nothing is wrong.
func seenBy(hosts []across.Activity, site string) (by []string) {
	for _, h := range hosts {
		if slices.ContainsFunc(h.Sees, func(s across.SiteSeen) bool { return s.Site == site && s.Peers > 0 }) {
			by = append(by, h.By)
		}
	}
	return by
}

func whoSees(hosts []across.Activity, site string) string {
	by := seenBy(hosts, site)
	switch len(by) {
	case 0:
		return "a list says"
	case 1:
		return by[0] + " sees it"
	}
	return named(by) + " see it"
}

// warnOfPeers tells of those that are away, leave, or have no room.
func warnOfPeers(peers []PeerView, say func(string, ...any)) {
	var mute, away, leaving, full []string
	var soon []PeerView
	for _, p := range peers {
		switch {
		case p.State == "suspected":
			away = append(away, p.Name)
		case p.State == "leaving":
			leaving = append(leaving, p.Name)
		case !p.Answers && p.untold == nil:
			mute = append(mute, p.Name)
		}
		if p.Left != nil && *p.Left < leavesSoon {
			soon = append(soon, p)
		}
		if p.Room > 0 && float64(p.Memory) > memoryHigh*float64(p.Room) {
			full = append(full, fmt.Sprintf("%s (%s of %s)", p.Name, Bytes(float64(p.Memory)), Bytes(float64(p.Room))))
		}
	}
	aboutThem(mute, say, "does not answer", "do not answer")
	aboutThem(away, say, "is suspected to be gone", "are suspected to be gone")
	aboutThem(leaving, say, "is leaving", "are leaving")
	slices.SortStableFunc(soon, func(a, b PeerView) int { return int(*a.Left - *b.Left) })
	for _, p := range soon[:min(len(soon), namesMax)] {
		say("%s has to be gone in %s", p.Name, console.Brief(max(*p.Left, 0)))
	}
	if more := len(soon) - namesMax; more > 0 {
		say("%s more have to be gone within %s", wording.Count(more, "peer"), console.Brief(leavesSoon))
	}
	aboutThem(full, say, "has nearly all memory of its machine", "have nearly all memory of their machines")
}

// aboutThem says the same of one or several.
func aboutThem(names []string, say func(string, ...any), one, several string) {
	switch len(names) {
	case 0:
	case 1:
		say("%s %s", names[0], one)
	default:
		say("%s %s", named(names), several)
	}
}

// named are some names, and how many more there are.
func named(names []string) string {
	if more := len(names) - namesMax; more > 0 {
		names = append(slices.Clone(names[:namesMax]), fmt.Sprintf("%d more", more))
	}
	return wording.List(names)
}

// warnOfRuns tells of runs that wait, and whose copies have nowhere to go: a run is of the grid of
// its build, and its parts are copied to another site where there is one.
func warnOfRuns(v View, say func(string, ...any)) {
	sites, peers := map[string]map[string]bool{}, map[string]int{}
	for _, p := range v.Peers {
		if p.State != "here" {
			continue
		}
		if sites[p.Build] == nil {
			sites[p.Build] = map[string]bool{}
		}
		sites[p.Build][p.Site] = true
		peers[p.Build]++
	}
	var waiting, alone, near []string
	for _, r := range v.Runs {
		switch {
		case r.State == "waiting":
			waiting = append(waiting, "run "+short(r.ID))
		case !r.IsOn():
		case peers[r.Build] == 1:
			alone = append(alone, "run "+short(r.ID))
		case len(sites[r.Build]) == 1:
			near = append(near, "run "+short(r.ID))
		}
	}
	aboutThem(waiting, say, "waits for a master", "wait for a master")
	aboutThem(alone, say, "has one peer: nothing of it is copied to another", "have one peer: nothing of them is copied to another")
	aboutThem(near, say, "has no second site for its copies", "have no second site for their copies")
}

// warnOfIdle tells of peers that do nothing while there is something to do.
func warnOfIdle(v View, say func(string, ...any)) {
	on := map[string]int{} // by build: each has a grid of its own
	for _, r := range v.Runs {
		if r.State == "computing" {
			on[r.Build]++
		}
	}
	for _, build := range slices.Sorted(maps.Keys(on)) {
		var idle []string
		for _, p := range v.Peers {
			if p.Build == build && p.State == "here" && p.Busy != nil && *p.Busy < idleBelow {
				idle = append(idle, p.Name)
			}
		}
		runs := ", with " + wording.Count(on[build], "run") + " on"
		aboutThem(idle, say, "is 0 % busy"+runs, "are 0 % busy"+runs)
	}
}

// short is a run's id as people are told of it.
func short(id string) string { return id[:min(len(id), 8)] }
