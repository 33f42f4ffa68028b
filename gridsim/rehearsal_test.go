package gridsim

import (
	"slices"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// heartbeat is one from a host to another.
func heartbeat(from, to *host) peer.Message {
	return peer.Message{From: from.peer.Sight().Self().Incarnation, To: to.peer.Sight().Self().Incarnation, Body: membership.Heartbeat{}}
}

// actors are the names of those that live.
func actors(r *Rehearsal) (names []string) {
	for _, a := range r.Actors() {
		names = append(names, a.Name)
	}
	return names
}

// TestRehearsalIsGivenUp at once: it has no answer, and plays no further.
func TestRehearsalIsGivenUp(t *testing.T) {
	looks := 0
	out, err := Rehearse(apart(farNet()), time.Minute, func(r *Rehearsal) {
		looks++
		r.GiveUp()
	})
	if err != nil || out.Answered || out.Took > LookEvery || looks != 1 {
		t.Errorf("answered: %v, after %v and %d looks; %v", out.Answered, out.Took, looks, err)
	}
}

// TestRehearsal: all that can be made to happen happens, to whom it is said.
func TestRehearsal(t *testing.T) {
	o := apart(farNet())
	step := 0
	next := func(at int, r *Rehearsal, from time.Duration) bool {
		if step == at && r.Now() >= from {
			step++
			return true
		}
		return false
	}
	out, err := Rehearse(o, time.Minute, func(r *Rehearsal) {
		switch {
		case next(0, r, 0):
			if got, want := actors(r), []string{"a/1", "a/2", "b/1", "b/2"}; !slices.Equal(got, want) || r.Now() > 0 || r.Done() > 0 {
				t.Errorf("at %v there are %q, and %v is done", r.Now(), got, r.Done())
			}
		case next(1, r, 500*time.Millisecond):
			if m := r.Master(); m != "a/1" {
				t.Errorf("%q is master", m)
			}
			if name := r.Join("b", 2); name != "b/3" {
				t.Errorf("who joins at b is called %q", name)
			}
			if r.Kill("b/7") || !r.Kill("b/1") || r.Kill("b/1") || !r.Leave("a/2", time.Second) {
				t.Error("b/1 and a/2 alone can be hit")
			}
		case next(2, r, 1500*time.Millisecond):
			if got, want := actors(r), []string{"a/1", "b/2", "b/3"}; !slices.Equal(got, want) {
				t.Errorf("%q are left, not %q", got, want)
			}
			if !r.Stop("b/2") || r.Stop("b/2") || r.Continue("a/1") || r.Leave("b/2", 0) {
				t.Error("b/2 alone stands still")
			}
		case next(3, r, 2500*time.Millisecond):
			if all := r.Actors(); !all[1].Stopped || !r.Continue("b/2") || r.Actors()[1].Stopped {
				t.Error("b/2 does not go on")
			}
		}
	})
	if err != nil || !out.Answered || step != 4 || out.Killed != 1 || out.Left != 1 || out.Lost == 0 {
		t.Errorf("%v, after %d steps: %+v", err, step, out)
	}
}

// TestRehearsalOfACut: what two sites say to each other does not pass until the cut has healed, and
// what others say does.
func TestRehearsalOfACut(t *testing.T) {
	o := apart(farNet())
	o.Sites = SitesOf(1, 1, 1)
	healed := false
	out, err := Rehearse(o, time.Minute, func(r *Rehearsal) {
		switch r.Now() {
		case 200 * time.Millisecond:
			r.Cut("b", "c", true)
		case 3 * time.Second:
			var a, b, c *host
			for _, h := range r.w.who.members() {
				switch h.site {
				case "a":
					a = h
				case "b":
					b = h
				case "c":
					c = h
				}
			}
			n := &r.w.net
			if !n.isCut(b, c) || !n.isCut(c, b) || n.isCut(a, b) || n.isCut(c, a) || n.isCut(r.w.who.asker, b) {
				t.Error("b and c alone are parted")
			}
			r.Heal()
			healed = !n.isCut(b, c)
		}
	})
	if err != nil || !out.Answered || !healed || out.Stopped == 0 {
		t.Errorf("%v, %v, %d messages were stopped", err, healed, out.Stopped)
	}
}

// TestSpeeds: workers that are twice as fast need half as long, and the ideal knows it; those that
// are slowed down at half time make a run half as long again.
func TestSpeeds(t *testing.T) {
	o := apart(farNet())
	plain, err := Rehearse(o, time.Minute, func(*Rehearsal) {})
	if err != nil {
		t.Fatal(err)
	}
	fast := o
	fast.Sites = slices.Clone(o.Sites)
	for n := range fast.Sites {
		fast.Sites[n].Speed = 2 * speedOfOne
	}
	quick, err := Rehearse(fast, time.Minute, func(*Rehearsal) {})
	if err != nil || (quick.Ideal*2-plain.Ideal).Abs() > time.Microsecond || quick.Took > plain.Took*6/10 {
		t.Errorf("%v: at twice the speed %v (ideal %v), else %v (ideal %v)", err, quick.Took, quick.Ideal, plain.Took, plain.Ideal)
	}
	slow, err := Rehearse(o, time.Minute, func(r *Rehearsal) {
		if r.Now() == plain.Ideal.Truncate(2*LookEvery)/2 {
			for _, name := range actors(r) {
				r.Slow(name, speedOfOne/2)
			}
		}
	})
	if err != nil || slow.Ideal < plain.Ideal*14/10 || slow.Ideal > plain.Ideal*16/10 || slow.Took < slow.Ideal || slow.Took > slow.Ideal*11/10 {
		t.Errorf("%v: slowed down %v (ideal %v), else %v (ideal %v)", err, slow.Took, slow.Ideal, plain.Took, plain.Ideal)
	}
}

// TestFailsWithoutTolerance: where fault tolerance is off, a run fails with a peer, and a run that
// takes too long is not answered.
func TestFailsWithoutTolerance(t *testing.T) {
	o := apart(farNet())
	o.NoFT = true
	out, err := Rehearse(o, time.Minute, func(r *Rehearsal) {
		if r.Now() == time.Second {
			r.Kill("b/1")
		}
	})
	if err != nil || !out.Answered || !out.Failed {
		t.Errorf("%v, failed: %v", err, out.Failed)
	}
	out, err = Rehearse(apart(farNet()), time.Second, func(*Rehearsal) {})
	if err != nil || out.Answered {
		t.Errorf("%v, answered after a second: %v", err, out.Answered)
	}
}

// TestSized: jobs and values have the bytes that they are to have, and what they come to is the
// same otherwise.
func TestSized(t *testing.T) {
	plain := work()
	s := &Sized{Workload: plain, JobBytes: 100, ValueBytes: 1000}
	if n := len(s.Root()); n != len(plain.Root())+100 {
		t.Errorf("a job has %d bytes", n)
	}
	a, b := alone(plain, plain.Root()), alone(s, s.Root())
	if len(b.Bytes) != len(a.Bytes)+1000 || string(b.Bytes[:len(a.Bytes)]) != string(a.Bytes) || s.Right(b) != nil || s.Right(a) == nil {
		t.Errorf("%x and %x", a.Bytes, b.Bytes)
	}
	narrow := farNet()
	narrow.Uplinks = map[membership.Site]int64{"a": 50_000, "b": 50_000}
	o := apart(narrow)
	short, err := Rehearse(o, time.Minute, func(*Rehearsal) {})
	o.Workload = s
	long, err2 := Rehearse(o, time.Minute, func(*Rehearsal) {})
	if err != nil || err2 != nil || long.BytesFar < short.BytesFar+uint64(1000*short.LentFar/2) {
		t.Errorf("%v, %v: %d bytes went far, and with longer values %d", err, err2, short.BytesFar, long.BytesFar)
	}
}

// TestMeasure: what is counted is what a grid of one executes.
func TestMeasure(t *testing.T) {
	for _, w := range []Workload{work(), &Tree{Depth: 4, Width: 3, Leaf: time.Millisecond, Regular: true}, &Search{Tree: Tree{Seed: 2, Depth: 6, Width: 4, Leaf: time.Millisecond}}} {
		jobs, cost, span := Measure(w, 1<<20)
		o := apart(farNet())
		o.Sites, o.Workload, o.Work, o.Span, o.Policy = SitesOf(1), w, cost, span, steal.CRS
		out, err := Rehearse(o, 10*time.Minute, func(*Rehearsal) {})
		if err != nil || int(out.Jobs) != jobs || out.Busy != cost || out.Redone != 0 {
			t.Errorf("%T: %v: %d jobs of %v were executed, counted were %d of %v", w, err, out.Jobs, out.Busy, jobs, cost)
		}
	}
	if jobs, cost, _ := Measure(&Tree{Depth: 4, Width: 3, Leaf: time.Millisecond, Regular: true}, 1<<20); jobs != 1+3+9+27+81 || cost != 81*time.Millisecond+40*innerCost {
		t.Errorf("a regular tree has %d jobs of %v", jobs, cost)
	}
	if jobs, _, _ := Measure(work(), 10); jobs <= 10 {
		t.Errorf("%d jobs are no more than 10", jobs)
	}
}
