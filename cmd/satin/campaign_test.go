//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"satingrid/satin/program"
	"satingrid/satin/program/console"
)

const (
	// campaignVariable is how long the campaign goes on, such as 3m; without it there is none.
	campaignVariable = "SATIN_CAMPAIGN"

	// The work that a campaign of campaignUnit must do at least, or it is red. Usually it
	// reuses hundreds of results, and loses dozens of masters.
	campaignUnit    = 3 * time.Minute
	campaignRuns    = 12
	campaignFaults  = 40
	campaignMasters = 5
	campaignReused  = 40
	campaignSilent  = 3 // losses by silence: shorter stops and cuts test nothing

	// Of so many kills of nodes it is judged how many the run's client tells the time of that
	// passed until they were noticed: half. It may hear of one by a peer that another has told,
	// and that one has no part in the run.
	campaignKills = 4

	// stuckAfter is when a run of seconds counts as stuck: a starved machine may take minutes.
	stuckAfter = "6m"
)

// faultKinds are the faults of scripts that a campaign must have had.
var faultKinds = []string{"kill", "stop", "leave", "cut"}

// workload is a run of the campaign, one to six seconds of a core, and what is compared of its
// answer.
type workload struct {
	args    []string
	compare []string
	want    map[string]any // what the same run answers alone on one core
}

// workloads are runs of all applications, as the folder of each has it.
func workloads(t *testing.T) (all []*workload) {
	for _, a := range command().Applications {
		folder := filepath.Join("..", "..", "apps", a.Name, "cli", "testdata")
		w, err := workloadIn(folder)
		if err != nil || w.args[0] != a.Name {
			t.Fatalf("%s needs a run for the campaign, as nqueens has one in apps/nqueens/cli/testdata/campaign.txt: %v", a.Name, err)
		}
		all = append(all, w)
	}
	return all
}

// workloadIn reads one. A word that names a file of the folder stands for that.
func workloadIn(folder string) (*workload, error) {
	name := filepath.Join(folder, "campaign.txt")
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	w := &workload{}
	for line := range strings.Lines(string(text)) {
		verb, rest, _ := strings.Cut(line, " ")
		switch verb {
		case "#":
		case "run":
			w.args = strings.Fields(rest)
		case "compare":
			w.compare = strings.Fields(rest)
		default:
			return nil, fmt.Errorf("%s: %q is neither run nor compare", name, line)
		}
	}
	if len(w.args) == 0 || len(w.compare) == 0 {
		return nil, fmt.Errorf("%s has no run, or nothing to compare", name)
	}
	for i, word := range w.args {
		if file, err := filepath.Abs(filepath.Join(folder, word)); err == nil && strings.Contains(word, ".") {
			if _, err := os.Stat(file); err == nil {
				w.args[i] = file
			}
		}
	}
	return w, nil
}

// TestEveryApplicationIsInTheCampaign: each is computed under faults.
func TestEveryApplicationIsInTheCampaign(t *testing.T) {
	if all := workloads(t); len(all) == 0 {
		t.Error("nothing is computed under faults")
	}
}

// campaign runs every application on grids of real processes under faults that
// are drawn, and counts.
type campaign struct {
	t       *testing.T
	rng     *rand.Rand
	loads   []*workload
	deck    []*workload    // that were not drawn yet in this turn
	runs    map[string]int // that were answered, by application
	faults  map[string]int // that happened, by kind
	killed  int            // nodes, by the losses of runs on them …
	timed   int            // … of which it is known after how long that was noticed
	wrong   int            // answers
	stuck   int            // runs without one
	losses  int
	masters int // that were lost
	reused  int64
	// results that nodes had stored before all were lost, and used
	restored int
	notice   map[string][]float64 // seconds until a loss was noticed, by how it was
	skips    []string
}

// TestCampaign is the real-process campaign of the fault model: every answer is that of the same
// run alone, and there is one.
func TestCampaign(t *testing.T) {
	length := campaignLength(t, campaignVariable)
	seed := campaignSeed(t)
	c := &campaign{t: t, rng: rand.New(rand.NewPCG(seed, 0)), loads: workloads(t), runs: map[string]int{}, faults: map[string]int{}, notice: map[string][]float64{}}
	c.alone()
	began := time.Now()
	c.roundAll()
	for _, once := range []func(){c.roundPartition, c.roundDeadLink, c.roundMemory} {
		// which need a machine that lets them
		once()
	}
	lacks := func() []string { return c.lacks(length) }
	for n := 0; goesOn(time.Since(began), length, lacks); n++ {
		switch {
		case time.Since(began) >= length && c.restored == 0:
			c.roundAll()
		case n%4 == 3:
			c.roundNodes()
		default:
			c.roundSites()
		}
	}
	c.report(length, time.Since(began))
}

