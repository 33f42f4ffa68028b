package gridsim

import (
	"testing"
	"time"

	"satingrid/steal"
)

// TestTwins: a folder is copied, key and all, and started while its first process computes. Both
// are told, soon, and end; the others do their work again.
func TestTwins(t *testing.T) {
	o := quiet(work(), 20*time.Millisecond, steal.CRS, 3, 3)
	w := newWorld(o)
	w.who.asker = w.populate()
	began, fired := o.begin(), at(500*time.Millisecond)
	w.after(began, func() { w.submit(w.who.asker) })
	w.after(fired, func() { w.fire(Fault{Kind: Twin, Host: 2}) })
	pair := func() []*host {
		var all []*host
		for _, h := range w.who.hosts {
			if h.twin != nil {
				all = append(all, h)
			}
		}
		return all
	}
	w.play(fired+time.Minute, func() bool { return w.report.Fired[Twin] > 0 })
	all := pair()
	if len(all) != 2 || all[0].id != all[1].id || !all[0].aware || !all[1].aware || w.now > fired+2*time.Second {
		t.Fatalf("%v after a folder was started twice, of %d twins not all are told: %v", w.now-fired, len(all), w.err)
	}
	w.play(w.now+time.Minute, func() bool { return w.left == 0 })
	if w.err != nil || w.left > 0 || len(w.who.members()) != 5 || all[0].up || all[1].up {
		t.Errorf("%d answers have not come, %d members are left: %v", w.left, len(w.who.members()), w.err)
	}
}

// TestTwinOfTheMaster: to the run that is a master's death.
func TestTwinOfTheMaster(t *testing.T) {
	o := quiet(work(), 20*time.Millisecond, steal.CRS, 2, 2)
	o.add(Fault{Kind: Twin, At: at(500 * time.Millisecond), Host: 1})
	if r := play(t, o); r.Fired[Twin] != 1 || r.Epochs < 2 {
		t.Errorf("%d pairs of twins were told, %d epochs", r.Fired[Twin], r.Epochs)
	}
}

// TestNobodyIsATwinWhoStartsAgain: however often, and at once.
func TestNobodyIsATwinWhoStartsAgain(t *testing.T) {
	o := quiet(work(), 20*time.Millisecond, steal.CRS, 2, 2)
	for n := range 6 {
		o.add(Fault{Kind: Restart, At: at(time.Duration(n+1) * 300 * time.Millisecond), For: time.Duration(n) * 10 * time.Millisecond})
	}
	if r := play(t, o); r.Fired[Restart] < 4 {
		t.Errorf("%d were started again", r.Fired[Restart])
	}
}

// TestToldWithoutATwin: the checker finds it.
func TestToldWithoutATwin(t *testing.T) {
	w := newWorld(quiet(work(), 20*time.Millisecond, steal.CRS, 2))
	w.who.asker = w.populate()
	w.after(time.Second, func() { toHosts{w.who.hosts[0]}.TellTwin(w.who.hosts[1].id) })
	w.play(2*time.Second, func() bool { return false })
	if f, ok := w.err.(*Finding); !ok || f.Checker != "twin" {
		t.Errorf("found is %v", w.err)
	}
}
