package gridsim

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"satingrid/gridsim/plants"
)

// A defect is what has to be found, see package plants: by playing what, and by which checkers, of
// which one is enough.
type defect struct {
	name     string
	directed bool
	play     func(seed uint64) error
	from     uint64 // a little before a seed that finds it, without those that play for long
	before   uint64 // this seed it has to be found
	by       []string
}

// ofMachines are found in the schedules of the campaign, or in those that are directed at them.
var ofMachines = []defect{
	played("identity-by-path", 5, "answer"),
	played("no-ledger", 0, "one state"),
	played("no-lease", 45, "end"),
	played("no-submitter-fence", 0, "once"),
	played("restolen-is-root", 20, "answer"),
	directed("adverts-unsent", 0, "redone"),
	played("adverts-uncleared", 0, "empty", "machine"),
	directed("leave-unacked", 0, "will"),
	directed("old-incarnation", 65, "entry", "answer"),
	played("remote-over-local", 10, "machine", "will"),
	played("best-bare", 5, "best"),
	played("best-uncompared", 335, "best", "answer"),
	played("best-had-once", 5, "best"),
	played("withdrawn-is-stored", 0, "entry", "answer"),
	directed("look-up-at-spawn", 0, "redone"),
	directed("hit-stops-work", 325, "one state"),
	directed("heir-drops-will", 0, "will"),
	played("epoch-reused", 0, "epoch"),
	directed("joiner-no-snapshot", 0, "redone"),
	played("decode-on-loop", 74, "false death"),
	played("older-run-first", 30, "turns"),
	directed("addresses-forgotten", 0, "apart"),
	directed("digest-nowhere", 0, "session"),
}

// ofHours show only when something should have been forgotten.
var ofHours = []defect{{
	name: "age-not-carried", from: 1, before: 2, by: []string{"growth"},
	play: func(seed uint64) error {
		_, err := Day{Seed: seed, Lasts: 50 * time.Minute, Warm: 12 * time.Minute, Idle: true}.Run()
		return err
	},
}}

// ofBelief show only when somebody lies.
var ofBelief = []defect{
	besieged("client-believed", true, "siege", "answer", "once", "end"),
	besieged("counter-unbounded", false, "siege"),
}

// plantBudget is how many schedules a defect has to be found in, siegeBudget how many sieges.
const (
	plantBudget = 2000
	siegeBudget = 20
)

func played(name string, from uint64, by ...string) defect {
	play := func(seed uint64) error { _, err := Run(Draw(seed)); return err }
	return defect{name: name, play: play, from: from, before: plantBudget, by: by}
}

func directed(name string, from uint64, by ...string) defect {
	play := func(seed uint64) error { _, err := Run(Directed(seed, name)); return err }
	return defect{name: name, directed: true, play: play, from: from, before: plantBudget, by: by}
}

func besieged(name string, byClient bool, by ...string) defect {
	play := func(seed uint64) error {
		_, err := Siege{Seed: seed, Client: byClient, Lasts: time.Minute}.Run()
		return err
	}
	return defect{name: name, play: play, before: siegeBudget, by: by}
}

// TestPlantedDefectsOfTheMachine plants each defect, and demands that a schedule finds it, which
// the machine without it passes.
func TestPlantedDefectsOfTheMachine(t *testing.T) { findAll(t, ofMachines) }

// TestPlantedDefectOfHours demands that hours of churn find it.
func TestPlantedDefectOfHours(t *testing.T) {
	if *campaignFlag == 0 {
		t.Skip("-campaign is 0: .ci/steps/campaign.sh sets it")
	}
	t.Parallel()
	findAll(t, ofHours)
}

// TestPlantedDefectsOfBelief demands that sieges find them.
func TestPlantedDefectsOfBelief(t *testing.T) {
	if *campaignFlag == 0 {
		t.Skip("-campaign is 0: .ci/steps/campaign.sh sets it")
	}
	t.Parallel()
	findAll(t, ofBelief)
}

