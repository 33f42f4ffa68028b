package peer

import (
	"slices"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// ofDisk is a peer with a disk that a test plays, and one run, that c1 has submitted.
type ofDisk struct {
	*ofRuns
	r     *run
	parts []orphan.Part // the workers'
}

func newOfDisk(t *testing.T, terms Terms) *ofDisk {
	t.Helper()
	s := &ofDisk{ofRuns: newOfRuns(t)}
	s.storing.on = true
	s.storing.parts = func(steal.Instance) []orphan.Part { return s.parts }
	m := asks("c1", 1, "root")
	m.Terms = terms.settled()
	s.r = s.own(m)
	s.r.best.known = true
	return s
}

// known has the disk answer that it has nothing, and the record written.
func (s *ofDisk) known() {
	s.t.Helper()
	does(s.t, "the root has come", s.storing.tick(0), "want what is stored")
	does(s.t, "the disk has nothing", s.storing.stored(0, s.r.no, Stored{Place: s.r.instance.Run}))
	does(s.t, "the run is a second old", s.storing.tick(saveAfter), `save the record of epoch 1 with root "root"`)
	does(s.t, "it is written", s.storing.saved(saveAfter, true))
}

// lists has the workers list these parts, of 200 ms each.
func (s *ofDisk) lists(keys ...string) {
	s.parts = nil
	for _, p := range listed(keys...) {
		s.parts = append(s.parts, orphan.Part{Key: p.Key, Result: p.Result})
	}
}

// found is what the disk has: these results, under a best.
func (s *ofDisk) found(best string, keys ...string) Stored {
	d := Stored{Place: s.r.instance.Run}
	if best != "" {
		d.Best = stamp(best)
	}
	for _, p := range listed(keys...) {
		d.Results = append(d.Results, StoredResult{Part: orphan.Part{Key: p.Key, Result: p.Result}, Best: d.Best.Digest})
	}
	return d
}

func (s *ofDisk) holds(key string) bool {
	_, ok := s.results.Get(s.r.instance, keyOf(key))
	return ok
}

// TestSavesTheRecord of a run that is a second old: the root once, and the rest when it has
// changed. One that is kept has no second to lose.
func TestSavesTheRecord(t *testing.T) {
	s := newOfDisk(t, Terms{})
	does(t, "the root has come", s.storing.tick(0), "want what is stored")
	does(t, "the disk has nothing", s.storing.stored(0, s.r.no, Stored{Place: s.r.instance.Run}))
	does(t, "another answer", s.storing.stored(0, s.r.no, s.found("", "left")))
	does(t, "it is young", s.storing.tick(saveAfter-1))
	does(t, "it is not", s.storing.tick(2*saveAfter), `save the record of epoch 1 with root "root"`)
	does(t, "it is being written", s.storing.tick(3*saveAfter))
	does(t, "it is written", s.storing.saved(3*saveAfter, true))
	does(t, "nothing is new", s.storing.tick(4*saveAfter))
	s.r.epoch.Number = 2
	does(t, "another epoch", s.storing.tick(5*saveAfter), "save the record of epoch 2")
	does(t, "the disk is full", s.storing.saved(5*saveAfter, false))
	if at := s.storing.deadline(); at != 5*saveAfter+saveAgain {
		t.Errorf("it tries again at %v", at)
	}
	does(t, "all once more", s.storing.tick(s.storing.at), `save the record of epoch 2 with root "root"`)

	s = newOfDisk(t, Terms{Keep: 60})
	does(t, "the root has come", s.storing.tick(0), "want what is stored")
	does(t, "it is kept", s.storing.stored(0, s.r.no, Stored{Place: s.r.instance.Run}), `save the record of epoch 1 with root "root"`)
}

// TestStoredAnswerHasItsAge: a run that had its answer when all were gone is kept no longer than it
// would have been, whoever was its master.
func TestStoredAnswerHasItsAge(t *testing.T) {
	for _, master := range []membership.PeerID{"me", "a1"} {
		s := newOfRuns(t)
		m := keepsFor(asks("u", 1, "root"), 60)
		h := s.masteredBy(master, m)
		h.Submissions, h.Answered = []steal.Submission{m.Submission.Kept()}, 51
		s.records.remembered(0, recorded(Record{Head: h, Root: m.Root}))
		s.succession.look(0)
		s.succession.look(2 * strangerMax)
		r := s.runs.all[0]
		if r.master != "me" || r.root.borrow == 0 {
			t.Fatalf("its master is %s, and its root is borrow %d", r.master, r.root.borrow)
		}
		s.decisions.decide(7*time.Second, r, value("4"))
		if until := r.keptUntil(); until != 9*time.Second {
			t.Errorf("of %s: it is kept until %v", master, until)
		}
	}
}

// TestSavesResults with what they replace, in one batch at a time, and the best before all that was
// found under it.
func TestSavesResults(t *testing.T) {
	s := newOfDisk(t, Terms{})
	s.known()
	s.lists("left", "right")
	does(t, "a round", s.storing.gathered(2*time.Second), `save +right "right" +left "left"`)
	s.lists("parent")
	does(t, "the disk is slow", s.storing.gathered(3*time.Second))
	does(t, "the rest when it is done", s.storing.saved(4*time.Second, true), `save +parent "parent" -right -left`)
	does(t, "nothing is new", s.storing.saved(5*time.Second, true))
	does(t, "nor at the next round", s.storing.gathered(6*time.Second))
	s.parts[0].Key, s.parts[0].Result.Cost = keyOf("cheap"), copyCostMin-1
	does(t, "what is worth no write", s.storing.gathered(7*time.Second))
	s.r.best.hasBetter(stamp("best"))
	does(t, "one best", s.storing.gathered(8*time.Second), `save +cheap "parent" -parent with best "best"`)
	s.storing.saved(8*time.Second, true)
	s.lists("under")
	does(t, "it is named", s.storing.gathered(9*time.Second), `save +under "under" -cheap naming a best`)
}

// TestSavesMuchInTurn: more than goes into a batch follows in others, and what all of them replace
// goes with the last.
func TestSavesMuchInTurn(t *testing.T) {
	s := newOfDisk(t, Terms{})
	s.known()
	s.lists("old")
	s.storing.gathered(2 * time.Second)
	s.storing.saved(2*time.Second, true)
	s.lists("b", "a")
	for n := range s.parts {
		s.parts[n].Result.Bytes = make([]byte, saveBytes-n)
	}
	all, gone := 0, 0
	for effects := s.storing.gathered(3 * time.Second); len(effects) > 0; effects = s.storing.saved(3*time.Second, true) {
		b := effects[0].(Save)
		if all += len(b.Results); len(b.Gone) > 0 && all < 2 {
			t.Error("something is replaced by what is not there yet")
		}
		gone += len(b.Gone)
	}
	if all != 2 || gone != 1 {
		t.Errorf("%d results are written, %d are gone", all, gone)
	}
}

// TestKeepsWhatItMade: a result that others have now stays on the disk of who has made it; of too
// many the dearest.
func TestKeepsWhatItMade(t *testing.T) {
	d := &diskOf{}
	for n := range madeMax + 2 {
		d.add(storedKey{key: steal.Key{byte(n), byte(n >> 8)}, cost: uint32(n), made: true})
	}
	d.add(storedKey{key: steal.Key{0, 0, 1}, cost: 9})
	d.add(storedKey{key: steal.Key{0, 0, 2}, found: true})
	gone := d.inVain([]orphan.Part{{Key: steal.Key{0, 0}}})
	if len(gone) != 2 || gone[0] != (steal.Key{0, 0, 1}) || gone[1] != (steal.Key{1, 0}) {
		t.Errorf("gone are %x", gone)
	}

	s := newOfDisk(t, Terms{})
	s.known()
	whom := orphan.KeptFor{Owner: "b1", Why: orphan.ForReturn, Loan: 1}
	s.results.KeepFor(0, s.r.instance, keyOf("returned"), worth("v"), whom)
	does(t, "it was returned", s.storing.gathered(2*time.Second), `save +returned "v"`)
	s.storing.saved(2*time.Second, true)
	s.storing.gathered(3 * time.Second)
	s.results.ReleaseKeys(0, s.r.instance, []steal.Key{keyOf("returned")}, whom)
	s.lists("left")
	does(t, "its owner has it", s.storing.gathered(4*time.Second), `save +left "left"`)
}

// TestUsesWhatIsStored under the best that it was found under, and not before that is held.
func TestUsesWhatIsStored(t *testing.T) {
	s := newOfDisk(t, Terms{})
	s.storing.tick(0)
	does(t, "a best and a result", s.storing.stored(0, s.r.no, s.found("best", "left")), `compare the best "best"`)
	if s.holds("left") {
		t.Error("a result is used without its best")
	}
	does(t, "it stays so", s.storing.unblocked(0))
	s.r.best.compared(0, stamp("best").Digest, Worse, steal.Result{})
	s.storing.unblocked(0)
	if !s.holds("left") || !s.table.Has(s.r.instance) {
		t.Error("a result is not used, or not advertised, though its best is held")
	}
	does(t, "what is there is not written", s.storing.tick(2*time.Second), `save the record of epoch 1 with root "root"`)
	s.storing.saved(2*time.Second, true)
	s.results.Drop(s.r.instance)
	s.lists("parent")
	does(t, "what was found stays", s.storing.gathered(2*time.Second), `save +parent "parent"`)
}

// TestWritesNothingOverWhatCannotBeRead: it may be results that were found under a better best than
// this run has. The disk is asked again.
func TestWritesNothingOverWhatCannotBeRead(t *testing.T) {
	s := newOfDisk(t, Terms{Keep: 60})
	s.r.best.hasBetter(stamp("worse"))
	s.r.best.flush()
	does(t, "the root has come", s.storing.tick(0), "want what is stored")
	does(t, "it cannot be read", s.storing.stored(0, s.r.no, Stored{Place: s.r.instance.Run, Unread: true}))
	s.lists("under")
	does(t, "nothing is written", s.storing.gathered(saveAgain/2))
	does(t, "nor asked", s.storing.tick(saveAgain/2))
	does(t, "it is asked again", s.storing.tick(saveAgain), "want what is stored")
	does(t, "there is more", s.storing.stored(saveAgain, s.r.no, s.found("best", "left")), `compare the best "best"`)
	s.r.best.compared(saveAgain, stamp("best").Digest, Better, steal.Result{})
	s.storing.unblocked(saveAgain)
	if !s.holds("left") {
		t.Error("it is not used then")
	}
}

// TestUsesOnlyWhatHolds: nothing of another run, nothing whose best is none or is not there, and
// nothing that is longer than this run was promised.
func TestUsesOnlyWhatHolds(t *testing.T) {
	s := newOfDisk(t, Terms{ResultMax: 5})
	s.storing.tick(0)
	other := s.found("best", "left")
	other.Place = steal.Key{9}
	does(t, "of another run", s.storing.stored(0, s.r.no, other))
	if s.holds("left") || s.r.best.trial.has(stamp("best").Digest) {
		t.Error("another run's results, or its best, are used")
	}

	s = newOfDisk(t, Terms{})
	s.storing.tick(0)
	s.storing.stored(0, s.r.no, s.found("best", "left"))
	s.r.best.compared(0, stamp("best").Digest, Spoilt, steal.Result{})
	does(t, "its best is none", s.storing.unblocked(0), "forget all")
	if s.holds("left") {
		t.Error("a result is used whose best is none")
	}
	does(t, "then it begins anew", s.storing.tick(saveAfter), `save the record of epoch 1 with root "root"`)

	s = newOfDisk(t, Terms{ResultMax: 5})
	s.storing.tick(0)
	all := s.found("best", "left", "longer")
	all.Best = steal.Stamp{}
	all.Results[1].Best = steal.Key{}
	all.Results = append(all.Results, s.found("", "right").Results...)
	s.storing.stored(0, s.r.no, all)
	if s.holds("left") || s.holds("longer") || !s.holds("right") {
		t.Error("a result is used whose best is not there, or which is too long, or one is not that holds")
	}
}

// TestUsesWhatWasVerified as much as the run is to be, under which it is written then.
func TestUsesWhatWasVerified(t *testing.T) {
	s := newOfDisk(t, Terms{Verify: 0.7})
	s.storing.tick(0)
	all := s.found("", "never", "less", "as much", "more")
	for n, share := range []float32{0, 0.69, 0.7, 1} {
		all.Results[n].Verify = share
	}
	s.storing.stored(0, s.r.no, all)
	for key, want := range map[string]bool{"never": false, "less": false, "as much": true, "more": true} {
		if s.holds(key) != want {
			t.Errorf("what was verified %s is used: %v", key, !want)
		}
	}
	s.storing.tick(saveAfter)
	s.storing.saved(saveAfter, true)
	s.lists("as much", "less")
	effects := s.storing.gathered(2 * time.Second)
	does(t, "what was verified less is found again", effects, `save +less "less"`)
	if b := effects[0].(Save); b.Verify != 0.7 {
		t.Errorf("it is written as verified to %v", b.Verify)
	}
}

// TestReadsWhatThereIsRoomFor, one run after the other: of what may be in memory each has its part,
// and what others did not need the next ones have.
func TestReadsWhatThereIsRoomFor(t *testing.T) {
	s := newOfDisk(t, Terms{})
	for n := range byte(3) {
		s.own(asks("c1", 2+n, string(rune('a'+n))))
	}
	asks := func(about string, effects []membership.Effect, run, want int) {
		t.Helper()
		var got WantStored
		is := false
		for _, e := range effects {
			if w, wants := e.(WantStored); wants {
				got, is = w, true
			}
		}
		if is != (want >= 0) || is && (got.Run != s.runs.all[run].no || got.BytesMax != want) {
			t.Fatalf("%s: it asks for %d bytes of run %d: %v", about, got.BytesMax, got.Run, is)
		}
	}
	answer := func(run, bytes int) []membership.Effect {
		r := s.runs.all[run]
		found := Stored{Place: r.instance.Run, Best: stamp("best " + string(rune('a'+run)))}
		found.Results = []StoredResult{{Part: orphan.Part{Key: keyOf("x"), Result: steal.Result{Bytes: make([]byte, bytes)}}}}
		return s.storing.stored(0, r.no, found)
	}
	whom := orphan.KeptFor{Owner: "b1", Why: orphan.ForCopy}
	kept := worth("kept")
	kept.Bytes = make([]byte, 1<<20)
	s.results.KeepFor(0, s.r.instance, keyOf("kept"), kept, whom)
	room := storedBytesMax - 1<<20
	asks("four runs, and something is kept", s.storing.tick(0), 0, room/4)
	asks("one is asked for", s.storing.tick(time.Second), 0, -1)
	asks("there is nothing", answer(0, 0), 1, room/3)
	asks("it waits for its best", answer(1, room/3), 2, (room-room/3)/2)
	asks("it cannot be read", s.storing.stored(0, s.runs.all[2].no, Stored{Place: s.runs.all[2].instance.Run, Unread: true}), 3, (room-room/3)/2)
	asks("there is more than was wanted", answer(3, room), 2, -1)
	asks("it is tried again, without room", s.storing.tick(saveAgain), 2, 0)
}

// TestWaitsToBeIn: nobody could ask for what is advertised by one that has not joined.
func TestWaitsToBeIn(t *testing.T) {
	p := New(Config{Member: membership.Config{ID: "me", Site: "m", Workers: 2}, Store: true}, newOfRuns(t).rng)
	s := &ofDisk{ofRuns: &ofRuns{p, t}}
	h := headOf(1, 4)
	p.Remembered(0, nil, []Recorded{recorded(Record{Head: h, Root: []byte("root")})})
	if s.r = p.runs.find(h.Run); s.r == nil {
		t.Fatal("the run is not known")
	}
	does(t, "the root has come", p.storing.tick(0), "want what is stored")
	p.storing.stored(0, s.r.no, s.found("", "left"))
	if s.holds("left") {
		t.Error("a result is advertised before it is in")
	}
	p.Found(time.Second)
	if !s.holds("left") {
		t.Error("then it is not used")
	}
}

// TestForgets: what was stored of a run that is answered is of no use. One that was given up may be
// asked for again.
func TestForgets(t *testing.T) {
	for about, c := range map[string]struct {
		how  Epitaph
		want string
	}{"answered": {EndAnswered, "forget all"}, "withdrawn": {EndWithdrawn, "forget the record"}, "cancelled": {EndCancelled, "forget the record"}} {
		s := newOfDisk(t, Terms{})
		s.known()
		_, effects := s.endings.bury(time.Minute, []Tombstone{{Submission: s.r.instance.First, How: c.how}})
		does(t, about, effects, c.want, "end run 1")
	}
	s := newOfDisk(t, Terms{})
	s.known()
	s.r.epoch.Number = 2
	s.storing.tick(5 * saveAfter)
	does(t, "the disk is full", s.storing.saved(5*saveAfter, false))
	_, effects := s.endings.bury(time.Minute, []Tombstone{{Submission: s.r.instance.First}})
	does(t, "an older record is there", effects, "forget the record", "end run 1")
	s = newOfDisk(t, Terms{})
	s.storing.tick(0)
	s.storing.stored(0, s.r.no, Stored{Place: s.r.instance.Run})
	s.storing.tick(saveAfter)
	does(t, "it takes too long", s.storing.saved(time.Minute, false))
	_, effects = s.endings.bury(time.Minute, []Tombstone{{Submission: s.r.instance.First}})
	does(t, "it may be there", effects, "forget the record", "end run 1")
	s = newOfDisk(t, Terms{})
	s.storing.tick(0)
	s.storing.stored(0, s.r.no, Stored{Place: s.r.instance.Run})
	_, effects = s.endings.bury(0, []Tombstone{{Submission: s.r.instance.First, How: EndAnswered}})
	does(t, "over before anything was written", effects, "end run 1")
}

// TestFresh: a run that is to be computed anew has nothing of former ones, and yet goes on from
// what is its own.
func TestFresh(t *testing.T) {
	s := newOfDisk(t, Terms{Fresh: true})
	does(t, "it is asked for", s.storing.tick(0), "forget all")
	does(t, "it is stored itself", s.storing.tick(saveAfter), `save the record of epoch 1 with root "root"`)
	s = newOfDisk(t, Terms{Fresh: true})
	s.r.disk.remembered = true
	does(t, "its record was on the disk", s.storing.tick(0), "want what is stored")
}

// beside is another run of the same root, under other terms.
func (s *ofDisk) beside(n byte, terms Terms) *run {
	m := asks("c1", n, "root")
	m.Run, m.Terms = s.r.instance.Run, terms.settled()
	r := s.own(m)
	r.best.known = true
	return r
}

// written has the disk write all that is to be written, and tells where the records are and of
// which runs.
func (s *ofDisk) written(now time.Duration, effects []membership.Effect) map[steal.Key]steal.Instance {
	at := map[steal.Key]steal.Instance{}
	for len(effects) > 0 {
		e := effects[0]
		effects = effects[1:]
		if b, ok := e.(Save); ok {
			if b.Record != nil {
				at[b.Place] = b.Record.Head.Run
			}
			effects = append(effects, s.storing.saved(now, true)...)
		}
	}
	return at
}

// TestEachRunHasAPlace: of two of one root, under other terms, the first is where whoever computes
// that looks, and the other one beside it, where nothing is read. It stays there, alone, too, until
// it ends, and leaves nothing. The next one finds what the first has left.
func TestEachRunHasAPlace(t *testing.T) {
	s := newOfDisk(t, Terms{Keep: 60})
	other := s.beside(2, Terms{Keep: 60, Verify: 1})
	does(t, "both roots have come", s.storing.tick(0), "want what is stored")
	effects := s.storing.stored(0, s.r.no, Stored{Place: s.r.instance.Run})
	does(t, "the other is to find nothing", effects[:1], "forget all")
	at := s.written(saveAfter, effects[1:])
	if at[s.r.instance.Run] != s.r.instance || at[other.id] != other.instance || len(at) != 2 {
		t.Fatalf("their records are %v", at)
	}
	s.endings.bury(saveAfter, endOf(s.r.all(), EndWithdrawn).Submissions)
	other.epoch.Number = 2
	if at = s.written(saveAfter, s.storing.tick(2*saveAfter)); at[other.id] != other.instance || len(at) != 1 {
		t.Errorf("alone it is at %v", at)
	}
	next := s.beside(3, Terms{})
	does(t, "the place is free", s.storing.tick(3*saveAfter), "want what is stored")
	if next.disk.place != next.instance.Run {
		t.Errorf("the next one is at %v", next.disk.place)
	}
	_, effects = s.endings.bury(saveAfter, endOf(other.all(), EndWithdrawn).Submissions)
	does(t, "given up it leaves nothing", effects, "forget all", "end run 2")
}

// TestNoneIsWrittenOver: a run has its place while the disk cannot be read, and at a leave.
func TestNoneIsWrittenOver(t *testing.T) {
	s := newOfDisk(t, Terms{Keep: 60})
	other := s.beside(2, Terms{Keep: 60, Fresh: true})
	s.storing.tick(0)
	effects := s.storing.stored(0, s.r.no, Stored{Place: s.r.instance.Run, Unread: true})
	if at := s.written(0, effects); at[other.id] != other.instance || len(at) != 1 {
		t.Errorf("beside one that cannot be read there is written %v", at)
	}

	s = newOfDisk(t, Terms{Keep: 60})
	other = s.beside(2, Terms{Keep: 60, Fresh: true})
	if at := s.written(0, s.storing.leaves(0)); at[s.r.instance.Run] != s.r.instance || at[other.id] != other.instance {
		t.Errorf("who leaves writes %v", at)
	}
}

// TestRemembersPlaces: each run goes on where it is on the disk. Of one that is there twice, since
// one place could not be read once, the younger holds; of one that has ended beside another nothing
// stays.
func TestRemembersPlaces(t *testing.T) {
	s := newOfDisk(t, Terms{Keep: 60})
	other := s.beside(2, Terms{Keep: 60, Verify: 1})
	over := s.beside(3, Terms{Keep: 60, Verify: 0.5})
	rec := func(r *run) Record { return Record{Head: r.head(0), Root: r.root.bytes} }
	in := newOfDisk(t, Terms{})
	in.runs.all = nil
	for _, stone := range endOf(over.all(), EndWithdrawn).Submissions {
		in.tombstones.add(0, stone)
	}
	does(t, "it has ended", in.records.remembered(0, Recorded{Record: rec(over), Place: over.id}), "forget all")
	in.records.remembered(0, Recorded{Record: rec(other), Place: other.id})
	in.records.remembered(0, Recorded{Record: rec(s.r), Place: s.r.instance.Run})
	for _, r := range in.runs.all {
		if want := map[steal.Instance]steal.Key{s.r.instance: s.r.instance.Run, other.instance: other.id}[r.instance]; r.disk.place != want {
			t.Errorf("%v goes on at %v, and not at %v", r.instance, r.disk.place, want)
		}
	}
	is := in.records.remembered(0, Recorded{Record: rec(other), Place: steal.Key{9}})
	if !slices.Contains(is, membership.Effect(Forget{Place: other.id, All: true})) {
		t.Errorf("twice there: %v", told(is))
	}
}

// TestSavesTheAnswer at once, in place of all that it was made of.
func TestSavesTheAnswer(t *testing.T) {
	s := newOfDisk(t, Terms{})
	s.known()
	s.lists("left")
	s.storing.gathered(2 * time.Second)
	s.storing.saved(2*time.Second, true)
	keyNames[s.r.instance.Run] = "ROOT"
	s.r.answer = &steal.Result{Bytes: []byte("42")}
	does(t, "the root has returned", s.storing.tick(3*time.Second), `save +ROOT "42" -left`)
}

// TestLeavesItsStore: who goes writes what it has, though something is being written.
func TestLeavesItsStore(t *testing.T) {
	s := newOfDisk(t, Terms{})
	s.known()
	s.lists("left")
	s.storing.gathered(2 * time.Second)
	s.lists("left", "right")
	does(t, "it goes", s.storing.leaves(2*time.Second), `save +right "right" +left "left"`)
}

// TestLeavesBeforeTheDiskHasAnswered: a run that is to be kept goes on, whatever the disk has of
// it; no result is written beside that. One that is to be computed anew does not find it.
func TestLeavesBeforeTheDiskHasAnswered(t *testing.T) {
	const record = `save the record of epoch 1 with root "root"`
	s := newOfDisk(t, Terms{Keep: 60})
	s.lists("left")
	s.r.answer = &steal.Result{Bytes: []byte("42")}
	does(t, "it was not asked", s.storing.leaves(0), record)

	s = newOfDisk(t, Terms{Keep: 60})
	s.storing.tick(0)
	does(t, "it is asked", s.storing.leaves(0), record)

	s = newOfDisk(t, Terms{Keep: 60, Fresh: true})
	does(t, "it is to be forgotten", s.storing.leaves(0), "forget all", record)

	s = newOfDisk(t, Terms{})
	does(t, "a young run that is not kept", s.storing.leaves(0))
	s = newOfDisk(t, Terms{Keep: 60})
	s.storing.on = false
	does(t, "there is no disk", s.storing.leaves(0))
}

// TestRemembered: a run that is known from a disk is asked about before it starts. One that is kept
// starts, whoever has asked for it.
func TestRemembered(t *testing.T) {
	for about, c := range map[string]struct {
		kept   bool
		starts bool
	}{"kept": {true, true}, "not kept": {false, false}} {
		p := New(Config{Member: membership.Config{ID: "me", Site: "m", Workers: 2}, Store: true}, newOfRuns(t).rng)
		h := headOf(1, 4)
		h.RootDigest = keyOf("root")
		if c.kept {
			h.Submissions = append(h.Submissions, h.Submissions[0].Kept())
		}
		p.Remembered(0, nil, []Recorded{recorded(Record{Head: h, Root: []byte("root")})})
		p.Found(0)
		starts := false
		for now := time.Duration(0); now < 2*strangerMax; now += 100 * ms {
			_, is := find[Execute](p.Tick(now))
			starts = starts || is
		}
		if starts != c.starts {
			t.Errorf("%s: the root starts: %v", about, starts)
		}
	}
}
