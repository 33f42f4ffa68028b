package peer

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// withDisk is a peer that has a disk, from which it remembers runs.
func withDisk(t *testing.T, all ...Recorded) *Peer {
	t.Helper()
	p := New(Config{Member: membership.Config{ID: "me", Site: "m", Workers: 2}, Store: true, Sessions: true}, rand.New(rand.NewPCG(1, 2)))
	p.Remembered(0, nil, all)
	if err := p.Sight().Check(); err != nil {
		t.Fatal(err)
	}
	return p
}

// storedAs is the record of a run as a disk has it.
func storedAs(n byte) Recorded {
	h := headOf(n, 4)
	h.Submissions = append(h.Submissions, h.Submissions[0].Kept())
	return recorded(Record{Head: h, Root: []byte("root")})
}

// recorded is a record in the place of what its run computes.
func recorded(rec Record) Recorded { return Recorded{Record: rec, Place: rec.Head.Run.Run} }

// partOfKey is a result that is worth keeping.
func partOfKey(key string) orphan.Part { return orphan.Part{Key: keyOf(key), Result: worth(key)} }

// TestDiskRemembers: a run is known once, however often its record is found; one that nobody waits
// for, that makes no sense, or for which there is no room, is not.
func TestDiskRemembers(t *testing.T) {
	bad := []Recorded{{}, storedAs(2), storedAs(3), storedAs(4), storedAs(5)}
	bad[1].Head.Submissions = nil
	bad[2].Head.Epoch.Number = 0
	bad[3].Head.Epoch.Number = epochMax
	bad[4].Head.RootBytes = RootMax + 1
	p := withDisk(t, append(bad, storedAs(1), storedAs(1))...)
	if len(p.runs.all) != 1 || p.runs.all[0].instance != storedAs(1).Head.Run || !p.runs.all[0].disk.remembered {
		t.Errorf("%d runs are known", len(p.runs.all))
	}
	var many []Recorded
	for n := range byte(RunsMax + 9) {
		many = append(many, storedAs(n))
	}
	if p = withDisk(t, many...); len(p.runs.all) != RunsMax {
		t.Errorf("of too many %d are known", len(p.runs.all))
	}
}

// TestRootThatMayEndThisPeer: a run with which too many lives of a peer have ended waits while that
// one is alone, longer and longer. It starts when its time has come, and when another is there, who
// counts whom it kills. Whoever asks for it anew waits no longer than at first.
func TestRootThatMayEndThisPeer(t *testing.T) {
	for starts, want := range map[uint8]time.Duration{
		0: 0, startsFree: 0, startsFree + 1: startGapMin, startsFree + 2: 2 * startGapMin, startsFree + 3: 4 * startGapMin, 99: startGapMax, 255: startGapMax,
	} {
		if got := StartsAfter(starts); got != want {
			t.Errorf("after %d starts it waits for %v, want %v", starts, got, want)
		}
	}
	begun := func(p *Peer) bool { return p.runs.all[0].root.borrow != 0 }
	held := func() *Peer {
		rec := storedAs(1)
		rec.Head.RootDigest = RootOf(rec.Place, rec.Head.Task, rec.Root).Digest
		rec.Starts = startsFree + 1
		p := withDisk(t, rec)
		p.Found(0)
		for now := time.Duration(0); now < startGapMin; now += time.Second {
			p.Tick(now)
		}
		if begun(p) || len(p.runs.all) != 1 {
			t.Fatal("its root has started")
		}
		return p
	}
	p := held()
	if at := p.Deadline(); at > startGapMin {
		t.Errorf("it wants to be called at %v", at)
	}
	if p.Tick(startGapMin); !begun(p) {
		t.Error("its time has come, and it has not started")
	}
	p = held()
	p.Received(time.Second, "b", Message{From: in("b").incarnation, Body: membership.Hello{Member: membership.Member{
		ID: "b", Site: "b", Workers: 1, Incarnation: in("b").incarnation, State: membership.Here,
	}}})
	if p.Tick(time.Second); !begun(p) {
		t.Error("another is there, and it has not started")
	}
	rec := storedAs(1)
	rec.Head.RootDigest = RootOf(rec.Place, rec.Head.Task, rec.Root).Digest
	rec.Starts = startsFree + 5
	p = withDisk(t, rec)
	p.Found(0)
	r := p.runs.all[0]
	if _, _, err := p.Submit(time.Second, RootOf(r.instance.Run, r.task, r.root.bytes).With(r.terms)); err != nil {
		t.Fatal(err)
	}
	for now := time.Second; now <= startGapMin+time.Second; now += time.Second {
		if p.Tick(now); begun(p) != (now >= startGapMin+time.Second) {
			t.Errorf("it is asked for anew, and begun after %v: %v", now, begun(p))
		}
	}
	rec = storedAs(1)
	rec.Starts = startsFree
	p = withDisk(t, rec)
	p.Found(0)
	for now := time.Duration(0); now < startGapMin/2; now += time.Second {
		p.Tick(now)
	}
	if !begun(p) {
		t.Error("a few lives have ended, and it has not started")
	}
}