func findAll(t *testing.T, all []defect) {
	if slower > 1 {
		t.Skip("too slow with the race detector, and has nothing for it: one goroutine")
	}
	found := 0
	for _, d := range all {
		from := d.from
		if *campaignFlag > 0 && d.before == plantBudget {
			from = 0
		}
		seed, text, err := d.find(from)
		if err != nil {
			t.Errorf("%s is not found before seed %d by %v: %v", d.name, d.before, d.by, err)
			continue
		}
		found++
		t.Logf("%-20s after %4d schedules: %.120s", d.name, seed+1, text)
	}
	t.Logf("%d of %d planted defects found", found, len(all))
}

// find has the machine that has the defect play until one of the checkers finds something where
// this one, which has none, passes. It tells what that was.
func (d defect) find(from uint64) (seed uint64, text string, err error) {
	for seed = from; ; seed++ {
		seed, text, err = d.found(seed)
		if err != nil || d.play(seed) == nil {
			return seed, text, err
		}
	}
}

// found is the next seed that finds something in the machine that has the defect.
func (d defect) found(from uint64) (seed uint64, text string, err error) {
	folder, err := withDefects()
	if err != nil {
		return 0, "", err
	}
	c, err := plants.Command(folder, "gridsim", d.name, "-test.run", "^TestFindDefect$", "-test.v", "-from", fmt.Sprint(from))
	if err != nil {
		return 0, "", err
	}
	out, err := c.CombinedOutput()
	m := regexp.MustCompile(`(?m)^found by seed (\d+): (.*)`).FindStringSubmatch(string(out))
	if err != nil || m == nil {
		return 0, "", fmt.Errorf("%w\n%.2000s", errors.Join(err, errors.New("nothing is found")), out)
	}
	seed, err = strconv.ParseUint(m[1], 10, 64)
	return seed, m[2], err
}

// TestFindDefect looks for the defect that this binary has.
func TestFindDefect(t *testing.T) {
	name := os.Getenv(plants.Env)
	all := slices.Concat(ofMachines, ofHours, ofBelief)
	n := slices.IndexFunc(all, func(d defect) bool { return d.name == name })
	if n < 0 {
		t.Skip("it has none: the tests of planted defects run it in one that has")
	}
	for seed := *fromFlag; seed < all[n].before; seed++ {
		var found *Finding
		if err := all[n].play(seed); errors.As(err, &found) && slices.Contains(all[n].by, found.Checker) {
			fmt.Printf("found by seed %d: %v\n", seed, err)
			return
		}
	}
}

// withDefects is the folder with the tests of this package that have the defects, built when it is
// first asked for.
var withDefects = sync.OnceValues(func() (folder string, err error) {
	if folder, err = os.MkdirTemp("", "plants"); err == nil {
		err = plants.Build(folder, "gridsim")
		built = append(built, folder)
	}
	return folder, err
})

var built []string // folders, to be removed

// TestMain runs the tests; with -plant, in a binary that has that defect.
func TestMain(m *testing.M) {
	flag.Parse()
	var code int
	if *plantFlag != "" && os.Getenv(plants.Env) == "" {
		code = rerun()
	} else {
		code = m.Run()
	}
	for _, folder := range built {
		os.RemoveAll(folder)
	}
	os.Exit(code)
}

// rerun runs what this binary was told to run with a defect.
func rerun() int {
	folder, err := withDefects()
	var c *exec.Cmd
	if err == nil {
		c, err = plants.Command(folder, "gridsim", *plantFlag, os.Args[1:]...)
	}
	if err == nil {
		c.Stdout, c.Stderr = os.Stdout, os.Stderr
		err = c.Run()
	}
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		fmt.Fprintln(os.Stderr, err)
	}
	if err != nil {
		return 1
	}
	return 0
}
