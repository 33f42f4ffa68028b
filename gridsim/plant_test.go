package gridsim

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
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
	first    uint64 // is tried first: a seed that found it once
	before   uint64 // this seed it has to be found
	by       []string
}

// ofMachines are found in the schedules of the campaign, or in those that are directed at them.
var ofMachines = []defect{
	played("identity-by-path", 23, "answer"),
	played("no-ledger", 1, "one state"),
	played("no-lease", 53, "end"),
	played("no-submitter-fence", 0, "once"),
	played("restolen-is-root", 23, "answer"),
	directed("adverts-unsent", 0, "redone"),
	played("adverts-uncleared", 0, "empty", "machine"),
	directed("leave-unacked", 0, "will"),
	directed("old-incarnation", 99, "entry", "answer"),
	played("remote-over-local", 10, "machine", "will"),
	played("best-bare", 5, "best"),
	played("best-uncompared", 363, "best", "answer"),
	played("best-had-once", 6, "best"),
	played("withdrawn-is-stored", 1, "entry", "answer"),
	directed("look-up-at-spawn", 0, "redone"),
	directed("hit-stops-work", 387, "one state"),
	directed("heir-drops-will", 0, "will"),
	played("epoch-reused", 0, "epoch"),
	directed("joiner-no-snapshot", 0, "redone"),
	played("decode-on-loop", 333, "false death"),
	played("older-run-first", 32, "turns"),
	played("keep-untold", 198, "kept"),
	played("release-ends-run", 19, "kept"),
	played("safe-unwritten", 91, "kept"),
	played("heir-without-run", 390, "kept", "will"),
	directed("answer-taken-along", 15, "will"),
	directed("heir-unconfirmed", 86, "will"),
	directed("heirs-of-each-other", 7, "will"),
	rare("leaver-unheard", 5048, "will"),
	played("ends-not-at-end", 54, "kept"),
	played("unwritten-once", 27, "kept"),
	directed("stored-without-best", 342, "answer", "store"),
	played("stored-best-stale", 6, "store"),
	played("stored-under-no-best", 5, "store"),
	played("stored-of-another", 0, "answer", "best", "entry"),
	directed("addresses-forgotten", 0, "apart"),
	directed("digest-nowhere", 0, "session"),
	played("handed-on-unread", 0, "once"),
	played("killed-said-to-leave", 1, "leaver"),
	played("losses-unbounded", 608, "statistics"),
	played("twin-half-told", 10, "twin"),
	played("dials-without-end", 4, "way in"),
	played("gives-up-dialling", 0, "way in"),
	{name: "lives-uncounted", play: func(seed uint64) error { _, err := lonely(seed); return err }, before: 3, by: []string{"lives"}},
}

// ofHours show only when something should have been forgotten.
var ofHours = []defect{
	grows("age-not-carried", Day{Lasts: 50 * time.Minute, Warm: 12 * time.Minute, Idle: true}),
	grows("lineages-kept", Day{Lasts: 50 * time.Minute, Warm: 12 * time.Minute, Idle: true}),
	grows("tombstones-kept", Day{Lasts: 90 * time.Minute, Warm: 62 * time.Minute, Few: true}),
}

func grows(name string, d Day) defect {
	play := func(seed uint64) error {
		of := d
		of.Seed = seed
		_, err := of.Run()
		return err
	}
	return defect{name: name, play: play, first: 1, before: 2, by: []string{"growth"}}
}

// ofBelief show only when somebody lies.
var ofBelief = []defect{
	besieged("client-believed", true, "siege", "answer", "once", "end"),
	besieged("counter-unbounded", false, "siege"),
	flooded("news-unlimited", "limits"),
	flooded("limits-shared", "limits"),
}

// plantBudget is how many schedules a defect has to be found in, siegeBudget how many sieges.
const (
	plantBudget = 2000
	siegeBudget = 20
)

func played(name string, first uint64, by ...string) defect {
	play := func(seed uint64) error { _, err := Run(Draw(seed)); return err }
	return defect{name: name, play: play, first: first, before: plantBudget, by: by}
}

// rare is one that takes more schedules than others do, where no seed is known.
func rare(name string, first uint64, by ...string) defect {
	d := played(name, first, by...)
	d.before = 2 * first
	return d
}

