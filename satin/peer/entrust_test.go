package peer

import (
	"testing"
	"time"
)

// keptAsks is a submission that is to be kept for a minute.
func keptAsks(n byte) Submit {
	m := asks("u", n, "root")
	m.Terms.Keep = 60
	return m
}

// TestRunIsEntrusted: the oldest other peer is asked whether it holds a run that is to be kept,
// again and again; when anybody says so, all who wait are told, once.
func TestRunIsEntrusted(t *testing.T) {
	s := newOfRuns(t, "a1", "b1")
	const record = `Record epoch 1 master me submissions 2 root "root"`
	does(t, "submitted", s.submit(0, keptAsks(1)), "sees master me, epoch 1", `start run 1, root "root"`, "unblocks",
		"all: "+record, "u: Accepted", "a1: "+record+", to be confirmed")
	r := s.runs.all[0]
	does(t, "not yet", s.admission.tick(trustGapMin/2, r))
	does(t, "no word", s.admission.tick(r.trust.again, r), "a1: "+record+", to be confirmed")
	if gap := r.trust.again - trustGapMin; gap <= trustGapMin || r.deadline() > r.trust.again {
		t.Errorf("then after %v, at %v", gap, r.trust.again)
	}
	s.dies("a1")
	does(t, "it is gone", s.admission.tick(time.Second, r), "b1: "+record+", to be confirmed")
	does(t, "another holds it", s.admission.isHeldBy(time.Second, in("c1"), Holds{Run: r.instance}), "u: Accepted, safe")
	does(t, "so does this one", s.admission.isHeldBy(time.Second, in("b1"), Holds{Run: r.instance}))
	does(t, "that is known", s.admission.tick(time.Hour, r))
	does(t, "asked once more", s.submit(time.Hour, keptAsks(1)), "u: Accepted, safe")
	does(t, "of what is not known", s.admission.isHeldBy(0, in("b1"), Holds{}))
}

// TestNobodyIsThereToHoldIt: alone a peer is all that there is.
func TestNobodyIsThereToHoldIt(t *testing.T) {
	s := newOfRuns(t)
	effects := told(s.submit(0, keptAsks(1)))
	if last := effects[len(effects)-1]; last != "u: Accepted, safe" {
		t.Errorf("it does %q", effects)
	}
	does(t, "asked once more", s.submit(0, keptAsks(1)), "u: Accepted, safe")
	s.comes("a1", 2)
	does(t, "somebody is there", s.admission.comes(time.Second), `a1: Record epoch 1 master me submissions 2 root "root", to be confirmed`)
	does(t, "and another", s.admission.comes(time.Second))
	does(t, "asked once more", s.submit(time.Second, keptAsks(1)), "u: Accepted")
	does(t, "who holds it", s.admission.isHeldBy(time.Second, in("a1"), Holds{Run: s.runs.all[0].instance}), "u: Accepted, safe")
	does(t, "and asked again", s.submit(time.Hour, keptAsks(1)), "u: Accepted, safe")
	does(t, "another is gone", s.admission.lost(time.Hour, "b1"))
	s.dies("a1")
	does(t, "who held it is", s.admission.lost(time.Hour, "a1"), "u: Accepted, safe")
	s.comes("b1", 3)
	does(t, "and one more comes", s.admission.comes(time.Hour), `b1: Record epoch 1 master me submissions 2 root "root", to be confirmed`)
	s = newOfRuns(t, "a1")
	does(t, "who is not to be kept need not be held", s.submit(0, asks("u", 1, "root")), "sees master me, epoch 1", `start run 1, root "root"`,
		"unblocks", `all: Record epoch 1 master me submissions 1 root "root"`, "u: Accepted")
}

// TestWhoHoldsItSaysSo: at once, or when the root has come; and a new master asks anew.
func TestWhoHoldsItSaysSo(t *testing.T) {
	s := newOfRuns(t, "a1")
	m := keptAsks(1)
	r := s.of("a1", m)
	does(t, "it is here", s.records.take(0, "a1", member, Record{Head: r.head(0), Confirm: 2}), "a1: Holds", "unblocks")
	bare := asks("u", 2, "other")
	bare.Terms.Keep = 60
	h := s.masteredBy("a1", bare)
	s.records.take(0, "a1", member, Record{Head: h, Confirm: 3})
	lacks := s.runs.all[1]
	if lacks.root.bytes != nil || lacks.root.asker != (holdAsker{"a1", 3, false}) {
		t.Fatalf("the root is %q, asked by %v", lacks.root.bytes, lacks.root.asker)
	}
	does(t, "it comes", s.roots.brought(0, lacks, keyOf("other"), []byte("other")), `start run 2, root "other"`, "unblocks", "a1: Holds")
	r.trust.safe = true
	s.mastership.takeOver(0, r)
	s.mastership.flush()
	if r.trust.safe {
		t.Error("what the last master knew is this one's word")
	}
}

// TestSafeWithItsDisk: a run that is kept is said to be safe when the disk of one that is alone has
// it: not before, and not because that cannot be read or written. So is one beside another of its
// root. Where there is no disk nothing is waited for.
func TestSafeWithItsDisk(t *testing.T) {
	s := newOfDisk(t, Terms{Keep: 60})
	safe := func(now time.Duration, r *run) bool {
		s.admission.tick(now, r)
		return r.trust.safe
	}
	beside := s.beside(2, Terms{Keep: 60, Fresh: true})
	for _, r := range s.runs.all {
		s.admission.entrust(0, r)
	}
	s.storing.tick(0)
	// then the other one is written
	s.storing.stored(0, s.r.no, Stored{Place: s.r.disk.place, Unread: true})
	if safe(time.Second, s.r) || safe(time.Second, beside) {
		t.Error("one is safe that could not be read, or is being written")
	}
	s.storing.saved(time.Second, false)
	if safe(2*time.Second, s.r) || safe(2*time.Second, beside) {
		t.Error("one is safe that could not be read, or could not be written")
	}
	s.storing.tick(saveAgain + time.Second)
	s.storing.saved(saveAgain+time.Second, true)
	if safe(saveAgain+2*time.Second, s.r) || !safe(saveAgain+2*time.Second, beside) {
		t.Error("the one that is written is not safe, or the other is")
	}
	s.storing.stored(saveAgain+2*time.Second, s.r.no, Stored{Place: s.r.disk.place})
	s.storing.saved(saveAgain+3*time.Second, true)
	if !safe(saveAgain+4*time.Second, s.r) {
		t.Error("it is written, and not safe")
	}
	without := newOfRuns(t)
	without.submit(0, keptAsks(1))
	if !without.runs.all[0].trust.safe {
		t.Error("without a disk it waits for one")
	}
}
