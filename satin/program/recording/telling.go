package recording

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"satingrid/satin/program/across"
	"satingrid/satin/program/console"
	"satingrid/satin/program/observe"
	"satingrid/satin/program/wording"
)

// say notes what has happened. Where there is no room the oldest goes.
func (s *Summary) say(at time.Duration, lost []string, format string, args ...any) {
	if len(s.report.Happened) == happenedMax {
		s.report.More++
		s.report.Happened = slices.Delete(s.report.Happened, 0, 1)
	}
	s.report.Happened = append(s.report.Happened, Incident{at.Seconds(), fmt.Sprintf(format, args...), lost})
}

// lossesRecent is for how long a loss is among what is wrong, in seconds: it was alone in what has
// happened, where who has just come back to a screen does not look first.
const lossesRecent = 60

// RecentLosses are those of the last minute, the latest first: who was lost, and how long ago.
func (s *Summary) RecentLosses() (all []string) {
	for _, is := range slices.Backward(s.report.Happened) {
		ago := s.report.Seconds - is.At
		if ago > lossesRecent {
			break
		}
		if len(is.Lost) > 0 {
			all = append(all, fmt.Sprintf("%s, %s ago", is.What, console.Brief(ago)))
		}
	}
	return all
}

// losses notes how many peers are gone since the look before, by how: each host counts those that
// it has seen go, and most hosts see all of them.
func (s *Summary) losses(before, now Look) {
	was := map[string]map[string]int{}
	for _, h := range before.Hosts {
		was[h.By] = h.Lost
	}
	old := s.lost // of whom it was not known in time who they are
	s.lost = map[string]int{}
	for _, h := range now.Hosts {
		if _, known := was[h.By]; !known {
			continue
		}
		for how, n := range h.Lost {
			s.lost[how] = max(s.lost[how], n-was[h.By][how])
		}
	}
	for how, n := range s.lost {
		s.report.Lost[how] += max(n, 0)
		s.lost[how] = max(n, 0) + old[how]
	}
	maps.DeleteFunc(s.lost, func(_ string, n int) bool { return n <= 0 })
	maps.DeleteFunc(s.report.Lost, func(_ string, n int) bool { return n <= 0 })
}

// howGone is how so many peers are gone: "" where that is not told, or not of all the same.
func (s *Summary) howGone(n int) (how string) {
	if n == 0 {
		return ""
	}
	if len(s.lost) == 1 {
		for is, of := range s.lost {
			if of == n {
				how = is
			}
		}
	}
	s.lost = nil
	return how
}

// moves are who has come, leaves, has left and is gone, from look to look.
type moves struct{ came, leave, left, gone []across.Peer }

func movesOf(before, now observe.Sample) (m moves) {
	was, is := byID(before.Members), byID(now.Members)
	for _, id := range sorted(is) {
		switch peer := is[id]; {
		case was[id].ID == "":
			m.came = append(m.came, peer)
		case peer.State == "leaving" && was[id].State != "leaving":
			m.leave = append(m.leave, peer)
		}
	}
	for _, id := range sorted(was) {
		switch peer := was[id]; {
		case is[id].ID != "":
		case peer.State == "leaving":
			m.left = append(m.left, peer)
		default:
			m.gone = append(m.gone, peer)
		}
	}
	return m
}

// tellPeers tells who has come, leaves and is gone, and how, where that is known: of the peer
// itself, or of all of them together.
func (s *Summary) tellPeers(before observe.Sample, now Look) {
	m := movesOf(before, now.Sample)
	if n := s.lost["leave"] - len(m.left); n > 0 {
		s.lost["leave"] = n
	} else {
		delete(s.lost, "leave")
	}
	how := s.howGone(len(m.gone))
	s.bills.looks(now, m, how)
	ways := map[string][]across.Peer{}
	for _, peer := range m.gone {
		is := cmp.Or(s.bills.how(peer.ID), how)
		ways[is] = append(ways[is], peer)
	}
	s.tell(now.At, m.came, "is here", "are here", false)
	s.tell(now.At, m.leave, "leaves", "leave", false)
	s.tell(now.At, m.left, "has left", "have left", false)
	for _, is := range slices.Sorted(maps.Keys(ways)) {
		switch is {
		case "leave":
			s.tell(now.At, ways[is], "has left", "have left", false)
		case "":
			s.tell(now.At, ways[is], "is not there any more", "are not there any more", true)
		default:
			s.tell(now.At, ways[is], "is gone ("+is+")", "are gone ("+is+")", true)
		}
	}
}

// tell tells the same of one or several peers, which may be a loss.
func (s *Summary) tell(at time.Duration, peers []across.Peer, one, all string, isLoss bool) {
	var names, sites []string
	for _, m := range peers {
		if names = append(names, m.Name); isLoss && !slices.Contains(sites, m.Site) {
			sites = append(sites, m.Site)
		}
	}
	switch len(names) {
	case 0:
	case 1:
		s.say(at, sites, "%s %s", names[0], one)
	default:
		s.say(at, sites, "%s %s", named(names), all)
	}
}

