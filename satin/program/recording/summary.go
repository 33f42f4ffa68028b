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

const (
	// of which a report tells, the latest: more that has happened is counted
	happenedMax, runsMax = 1000, 1000
	namesMax             = 4 // in one line
	// times from look to look: so long nothing was seen, and so long something was wrong
	gapMin, warnedMin = 3.0, 2.5
)

// Summary sums looks up, one after the other.
type Summary struct {
	report Report
	was    Look
	every  float64 // seconds from look to look, at first
	sites  map[string]*Part
	runs   map[string]*RunSummary
	warned map[string]WarnedOf // by what is the same in it while figures change
	strips map[string]*Strip
}

// NewSummary is one of nothing so far.
func NewSummary(h Head) *Summary {
	return &Summary{
		report: Report{Schema: console.Schema, Grid: h.Grid, Began: h.Began, Lost: map[string]int{}, Happened: []Incident{}, Warnings: []WarnedOf{}},
		sites:  map[string]*Part{}, runs: map[string]*RunSummary{}, warned: map[string]WarnedOf{}, strips: map[string]*Strip{},
		every: max(h.Every, 0.1),
	}
}

// Add takes the next look.
func (s *Summary) Add(l Look) {
	r := &s.report
	r.Looks++
	r.Grid = cmp.Or(l.Grid, r.Grid)
	before := s.was
	if r.Looks > 1 {
		if gap := (l.At - before.At).Seconds(); gap > gapMin*s.every {
			r.Unseen += gap
		}
	}
	r.Seconds = l.At.Seconds()
	v := observe.Between(before.Sample, l.Sample)
	how := s.hows(v.Lost)
	r.Again, r.Reused = max(r.Again, v.Again), max(r.Reused, v.Reused)
	s.work(before, l)
	s.tellPeers(before.Sample, l, how)
	s.tellRuns(before.Sample, l)
	s.warnings(l.At.Seconds(), v.Warnings)
	s.was = l
}

// work adds what was done since the look before: what was done by hosts that told of themselves at
// both.
func (s *Summary) work(before, now Look) {
	old := map[string]across.Doing{}
	for _, d := range before.Peers {
		old[d.ID] = d
	}
	peers, workers := map[string]int{}, map[string]int{}
	type share struct{ workers, busy float64 }
	shares := map[string]share{}
	for _, d := range now.Peers {
		peers[d.Site]++
		workers[d.Site] += max(d.Workers, 0)
		o := old[d.ID]
		took := d.Uptime - o.Uptime
		if !o.Answers || !d.Answers || took <= 0 {
			continue
		}
		p := s.part(d.Site)
		busy := min(max(d.Totals.Busy-o.Totals.Busy, 0), took*float64(d.Workers))
		p.Workers += took * float64(d.Workers)
		p.Busy += busy
		p.Jobs += max(d.Totals.Jobs-o.Totals.Jobs, 0)
		p.Near += grown(o.Totals.LentNear, d.Totals.LentNear)
		p.Far += grown(o.Totals.LentFar, d.Totals.LentFar)
		p.Bytes += max(d.Totals.BytesFar-o.Totals.BytesFar, 0)
		sum := shares[d.Site]
		shares[d.Site] = share{sum.workers + took*float64(d.Workers), sum.busy + busy}
		s.workedFor(o, d)
	}
	for site, n := range peers {
		p, strip := s.part(site), s.strip(site)
		p.Peers, strip.Most = max(p.Peers, n), max(strip.Most, workers[site])
	}
	s.report.Grids.Peers = max(s.report.Grids.Peers, len(now.Peers))
	for site, sum := range shares {
		s.strip(site).add(before.At.Seconds(), now.At.Seconds(), sum.workers, sum.busy)
	}
}

func grown(from, to uint64) uint64 { return max(to, from) - from }

// workedFor adds what a peer has done for each run.
func (s *Summary) workedFor(before, now across.Doing) {
	for _, is := range now.Runs {
		var o across.RunShare
		if i := slices.IndexFunc(before.Runs, func(b across.RunShare) bool { return b.ID == is.ID }); i >= 0 {
			o = before.Runs[i]
		}
		if r := s.runs[is.ID]; r != nil {
			r.Workers += max(is.Busy-o.Busy, 0)
			r.Jobs += max(is.Jobs-o.Jobs, 0)
		}
	}
}

func (s *Summary) part(site string) *Part {
	if s.sites[site] == nil {
		s.sites[site] = &Part{Site: site}
	}
	return s.sites[site]
}

func (s *Summary) strip(site string) *Strip {
	if s.strips[site] == nil {
		s.strips[site] = &Strip{}
	}
	return s.strips[site]
}

// say notes what has happened. Where there is no room the oldest goes.
func (s *Summary) say(at time.Duration, lost []string, format string, args ...any) {
	if len(s.report.Happened) == happenedMax {
		s.report.More++
		s.report.Happened = slices.Delete(s.report.Happened, 0, 1)
	}
	s.report.Happened = append(s.report.Happened, Incident{at.Seconds(), fmt.Sprintf(format, args...), lost})
}

// hows notes how many peers are gone, by how, and tells how those went that went since the look
// before, where all went the same way.
func (s *Summary) hows(lost map[string]int) (how string) {
	of := 0
	for _, is := range slices.Sorted(maps.Keys(lost)) {
		if was := s.report.Lost[is]; lost[is] > was {
			s.report.Lost[is] = lost[is]
			how = is
			of++
		}
	}
	if of != 1 {
		return ""
	}
	return how
}

