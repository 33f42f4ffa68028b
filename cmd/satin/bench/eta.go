package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"satingrid/satin/program/figure"
)

// EtaRun is a run whose forecasts are measured: the words that run it, and how many drawn cities
// there are in the file that follows these; 0: there is none.
type EtaRun struct {
	Words  []string
	Cities int
}

// String is how the run is shown.
func (r EtaRun) String() string {
	words := strings.Join(r.Words, " ")
	if r.Cities > 0 {
		words += fmt.Sprintf(" %d cities", r.Cities)
	}
	return words
}

// In are the words that run it with its files in a folder: the cities are written there, and a
// picture will be.
func (r EtaRun) In(folder string) (words []string, err error) {
	words = slices.Clone(r.Words)
	if words[0] == "raytracer" {
		words = append(words, "-o", filepath.Join(folder, "picture.png"))
	}
	if r.Cities > 0 {
		name := filepath.Join(folder, "cities.tsp")
		words, err = append(words, name), os.WriteFile(name, cities(r.Cities), 0o600)
	}
	return words, err
}

// Foretold are runs of all applications, of a quarter of a minute each on two cores, and
// ForetoldQuick of some seconds.
var (
	Foretold = []EtaRun{
		{Words: []string{"fib", "44"}},
		{Words: []string{"nqueens", "16"}},
		{Words: []string{"uts", "T1L"}},
		{Words: []string{"uts", "T3L"}},
		{Words: []string{"raytracer", "--size", "400x225"}},
		{Words: []string{"sat", "--generate", "3sat,260,7"}},
		{Words: []string{"sat", "--generate", "3sat,250,6"}},
		{Words: []string{"tsp"}, Cities: 200},
		{Words: []string{"knapsack", "--generate", "subsetsum,50,1125899906842624,7"}},
	}
	ForetoldQuick = []EtaRun{
		{Words: []string{"fib", "43"}},
		{Words: []string{"nqueens", "16"}},
		{Words: []string{"uts", "-t", "1", "-a", "3", "-d", "11", "-b", "4", "-r", "7"}},
		{Words: []string{"uts", "-t", "0", "-b", "20000", "-q", "0.124875", "-m", "8", "-r", "5"}},
		{Words: []string{"raytracer", "--size", "240x135"}},
		{Words: []string{"sat", "--generate", "3sat,260,7"}},
		{Words: []string{"tsp"}, Cities: 200},
		{Words: []string{"knapsack", "--generate", "subsetsum,50,1125899906842624,7"}},
	}
)

// The marks that forecasts are held to.
const (
	insideLeast      = 0.8 // of the samples that say something
	unknownMost      = 0.2 // of all, after the first tenth of the time
	widthQuarterMost = 4.0 // upper over lower end at a quarter, in the median of the runs …
	widthHalfMost    = 2.0 // … and at half
)

// etaWorkers is how many workers each run has.
const etaWorkers = 2

// EtaOptions are what forecasts are measured with.
type EtaOptions struct {
	Program  string             // the command, which runs the applications
	Runs     []EtaRun           // Foretold, or ForetoldQuick
	Progress func(done float64) // called between two runs; nil: nobody is told
}

// EtaRow is how well one run foretold how long it would take.
type EtaRow struct {
	Run     string  `json:"run"`
	Seconds float64 `json:"seconds"`
	Samples int     `json:"samples"` // after the first tenth of the time
	// likely time over true time, and the upper over the lower end of the interval, at 25, 50
	// and 75 % of the time; null: nothing was said there
	Ratio [3]*float64 `json:"eta_to_truth"`
	Width [3]*float64 `json:"upper_to_lower"`
	// shares of the samples: of those that say something those that hold the truth, and of all
	// those that say nothing
	Inside  float64 `json:"inside"`
	Unknown float64 `json:"unknown"`
}

// EtaReport is all that was measured: the runs, and the means of Inside and Unknown and the medians
// of the widths over them.
type EtaReport struct {
	Seconds      float64       `json:"seconds"`
	Rows         []EtaRow      `json:"rows"`
	Inside       figure.Figure `json:"inside"`
	Unknown      figure.Figure `json:"unknown"`
	WidthQuarter figure.Figure `json:"width_quarter"`
	WidthHalf    figure.Figure `json:"width_half"`
}

// foretoldAt are the parts of a run's time at which it is looked at.
var foretoldAt = [3]float64{0.25, 0.5, 0.75}

// Forecasts runs all applications and compares what they foretold with what came.
func Forecasts(ctx context.Context, o EtaOptions) (*EtaReport, error) {
	start := time.Now()
	r := &EtaReport{}
	for n, run := range o.Runs {
		row, err := foretell(ctx, o.Program, run)
		if err != nil {
			return nil, fmt.Errorf("%v: %w", run, err)
		}
		r.Rows = append(r.Rows, row)
		if o.Progress != nil {
			o.Progress(float64(n+1) / float64(len(o.Runs)))
		}
	}
	r.summarize()
	r.Seconds = time.Since(start).Seconds()
	return r, nil
}

