package gridsim

import (
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// apart are two sites of two peers with a net, and a run of some seconds.
func apart(net Net) Options {
	o := quiet(work(), 0, steal.CRS, 2, 2)
	o.Net, o.Asides = &net, true
	return o
}

// farNet is a net with some delays.
func farNet() Net {
	return Net{Near: Link{Delay: 50 * time.Microsecond}, Far: Link{Delay: 20 * time.Millisecond, Jitter: time.Millisecond}}
}

// shared is a world with a net, in which all have met, and one host of each of two sites.
func shared(t *testing.T, net Net) (w *World, a, b *host) {
	t.Helper()
	w = newWorld(apart(net))
	w.hidden, w.admitted = true, lenient
	w.who.asker = w.populate()
	w.play(5*time.Second, func() bool { return false })
	for _, h := range w.who.members() {
		if h.site == "a" && a == nil {
			a = h
		} else if h.site == "b" && b == nil {
			b = h
		}
	}
	if why := w.who.whole(); w.err != nil || why != "" {
		t.Fatal(w.err, why)
	}
	return w, a, b
}

// TestLongMessageLeavesRoom: while megabytes cross an uplink, others of the site are heard over it
// nearly as soon as before: they share it, and do not wait for what came before them.
func TestLongMessageLeavesRoom(t *testing.T) {
	net := farNet()
	net.Uplinks = map[membership.Site]int64{"a": 1_000_000}
	w, a, b := shared(t, net)
	began, came := w.now, time.Duration(0)
	long := packet{message: heartbeat(a, b), bytes: 5_000_000, over: func(bool) { came = w.now - began }}
	w.net.shared.send(a, b, shipment{long, a, 0})
	lost := w.report.Lost
	deaf := time.Duration(0)
	w.play(began+10*time.Second, func() bool {
		for _, x := range w.net.shared.trains {
			if x.flow != nil && x.from.site == "a" && x.to.site == "b" {
				deaf = max(deaf, w.now-x.flow.since)
			}
		}
		return came > 0
	})
	if came < 5*time.Second || came > 6*time.Second {
		t.Errorf("5 MB at 1 MB/s took %v", came)
	}
	if deaf > 100*time.Millisecond || w.report.Lost > lost {
		t.Errorf("a short message has waited %v, and %d were held lost", deaf, w.report.Lost-lost)
	}
}

// TestLinesAreShared: two long messages over one link take each as long as both would alone, one
// after the other; over links of their own they do not hinder each other.
func TestLinesAreShared(t *testing.T) {
	for _, c := range []struct {
		what string
		net  func(*Net)
		want time.Duration
	}{
		{"one uplink", func(n *Net) { n.Uplinks = map[membership.Site]int64{"b": 1_000_000} }, 4 * time.Second},
		{"one way between two sites", func(n *Net) {
			n.Ways = map[[2]membership.Site]Link{{"a", "b"}: {Delay: 20 * time.Millisecond, Rate: 1_000_000}}
		}, 4 * time.Second},
		{"a line each", func(n *Net) { n.Lines = map[membership.Site]int64{"a": 1_000_000} }, 2 * time.Second},
	} {
		net := farNet()
		c.net(&net)
		w, a, b := shared(t, net)
		var others []*host
		for _, h := range w.who.members() {
			if h != a && h != b {
				others = append(others, h)
			}
		}
		began, ended := w.now, [2]time.Duration{}
		for n, x := range [][2]*host{{a, b}, {others[0], others[1]}} {
			if x[0].site != "a" || x[1].site != "b" {
				t.Fatalf("%s says something to %s", x[0].id, x[1].id)
			}
			w.net.shared.send(x[0], x[1], shipment{packet{message: heartbeat(x[0], x[1]), bytes: 2_000_000, over: func(bool) { ended[n] = w.now - began }}, x[0], 0})
		}
		w.play(began+20*time.Second, func() bool { return ended[0] > 0 && ended[1] > 0 })
		for _, took := range ended {
			if took < c.want || took > c.want+c.want/10 {
				t.Errorf("%s: 2 MB twice took %v, about %v is right", c.what, took, c.want)
			}
		}
	}
}

// TestNothingGoesToTheDead: what was on its way to a process, or from it, ends with that, and
// leaves the way to the others; whoever waits for it is told.
func TestNothingGoesToTheDead(t *testing.T) {
	net := farNet()
	net.Uplinks = map[membership.Site]int64{"a": 1_000_000}
	w, a, b := shared(t, net)
	up, told := true, 0
	for range 2 {
		w.net.shared.send(a, b, shipment{packet{message: heartbeat(a, b), bytes: 50_000_000, over: func(u bool) { up, told = u, told+1 }}, a, 0})
	}
	w.play(w.now+time.Second, func() bool { return false })
	on := func() (n int) {
		for _, x := range w.net.shared.of {
			if x.to == b {
				n++
			}
		}
		return n
	}
	if on() < 2 || told > 0 {
		t.Errorf("after a second %d are on their way, and of %d somebody was told", on(), told)
	}
	w.kill(b, false)
	w.play(w.now+100*time.Millisecond, func() bool { return false })
	if on() > 0 || told != 2 || up {
		t.Errorf("%d are on their way to the dead, of %d somebody was told: %v", on(), told, up)
	}
}

// TestNoneOvertakes: what one says to another comes in its order, whatever is lost and sent again.
func TestNoneOvertakes(t *testing.T) {
	net := farNet()
	net.Far.Loss, net.Far.Jitter = 0.2, 30*time.Millisecond
	w, a, b := shared(t, net)
	w.opts.Trace, w.opts.All, w.last = true, true, nil
	l := w.net.shared.train(a, b)
	at, late := time.Duration(0), 0
	for range 500 {
		w.net.shared.arrives(l, shipment{packet{message: heartbeat(a, b)}, a, 0})
		if l.last < at {
			t.Fatalf("one comes at %v, the one before it at %v", l.last, at)
		}
		if l.last > w.now+100*time.Millisecond {
			late++
		}
		at = l.last
	}
	if late == 0 {
		t.Error("nothing was lost")
	}
}

// TestNetEnds plays a run on a net whose uplinks are narrow, whose packets are lost, and on which a
// site dies: the machines come through, and twice in the same way.
func TestNetEnds(t *testing.T) {
	net := farNet()
	net.Far.Loss = 0.01
	net.Uplinks = map[membership.Site]int64{"a": 20_000, "b": 20_000}
	net.Lines = map[membership.Site]int64{"a": 100_000, "b": 100_000}
	play := func() Rehearsed {
		killed := false
		out, err := Rehearse(apart(net), time.Minute, func(r *Rehearsal) {
			if !killed && r.Now() > 2*time.Second {
				killed = r.Kill("b/1") && r.Kill("b/2")
			}
		})
		if err != nil || !out.Answered || out.Failed || out.Killed != 2 || out.LentFar == 0 {
			t.Fatalf("%v, %+v", err, out)
		}
		return out
	}
	if a, b := play(), play(); a.Hash != b.Hash || a.Took != b.Took {
		t.Errorf("%x in %v, then %x in %v", a.Hash, a.Took, b.Hash, b.Took)
	}
}

// TestDistanceCosts: with the same seed, a farther or narrower way makes a run no faster, and the
// ideal knows nothing of it.
func TestDistanceCosts(t *testing.T) {
	near, far, narrow := farNet(), farNet(), farNet()
	far.Far.Delay = 500 * time.Millisecond
	narrow.Uplinks = map[membership.Site]int64{"a": 2000, "b": 2000}
	var took [3]Rehearsed
	for n, net := range []Net{near, far, narrow} {
		out, err := Rehearse(apart(net), 10*time.Minute, func(*Rehearsal) {})
		if err != nil || !out.Answered {
			t.Fatal(err, out.Answered)
		}
		took[n] = out
	}
	if took[1].Took < took[0].Took || took[2].Took < took[0].Took {
		t.Errorf("near %v, far %v, narrow %v", took[0].Took, took[1].Took, took[2].Took)
	}
	if took[0].Ideal != took[1].Ideal || took[0].Ideal > took[0].Took || took[0].Took > took[0].Ideal*11/10 {
		t.Errorf("the ideal is %v, and %v, and it took %v", took[0].Ideal, took[1].Ideal, took[0].Took)
	}
}