// alone finds out what the answers are.
func (c *campaign) alone() {
	for _, w := range c.loads {
		got := runBinary(c.t, nil, slices.Concat([]string{"run"}, w.args, []string{"--json", "--workers", "1"})...)
		var d program.Document
		if err := json.Unmarshal([]byte(got.out), &d); err != nil || got.code != console.ExitOK {
			c.t.Fatalf("%v alone: exit %d, %q", w.args, got.code, got.err)
		}
		w.want = d.Answer.(map[string]any)
	}
}

// draw is a workload. All come before one comes again.
func (c *campaign) draw() *workload {
	if len(c.deck) == 0 {
		c.deck = slices.Clone(c.loads)
		c.rng.Shuffle(len(c.deck), func(i, j int) { c.deck[i], c.deck[j] = c.deck[j], c.deck[i] })
	}
	w := c.deck[0]
	c.deck = c.deck[1:]
	return w
}

// judge compares what a run printed with what it finds alone, and returns its losses. What its
// chaos missed is not its fault.
func (c *campaign) judge(w *workload, said string, got ended) []program.LossRow {
	var d program.Document
	if err := json.Unmarshal([]byte(got.out), &d); err != nil || !d.Complete {
		c.stuck++
		c.t.Errorf("no answer: %s: exit %d\n%s\n%s", said, got.code, got.out, got.err)
		return nil
	}
	if got.code != console.ExitOK && len(d.Chaos.Missed) == 0 {
		c.stuck++
		c.t.Errorf("failed: %s: exit %d\n%s", said, got.code, got.err)
	}
	answer := d.Answer.(map[string]any)
	for _, name := range w.compare {
		if !reflect.DeepEqual(answer[name], w.want[name]) {
			c.wrong++
			c.t.Errorf("wrong answer: %s: %s is %v, alone it is %v\n%s", said, name, answer[name], w.want[name], got.err)
			break
		}
	}
	c.runs[w.args[0]]++
	c.losses += len(d.Losses)
	for _, l := range d.Losses {
		c.reused += l.Reused
		if slices.Contains(d.Masters, l.Peer) {
			c.masters++
		}
		if l.Noticed != nil {
			c.notice[l.How] = append(c.notice[l.How], *l.Noticed)
		}
	}
	return d.Losses
}

// report prints what was done, and is red when that is too little.
func (c *campaign) report(length, took time.Duration) {
	fmt.Printf("campaign: %d runs in %v (%s), %d faults (%s), %d losses%s, %d masters lost, %d results reused, %d that were stored before all were lost, %d wrong, %d stuck, %d skipped%s\n",
		total(c.runs), took.Round(time.Second), tallied(c.runs), total(c.faults), tallied(c.faults), c.losses, noticed(c.notice), c.masters, c.reused, c.restored, c.wrong, c.stuck,
		len(c.skips), strings.Join(append([]string{""}, c.skips...), "; "))
	for _, what := range c.lacks(length) {
		c.t.Errorf("in %v: %s", took, what)
	}
	fmt.Printf("kills of nodes: noticed_seconds has %d of %d\n", c.timed, c.killed)
	if c.killed >= campaignKills && 2*c.timed < c.killed {
		c.t.Errorf("of %d kills of nodes, %d have noticed_seconds", c.killed, c.timed)
	}
}

// lacks tells which of the work that a campaign of some length must do it has not done.
func (c *campaign) lacks(length time.Duration) []string {
	var l least
	share := float64(length) / float64(campaignUnit)
	l.of("runs", total(c.runs), int(share*campaignRuns))
	l.of("faults", total(c.faults), int(share*campaignFaults))
	l.of("masters lost", c.masters, int(share*campaignMasters))
	l.of("results reused", int(c.reused), int(share*campaignReused))
	l.of("losses of all", c.faults[lossOfAll], 1)
	l.of("results used that were stored before all were lost", c.restored, 1)
	l.of("losses by silence that were noticed", len(c.notice["silent"]), int(share*campaignSilent))
	if length >= campaignUnit {
		for _, w := range c.loads {
			l.of("runs of "+w.args[0], c.runs[w.args[0]], 1)
		}
		l.each(faultKinds, c.faults)
	}
	return l
}

// noticed is how long it took until losses were noticed: " (kill noticed in 0.02
// s, at most 0.31 s)".
func noticed(seconds map[string][]float64) string {
	var words []string
	for _, how := range slices.Sorted(maps.Keys(seconds)) {
		list := seconds[how]
		slices.Sort(list)
		words = append(words, fmt.Sprintf("%s noticed in %.2f s, at most %.2f s", how, list[len(list)/2], list[len(list)-1]))
	}
	if len(words) == 0 {
		return ""
	}
	return " (" + strings.Join(words, "; ") + ")"
}

// tallied is how often what happened: "kill 12, stop 3".
func tallied(counts map[string]int) string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		words = append(words, fmt.Sprintf("%s %d", name, counts[name]))
	}
	return strings.Join(words, ", ")
}