// summarize makes figures of the rows. Runs that were over before anything could be said count as
// such that said nothing.
func (r *EtaReport) summarize() {
	var inside, unknown []float64
	var widths [3][]float64
	for _, row := range r.Rows {
		unknown = append(unknown, row.Unknown)
		if row.Unknown < 1 {
			inside = append(inside, row.Inside)
		}
		for k, w := range row.Width {
			if w != nil {
				widths[k] = append(widths[k], *w)
			}
		}
	}
	r.Inside, r.Unknown = figure.Mean(inside, figure.AtLeast(insideLeast)), figure.Mean(unknown, figure.AtMost(unknownMost))
	r.WidthQuarter, r.WidthHalf = figure.Of(widths[0], figure.AtMost(widthQuarterMost)), figure.Of(widths[1], figure.AtMost(widthHalfMost))
}

// etaEvent is what a run said of itself at one time: a line of its events.
type etaEvent struct {
	Time   float64   `json:"t"`
	Event  string    `json:"event"`
	Left   []float64 `json:"left_seconds"`
	Likely float64   `json:"likely_seconds"`
}

// foretell runs a program once.
func foretell(ctx context.Context, program string, run EtaRun) (row EtaRow, err error) {
	folder, err := os.MkdirTemp("", "eta")
	if err != nil {
		return row, err
	}
	defer os.RemoveAll(folder)
	log := filepath.Join(folder, "events")
	words, err := run.In(folder)
	if err != nil {
		return row, err
	}
	args := slices.Concat([]string{"run"}, words, []string{"--json", "--workers", fmt.Sprint(etaWorkers), "--events", log})
	c := exec.CommandContext(ctx, program, args...)
	var said bytes.Buffer
	c.Stderr = &said
	if err := c.Run(); err != nil {
		return row, fmt.Errorf("%w: %s", err, strings.TrimSpace(said.String()))
	}
	text, err := os.ReadFile(log)
	if err != nil {
		return row, err
	}
	lines, err := readTold(text)
	if err != nil {
		return row, err
	}
	return judge(run.String(), lines), nil
}

// cities is a problem of so many drawn cities, in the format of TSPLIB95.
func cities(n int) []byte {
	r := rand.New(rand.NewPCG(uint64(n), 15))
	var out bytes.Buffer
	fmt.Fprintf(&out, "NAME: drawn\nTYPE: TSP\nDIMENSION: %d\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n", n)
	for city := range n {
		fmt.Fprintf(&out, "%d %d %d\n", city+1, r.IntN(100_000), r.IntN(100_000))
	}
	out.WriteString("EOF\n")
	return out.Bytes()
}

// readTold reads events.
func readTold(text []byte) (all []etaEvent, err error) {
	for line := range bytes.Lines(text) {
		var t etaEvent
		if err := json.Unmarshal(line, &t); err != nil {
			return nil, fmt.Errorf("an event: %w", err)
		}
		if t.Event == "progress" || t.Event == "answered" {
			all = append(all, t)
		}
	}
	if len(all) == 0 || all[len(all)-1].Event != "answered" {
		return nil, errors.New("the events do not end with an answer")
	}
	return all, nil
}

// judge compares what was told with the end.
func judge(run string, all []etaEvent) EtaRow {
	end := all[len(all)-1].Time
	row := EtaRow{Run: run, Seconds: end}
	inside, said := 0, 0
	for _, t := range all[:len(all)-1] {
		if t.Time < end/10 {
			continue
		}
		row.Samples++
		if len(t.Left) == 2 {
			said++
			if truth := end - t.Time; t.Left[0] <= truth && truth <= t.Left[1] {
				inside++
			}
		}
	}
	row.Unknown = 1
	if row.Samples > 0 {
		row.Unknown = float64(row.Samples-said) / float64(row.Samples)
	}
	if said > 0 {
		row.Inside = float64(inside) / float64(said)
	}
	for k, part := range foretoldAt {
		if t, ok := nearest(all[:len(all)-1], part*end, end/20); ok && len(t.Left) == 2 && t.Left[0] > 0 {
			ratio, width := t.Likely/(end-t.Time), t.Left[1]/t.Left[0]
			row.Ratio[k], row.Width[k] = &ratio, &width
		}
	}
	return row
}

// nearest is what was told nearest to some time, and not further off than that.
func nearest(all []etaEvent, at, off float64) (best etaEvent, ok bool) {
	for _, t := range all {
		if d := math.Abs(t.Time - at); d <= off {
			best, ok, off = t, true, d
		}
	}
	return best, ok
}
