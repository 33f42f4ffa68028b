// Package recovery measures what losses cost a run of a program: half of its cores are lost, let go
// in order or replaced at half time, by real processes, and the time is compared with the best that
// could be.
//
// That is made of measured speeds: of the same run with both cores at work until the loss, and of
// the same run with one core at work after it. One core of two at work is rarely worth half of
// them, since they share caches and power. All are measured in each round, next to each other, and
// a ratio is taken within a round.
package recovery

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"satingrid/satin/program/figure"
	"satingrid/satin/program/wording"
)

// Options are what [Measure] is run with.
type Options struct {
	Program  string   // the executable
	Name     string   // what its user calls it
	Run      []string // the words after run: an application, if there are several, and an input
	Rounds   int
	Copies   time.Duration      // the period of copies
	Progress func(done float64) // called between two runs; nil: nobody is told
}

// What a recovery may cost beyond the ideal.
const (
	noticeMost    = 0.3 // seconds until a kill is noticed
	leafMost      = 0.2 // seconds: what was finished since the last tick is not a part yet
	leaveMost     = 1.02
	toleranceMost = 1.01
)

// Suffered is what one thing that happens to a run costs. Each figure is a median of the rounds.
type Suffered struct {
	Name  string  `json:"name"`
	Chaos string  `json:"chaos"`
	Total float64 `json:"total_seconds"`
	// what it would take if nothing were lost and nobody waited; 0 of a baseline
	Ideal    float64        `json:"ideal_seconds"`
	Ratio    *figure.Figure `json:"ratio"` // of Total to Ideal; nil for a baseline
	Redone   float64        `json:"redone_seconds"`
	Saved    float64        `json:"saved_seconds"`
	Restarts float64        `json:"restarted"`
	Reused   float64        `json:"reused"`
}

// Report is what was measured.
type Report struct {
	Run     string     `json:"run"`
	Rounds  int        `json:"rounds"`
	Copies  float64    `json:"copies_seconds"`
	Seconds float64    `json:"seconds"`
	Cores   float64    `json:"two_cores"` // the speed of both, in times of one: the median
	Rows    []Suffered `json:"rows"`
}

// fate is something that happens to a run on two sites of one core each.
type fate struct {
	name, chaos string
	sites       string // "": both
	flags       []string
	rest        int // the fate whose speed is that of the rest
	// the ratio to reach; nil: none
	most func(o Options, ideal float64) float64
}

// lossMost is what the loss of half of the cores may cost: what was finished since the last copies,
// half a period ago, is redone by as many cores as were lost.
func lossMost(o Options, ideal float64) float64 {
	return 1 + (o.Copies.Seconds()/2+leafMost+noticeMost)/ideal
}

func most(ratio float64) func(Options, float64) float64 {
	return func(Options, float64) float64 { return ratio }
}

// The fates with which the others are compared: both cores at work, one, and both without what
// tolerates losses.
const (
	bothCores = iota
	oneCore
	bothIntolerant
)

const bothSites = "a:2,b:2"

var fates = []fate{
	bothCores:      {name: "undisturbed"},
	oneCore:        {name: "undisturbed, one core", sites: "a:2"},
	bothIntolerant: {name: "undisturbed, --ft off", flags: []string{"--ft", "off"}},
	3:              {name: "one site lost", chaos: "kill b@50%", rest: oneCore, most: lossMost},
	4:              {name: "the master's site lost", chaos: "kill a@50%", rest: oneCore, most: lossMost},
	5:              {name: "one site left", chaos: "leave b@50%", rest: oneCore, most: most(leaveMost)},
	6:              {name: "one site migrated", chaos: "leave b@50%; join c:2@50%", rest: bothCores, most: most(leaveMost)},
}

// ranOnce is one run of the command.
type ranOnce struct {
	answer         any
	seconds, event float64 // of the whole, and when it was struck
	redone, saved  float64
	restarted      float64
	reused         float64
}

// Measure measures what it costs to lose half of the machine at half time, to let it go in order
// and to replace it. All fates are suffered by turns, in each round, by real processes: two at each
// of two sites, each site on a core of its own. Each round begins with another fate, so that none
// is always the first.
func Measure(ctx context.Context, o Options) (*Report, error) {
	start := time.Now()
	ran := make([][]ranOnce, len(fates))
	var answer any
	for round := range o.Rounds {
		for turn := range fates {
			i := (turn + round) % len(fates)
			f := fates[i]
			r, err := suffer(ctx, o, f)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.name, err)
			}
			if answer == nil {
				answer = r.answer
			}
			if !reflect.DeepEqual(r.answer, answer) {
				return nil, fmt.Errorf("%s: the answer is %v, and it was %v before", f.name, r.answer, answer)
			}
			ran[i] = append(ran[i], r)
			if o.Progress != nil {
				o.Progress(float64(round*len(fates)+turn+1) / float64(o.Rounds*len(fates)))
			}
		}
	}
	return recovered(o, ran, time.Since(start)), nil
}

