package steal

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"satingrid/membership"
)

const ms = time.Millisecond

func member(id string, site membership.Site) membership.Member {
	return membership.Member{ID: membership.PeerID(id), Incarnation: membership.Incarnation{Join: 3}, Site: site, State: membership.Here}
}

// asked is whom a thief's effects ask, by name.
func asked(effects []membership.Effect) string {
	out := ""
	for _, e := range effects {
		s := e.(membership.Send)
		out += fmt.Sprintf("%s for %d;", s.To, s.Body.(Ask).Jobs)
	}
	return out
}

func TestThiefAsksNearAndFar(t *testing.T) {
	th := NewThief("a", CRS, rand.New(rand.NewPCG(1, 1)))
	near, far := member("near", "a"), member("far", "b")
	th.Joined(near)
	th.Joined(far)
	if got := asked(th.Idle(0, 1)); got != "" {
		t.Errorf("without a run it asks %s", got)
	}
	if got := asked(th.Open(0, true)); got != "near for 1;" {
		t.Errorf("first it asks %q", got)
	}
	if got := asked(th.Idle(0, 2)); got != "" {
		t.Errorf("while a request is out it asks %s", got)
	}
	// The site has nothing, and is given a pause. Now there is reason to ask outside it.
	if got := asked(th.HearNothing(ms, near, 1)); got != "far for 4;" {
		t.Errorf("then it asks %q", got)
	}
	// The far answer takes its time. Meanwhile the near lane goes on.
	if got := asked(th.Tick(3 * ms)); got != "near for 1;" {
		t.Errorf("beside the far request it asks %q", got)
	}
	// A late answer to the first request frees no lane.
	if got := asked(th.HearNothing(3*ms, near, 1)); got != "" {
		t.Errorf("a late answer makes it ask %q", got)
	}
	// Jobs came: one worker is still idle, and the giver is asked again.
	th.HearNothing(3*ms, near, 3)
	if got := asked(th.Got(4*ms, far, 2, 1)); got != "far for 4;" {
		t.Errorf("after a gift it asks %q", got)
	}
	// All have work.
	th.Idle(4*ms, 0)
	if got := asked(th.Tick(time.Hour)); got != "" {
		t.Errorf("with work it asks %q", got)
	}
}

func TestThiefBacksOffAndWakes(t *testing.T) {
	th := NewThief("a", CRS, rand.New(rand.NewPCG(1, 1)))
	near := member("near", "a")
	th.Joined(near)
	th.Open(0, true)
	now, requests := time.Duration(0), 0
	for effects := th.Idle(0, 1); now < 20*time.Second; effects = th.Tick(now) {
		for len(effects) > 0 {
			requests++
			effects = th.HearNothing(now, near, th.number)
		}
		now = th.Deadline()
	}
	if requests > 100 {
		t.Errorf("%d requests in vain in 20 s", requests)
	}
	if pause := th.Deadline() - now; pause < 100*ms {
		t.Errorf("after 20 s it still pauses for only %v", pause)
	}
	th.HearNothing(now, near, th.number)
	if got := asked(th.HearWake(now, near)); got != "near for 1;" {
		t.Errorf("woken it asks %q", got)
	}
}

func TestThiefForgetsTheLost(t *testing.T) {
	th := NewThief("a", RS, rand.New(rand.NewPCG(1, 1)))
	x, y := member("x", "a"), member("y", "b")
	th.Joined(x)
	th.Open(0, true)
	th.Idle(0, 1)
	th.Joined(y)
	if got := asked(th.Lost(ms, x)); got != "y for 4;" {
		t.Errorf("after the loss of the one it waits for it asks %q", got)
	}
	if got := asked(th.Lost(ms, y)); got != "" || th.Deadline() != Never {
		t.Errorf("alone it asks %q and waits until %v", got, th.Deadline())
	}
}

// TestThiefLeavesTheRichAlone: while its site has what its workers need, a thief asks nobody
// outside it, but it does not wait for a neighbour that is slow to answer.
func TestThiefLeavesTheRichAlone(t *testing.T) {
	th := NewThief("a", CRS, rand.New(rand.NewPCG(1, 1)))
	near, far := member("near", "a"), member("far", "b")
	th.Joined(near)
	th.Joined(far)
	th.Open(0, true)
	now := time.Second
	for number := range AskNo(100) {
		if got := asked(th.Idle(now, 1)); got != "near for 1;" {
			t.Fatalf("it asks %q", got)
		}
		th.Got(now+ms, near, number+1, 1)
		now += 10 * ms
		th.Idle(now, 0)
	}
	th.Idle(now, 1)
	if got := asked(th.Tick(th.Deadline())); got != "far for 4;" || th.now-now > 10*ms {
		t.Errorf("after %v without an answer it asks %q", th.now-now, got)
	}
}

