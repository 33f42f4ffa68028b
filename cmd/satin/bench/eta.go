package bench

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"satingrid/satin/forecast/trial"
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

// etaWorkers is how many workers each run has.
const etaWorkers = 2

// EtaOptions are what forecasts are measured with.
type EtaOptions struct {
	Program  string             // the command, which runs the applications
	Runs     []EtaRun           // Foretold, or ForetoldQuick
	Progress func(done float64) // called between two runs; nil: nobody is told
}

// EtaReport is all that was measured.
type EtaReport struct {
	Seconds float64 `json:"seconds"`
	trial.Findings
	// the same of worker seconds in place of time, as the runs' forecasts would have told it:
	// that does not depend on who else has the machine
	Work trial.Findings `json:"work"`
}

// Forecasts runs all applications and compares what they foretold with what came.
func Forecasts(ctx context.Context, o EtaOptions) (*EtaReport, error) {
	start := time.Now()
	var rows, inWork []trial.Judged
	for n, run := range o.Runs {
		s, said, err := foretell(ctx, o.Program, run)
		if err != nil {
			return nil, fmt.Errorf("%v: %w", run, err)
		}
		rows = append(rows, trial.Judge(s, said, trial.Time))
		inWork = append(inWork, trial.Judge(s, trial.Replay(s, trial.Work), trial.Work))
		if o.Progress != nil {
			o.Progress(float64(n+1) / float64(len(o.Runs)))
		}
	}
	return &EtaReport{time.Since(start).Seconds(), trial.FindingsOf(rows), trial.FindingsOf(inWork)}, nil
}

// foretell runs a program once, and returns what was seen of it and what it said of that.
func foretell(ctx context.Context, program string, run EtaRun) (seen trial.Series, said []trial.Said, err error) {
	folder, err := os.MkdirTemp("", "eta")
	if err != nil {
		return seen, nil, err
	}
	defer os.RemoveAll(folder)
	log := filepath.Join(folder, "events")
	words, err := run.In(folder)
	if err != nil {
		return seen, nil, err
	}
	args := slices.Concat([]string{"run"}, words, []string{"--json", "--workers", fmt.Sprint(etaWorkers), "--events", log})
	c := exec.CommandContext(ctx, program, args...)
	var errs bytes.Buffer
	c.Stderr = &errs
	if err := c.Run(); err != nil {
		return seen, nil, fmt.Errorf("%w: %s", err, strings.TrimSpace(errs.String()))
	}
	events, err := os.Open(log)
	if err != nil {
		return seen, nil, err
	}
	defer events.Close()
	return trial.ReadEvents(run.String(), events)
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
