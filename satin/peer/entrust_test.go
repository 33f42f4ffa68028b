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
	does(t, "another holds it", s.admission.hearHolds(time.Second, "c1", Holds{r.instance}), "u: Accepted, safe")
	does(t, "so does this one", s.admission.hearHolds(time.Second, "b1", Holds{r.instance}))
	does(t, "that is known", s.admission.tick(time.Hour, r))
	does(t, "asked once more", s.submit(time.Hour, keptAsks(1)), "u: Accepted, safe")
	does(t, "of what is not known", s.admission.hearHolds(0, "b1", Holds{}))
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
	does(t, "somebody is there", s.submit(time.Second, keptAsks(1)), "u: Accepted",
		`a1: Record epoch 1 master me submissions 2 root "root", to be confirmed`)
	does(t, "who holds it", s.admission.hearHolds(time.Second, "a1", Holds{s.runs.all[0].instance}), "u: Accepted, safe")
	does(t, "and asked again", s.submit(time.Hour, keptAsks(1)), "u: Accepted, safe")
	s = newOfRuns(t, "a1")
	does(t, "who is not to be kept need not be held", s.submit(0, asks("u", 1, "root")), "sees master me, epoch 1", `start run 1, root "root"`,
		"unblocks", `all: Record epoch 1 master me submissions 1 root "root"`, "u: Accepted")
}

// TestWhoHoldsItSaysSo: at once, or when the root has come; and a new master asks anew.
func TestWhoHoldsItSaysSo(t *testing.T) {
	s := newOfRuns(t, "a1")
	m := keptAsks(1)
	r := s.of("a1", m)
	does(t, "it is here", s.records.hearRecord(0, "a1", member, Record{Head: r.head(0), Confirm: true}), "a1: Holds", "unblocks")
	bare := asks("u", 2, "other")
	bare.Terms.Keep = 60
	h := s.masteredBy("a1", bare)
	s.records.hearRecord(0, "a1", member, Record{Head: h, Confirm: true})
	lacks := s.runs.all[1]
	if lacks.root != nil || lacks.asksHold != "a1" {
		t.Fatalf("the root is %q, asked by %q", lacks.root, lacks.asksHold)
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
// it, at once where there is no disk or it fails, or where another run has the place.
func TestSafeWithItsDisk(t *testing.T) {
	s := newOfDisk(t, Terms{Keep: 60})
	safe := func(now time.Duration) bool {
		s.admission.tick(now, s.r)
		return s.r.trust.safe
	}
	s.admission.entrust(0, s.r)
	s.storing.tick(0)
	s.storing.stored(0, s.r.no, Stored{Run: s.r.instance.Run})
	if safe(time.Second) {
		t.Error("it is safe while it is being written")
	}
	if s.storing.saved(time.Second, true); !safe(2 * time.Second) {
		t.Error("it is not when it is written")
	}

	s = newOfDisk(t, Terms{Keep: 60})
	s.admission.entrust(0, s.r)
	s.storing.tick(0)
	s.storing.stored(0, s.r.no, Stored{Run: s.r.instance.Run})
	if s.storing.saved(0, false); !safe(time.Second) {
		t.Error("a run waits for a disk that fails")
	}
	s.storing.failed = false
	if s.r.disk.know = notAsked; s.storing.lacks(s.r) == false {
		t.Error("nothing is written yet, and nothing is lacking")
	}
	s.own(asks("c1", 2, "root")).disk.know = isKnown
	s.runs.all[1].instance.Run = s.r.instance.Run
	if s.storing.lacks(s.r) {
		t.Error("a run lacks what it will never have: the place is taken")
	}
}