// named are some of many names.
func named(names []string) string {
	if more := len(names) - namesMax; more > 1 {
		names = append(slices.Clone(names[:namesMax]), fmt.Sprintf("%d others", more))
	}
	return wording.List(names)
}

func byID(members []across.Peer) map[string]across.Peer {
	all := map[string]across.Peer{}
	for _, m := range members {
		all[m.ID] = m
	}
	return all
}

// sorted are the ids of some peers, by their names.
func sorted(peers map[string]across.Peer) []string {
	return slices.SortedFunc(maps.Keys(peers), func(a, b string) int {
		return cmp.Or(strings.Compare(peers[a].Name, peers[b].Name), strings.Compare(a, b))
	})
}

// tellRuns tells which runs have begun and are on no more, and who is their master.
func (s *Summary) tellRuns(before observe.Sample, now Look) {
	for _, m := range now.Members {
		if len(s.names) < entriesMax {
			s.names[m.ID], s.homes[m.Name] = m.Name, m.Site
		}
	}
	// of one that is gone a host may have the id alone
	name := func(of string) string { return cmp.Or(s.names[of], of) }
	was := map[string]across.RunLine{}
	for _, r := range before.Runs {
		was[r.ID] = r
	}
	for _, r := range now.Runs {
		o, known := was[r.ID]
		delete(was, r.ID)
		p := s.runs[r.ID]
		if p == nil {
			s.makeRoom()
			p = &RunSummary{ID: r.ID, App: r.App, Input: r.Input, From: now.At.Seconds()}
			s.runs[r.ID] = p
		}
		on := observe.RunView{RunLine: r}.IsOn()
		p.State, p.Gone, p.Progress = r.State, 0, r.Progress
		if on || p.To == 0 {
			p.To = now.At.Seconds()
		}
		switch {
		case !known && on:
			s.say(now.At, nil, "%s is on; its master is %s", runName(r), cmp.Or(name(r.Master), "not known"))
		case known && observe.RunView{RunLine: o}.IsOn() && !on:
			s.say(now.At, nil, "%s is %s", runName(r), r.State)
		case known && on && name(o.Master) != name(r.Master) && r.Master != "":
			s.say(now.At, nil, "the master of %s is %s, after %s", runName(r), name(r.Master), cmp.Or(name(o.Master), "none"))
		}
	}
	for _, r := range before.Runs {
		if o, gone := was[r.ID]; gone && (observe.RunView{RunLine: o}).IsOn() {
			p := s.runs[o.ID]
			if p == nil {
				// it was forgotten
				p = &RunSummary{ID: o.ID, App: o.App, Input: o.Input}
			}
			p.State, p.Gone = endedSomehow, now.At.Seconds()
			s.say(now.At, nil, "%s", p.incident())
		}
	}
	s.ends(now)
}

// ends takes what hosts tell of how runs have ended that were not on any more.
func (s *Summary) ends(now Look) {
	for _, h := range now.Hosts {
		for _, e := range h.Ended[:min(len(h.Ended), across.EndedMax)] {
			p := s.runs[e.Run]
			state, known := stateOf[e.How]
			// of several ways what came of it counts more than who has given it up
			if !known || p == nil || p.Gone == 0 || slices.Index(endedStates, state) <= slices.Index(endedStates, p.State) {
				continue
			}
			seen := p.incident()
			p.State = state
			for i := range s.report.Happened {
				if is := &s.report.Happened[i]; is.At == p.Gone && is.What == seen {
					is.What = p.incident()
				}
			}
		}
	}
}

// endedStates are the states of runs that have ended, as peers tell, the one that counts most last.
var endedStates = []string{endedSomehow, givenUp, cancelled, Answered, Failed}

// stateOf is the state of a run that has ended so, as hosts tell.
var stateOf = map[string]string{"answered": Answered, "failed": Failed, "cancelled": cancelled, "withdrawn": givenUp}

// makeRoom forgets a run where there are too many: the one that is over for longest.
func (s *Summary) makeRoom() {
	if len(s.runs) < runsMax {
		return
	}
	on := func(r *RunSummary) int {
		if (observe.RunView{RunLine: across.RunLine{State: r.State}}).IsOn() {
			return 1
		}
		return 0
	}
	oldest := slices.MinFunc(slices.Collect(maps.Values(s.runs)), func(a, b *RunSummary) int {
		return cmp.Or(on(a)-on(b), cmp.Compare(a.To, b.To), byStart(*a, *b))
	})
	delete(s.runs, oldest.ID)
}

func runName(r across.RunLine) string {
	id := ""
	if r.ID != "" {
		id = fmt.Sprintf("(%.8s)", r.ID)
	}
	return strings.Join(strings.Fields(cmp.Or(r.App, "run")+" "+r.Input+" "+id), " ")
}