// TestRootsAreHeldBackOneByOne: each is alone for a while, and in each life another is the first,
// so that those which end nobody finish something.
func TestRootsAreHeldBackOneByOne(t *testing.T) {
	for starts := startsFree + 1; starts < startsFree+4; starts++ {
		var all []Recorded
		for n := range byte(3) {
			rec := storedAs(n + 1)
			rec.Starts = uint8(starts)
			all = append(all, rec)
		}
		all = append(all, storedAs(9))
		p := withDisk(t, all...)
		for i, rec := range all[:3] {
			turn := time.Duration((i+starts)%3 + 1)
			if d := p.runs.find(rec.Head.Run).disk; d.pausedUntil != turn*StartsAfter(uint8(starts)) {
				t.Errorf("after %d starts number %d is held until %v", starts, i, d.pausedUntil)
			}
		}
		if d := p.runs.find(all[3].Head.Run).disk; d.pausedUntil != 0 {
			t.Errorf("one that has ended nobody is held until %v", d.pausedUntil)
		}
	}
}

// TestStoredRunsNameNoGrid: who knows of nobody but a stored run's submitter founds: that one may
// be gone, and nobody else would ever let it in. It is dialled all the same.
func TestStoredRunsNameNoGrid(t *testing.T) {
	h := headOf(1, 4)
	by := h.Run.First.Submitter
	h.Contacts = []Contact{{by, []string{"/there/p2p/" + string(by)}}}
	p := withDisk(t, recorded(Record{Head: h, Root: []byte("root")}))
	p.Open(0)
	dial, _ := find[membership.Dial](p.Tick(time.Second))
	if p.Sight().Joining() || dial.ID != by {
		t.Errorf("it is on its way in: %v; it dials %q", p.Sight().Joining(), dial.ID)
	}
}

// TestDiskIsHeard: what it has is asked for once this peer is in, and is used; what it says without
// being asked, of no run, or twice, is not.
func TestDiskIsHeard(t *testing.T) {
	p := withDisk(t, storedAs(1))
	no := p.runs.all[0].no
	found := Stored{Place: p.runs.all[0].instance.Run, Results: []StoredResult{{Part: partOfKey("left")}}}
	holds := func() bool { _, ok := p.results.Get(p.runs.all[0].instance, keyOf("left")); return ok }
	if p.Stored(0, no, found); holds() {
		t.Error("it is used before it was asked for")
	}
	if _, saves := find[Save](p.Saved(0, true)); saves {
		t.Error("nothing was to be written, and something is")
	}
	p.Found(0)
	if want, asked := find[WantStored](p.Tick(time.Second)); !asked || want.Run != no || want.Place != found.Place {
		t.Fatalf("it asks for %+v: %v", want, asked)
	}
	if p.Stored(time.Second, no+1, found); holds() {
		t.Error("what is of no run is used")
	}
	if p.Stored(time.Second, no, found); !holds() {
		t.Error("what it asked for is not used")
	}
	found.Results[0].Part = partOfKey("right")
	p.Stored(time.Second, no, found)
	if p.results.Len() != 1 {
		t.Errorf("it has answered twice, and %d results are held", p.results.Len())
	}
}

// TestDiskIsSlow: what it writes may be of a run that has ended meanwhile. Then the next one's turn
// comes, and of the first nothing stays; a batch that could not be written is tried again.
func TestDiskIsSlow(t *testing.T) {
	p := withDisk(t, storedAs(1), storedAs(2))
	p.Found(0)
	p.Tick(time.Second)
	for n := range p.runs.all {
		p.runs.all[n].epoch.Number++ // it is news
	}
	for _, r := range []*run{p.runs.all[0], p.runs.all[1]} {
		p.Stored(2*time.Second, r.no, Stored{Place: r.disk.place})
	}
	first := p.storing.open
	if first == nil {
		t.Fatal("nothing is written")
	}
	ended := p.runs.numbered(first.of).instance.First
	over := Ended{[]Tombstone{{Submission: ended, How: EndAnswered}, {Submission: ended.Kept()}}}
	effects := p.Received(3*time.Second, ended.Submitter, Message{From: asClient, Body: over})
	if f, forgets := find[Forget](effects); !forgets || !f.All || f.Place != first.Place {
		t.Errorf("it has ended, and is not forgotten: %v", effects)
	}
	second, saves := find[Save](p.Saved(4*time.Second, true))
	if !saves || second.Place == first.Place {
		t.Fatalf("it is written, and the other does not follow: %v", saves)
	}
	if _, again := find[Save](p.Saved(5*time.Second, false)); again {
		t.Error("what could not be written is tried at once")
	}
	if again, saves := find[Save](p.Tick(5*time.Second + saveAgain)); !saves || again.Place != second.Place {
		t.Error("what could not be written is not tried again")
	}
	if err := p.Sight().Check(); err != nil {
		t.Error(err)
	}
}

