package scenario

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"strings"
	"testing"

	"satingrid/satin/golden"
)

// withSeries are two sites, one of which is lost, each second of which is told.
const withSeries = `
sites: {a: {peers: 2, workers: 2}, b: {peers: 2}}
far: {latency: 5ms}
workload: {tree: {depth: 5, leaf: 20ms}, result: 1kB}
repetitions: 2
events: kill b@1500ms; join a:1@2500ms; leave a/2@3s
`

// simulated plays a scenario, which is right.
func simulated(t *testing.T, text string) *Tabulation {
	t.Helper()
	s, err := Read([]byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Play(context.Background(), func(float64) {})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestSeries: what it tells of the intervals of a run is in sum what is told of the run, and that
// it is told changes nothing.
func TestSeries(t *testing.T) {
	r := simulated(t, withSeries+"series: 1s")
	bare := simulated(t, withSeries)
	if bare.HasSeries() || !r.HasSeries() {
		t.Error("whether the course is told is not what the scenario says")
	}
	for k, run := range r.Rows[0].Runs {
		if run.Sum != bare.Rows[0].Runs[k].Sum {
			t.Errorf("it is another run when its course is told")
		}
		var losses, leaves, far, busy float64
		from := 0.0
		for n, p := range run.Series {
			losses, leaves, far, busy = losses+p.Losses, leaves+p.Leaves, far+p.BytesFar, busy+p.Busy*(p.At-from)
			if p.At <= from || n < len(run.Series)-1 && p.At != float64(n+1) || p.Idle < 0 {
				t.Errorf("interval %d: %+v", n, p)
			}
			from = p.At
		}
		peers := []float64{4, 2, 3}
		for n, want := range peers {
			if run.Series[n].Peers != want {
				t.Errorf("%v peers after %d s, not %v", run.Series[n].Peers, n+1, want)
			}
		}
		if p := run.Series[0]; p.Busy+p.Idle != 6 {
			t.Errorf("of 6 workers %v are busy and %v idle", p.Busy, p.Idle)
		}
		// what one worker would do, and what was done again
		work := 1024*0.02 + 341*1e-6 + run.Redone
		if from != run.Time || losses != run.Losses || leaves != run.Leaves || far != run.BytesFar || busy < work*0.999 || busy > work*1.05 {
			t.Errorf("in sum %v lost, %v left, %v bytes, %v s busy of %v at %v: %+v", losses, leaves, far, busy, work, from, run)
		}
	}
}

// TestSeriesIsBounded: of a long run two intervals become one, and nothing is lost by that.
func TestSeriesIsBounded(t *testing.T) {
	const text = "sites: {a: {}, b: {}}\nworkload: {tree: {depth: 5, leaf: 25ms}}\nrepetitions: 1\n"
	fine, coarse := simulated(t, text+"series: 10ms"), simulated(t, text+"series: 1s")
	run := fine.Rows[0].Runs[0]
	if n := len(run.Series); n < pointsMax/2 || n >= pointsMax || run.Series[1].At != 0.04 {
		t.Errorf("%d intervals in %v s, the second until %v", n, run.Time, run.Series[1].At)
	}
	sum := func(all []Point) (far, busy float64) {
		from := 0.0
		for _, p := range all {
			far, busy, from = far+p.BytesFar, busy+p.Busy*(p.At-from), p.At
		}
		return far, busy
	}
	far, busy := sum(run.Series)
	if f, b := sum(coarse.Rows[0].Runs[0].Series); f != far || busy < b*0.999 || busy > b*1.001 {
		t.Errorf("%v bytes and %v s, of long intervals %v and %v", far, busy, f, b)
	}
}

// TestSeriesAsCSV: a line for each interval of each run.
func TestSeriesAsCSV(t *testing.T) {
	r := simulated(t, withSeries+"series: 1s\nsweep: {far.latency: [5ms, 50ms]}")
	var b bytes.Buffer
	if err := r.WriteSeries(&b); err != nil {
		t.Fatal(err)
	}
	if want := "scenario,case,far.latency,seed,seconds,peers,busy,idle,losses,leaves,bytes_far\nfar.latency 5ms,,5ms,1,1,4,"; !strings.HasPrefix(b.String(), want) {
		t.Errorf("%.120q, wanted %q", b.String(), want)
	}
	lines, err := csv.NewReader(&b).ReadAll()
	n := 1
	for _, row := range r.Rows {
		for _, run := range row.Runs {
			n += len(run.Series)
		}
	}
	if err != nil || len(lines) != n {
		t.Errorf("%d lines, wanted %d; %v", len(lines), n, err)
	}
}

// TestPlotOfSeries: a step for each interval of the first run of each row, below what else is
// drawn.
func TestPlotOfSeries(t *testing.T) {
	r := table("a & b", []string{"efficiency", "series.busy", "series.bytes_far"},
		Summed{Case: "one", Efficiency: mean(0.9, 0.05), Runs: []Played{{Series: []Point{{At: 1, Busy: 4, BytesFar: 2e6}, {At: 2, Busy: 3.5}, {At: 2.5, Busy: 1, BytesFar: 1e6}}}}},
		Summed{Case: "two", Efficiency: mean(0.5, -1), Runs: []Played{{Series: []Point{{At: 1, Busy: 2}, {At: 4, Busy: 2}}}}},
		Summed{Case: "none", Runs: []Played{{}}})
	golden.Same(t, "series.svg", drawn(t, r))
	r.Plots = r.Plots[:1]
	if text := drawn(t, r); strings.Contains(text, "seconds since") {
		t.Error("it is drawn though it was not asked for")
	}
}

// TestSeriesIsRead: what is no time is no interval, and plot may name what there is of it.
func TestSeriesIsRead(t *testing.T) {
	for text, want := range map[string]string{
		"series: 1":                          `line 7: series: "1": a time of at least 10ms is expected`,
		"series: 1ms":                        `line 7: series: "1ms": a time of at least 10ms`,
		"plot: series.speed":                 `line 7: plot: "series.speed": some of `,
		"series: off":                        "",
		"series: 2s\nplot: [series.idle]":    "",
		"sweep: {series: [1s, off]}":         "",
		"plot: [series.peers, time_seconds]": "",
	} {
		_, err := Read([]byte(withSeries+text), nil)
		if got := fmt.Sprint(err); err == nil && want != "" || err != nil && (want == "" || !strings.HasPrefix(got, want)) {
			t.Errorf("%q: %s, wanted %q", text, got, want)
		}
	}
}
