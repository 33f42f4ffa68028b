package recording

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"satingrid/satin/program/across"
	"satingrid/satin/program/console"
	"satingrid/satin/program/observe"
)

const (
	// of which a report tells, the latest: more that has happened is counted
	happenedMax, runsMax = 1000, 1000
	namesMax             = 4 // in one line
	warnedMin            = 3 // looks: what was wrong for less is not told
	// how much longer than between two looks a peer may have been up between them: it tells of
	// itself some time after it was asked
	lateMax = 5 * time.Second
)

// Summary sums looks up, one after the other.
type Summary struct {
	report Report
	was    Look
	told   map[string]toldAt // of each peer, what it told last
	names  map[string]string // of peers, by id
	homes  map[string]string // their sites, by name
	lost   map[string]int    // by how, of whom it is not known yet who they are
	sites  map[string]*SiteSummary
	runs   map[string]*RunSummary
	warned map[string]*warning // by what is the same in it while figures change
	strips map[string]*Strip

	fresh   Fresh
	between map[flow]*Flow

	bills       billing
	hints       advice
	there, busy float64 // seconds of workers since the look before
	again       uint64  // jobs that were put back since, …
	reused      uint64  // … results that spared work, …
	redone      float64 // … and seconds of workers on what was done before
}

// toldAt is what a peer told, and when.
type toldAt struct {
	across.Doing
	at time.Duration
}

// warning is what is wrong now, and at how many looks it was.
type warning struct {
	WarnedOf
	looks int
}

// NewSummary is one of nothing so far.
func NewSummary(h Preamble) *Summary {
	return &Summary{
		report: Report{Schema: console.Schema, Grid: h.Grid, Began: h.Began, Lost: map[string]int{}, Happened: []Incident{}, Warnings: []WarnedOf{}},
		told:   map[string]toldAt{}, names: map[string]string{}, homes: map[string]string{}, sites: map[string]*SiteSummary{}, runs: map[string]*RunSummary{}, warned: map[string]*warning{},
		strips: map[string]*Strip{}, fresh: Fresh{}, between: map[flow]*Flow{}, hints: newAdvice(), bills: newBilling(),
	}
}

// Add takes the next look.
func (s *Summary) Add(l Look) {
	r := &s.report
	r.Looks++
	r.Grid = cmp.Or(l.Grid, r.Grid)
	before := s.was
	if told := s.fresh.Of(l.Peers, l.At); told.any() { // of a grid that is there
		l.SingleLoans = told
	}
	if l.Silent {
		r.Unseen += (l.At - before.At).Seconds()
	}
	r.Seconds = l.At.Seconds()
	warnings := observe.Between(before.Sample, l.Sample).Warnings
	l.Sample = withMissing(before.Sample, l.Sample)
	s.losses(before, l)
	s.tellPeers(before.Sample, l)
	s.tellRuns(before.Sample, l)
	s.there, s.busy, s.again, s.reused, s.redone = 0, 0, 0, 0, 0
	s.work(l)
	s.bills.charge(s.again, s.reused, s.redone)
	s.hints.looked(before, l, s.there, s.busy, s.again)
	s.flows(before, l)
	s.warnings(l.At.Seconds(), warnings)
	s.was = l
}

// withMissing is a sample with what was seen of grids before that did not answer this time. They
// are of other builds: nothing is known of them, and nobody there is gone.
func withMissing(before, now observe.Sample) observe.Sample {
	if len(now.Missing) == 0 {
		return now
	}
	builds, ids := map[string]bool{}, map[string]bool{}
	for _, m := range now.Members {
		builds[m.Build] = true
	}
	for _, d := range now.Peers {
		builds[d.Build], ids[d.ID] = true, true
	}
	for _, r := range now.Runs {
		ids[r.ID] = true
	}
	for _, m := range before.Members {
		if !builds[m.Build] {
			now.Members = append(now.Members, m)
		}
	}
	for _, d := range before.Peers {
		if !builds[d.Build] && !ids[d.ID] {
			d.Answers = false
			now.Peers = append(now.Peers, d)
		}
	}
	for _, r := range before.Runs {
		if !builds[r.Build] && !ids[r.ID] {
			now.Runs = append(now.Runs, r)
		}
	}
	return now
}

// work adds what each peer that tells of itself has done since it told last. One that has come
// since the look before has done all of it since.
func (s *Summary) work(now Look) {
	peers, workers, told := map[string]int{}, map[string]int{}, map[string]toldAt{}
	for _, d := range now.Peers {
		d.Workers = min(max(d.Workers, 0), workersMax)
		peers[d.Site]++
		workers[d.Site] += d.Workers
		last, known := s.told[d.ID]
		if !d.Answers {
			if known {
				told[d.ID] = last
			}
			continue
		}
		told[d.ID] = toldAt{d, now.At}
		if !known || d.Uptime < last.Uptime {
			if last = (toldAt{at: s.was.At}); s.report.Looks == 1 || d.Uptime > (now.At-last.at+lateMax).Seconds() {
				continue // it was there before anybody looked
			}
		}
		if took := min(d.Uptime-last.Uptime, (now.At - last.at + lateMax).Seconds()); took > 0 {
			s.worked(last, toldAt{d, now.At}, took)
		}
	}
	s.told = told
	for site, n := range peers {
		p, strip := s.site(site), s.strip(site)
		p.Peers, strip.Most = max(p.Peers, n), max(strip.Most, workers[site])
	}
	s.report.Grids.Peers = max(s.report.Grids.Peers, len(now.Peers))
}

