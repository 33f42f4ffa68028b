package gridsim

import (
	"slices"
	"strings"
	"testing"
	"time"

	"satingrid/satin/effort"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// deadly plays a workload one job of which kills its processes, and tells how the run was answered.
func deadly(t *testing.T, work *Deadly) (steal.Result, Report) {
	t.Helper()
	return doomed(t, quiet(work, 20*time.Millisecond, steal.CRS, slices.Repeat([]int{1}, 9)...))
}

// doomed tells how a run that may fail was answered.
func doomed(t *testing.T, o Options) (steal.Result, Report) {
	t.Helper()
	w := newWorld(o)
	w.who.asker = w.populate()
	for _, f := range o.Faults {
		w.after(f.At, func() { w.fire(f) })
	}
	w.after(o.begin(), func() { w.submit(w.who.asker) })
	var answer steal.Result
	w.hear = func(d peer.Deliver) { answer = d.Result }
	w.play(time.Hour, func() bool { return w.now > o.begin() && w.left == 0 })
	if w.err != nil || w.left > 0 {
		t.Fatalf("%v, %d answers are missing", w.err, w.left)
	}
	return answer, w.finish()
}

// TestPoison: a job that kills its process at the same place each time fails the run, which names
// it, after five deaths. Those do not count in which its own owner executed it, or a thief that had
// no worker for it at once: chance decides how many there are.
func TestPoison(t *testing.T) {
	const seeds, most = 9, 8
	age := 1500 * time.Millisecond
	var killed []int
	for seed := range uint64(seeds) {
		o := quiet(NewDeadly(12, 4*time.Second, slices.Repeat([]time.Duration{age}, 10)...), 20*time.Millisecond, steal.CRS, slices.Repeat([]int{1}, 12)...)
		o.Seed = seed
		answer, r := doomed(t, o)
		named := strings.Contains(string(answer.Bytes), "kills its process") && strings.Contains(string(answer.Bytes), taskName)
		if r.Killed < 5 || r.Killed < 10 && (answer.Outcome != steal.Panicked || !named) {
			t.Errorf("seed %d: after %d deaths the answer is %d %s", seed, r.Killed, answer.Outcome, answer.Bytes)
		}
		killed = append(killed, r.Killed)
	}
	if slices.Sort(killed); slower == 1 && killed[seeds/2] > most {
		t.Errorf("%d processes died of it, mostly %d at most may", killed, most)
	}
}

// TestPoisonedRoot: a root that kills its process at the same place each time fails the run after
// five deaths. Four masters that are killed one after the other at one age of it do not.
func TestPoisonedRoot(t *testing.T) {
	age := 1500 * time.Millisecond
	for deaths, poison := range map[int]bool{4: false, 5: true, 6: true} {
		work := NewDeadly(12, 4*time.Second, slices.Repeat([]time.Duration{age}, deaths)...)
		work.AtRoot = true
		answer, r := deadly(t, work)
		if named := strings.Contains(string(answer.Bytes), "the root "+taskName); (answer.Outcome == steal.Panicked) != poison || named != poison {
			t.Errorf("after %d deaths, of %d that there may be, the answer is %d %s", r.Killed, deaths, answer.Outcome, answer.Bytes)
		}
	}
}

// TestSpotLosses: five machines are taken away under one long job, at different ages of
// it. The run goes on.
func TestSpotLosses(t *testing.T) {
	answer, r := deadly(t, NewDeadly(12, 4*time.Second, 300*time.Millisecond, 2*time.Second, 3500*time.Millisecond, 1000*time.Millisecond, 2800*time.Millisecond))
	if answer.Outcome != steal.Value || r.Killed != 5 {
		t.Errorf("after %d deaths the answer is %d %s", r.Killed, answer.Outcome, answer.Bytes)
	}
}

// TestKillsAtRegularTimes: every two seconds some peer of four is killed, and another comes. Now
// and then masters die in a row at one age of the root, or a job is lost at one age several times
// while others are lost in between. That is no job that kills its process, and seldom taken for
// one: nothing that can be seen tells the two apart for sure.
func TestKillsAtRegularTimes(t *testing.T) {
	t.Parallel()
	const poisonedMax = 0
	runs, killed, poisoned := effort.Of(3, 12, 48), 0, 0
	for seed := range uint64(runs) {
		o := quiet(&Tree{Seed: seed, Depth: 5, Width: 5, Leaf: 200 * time.Millisecond}, 20*time.Millisecond, steal.CRS, 1, 1, 1, 1)
		o.Seed = seed
		for n := 1; n < 40; n++ {
			o.add(Fault{Kind: Crash, At: at(time.Duration(n) * 2 * time.Second)})
			o.add(Fault{Kind: Join, At: at(time.Duration(n)*2*time.Second + 10*time.Millisecond)})
		}
		r := play(t, o)
		poisoned += min(r.Poisoned, 1)
		killed += r.Killed
	}
	if poisoned > poisonedMax {
		t.Errorf("%d of %d runs failed because a job seemed to kill its process, at most %d may", poisoned, runs, poisonedMax)
	}
	if killed < 16*runs {
		t.Errorf("%d were killed", killed)
	}
}

// TestPoisonAmongLosses: a job that kills its process is found though another peer is killed
// meanwhile, unless that one was executing it, too: of 40 schedules in 35 or more.
func TestPoisonAmongLosses(t *testing.T) {
	t.Parallel()
	const seeds = 20
	age, found := 1500*time.Millisecond, 0
	for seed := range uint64(seeds) {
		o := quiet(NewDeadly(12, 4*time.Second, slices.Repeat([]time.Duration{age}, 9)...), 20*time.Millisecond, steal.CRS, slices.Repeat([]int{1}, 11)...)
		o.add(Fault{Kind: Crash, At: at(2 * time.Second), Host: 8})
		o.Seed = seed
		answer, _ := doomed(t, o)
		if answer.Outcome == steal.Panicked && strings.Contains(string(answer.Bytes), "kills its process") {
			found++
		}
	}
	if found < seeds*17/20 {
		t.Errorf("one other peer died, and in %d of %d schedules it is not found", seeds-found, seeds)
	}
}

// TestPoisonAmongManyJobs: who dies of a job was doing many, more than are remembered of its death
// and those before. The one is found, in every second schedule or more after few deaths: of 40
// seeds the middle one takes 8.
func TestPoisonAmongManyJobs(t *testing.T) {
	t.Parallel()
	const workers, most = 24, 9
	seeds := effort.Of(1, 5, 11)
	age := 1500 * time.Millisecond
	var killed []int
	for seed := range uint64(seeds) {
		o := quiet(NewDeadly(600, 4*time.Second, slices.Repeat([]time.Duration{age}, 24)...), 20*time.Millisecond, steal.CRS, slices.Repeat([]int{1}, 25)...)
		for n := range o.Sites {
			o.Sites[n].Workers = workers
		}
		o.Seed = seed
		answer, r := doomed(t, o)
		if r.Killed < workers && (answer.Outcome != steal.Panicked || !strings.Contains(string(answer.Bytes), "kills its process")) {
			t.Errorf("%d processes died, and the answer is %d %s", r.Killed, answer.Outcome, answer.Bytes)
		}
		killed = append(killed, r.Killed)
	}
	if slices.Sort(killed); slower == 1 && killed[seeds/2] > most {
		t.Errorf("%d processes died, mostly %d at most may", killed, most)
	}
}

// TestOnlyCrashesLookLikePoison: who leaves in order or is barred has not crashed, and with fewer
// crashes than it takes an answer that speaks of poison is wrong.
func TestOnlyCrashesLookLikePoison(t *testing.T) {
	o := quiet(work(), 20*time.Millisecond, steal.CRS, 3, 3)
	o.add(Fault{Kind: Leave, At: at(500 * time.Millisecond), For: 5 * time.Second, Host: 2})
	o.add(Fault{Kind: Kick, At: at(600 * time.Millisecond), Host: 3})
	o.add(Fault{Kind: LeaveMaster, At: at(700 * time.Millisecond), For: 5 * time.Second})
	if r := play(t, o); r.Killed > 0 || r.Beheaded > 0 || r.Fired[Leave]+r.Fired[Kick]+r.Fired[LeaveMaster] != 3 {
		t.Errorf("nobody was killed, and %d were, %d of them masters; fired: %v", r.Killed, r.Beheaded, r.Fired)
	}
	const least = 5
	w := newWorld(o)
	answer := steal.Result{Outcome: steal.Panicked, Bytes: []byte("the job " + taskName + " was executing on some peers when they died: it kills its process")}
	for w.report.Killed = range 8 {
		if w.looksPoisoned(answer) != (w.report.Killed >= least) {
			t.Errorf("after %d crashes a job looks poisoned: %v", w.report.Killed, w.looksPoisoned(answer))
		}
	}
}