// recovered makes rows of what was measured.
func recovered(o Options, ran [][]ranOnce, took time.Duration) *Report {
	report := &Report{Run: strings.Join(o.Run, " "), Rounds: o.Rounds, Copies: o.Copies.Seconds(), Seconds: took.Seconds()}
	var speeds []float64
	for round := range ran[bothCores] {
		speeds = append(speeds, ran[oneCore][round].seconds/ran[bothCores][round].seconds)
	}
	report.Cores = figure.Median(speeds)
	for i, f := range fates {
		row := Suffered{
			Name: f.name, Chaos: f.chaos,
			Total:    middleOf(ran[i], func(r ranOnce) float64 { return r.seconds }),
			Redone:   middleOf(ran[i], func(r ranOnce) float64 { return r.redone }),
			Saved:    middleOf(ran[i], func(r ranOnce) float64 { return r.saved }),
			Restarts: middleOf(ran[i], func(r ranOnce) float64 { return r.restarted }),
			Reused:   middleOf(ran[i], func(r ranOnce) float64 { return r.reused }),
		}
		var ideals, ratios []float64
		for round, r := range ran[i] {
			best := ideal(ran[bothCores][round].seconds, r.event, ran[f.rest][round].seconds)
			if i == bothCores {
				best = ran[bothIntolerant][round].seconds
			}
			ideals, ratios = append(ideals, best), append(ratios, r.seconds/best)
		}
		if middle := figure.Median(slices.Clone(ideals)); f.most != nil {
			row.Ideal = middle
			ratio := figure.Of(ratios, figure.AtMost(f.most(o, middle)).Best(1))
			row.Ratio = &ratio
		} else if i == bothCores {
			row.Ideal = middle
			ratio := figure.Of(ratios, figure.AtMost(toleranceMost))
			row.Ratio = &ratio
		}
		report.Rows = append(report.Rows, row)
	}
	return report
}

// ideal is the time of the loss, and then what is left to do, at the speed of those that are left:
// whole is what all takes before it, rest what all takes at that speed.
func ideal(whole, event, rest float64) float64 {
	return event + max(0, 1-event/whole)*rest
}

func middleOf(all []ranOnce, of func(ranOnce) float64) float64 {
	var list []float64
	for _, r := range all {
		list = append(list, of(r))
	}
	return figure.Median(list)
}

// RunError is why a run of the program ended without an answer.
type RunError struct {
	Code int    // the program's exit code
	Said string // its last line
	err  error
}

func (e *RunError) Error() string { return e.err.Error() + ": " + e.Said }

func (e *RunError) Unwrap() error { return e.err }

// suffer runs the program once.
func suffer(ctx context.Context, o Options, f fate) (ranOnce, error) {
	folder, err := os.MkdirTemp("", "recovery")
	if err != nil {
		return ranOnce{}, err
	}
	defer os.RemoveAll(folder)
	log := filepath.Join(folder, "events")
	args := slices.Concat([]string{"run"}, o.Run, []string{"--json", "--sites", cmp.Or(f.sites, bothSites), "--pin", "--events", log}, f.flags)
	if f.chaos != "" {
		args = append(args, "--chaos", f.chaos)
	}
	if len(f.flags) == 0 {
		args = append(args, "--copies", o.Copies.String())
	}
	var out, said bytes.Buffer
	c := exec.CommandContext(ctx, o.Program, args...)
	c.Stdout, c.Stderr = &out, &said
	if err := c.Run(); err != nil {
		return ranOnce{}, &RunError{c.ProcessState.ExitCode(), wording.LastLine(said.String()), fmt.Errorf("%s %s: %w", o.Name, strings.Join(args, " "), err)}
	}
	var d struct {
		Answer  any     `json:"answer"`
		Seconds float64 `json:"seconds"`
		Losses  []struct {
			Restarted float64 `json:"restarted"`
			Reused    float64 `json:"reused"`
			Redone    float64 `json:"redone_seconds"`
			Saved     float64 `json:"saved_seconds"`
		} `json:"losses"`
	}
	if err := json.Unmarshal(out.Bytes(), &d); err != nil {
		return ranOnce{}, err
	}
	r := ranOnce{answer: d.Answer, seconds: d.Seconds}
	for _, l := range d.Losses {
		r.restarted += l.Restarted
		r.reused += l.Reused
		r.redone += l.Redone
		r.saved += l.Saved
	}
	if f.chaos != "" {
		r.event, err = struck(log, d.Seconds)
	}
	return r, err
}

// struck is when the first event of a script happened, in seconds from the submission.
func struck(log string, seconds float64) (float64, error) {
	text, err := os.ReadFile(log)
	if err != nil {
		return 0, err
	}
	first, last := -1.0, 0.0
	for line := range strings.Lines(string(text)) {
		var e struct {
			Time  float64 `json:"t"`
			Event string  `json:"event"`
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			return 0, err
		}
		if e.Event == "chaos" && first < 0 {
			first = e.Time
		}
		if e.Event == "answered" {
			last = e.Time
		}
	}
	if first < 0 || last == 0 {
		return 0, errors.New("the run's events do not tell what happened to it")
	}
	return first - (last - seconds), nil
}
