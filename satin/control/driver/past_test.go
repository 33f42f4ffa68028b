package driver

import (
	"iter"
	"math"
	"slices"
	"testing"
	"time"

	"satingrid/membership/addresses"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// storedRecord is a run as it lies in a store, the n-th of a test.
func storedRecord(n int) StoredRecord {
	args := []byte{byte(n), byte(n >> 8)}
	run := steal.KeyOf(args)
	h := peer.Head{Run: steal.Instance{Run: run}, Seconds: 100}
	h.RootDigest = peer.RootOf(run, "task", args).Digest
	return StoredRecord{Place: run, Record: peer.Record{Head: h}, Root: args}
}

// given gives runs, and counts them.
func given(all []StoredRecord, read *int) iter.Seq[StoredRecord] {
	return func(yield func(StoredRecord) bool) {
		for _, s := range all {
			if *read++; !yield(s) {
				return
			}
		}
	}
}

// TestWhatGoesOn: the youngest, as many as may be on, and the oldest of them first. No more is
// read.
func TestWhatGoesOn(t *testing.T) {
	var all []StoredRecord
	for n := range peer.RunsMax + 3 {
		all = append(all, storedRecord(n))
	}
	all[1].Root = nil
	read := 0
	got := GoOn(given(all, &read))
	if len(got) != peer.RunsMax || read != peer.RunsMax+1 {
		t.Fatalf("%d go on, %d were read", len(got), read)
	}
	want := all[:peer.RunsMax+1]
	want = append(want[:1:1], want[2:]...)
	slices.Reverse(want)
	for n, rec := range got {
		if rec.Head.Run.Run != want[n].Place || rec.Place != want[n].Place || string(rec.Root) != string(want[n].Root) {
			t.Errorf("number %d is %v", n, rec.Head.Run.Run)
		}
	}
}

// TestWhatDoesNotGoOn is what is not whole.
func TestWhatDoesNotGoOn(t *testing.T) {
	for about, spoil := range map[string]func(s *StoredRecord){
		"without a root":        func(s *StoredRecord) { s.Root = nil },
		"with another's root":   func(s *StoredRecord) { s.Root = []byte("another") },
		"in another's place":    func(s *StoredRecord) { s.Place = steal.Key{1} },
		"with another's digest": func(s *StoredRecord) { s.Record.Head.RootDigest[0]++ },
	} {
		s, read := storedRecord(1), 0
		if spoil(&s); len(GoOn(given([]StoredRecord{s}, &read))) != 0 {
			t.Errorf("a run %s goes on", about)
		}
	}
}

// TestGoesOnBesideAnother: a run may be in a place of its own, named by its id.
func TestGoesOnBesideAnother(t *testing.T) {
	s, read := storedRecord(1), 0
	s.Place = s.Record.Head.Run.ID()
	if got := GoOn(given([]StoredRecord{s}, &read)); len(got) != 1 || got[0].Place != s.Place {
		t.Errorf("there go on %+v", got)
	}
}

// TestTimeGoesOn while no process runs, for runs, answers and ends, and never backwards.
func TestTimeGoesOn(t *testing.T) {
	for _, c := range []struct {
		answered, seconds, then uint32
		down                    time.Duration
	}{
		{0, 3700, 0, time.Hour},
		{11, 3700, 3611, time.Hour},
		{11, 100, 11, -time.Hour},
		{11, math.MaxUint32, math.MaxUint32, 200 * 365 * 24 * time.Hour},
	} {
		s, read := storedRecord(1), 0
		s.Record.Head.Answered, s.Age = c.answered, c.down
		got := GoOn(given([]StoredRecord{s}, &read))
		if len(got) != 1 || got[0].Head.Seconds != c.seconds || got[0].Head.Answered != c.then {
			t.Errorf("after %v there is %+v", c.down, got)
		}
	}
	one := steal.Submission{Submitter: "u", Nonce: 1, Keeps: true}
	for age, want := range map[time.Duration]uint32{-time.Hour: 0, 90 * time.Second: 90, 1 << 62: uint32(peer.KeepMax / time.Second)} {
		if got := TombstoneAt(one, peer.EndCancelled, age); got != (peer.Tombstone{Submission: one, How: peer.EndCancelled, Seconds: want}) {
			t.Errorf("what ended %v ago has %+v", age, got)
		}
	}
}

// TestOwnLineIsNoPast: who has met others has one.
func TestOwnLineIsNoPast(t *testing.T) {
	own := addresses.Known{ID: "me", Age: -1}
	if HasPast(nil) || HasPast([]addresses.Known{own}) || !HasPast([]addresses.Known{own, {ID: "b", Age: 0}}) {
		t.Error("who has met nobody has a past, or who has met somebody has none")
	}
}
