package scenario

import (
	"context"
	"io"
	"slices"
	"time"

	"satingrid/gridsim"
	"satingrid/satin"
	"satingrid/satin/program/across"
	"satingrid/satin/program/observe"
	"satingrid/satin/program/recording"
)

// recordEvery is from look to look.
const recordEvery = time.Second

// epoch is when all simulations begin: the same bytes are written whenever that is done.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// What the one run of a recording is called.
const (
	recordedRun   = "0000000000"
	recordedApp   = "sim"
	recordedBuild = "sim"
)

// watcher writes down what a simulated grid does, as record does of one that is there.
type watcher struct {
	to    *recording.Recorder
	input string // what is told of the run
	next  time.Duration
	of    *gridsim.Rehearsal
	err   error
}

// look looks, if it is time to.
func (w *watcher) look(r *gridsim.Rehearsal) {
	if w.of = r; r.Now() < w.next || w.err != nil {
		return
	}
	w.next = r.Now() + recordEvery
	w.err = w.to.Add(recording.Look{At: r.Now(), Sample: w.sample(r)})
}

// end looks once more, and ends the recording.
func (w *watcher) end() error {
	w.next = 0
	w.look(w.of)
	if w.err == nil {
		w.err = w.to.Close(w.of.Now())
	}
	return w.err
}

// sample is what an observer would have seen.
func (w *watcher) sample(r *gridsim.Rehearsal) observe.Sample {
	s := observe.Sample{Grid: "simulated"}
	died, left := r.Gone()
	seen := across.Activity{Lost: map[string]int{"kill": died, "leave": left}}
	for _, a := range r.Actors() {
		d := r.Did(a.Name)
		state := "here"
		if a.Leaving {
			state = "leaving"
		}
		site := string(a.Site)
		s.Members = append(s.Members, across.Peer{Name: a.Name, ID: a.Name, Site: site, State: state, Workers: d.Workers, Build: recordedBuild})
		s.Peers = append(s.Peers, w.doing(a, d, state, r.Done()))
		at := slices.IndexFunc(seen.Sees, func(x across.SiteSeen) bool { return x.Site == site })
		if at < 0 {
			at = len(seen.Sees)
			seen.Sees = append(seen.Sees, across.SiteSeen{Site: site})
		}
		seen.Sees[at].Peers++
	}
	if len(s.Members) > 0 {
		seen.By = s.Members[0].Name
		s.Hosts = []across.Activity{seen}
	}
	s.Runs = []across.RunLine{{
		ID: recordedRun, App: recordedApp, Input: w.input, State: "computing", Master: r.Master(),
		Age: r.Now().Seconds(), Progress: r.Done(), Share: 1, Waits: 1, Build: recordedBuild,
	}}
	return s
}

// doing is a peer as it would tell of itself.
func (w *watcher) doing(a gridsim.Actor, d gridsim.Did, state string, progress float64) across.Doing {
	c := d.Crossed
	doing := across.Doing{
		Name: a.Name, ID: a.Name, Site: string(a.Site), State: state, Workers: d.Workers, Build: recordedBuild,
		Answers: !a.Stopped, Uptime: d.For.Seconds(),
		Totals: satin.Totals{
			Jobs: int64(d.Jobs), Busy: d.Busy.Seconds(), LentNear: c.LentNear, LentFar: c.LentFar, Borrowed: c.Borrowed, Again: c.Again,
			Advertised: c.Advertised, Fetched: c.Fetched, Reused: c.Reused, CopiesSent: c.CopiesSent, CopiesUsed: c.CopiesUsed,
			BytesFar: d.BytesFar, Executing: d.Has,
		},
		Runs: []across.RunShare{{ID: recordedRun, App: recordedApp, Share: 1, Progress: progress, Root: d.Master, Jobs: int64(d.Jobs), Busy: d.Busy.Seconds()}},
	}
	for _, l := range d.Loans {
		doing.Loans = append(doing.Loans, across.Loan{No: l.No, Run: recordedRun, From: l.From, At: l.At.Seconds(), Took: l.Took.Seconds()})
	}
	return doing
}

// Record simulates the first run of the first variant once more, and writes down what the grid did:
// what satin report, trace and dash read.
func (s *Scenario) Record(ctx context.Context, to io.Writer) error {
	w := &watcher{to: recording.NewRecorder(to, epoch, recordEvery), input: s.variants[0].title()}
	if _, err := s.grids[0].play(ctx, s.Seed, w.look); err != nil {
		return err
	}
	return w.end()
}