// TestDiskOfAYoungRun: a run has a second to end in, from when its root came, before it costs the
// disk anything; each is looked at once a second, and where there is none the disk has rest.
func TestDiskOfAYoungRun(t *testing.T) {
	s := newOfDisk(t, Terms{})
	s.storing.tick(0)
	s.storing.began(time.Minute, s.r)
	if s.storing.deadline() != saveEvery {
		t.Errorf("it is looked at again at %v", s.storing.deadline())
	}
	s.storing.stored(time.Minute, s.r.no, Stored{Place: s.r.disk.place})
	does(t, "its root came a moment ago", s.storing.tick(time.Minute+saveAfter-1))
	does(t, "it did not", s.storing.tick(time.Minute+2*saveAfter), `save the record of epoch 1 with root "root"`)
	s.runs.end(s.r)
	if s.storing.tick(time.Hour); s.storing.deadline() != steal.Never {
		t.Errorf("there is no run, and the disk is looked at at %v", s.storing.deadline())
	}
}

// TestDiskHasWhatWasFound: it is not written again, and goes with its run, whatever it is: a best
// alone, results, or the root.
func TestDiskHasWhatWasFound(t *testing.T) {
	end := func(s *ofDisk) []membership.Effect {
		_, effects := s.endings.bury(time.Minute, []Tombstone{{Submission: s.r.instance.First, How: EndAnswered}})
		return effects
	}
	for _, c := range []struct {
		best    string
		results []string
		want    []string
	}{
		{"", nil, []string{"end run 1"}}, {"best", nil, []string{"forget all", "end run 1"}}, {"", []string{"left"}, []string{"forget all", "end run 1"}},
	} {
		s := newOfDisk(t, Terms{})
		s.storing.tick(0)
		s.storing.stored(0, s.r.no, s.found(c.best, c.results...))
		s.r.best.compared(0, stamp("best").Digest, Better, steal.Result{})
		s.storing.unblocked(0)
		does(t, "it ends", end(s), c.want...)
	}
	s := newOfDisk(t, Terms{})
	s.storing.tick(0)
	s.storing.stored(0, s.r.no, s.found("", "left"))
	s.storing.tick(saveAfter)
	s.storing.saved(saveAfter, true)
	s.lists("left")
	does(t, "the workers list it", s.storing.gathered(2*time.Second))
	s.lists("left", "right")
	does(t, "and more", s.storing.gathered(3*time.Second), `save +right "right"`)
	other := s.own(asks("c2", 2, "other"))
	does(t, "another ends, of which nothing is written", s.endings.end(3*time.Second, other), "end run 2")
}

// TestDiskTakesMuchAtOnce: as many results as fill a batch are in one, and one more is in the next.
func TestDiskTakesMuchAtOnce(t *testing.T) {
	s := newOfDisk(t, Terms{})
	s.known()
	s.lists("a", "b", "c")
	for n := range s.parts {
		s.parts[n].Result.Bytes = make([]byte, saveBytes/2)
	}
	var sizes []int
	for effects := s.storing.gathered(3 * time.Second); len(effects) > 0; effects = s.storing.saved(3*time.Second, true) {
		sizes = append(sizes, len(effects[0].(Save).Results))
	}
	if !slices.Equal(sizes, []int{2, 1}) {
		t.Errorf("batches have %v results", sizes)
	}
	d := &diskOf{}
	for n := range madeMax {
		d.add(storedKey{key: steal.Key{byte(n), byte(n >> 8)}, made: true})
	}
	if gone := d.inVain(nil); len(gone) != 0 {
		t.Errorf("as many as may be are kept, and %d go", len(gone))
	}
}

// TestDiskOfAnother: what a folder has of something else is nothing of this run, which is written
// then; and where there is no disk, nothing is, however the peer goes.
func TestDiskOfAnother(t *testing.T) {
	s := newOfDisk(t, Terms{})
	s.storing.tick(0)
	other := s.found("", "left")
	other.Place[0]++
	s.storing.stored(0, s.r.no, other)
	does(t, "it has something else", s.storing.tick(saveAfter), `save the record of epoch 1 with root "root"`)
	s.storing.saved(saveAfter, true)
	s.lists("right")
	s.storing.on = false
	does(t, "there is no disk", s.storing.gathered(2*time.Second))
	does(t, "it goes", s.storing.leaves(2*time.Second))
	does(t, "it ends", s.storing.ended(s.r))
}
