package recording

import (
	"cmp"
	"errors"
	"fmt"
	"io"
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
	happenedMax = 1000 // of which a report tells: more are counted
	namesMax    = 4    // in one line
	// times from look to look: so long nothing was seen, and so long something was wrong
	gapMin, warnedMin = 3.0, 2.5
)

// Report is what happened on a grid, summed up. Seconds are of the recording, or of workers.
type Report struct {
	Schema  int       `json:"schema"`
	Grid    string    `json:"grid"`
	Began   time.Time `json:"began"`
	Seconds float64   `json:"seconds"`
	Looks   int       `json:"looks"`
	Unseen  float64   `json:"unseen_seconds"` // in which nobody answered
	Whole   bool      `json:"whole"`          // the recorder has ended it

	Grids    Part             `json:"all"`
	Sites    []Part           `json:"sites"`
	Runs     []RunSummary     `json:"runs"`
	Lost     map[string]int   `json:"lost"` // peers, by how; as one host saw
	Again    uint64           `json:"put_back"`
	Reused   uint64           `json:"reused"`
	Happened []Incident       `json:"happened"`
	More     int              `json:"more_happened"` // than there is room for
	Warnings []WarnedOf       `json:"warnings"`
	Strips   map[string]Strip `json:"strips"` // of each site
}

// Part is what a site did, or all of them.
type Part struct {
	Site    string  `json:"site"`
	Peers   int     `json:"peers"` // at most at once
	Workers float64 `json:"worker_seconds"`
	Busy    float64 `json:"busy_seconds"` // of them
	Jobs    int64   `json:"jobs"`
	Near    uint64  `json:"lent_near"`
	Far     uint64  `json:"lent_far"`
	Bytes   int64   `json:"bytes_far"`
}

// RunSummary is what was done for a run.
type RunSummary struct {
	ID      string  `json:"id"`
	App     string  `json:"app"`
	Input   string  `json:"input"`
	State   string  `json:"state"` // as it was seen last
	From    float64 `json:"from"`
	To      float64 `json:"to"` // it was on, as far as was seen
	Workers float64 `json:"worker_seconds"`
	Jobs    int64   `json:"jobs"`
}

// Incident is what happened at some second.
type Incident struct {
	At   float64  `json:"t"`
	What string   `json:"what"`
	Lost []string `json:"lost_at,omitempty"` // the sites where peers were lost
}

// WarnedOf is what was wrong, from when to when.
type WarnedOf struct {
	From float64 `json:"from"`
	To   float64 `json:"to"`
	What string  `json:"what"`
}

// Tell reads a recording to its end, and sums it up.
func Tell(r *Playback) (*Report, error) {
	t := &summing{
		report: Report{
			Schema: console.Schema, Grid: r.Head.Grid, Began: r.Head.Began, Lost: map[string]int{}, Strips: map[string]Strip{},
			Happened: []Incident{}, Warnings: []WarnedOf{}, Runs: []RunSummary{}, Sites: []Part{},
		},
		sites: map[string]*Part{}, runs: map[string]*RunSummary{}, warned: map[string]WarnedOf{}, strips: map[string]*Strip{},
		every: max(r.Head.Every, 0.1),
	}
	for {
		l, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			t.report.Whole = r.Whole
			return t.end(), nil
		case err != nil:
			return nil, err
		}
		t.look(l)
	}
}

// summing sums looks up.
type summing struct {
	report Report
	was    Look
	every  float64 // seconds from look to look, at first
	sites  map[string]*Part
	runs   map[string]*RunSummary
	warned map[string]WarnedOf // by what is the same in it while figures change
	strips map[string]*Strip
}

func (t *summing) look(l Look) {
	r := &t.report
	r.Looks++
	before := t.was
	if r.Looks > 1 {
		if gap := (l.At - before.At).Seconds(); gap > gapMin*t.every {
			r.Unseen += gap
		}
	}
	r.Seconds = l.At.Seconds()
	v := observe.Between(before.Sample, l.Sample)
	how := t.hows(v.Lost)
	r.Again, r.Reused = max(r.Again, v.Again), max(r.Reused, v.Reused)
	t.work(before, l)
	t.tellPeers(before.Sample, l, how)
	t.tellRuns(before.Sample, l)
	t.warnings(l.At.Seconds(), v.Warnings)
	t.was = l
}

// work adds what was done since the look before: what was done by hosts that told of themselves at
// both.
func (t *summing) work(before, now Look) {
	old := map[string]across.Doing{}
	for _, d := range before.Peers {
		old[d.ID] = d
	}
	peers := map[string]int{}
	type share struct{ workers, busy float64 }
	shares := map[string]share{}
	for _, d := range now.Peers {
		peers[d.Site]++
		o := old[d.ID]
		took := d.Uptime - o.Uptime
		if !o.Answers || !d.Answers || took <= 0 {
			continue
		}
		p := t.part(d.Site)
		busy := min(max(d.Totals.Busy-o.Totals.Busy, 0), took*float64(d.Workers))
		p.Workers += took * float64(d.Workers)
		p.Busy += busy
		p.Jobs += max(d.Totals.Jobs-o.Totals.Jobs, 0)
		p.Near += grown(o.Totals.LentNear, d.Totals.LentNear)
		p.Far += grown(o.Totals.LentFar, d.Totals.LentFar)
		p.Bytes += max(d.Totals.BytesFar-o.Totals.BytesFar, 0)
		s := shares[d.Site]
		shares[d.Site] = share{s.workers + took*float64(d.Workers), s.busy + busy}
		t.workedFor(o, d)
	}
	for site, n := range peers {
		p := t.part(site)
		p.Peers = max(p.Peers, n)
	}
	t.report.Grids.Peers = max(t.report.Grids.Peers, len(now.Peers))
	for site, s := range shares {
		if t.strips[site] == nil {
			t.strips[site] = &Strip{}
		}
		t.strips[site].add(before.At.Seconds(), now.At.Seconds(), s.workers, s.busy)
	}
}

