package gridsim

import (
	"flag"
	"fmt"
	"hash/fnv"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var (
	seedFlag     = flag.Uint64("seed", 0, "the seed that TestReplay plays")
	traceFlag    = flag.Bool("trace", false, "TestReplay prints every event")
	aboutFlag    = flag.String("about", "", "TestReplay plays the schedule of that seed that is directed at this defect")
	plantFlag    = flag.String("plant", "", "the machines have this defect: see package plants")
	campaignFlag = flag.Int("campaign", 0, "how many schedules TestCampaign plays; 0: it is skipped")
	fromFlag     = flag.Uint64("from", 0, "the first seed of TestCampaign")
	dayFlag      = flag.Duration("day", 90*time.Minute, "how much of a virtual day TestDayOfChurn plays")
	hostileFlag  = flag.Duration("hostile", 0, "for how long TestHostileValues has nonsense said, and then sees what is kept for hours go; 0: for 90 virtual seconds")
	roamFlag     = flag.Bool("roam", false, "peers behind a NAT and changes of address are drawn for every seed; see DrawRoaming")
)

// draw makes the schedule of a seed, as the flags say.
func draw(seed uint64) Options {
	if *roamFlag {
		return DrawRoaming(seed)
	}
	return Draw(seed)
}

// TestReplay plays one seed again, and shows all there is to see.
func TestReplay(t *testing.T) {
	if *seedFlag == 0 && !*traceFlag {
		t.Skip("-seed is not given: it plays the schedule of one seed, for a person")
	}
	o := draw(*seedFlag)
	if *aboutFlag != "" {
		o = Directed(*seedFlag, *aboutFlag)
	}
	o.CheckAll, o.Trace, o.All = true, true, *traceFlag
	r, err := Run(o)
	t.Logf("drawn:\n%v", o)
	t.Logf("events:\n%s", strings.Join(r.Last, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	r.Last = nil
	t.Logf("%+v", r)
}

// explain plays a schedule again, and shows what was drawn and what happened last.
func explain(o Options) string {
	o.Trace = true
	r, _ := Run(o)
	return fmt.Sprintf("drawn:\n%vlast events:\n%s", o, strings.Join(r.Last, "\n"))
}

// failure is a schedule in which a checker found something.
type failure struct {
	seed uint64
	err  error
}

// tally is what many schedules came to.
type tally struct {
	mu       sync.Mutex // protects all
	played   int
	failures []failure
	fired    [Kinds]int // schedules × times
	sum      Report
	stored   int // schedules that used a value from a disk,
	torn     int // of which a file lost what its disk had said was written
	lostAll  int // that lost all peers at once,
	outlived int // and of these those that used one
	reused   int // schedules that used a value from elsewhere
	rivals   int // that saw two masters
	lossy    int // whose links lost messages,
	doubling int // doubled them,
	late     int // or brought them when much had happened
	full     int // whose sessions had no room for a message
	killed   int // that lost a master
	poisoned int // that failed because a job seemed to kill its process
	judged   int // in which losses were looked at that must be true
	expired  int // that put a job back because its thief did not answer
	panicked int // in which a job panicked
	spoilt   int // in which a best from outside could not be compared
	unmasked int // in which Verify found jobs that are no function of their fields
	// digest is of what happened in all of them, in whatever order they were played: it differs
	// where a change of the sources has changed a schedule
	digest uint64
}

// sayEvery is after how many schedules a campaign says how far it is: one that takes hours may
// be stopped, and still counts.
const sayEvery = 5000

func (c *tally) add(seed uint64, r Report, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.played++
	if err != nil {
		c.failures = append(c.failures, failure{seed, err})
		if testing.Verbose() {
			fmt.Println(err)
		}
	}
	if c.played%sayEvery == 0 && testing.Verbose() {
		fmt.Printf("so far %d schedules, %d failed\n", c.played, len(c.failures))
	}
	for k, n := range r.Fired {
		c.fired[k] += n
	}
	c.sum.Events += r.Events
	c.sum.Jobs += r.Jobs
	c.sum.Messages += r.Messages
	c.sum.Dropped += r.Dropped
	c.sum.Panics += r.Panics
	c.sum.Compared += r.Compared
	c.sum.Spoilt += r.Spoilt
	c.spoilt += min(r.Spoilt, 1)
	c.sum.Doubled += r.Doubled
	c.sum.Used += r.Used
	c.sum.Again += r.Again
	c.sum.Lost += r.Lost
	c.sum.Rejoined += r.Rejoined
	c.stored += int(min(r.Stored, 1))
	c.torn += min(r.Torn, 1)
	if r.LostAll > 0 {
		c.lostAll++
		c.outlived += int(min(r.Stored, 1))
	}
	c.reused += int(min(r.Used, 1))
	c.rivals += min(r.TwoMasters, 1)
	c.lossy += int(min(r.Dropped, 1))
	c.doubling += int(min(r.Doubled, 1))
	c.late += int(min(r.Late, 1))
	c.full += int(min(r.Full, 1))
	c.poisoned += min(r.Poisoned, 1)
	c.panicked += min(r.Panics, 1)
	c.unmasked += min(r.Unmasked, 1)
	c.judged += min(r.Judged, 1)
	c.expired += int(min(r.Expired, 1))
	c.killed += min(r.Beheaded, 1)
	of := fnv.New64a()
	fmt.Fprintf(of, "%d %x", seed, r.Hash)
	c.digest ^= of.Sum64()
}

// String is the campaign in one line.
func (c *tally) String() string {
	return fmt.Sprintf("%d schedules, %d failed; %d events, %d messages (%d lost, %d doubled), %d jobs, %d put back, %d values used; "+
		"messages lost in %d, doubled in %d, late in %d, no room for them in %d; masters killed in %d, two masters in %d, an orphan or a copy used in %d, what a disk has in %d, files torn in %d, all peers lost in %d and that used in %d, a lease expired in %d, "+
		"jobs panicked in %d (%d times), %d unmasked by Verify, %d ended as if poisoned, %d bests compared, %d of them spoilt; digest %016x",
		c.played, len(c.failures), c.sum.Events, c.sum.Messages, c.sum.Dropped, c.sum.Doubled, c.sum.Jobs, c.sum.Again, c.sum.Used,
		c.lossy, c.doubling, c.late, c.full, c.killed, c.rivals, c.reused, c.stored, c.torn, c.lostAll, c.outlived, c.expired, c.panicked, c.sum.Panics, c.unmasked, c.poisoned,
		c.sum.Compared, c.sum.Spoilt, c.digest)
}

// explore plays seeds on all cores, until there are too many failures to be read.
func explore(from uint64, count int, draw func(uint64) Options) *tally {
	c := &tally{}
	var next atomic.Uint64
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for {
				n := next.Add(1) - 1
				if n >= uint64(count) {
					return
				}
				began := time.Now()
				r, err := Run(draw(from + n))
				c.add(from+n, r, err)
				if took := time.Since(began); took > 3*time.Second && testing.Verbose() {
					fmt.Printf("seed %d took %v, %d events\n", from+n, took, r.Events)
				}
			}
		})
	}
	all.Wait()
	slices.SortFunc(c.failures, func(a, b failure) int { return int(a.seed) - int(b.seed) })
	return c
}