// workersMax is how many workers a host may have.
const workersMax = 1 << 16

// worked adds what a peer has done in so many seconds by its own clock.
func (s *Summary) worked(last, now toldAt, took float64) {
	is, was := now.Totals, last.Totals
	p, there := s.site(now.Site), took*float64(now.Workers)
	busy := min(max(is.Busy-was.Busy, 0), there)
	p.Workers += there
	p.Busy += busy
	p.Jobs += max(is.Jobs-was.Jobs, 0)
	p.Near += grown(was.LentNear, is.LentNear)
	p.Far += grown(was.LentFar, is.LentFar)
	p.Bytes += max(is.BytesFar-was.BytesFar, 0)
	p.BytesNear += max(is.BytesNear-was.BytesNear, 0)
	p.Asking += min(max(is.Asking-was.Asking, 0), took)
	redone := min(max(is.Repairing-was.Repairing, 0), busy)
	p.Repairing += redone
	s.redone += redone
	s.there, s.busy = s.there+there, s.busy+busy
	s.again += grown(was.Again, is.Again)
	s.reused += grown(was.Reused, is.Reused)
	s.report.Again += grown(was.Again, is.Again)
	s.report.Reused += grown(was.Reused, is.Reused)
	s.strip(now.Site).add(last.at.Seconds(), now.at.Seconds(), there, busy)
	for _, share := range now.Runs {
		var o across.RunShare
		if i := slices.IndexFunc(last.Runs, func(b across.RunShare) bool { return b.ID == share.ID }); i >= 0 {
			o = last.Runs[i]
		}
		if r := s.runs[share.ID]; r != nil {
			r.Workers += min(max(share.Busy-o.Busy, 0), there)
			r.Jobs += max(share.Jobs-o.Jobs, 0)
			s.hints.worked(now.Doing, share, share.Jobs-o.Jobs, share.Busy-o.Busy)
		}
	}
}

func grown(from, to uint64) uint64 { return max(to, from) - from }

func (s *Summary) site(site string) *SiteSummary {
	if s.sites[site] == nil {
		s.sites[site] = &SiteSummary{Site: site}
	}
	return s.sites[site]
}

func (s *Summary) strip(site string) *Strip {
	if s.strips[site] == nil {
		s.strips[site] = &Strip{}
	}
	return s.strips[site]
}

// warnings notes how long each was true. One whose figures change is the same one.
func (s *Summary) warnings(at float64, now []string) {
	still := map[string]bool{}
	for _, text := range now {
		key := withoutFigures(text)
		if still[key] {
			continue
		}
		still[key] = true
		w := s.warned[key]
		if w == nil && len(s.warned) < happenedMax {
			w = &warning{WarnedOf: WarnedOf{From: at, What: text}}
			s.warned[key] = w
		}
		if w != nil {
			w.looks++
		}
	}
	for _, key := range slices.Sorted(maps.Keys(s.warned)) {
		if still[key] {
			continue
		}
		if w := s.warned[key]; w.looks >= warnedMin && len(s.report.Warnings) < happenedMax {
			w.To = at
			s.report.Warnings = append(s.report.Warnings, w.WarnedOf)
		}
		delete(s.warned, key)
	}
}

// withoutFigures is a sentence without the words that are figures: names that have digits in them
// stay.
func withoutFigures(text string) string {
	words := strings.Fields(text)
	for i, w := range words {
		if _, err := strconv.ParseFloat(strings.Trim(w, ",;:.%"), 64); err == nil {
			words[i] = "#"
		}
	}
	return strings.Join(words, " ")
}

// Report is what came of it so far. What is wrong now is wrong until now.
func (s *Summary) Report() *Report {
	r := s.report
	r.Happened, r.Warnings, r.Lost = slices.Clone(r.Happened), slices.Clone(r.Warnings), maps.Clone(r.Lost)
	for _, w := range s.warned {
		if w.looks >= warnedMin {
			r.Warnings = append(r.Warnings, WarnedOf{w.From, r.Seconds, w.What})
		}
	}
	slices.SortStableFunc(r.Warnings, func(a, b WarnedOf) int {
		return cmp.Or(cmp.Compare(a.From, b.From), strings.Compare(a.What, b.What))
	})
	r.Flows, r.Bills = s.allFlows(), s.bills.bills()
	r.Sites, r.Runs, r.Strips = []SiteSummary{}, []RunSummary{}, map[string]Strip{}
	for _, site := range slices.Sorted(maps.Keys(s.sites)) {
		p := *s.sites[site]
		r.Grids.add(&p)
		p.round()
		r.Sites = append(r.Sites, p)
	}
	r.Grids.round()
	for site, strip := range s.strips {
		r.Strips[site] = strip.rounded()
	}
	for _, is := range s.runs {
		p := *is
		p.Workers = console.Round(p.Workers)
		r.Runs = append(r.Runs, p)
	}
	slices.SortFunc(r.Runs, byStart)
	r.Hints = s.hints.told(r.Runs)
	return &r
}

func byStart(a, b RunSummary) int {
	return cmp.Or(cmp.Compare(a.From, b.From), strings.Compare(a.ID, b.ID))
}