func grown(from, to uint64) uint64 { return max(to, from) - from }

// workedFor adds what a peer has done for each run.
func (t *summing) workedFor(before, now across.Doing) {
	for _, s := range now.Runs {
		var o across.RunShare
		if i := slices.IndexFunc(before.Runs, func(b across.RunShare) bool { return b.ID == s.ID }); i >= 0 {
			o = before.Runs[i]
		}
		if r := t.runs[s.ID]; r != nil {
			r.Workers += max(s.Busy-o.Busy, 0)
			r.Jobs += max(s.Jobs-o.Jobs, 0)
		}
	}
}

func (t *summing) part(site string) *Part {
	if t.sites[site] == nil {
		t.sites[site] = &Part{Site: site}
	}
	return t.sites[site]
}

// say notes what has happened.
func (t *summing) say(at time.Duration, lost []string, format string, args ...any) {
	if len(t.report.Happened) == happenedMax {
		t.report.More++
		return
	}
	t.report.Happened = append(t.report.Happened, Incident{at.Seconds(), fmt.Sprintf(format, args...), lost})
}

// hows notes how many peers are gone, by how, and tells how those went that went since the look
// before, where all went the same way.
func (t *summing) hows(lost map[string]int) (how string) {
	of := 0
	for _, is := range slices.Sorted(maps.Keys(lost)) {
		if was := t.report.Lost[is]; lost[is] > was {
			t.report.Lost[is] = lost[is]
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
func (t *summing) tellPeers(before observe.Sample, now Look, how string) {
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
			t.say(now.At, n.lost, "%s %s", n.names[0], n.one)
		default:
			t.say(now.At, n.lost, "%s %s", named(n.names), n.all)
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
func (t *summing) tellRuns(before observe.Sample, now Look) {
	was := map[string]across.Run{}
	for _, r := range before.Runs {
		was[r.ID] = r
	}
	for _, r := range now.Runs {
		o, known := was[r.ID]
		delete(was, r.ID)
		p := t.runs[r.ID]
		if p == nil {
			p = &RunSummary{ID: r.ID, App: r.App, Input: r.Input, From: now.At.Seconds()}
			t.runs[r.ID] = p
		}
		on := observe.RunView{Run: r}.IsOn()
		if p.State = r.State; on || p.To == 0 {
			p.To = now.At.Seconds()
		}
		switch {
		case !known && on:
			t.say(now.At, nil, "%s is on; its master is %s", runName(r), cmp.Or(r.Master, "not known"))
		case known && observe.RunView{Run: o}.IsOn() && !on:
			t.say(now.At, nil, "%s is %s", runName(r), r.State)
		case known && on && o.Master != r.Master && r.Master != "":
			t.say(now.At, nil, "the master of %s is %s, after %s", runName(r), r.Master, cmp.Or(o.Master, "none"))
		}
	}
	for _, r := range before.Runs {
		if o, gone := was[r.ID]; gone && (observe.RunView{Run: o}).IsOn() {
			t.say(now.At, nil, "%s is over", runName(o))
			t.runs[o.ID].State = "over"
		}
	}
}

func runName(r across.Run) string {
	return strings.Join(strings.Fields(fmt.Sprintf("%s %s (%.8s)", cmp.Or(r.App, "run"), r.Input, r.ID)), " ")
}

// warnings notes how long each was true. One whose figures change is the same one.
func (t *summing) warnings(at float64, now []string) {
	still := map[string]bool{}
	for _, w := range now {
		key := digits.Replace(w)
		still[key] = true
		if _, on := t.warned[key]; !on && len(t.warned) < happenedMax {
			t.warned[key] = WarnedOf{From: at, What: w}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(t.warned)) {
		if still[key] {
			continue
		}
		if w := t.warned[key]; at-w.From >= warnedMin*t.every && len(t.report.Warnings) < happenedMax {
			w.To = at
			t.report.Warnings = append(t.report.Warnings, w)
		}
		delete(t.warned, key)
	}
}

var digits = strings.NewReplacer("0", "", "1", "", "2", "", "3", "", "4", "", "5", "", "6", "", "7", "", "8", "", "9", "")

// end is the report.
func (t *summing) end() *Report {
	r := &t.report
	t.warnings(r.Seconds, nil)
	slices.SortStableFunc(r.Warnings, func(a, b WarnedOf) int { return cmp.Compare(a.From, b.From) })
	for _, site := range slices.Sorted(maps.Keys(t.sites)) {
		p := *t.sites[site]
		r.Sites = append(r.Sites, p)
		all := &r.Grids
		all.Workers, all.Busy, all.Jobs = all.Workers+p.Workers, all.Busy+p.Busy, all.Jobs+p.Jobs
		all.Near, all.Far, all.Bytes = all.Near+p.Near, all.Far+p.Far, all.Bytes+p.Bytes
	}
	for site, s := range t.strips {
		r.Strips[site] = *s
	}
	for _, p := range t.runs {
		r.Runs = append(r.Runs, *p)
	}
	slices.SortFunc(r.Runs, func(a, b RunSummary) int { return cmp.Or(cmp.Compare(a.From, b.From), strings.Compare(a.ID, b.ID)) })
	return r
}