// TestCampaign plays many schedules, and demands that they did what they claim.
func TestCampaign(t *testing.T) {
	if *campaignFlag == 0 {
		t.Skip("-campaign is 0: .ci/steps/campaign.sh sets it")
	}
	began := time.Now()
	c := explore(*fromFlag, *campaignFlag, draw)
	for n, f := range c.failures {
		t.Errorf("%v\n  go test ./gridsim -run TestReplay -v -seed %d", f.err, f.seed)
		if n < 3 {
			t.Log(explain(draw(f.seed)))
		}
	}
	for k, n := range c.fired {
		t.Logf("%7d %v", n, FaultKind(k))
		if least := *campaignFlag / 20; n < least {
			t.Errorf("%v fired %d times, %d at least are needed", FaultKind(k), n, least)
		}
	}
	t.Logf("campaign: %v in %v", c, time.Since(began).Round(time.Second))
	for _, did := range []struct {
		what string
		n    int
		of   int // one schedule in so many has to
	}{
		{"lost messages", c.lossy, 20},
		{"doubled messages", c.doubling, 20},
		{"brought messages late", c.late, 20},
		{"had no room for a message in a session", c.full, 20},
		{"lost a master", c.killed, 3},
		{"saw two masters", c.rivals, 10},
		{"used an orphan or a copy", c.reused, 5},
		{"lost all peers at once", c.lostAll, 20},
		{"lost what a disk had said was written", c.torn, 100},
		{"had losses in which nobody may err", c.judged, 20},
		{"put a job back because its thief did not answer", c.expired, 300},
		{"had a job that panicked", c.panicked, 20},
		{"had Verify find a job that is no function of its fields", c.unmasked, 300},
		{"had an order that panicked on a best from outside", c.spoilt, 500},
	} {
		if least := c.played / did.of; did.n < least {
			t.Errorf("%d schedules %s, %d at least are needed", did.n, did.what, least)
		}
	}
	if c.outlived < c.lostAll/2 {
		t.Errorf("of %d schedules that lost all peers %d used what they had stored", c.lostAll, c.outlived)
	}
	if c.sum.Panics > 2*c.panicked {
		t.Errorf("jobs panicked %d times in %d schedules: they are done again", c.sum.Panics, c.panicked)
	}
	if most := c.played / 2000; c.poisoned > most {
		t.Errorf("%d schedules ended as if poisoned, %d at most may", c.poisoned, most)
	}
}