func directed(name string, first uint64, by ...string) defect {
	play := func(seed uint64) error { _, err := Run(Directed(seed, name)); return err }
	return defect{name: name, directed: true, play: play, first: first, before: plantBudget, by: by}
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
func TestPlantedDefectsOfTheMachine(t *testing.T) {
	findAll(t, ofMachines)
}

// TestPlantedDefectOfHours demands that hours of churn find it.
func TestPlantedDefectOfHours(t *testing.T) {
	findAll(t, ofHours)
}

// TestPlantedDefectsOfBelief demands that sieges find them.
func TestPlantedDefectsOfBelief(t *testing.T) {
	findAll(t, ofBelief)
}

func flooded(name string, by ...string) defect {
	play := func(seed uint64) error {
		_, err := Siege{Seed: seed, Client: true, Lasts: 4 * time.Second, Flood: true}.Run()
		return err
	}
	return defect{name: name, play: play, before: siegeBudget, by: by}
}

// findAll looks for each of them, on all cores.
func findAll(t *testing.T, all []defect) {
	t.Helper()
	if *campaignFlag == 0 {
		t.Skip("-campaign is 0: .ci/steps/campaign.sh sets it")
	}
	if slower > 1 {
		t.Skip("too slow with the race detector, and has nothing for it: one goroutine")
	}
	t.Parallel()
	var found atomic.Int64
	t.Run("each", func(t *testing.T) { // and returns when all have ended
		for _, d := range all {
			t.Run(d.name, func(t *testing.T) {
				t.Parallel()
				seed, text, err := d.find()
				if err != nil {
					t.Fatalf("not found before seed %d by %v: %v", d.before, d.by, err)
				}
				found.Add(1)
				t.Logf("by seed %d: %.120s", seed, text)
			})
		}
	})
	t.Logf("%d of %d planted defects found", found.Load(), len(all))
}

// find has the machine that has the defect play until one of the checkers finds something where
// this one, which has none, passes. It tells what that was.
func (d defect) find() (seed uint64, text string, err error) {
	for after := uint64(0); ; after++ {
		after, text, err = d.found(after)
		if seed = d.seed(after); err != nil || d.play(seed) == nil {
			return seed, text, err
		}
	}
}

// seed is the one that is tried after so many others: those before the first come last.
func (d defect) seed(after uint64) uint64 { return (d.first + after) % d.before }

// found tells after how many seeds, so many at least, one finds something in the machine that has
// the defect.
func (d defect) found(from uint64) (after uint64, text string, err error) {
	folder, err := withDefects()
	if err != nil {
		return 0, "", err
	}
	c, err := plants.Command(folder, "gridsim", d.name, "-test.run", "^TestFindDefect$", "-test.v", "-from", fmt.Sprint(from))
	if err != nil {
		return 0, "", err
	}
	c.Env = append(c.Env, "GOMAXPROCS=1") // one goroutine, beside others that look for theirs
	out, err := c.CombinedOutput()
	m := regexp.MustCompile(`(?m)^found after (\d+): (.*)`).FindStringSubmatch(string(out))
	if err != nil || m == nil {
		return 0, "", fmt.Errorf("%w\n%.2000s", errors.Join(err, errors.New("nothing is found")), out)
	}
	after, err = strconv.ParseUint(m[1], 10, 64)
	return after, m[2], err
}

// TestFindDefect looks for the defect that this binary has.
func TestFindDefect(t *testing.T) {
	name := os.Getenv(plants.Env)
	all := slices.Concat(ofMachines, ofHours, ofBelief)
	n := slices.IndexFunc(all, func(d defect) bool { return d.name == name })
	if n < 0 {
		t.Skip("no defect is planted in this binary: the tests of planted defects run it in one that has one")
	}
	d := all[n]
	for after := *fromFlag; after < d.before; after++ {
		var found *Finding
		if err := d.play(d.seed(after)); errors.As(err, &found) && slices.Contains(d.by, found.Checker) {
			fmt.Printf("found after %d: %v\n", after, err)
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
	debug.SetGCPercent(800) // a schedule is garbage when it is over
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