// tellPeers tells who has come, leaves and is gone, and how, where that is known.
func (s *Summary) tellPeers(before observe.Sample, now Look, how string) {
	was, is := byID(before.Members), byID(now.Members)
	var came, leave, left, lost, sites []string
	for _, id := range sorted(is) {
		m, known := is[id], was[id].ID != ""
		switch {
		case !known:
			came = append(came, m.Name)
		case m.State == "leaving" && was[id].State != "leaving":
			leave = append(leave, m.Name)
		}
	}
	for _, id := range sorted(was) {
		switch m := was[id]; {
		case is[id].ID != "":
		case m.State == "leaving", how == "leave":
			left = append(left, m.Name)
		default:
			lost = append(lost, m.Name)
			if !slices.Contains(sites, m.Site) {
				sites = append(sites, m.Site)
			}
		}
	}
	gone := ""
	if how != "" && how != "leave" {
		gone = " (" + how + ")"
	}
	for _, n := range []struct {
		names    []string
		one, all string
		lost     []string
	}{
		{came, "is here", "are here", nil}, {leave, "leaves", "leave", nil}, {left, "has left", "have left", nil},
		{lost, "is gone" + gone, "are gone" + gone, sites},
	} {
		switch len(n.names) {
		case 0:
		case 1:
			s.say(now.At, n.lost, "%s %s", n.names[0], n.one)
		default:
			s.say(now.At, n.lost, "%s %s", named(n.names), n.all)
		}
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

// tellRuns tells which runs have begun and are over, and who is their master.
func (s *Summary) tellRuns(before observe.Sample, now Look) {
	was := map[string]across.Run{}
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
		on := observe.RunView{Run: r}.IsOn()
		if p.State = r.State; on || p.To == 0 {
			p.To = now.At.Seconds()
		}
		switch {
		case !known && on:
			s.say(now.At, nil, "%s is on; its master is %s", runName(r), cmp.Or(r.Master, "not known"))
		case known && observe.RunView{Run: o}.IsOn() && !on:
			s.say(now.At, nil, "%s is %s", runName(r), r.State)
		case known && on && o.Master != r.Master && r.Master != "":
			s.say(now.At, nil, "the master of %s is %s, after %s", runName(r), r.Master, cmp.Or(o.Master, "none"))
		}
	}
	for _, r := range before.Runs {
		if o, gone := was[r.ID]; gone && (observe.RunView{Run: o}).IsOn() {
			s.say(now.At, nil, "%s is over", runName(o))
			if p := s.runs[o.ID]; p != nil {
				p.State = "over"
			}
		}
	}
}

// makeRoom forgets the oldest run where there are too many.
func (s *Summary) makeRoom() {
	if len(s.runs) < runsMax {
		return
	}
	oldest := slices.MinFunc(slices.Collect(maps.Values(s.runs)), func(a, b *RunSummary) int { return byStart(*a, *b) })
	delete(s.runs, oldest.ID)
}

func runName(r across.Run) string {
	return strings.Join(strings.Fields(fmt.Sprintf("%s %s (%.8s)", cmp.Or(r.App, "run"), r.Input, r.ID)), " ")
}

// warnings notes how long each was true. One whose figures change is the same one.
func (s *Summary) warnings(at float64, now []string) {
	still := map[string]bool{}
	for _, w := range now {
		key := digits.Replace(w)
		still[key] = true
		if _, on := s.warned[key]; !on && len(s.warned) < happenedMax {
			s.warned[key] = WarnedOf{From: at, What: w}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(s.warned)) {
		if still[key] {
			continue
		}
		if w := s.warned[key]; at-w.From >= warnedMin*s.every && len(s.report.Warnings) < happenedMax {
			w.To = at
			s.report.Warnings = append(s.report.Warnings, w)
		}
		delete(s.warned, key)
	}
}

var digits = strings.NewReplacer("0", "", "1", "", "2", "", "3", "", "4", "", "5", "", "6", "", "7", "", "8", "", "9", "")

// Report is what came of it so far. What is wrong now is wrong until now.
func (s *Summary) Report() *Report {
	r := s.report
	r.Happened, r.Warnings, r.Lost = slices.Clone(r.Happened), slices.Clone(r.Warnings), maps.Clone(r.Lost)
	for _, w := range s.warned {
		if w.To = r.Seconds; w.To-w.From >= warnedMin*s.every {
			r.Warnings = append(r.Warnings, w)
		}
	}
	slices.SortStableFunc(r.Warnings, func(a, b WarnedOf) int {
		return cmp.Or(cmp.Compare(a.From, b.From), strings.Compare(a.What, b.What))
	})
	r.Sites, r.Runs, r.Strips = []Part{}, []RunSummary{}, map[string]Strip{}
	for _, site := range slices.Sorted(maps.Keys(s.sites)) {
		p := *s.sites[site]
		r.Sites = append(r.Sites, p)
		all := &r.Grids
		all.Workers, all.Busy, all.Jobs = all.Workers+p.Workers, all.Busy+p.Busy, all.Jobs+p.Jobs
		all.Near, all.Far, all.Bytes = all.Near+p.Near, all.Far+p.Far, all.Bytes+p.Bytes
	}
	for site, strip := range s.strips {
		r.Strips[site] = Strip{strip.Length, slices.Clone(strip.Workers), slices.Clone(strip.Busy), strip.Most}
	}
	for _, p := range s.runs {
		r.Runs = append(r.Runs, *p)
	}
	slices.SortFunc(r.Runs, byStart)
	return &r
}

func byStart(a, b RunSummary) int {
	return cmp.Or(cmp.Compare(a.From, b.From), strings.Compare(a.ID, b.ID))
}