// TestThiefIsNotFooledByJobsThatVanish: a job that came and was withdrawn before any worker saw it
// must not leave the thief believing that its workers are busy.
func TestThiefIsNotFooledByJobsThatVanish(t *testing.T) {
	th := NewThief("a", CRS, rand.New(rand.NewPCG(1, 1)))
	near := member("near", "a")
	th.Joined(near)
	th.Open(0, true)
	th.Idle(0, 1)
	if got := asked(th.Got(ms, near, 1, 1)); got != "" {
		t.Errorf("with a job it asks %q", got)
	}
	if got := asked(th.Tick(th.Deadline())); got != "near for 1;" {
		t.Errorf("its worker never said that it was busy, and it asks %q", got)
	}
}

func said(effects []membership.Effect) string {
	out := ""
	for _, e := range effects {
		switch e := e.(type) {
		case membership.Send:
			out += fmt.Sprintf("%s: %T;", e.To, e.Body)
		case WantJobs:
			out += fmt.Sprintf("want %d;", e.N)
		}
	}
	return out
}

func TestVictim(t *testing.T) {
	var v Victim
	x, y, z := member("x", "a"), member("y", "b"), member("z", "a")
	expect := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	expect("idle itself", said(v.HearAsk(0, x, true, Ask{Number: 1, Jobs: 1}, 9)), "x: steal.Nothing;")
	expect("work comes", said(v.Working(0, true)), "x: steal.Wake;")
	expect("asked", said(v.HearAsk(0, x, true, Ask{Number: 2, Jobs: 1}, 9)), "want 1;")
	expect("asked by two more", said(v.HearAsk(0, y, false, Ask{Number: 1, Jobs: 60000, Bytes: 230}, 9))+
		said(v.HearAsk(0, z, true, Ask{Number: 1, Jobs: 1}, 9)), "")
	gifts, effects := v.Taken(ms, []int{10})
	expect("one job for three", fmt.Sprint(gifts), "[{x {3 0 0} 2 0 1}]")
	expect("and more wanted", said(effects), "want 10;")
	expect("patience is over for the near", said(v.Tick(30*ms)), "z: steal.Nothing;")
	gifts, effects = v.Taken(40*ms, []int{50, 60, 60, 5})
	expect("bytes bound a far gift, late jobs go to those that wait", fmt.Sprint(gifts), "[{y {3 0 0} 1 0 2} {z {3 0 0} 0 2 1}]")
	expect("fewer came than wanted", said(effects), "")
	expect("shunned", said(v.HearAsk(50*ms, x, true, Ask{Number: 3, Jobs: 1}, 0)), "x: steal.Nothing;")
	v.Lost("x")
	expect("the lost are not woken", said(v.Started(60*ms)), "")
	if v.Deadline() != Never {
		t.Errorf("it waits until %v", v.Deadline())
	}
}

// TestVictimSharesAmongThieves: one that asks for hundreds leaves others what they ask for, however
// late they come.
func TestVictimSharesAmongThieves(t *testing.T) {
	var v Victim
	v.Working(0, true)
	v.HearAsk(0, member("first", "a"), true, Ask{Number: 1, Jobs: 1, Bytes: BytesFar}, 9)
	v.Taken(0, nil) // the workers are asked again, for all of those that have come meanwhile
	v.HearAsk(0, member("greedy", "b"), false, Ask{Number: 1, Jobs: 400, Bytes: BytesFar}, 1024)
	v.wanted = 0
	v.HearAsk(0, member("x", "a"), true, Ask{Number: 1, Jobs: 1, Bytes: BytesFar}, 9)
	v.HearAsk(0, member("y", "b"), false, Ask{Number: 1, Jobs: 400, Bytes: BytesFar}, 30)
	gifts, _ := v.Taken(ms, make([]int, 101))
	got := ""
	for _, g := range gifts {
		got += fmt.Sprintf("%s %d;", g.To, g.Count)
	}
	if want := "greedy 70;x 1;y 30;"; got != want {
		t.Errorf("of 101 jobs: %q, want %q", got, want)
	}
}

// TestVictimFillsNoMoreThanAFrame: what a job has in its message beside its fields counts, too.
func TestVictimFillsNoMoreThanAFrame(t *testing.T) {
	var v Victim
	v.Working(0, true)
	v.HearAsk(0, member("x", "b"), false, Ask{Number: 1, Jobs: JobsMost, Bytes: 1 << 30}, LentMax)
	sizes := make([]int, JobsMost)
	for n := range sizes {
		sizes[n] = 100
	}
	gifts, _ := v.Taken(0, sizes)
	if n := gifts[0].Count; n*(100+lentBytes) > BytesFar+1000 || (n+10)*(100+lentBytes) < BytesFar {
		t.Errorf("%d jobs of 100 bytes for one request", n)
	}
}
