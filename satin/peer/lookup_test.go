package peer

import (
	"fmt"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// finder is a look-up at site a, with others who hold results.
type finder struct {
	*lookup
	t *testing.T
	present
}

var soughtRun = steal.Instance{Run: steal.Key{1}}

func newFinder(t *testing.T, others ...membership.PeerID) *finder {
	table := orphan.NewTable("me")
	c := presentOf(others...)
	return &finder{&lookup{
		run: soughtRun, no: 7, site: "a", table: table, results: orphan.NewResults(table), members: c, at: steal.Never,
	}, t, c}
}

// holds has another advertise a result that has cost so much.
func (f *finder) holds(id membership.PeerID, cost uint32, keys ...string) {
	f.t.Helper()
	a := orphan.Advert{Runs: []steal.Instance{soughtRun}}
	for _, v := range f.table.Versions().All {
		if v.Holder == id {
			a.After = v.Number
		}
	}
	for _, k := range keys {
		a.Changes = append(a.Changes, orphan.Change{Key: keyOf(k), Cost: cost})
	}
	if f.table.HearAdvert(id, in(id).incarnation, a) {
		f.t.Fatalf("the advert of %s does not fit", id)
	}
}

func found(key string) orphan.ResultIs {
	return orphan.ResultIs{Run: soughtRun, Key: keyOf(key), Found: true, Result: value(key + "'s")}
}

func keysOf(texts ...string) (keys []steal.Key) {
	for _, t := range texts {
		keys = append(keys, keyOf(t))
	}
	return keys
}

// TestLookupAsksWorkers: the workers are asked while there is something to find, soon at first and
// after something was found; once at a time; and not at all where they may not be.
func TestLookupAsksWorkers(t *testing.T) {
	f := newFinder(t, "b1")
	f.listed(0)
	if f.deadline() != steal.Never {
		t.Error("it looks though there is nothing")
	}
	f.holds("b1", 5, "left")
	f.listed(time.Second)
	f.listed(2 * time.Second)
	if f.deadline() != time.Second {
		t.Errorf("it looks at %v", f.deadline())
	}
	does(t, "they may not be asked", f.tick(time.Second, false))
	does(t, "soon", f.tick(time.Second+lookSoon-1, true))
	does(t, "they may", f.tick(time.Second+lookSoon, true), "want keys")
	does(t, "they have not answered", f.tick(time.Second+2*lookSoon, true))
	does(t, "they answer", f.unfinished(1100*ms, nil))
	does(t, "again", f.tick(1100*ms, true), "want keys")
	f.unfinished(1100*ms, nil)
	f.tick(time.Second+lookSoonFor, true)
	if at := time.Second + lookSoonFor + lookEvery; f.deadline() != at {
		t.Errorf("nothing is found, and they are asked at %v, not %v", f.deadline(), at)
	}
	f.table.Lost("b1")
	does(t, "there is nothing any more", f.tick(2*time.Second, true))
	if f.deadline() != steal.Never {
		t.Error("it looks for nothing")
	}
}

// TestLookupFinds: what is here is used at once, what another holds is fetched, and no key is used
// twice because the workers had listed it before they heard of it.
func TestLookupFinds(t *testing.T) {
	f := newFinder(t, "b1")
	f.results.Orphan(0, soughtRun, keyOf("here"), value("here's"))
	f.holds("b1", 5, "there")
	does(t, "the workers miss three", f.unfinished(0, keysOf("here", "there", "nowhere")),
		`use "here's" for here`, "b1: WantResult there")
	does(t, "they say so again", f.unfinished(0, keysOf("here", "there")))
	if !f.awaits(in("b1"), keyOf("there")) || f.awaits(in("b2"), keyOf("there")) || f.awaits(in("b1"), keyOf("here")) {
		t.Error("who was asked for what is not known")
	}
	effects := f.answered(time.Second, in("b1"), found("there"))
	does(t, "it comes", effects, `use "there's" for there`)
	if !effects[0].(reuses).fetched || f.deadline() != steal.Never {
		t.Error("it does not count as fetched, or is waited for still")
	}
	f.holds("b1", 5, "lost")
	does(t, "a job is put back", f.lookFirst(2*time.Second, keyOf("lost")), "b1: WantResult lost")
	does(t, "another", f.lookFirst(2*time.Second, keyOf("nowhere")))
	effects = f.lookFirst(2*time.Second, keyOf("here"))
	if does(t, "one that is here", effects, `use "here's" for here`); effects[0].(reuses).fetched {
		t.Error("it counts as fetched")
	}
}

// TestLookupTriesEachOnce: one in this site first, then others; who has nothing, panics or does not
// answer is not asked again, who is gone is not waited for, and a late answer is used.
func TestLookupTriesEachOnce(t *testing.T) {
	f := newFinder(t, "a2", "b1", "b2", "b3", "c1")
	f.present["c1"] = membership.Member{ID: "c1", Site: "c", Incarnation: membership.Incarnation{Join: 9}}
	for _, id := range []membership.PeerID{"a2", "b1", "b2", "b3", "c1", "gone"} {
		f.holds(id, 5, "key")
	}
	seek := func(now time.Duration, want ...string) {
		t.Helper()
		does(t, "the workers miss it", f.unfinished(now, keysOf("key")), want...)
	}
	seek(0, "a2: WantResult key")
	does(t, "not here", f.answered(0, in("a2"), orphan.ResultIs{Key: keyOf("key")}))
	seek(0, "b1: WantResult key")
	bad := found("key")
	bad.Result.Outcome = steal.Panicked
	does(t, "a panic", f.answered(0, in("b1"), bad))
	seek(0, "b2: WantResult key")
	seek(0)
	if f.deadline() != fetchMax {
		t.Errorf("it waits until %v", f.deadline())
	}
	f.tick(fetchMax, true)
	seek(fetchMax, "b3: WantResult key")
	f.lost("b3")
	delete(f.present, "b3")
	seek(fetchMax)
	does(t, "one more word of the second", f.answered(fetchMax, in("b1"), orphan.ResultIs{Key: keyOf("key")}))
	late := f.answered(fetchMax, in("b2"), found("key"))
	does(t, "the third is late", late, `use "key's" for key`)
	if _, counts := late[0].(reuses); counts {
		t.Error("it counts")
	}
	m := f.present["a2"]
	m.Incarnation.Rejoin++
	f.present["a2"] = m
	seek(fetchMax)
	f.table.Lost("a2")
	a := orphan.Advert{Runs: []steal.Instance{soughtRun}, Changes: []orphan.Change{{Key: keyOf("key")}}}
	f.table.HearAdvert("a2", m.Incarnation, a)
	seek(fetchMax, "a2: WantResult key")
}

// TestLookupIsBounded: so many fetches from one, so many in all; the dearest come first, and the
// next as answers come.
func TestLookupIsBounded(t *testing.T) {
	ids := []membership.PeerID{"b1", "b2", "b3", "b4", "b5"}
	f := newFinder(t, ids...)
	var keys []string
	for n := range 100 {
		keys = append(keys, fmt.Sprint("key", n))
		f.holds("b1", uint32(n), keys[n])
	}
	effects := f.unfinished(0, keysOf(keys...))
	if len(effects) != fetchesEach {
		t.Fatalf("%d fetches from one", len(effects))
	}
	does(t, "the dearest first", effects[:2], "b1: WantResult key99", "b1: WantResult key98")
	does(t, "it comes", f.answered(0, in("b1"), found("key99")), `use "key99's" for key99`, "b1: WantResult key91")
	for n, id := range ids[1:] {
		for k := range 20 {
			f.holds(id, uint32(n*20+k), keys[n*20+k])
		}
	}
	f.unfinished(0, keysOf(keys...))
	each := map[membership.PeerID]int{}
	for _, x := range f.fetches {
		each[x.holder.peer]++
	}
	if len(f.fetches) != fetchesMax || each["b1"] > fetchesEach || each["b2"] > fetchesEach {
		t.Errorf("%d fetches, %v", len(f.fetches), each)
	}
	f.unfinished(0, keysOf(keys[:3]...))
	if len(f.hits) > 3 {
		t.Errorf("%d are to be fetched, of three that are missed", len(f.hits))
	}
	for n := range triedKeysMax + 1 {
		f.fetches = append(f.fetches, fetch{key: steal.Key{byte(n), byte(n >> 8), 9}})
		f.fetchFailed(len(f.fetches) - 1)
	}
	if len(f.tried) != 1 {
		t.Errorf("who was asked in vain is remembered for %d keys", len(f.tried))
	}
}

// TestFetchGoesOnToTheNextHolder: one that has nothing is not asked again, one that does not answer
// is given up after ten seconds, and a late answer is used.
func TestFetchGoesOnToTheNextHolder(t *testing.T) {
	s := newStage(t, "a2", "b1", "b2")
	for _, id := range []membership.PeerID{"b1", "a2", "b2"} {
		s.advert(0, id, 0, 9, 7)
	}
	want, ok := find[WantKeys](s.p.Tick(time.Millisecond))
	if !ok {
		t.Fatal("there are entries, and the workers are not asked")
	}
	key := steal.Key{7}
	to, _ := sent[orphan.WantResult](s.p.Unfinished(time.Millisecond, want.Run, []steal.Key{key}))
	if fmt.Sprint(to) != "[a2]" {
		t.Fatalf("asked %v first, not the one in its site", to)
	}
	s.from(2*time.Millisecond, "a2", orphan.ResultIs{Run: s.run, Key: key})
	ask := func(now time.Duration) []membership.PeerID {
		s.p.look(t, now)
		to, _ := sent[orphan.WantResult](s.p.Unfinished(now, want.Run, []steal.Key{key}))
		return to
	}
	second := ask(time.Second)
	if len(second) != 1 || second[0] == "a2" {
		t.Fatalf("then asked %v", second)
	}
	s.pass(time.Second, 12*time.Second)
	third := ask(12 * time.Second)
	if len(third) != 1 || third[0] == "a2" || third[0] == second[0] {
		t.Fatalf("asked %v, which did not answer, then %v", second, third)
	}
	use, ok := find[Use](s.from(13*time.Second, second[0], orphan.ResultIs{Run: s.run, Key: key, Found: true, Result: steal.Result{Bytes: []byte("late")}}))
	if !ok || string(use.Result.Bytes) != "late" {
		t.Error("a late answer is not used")
	}
	if _, ok := find[Use](s.from(13*time.Second, "b1", orphan.ResultIs{Run: s.run, Key: steal.Key{8}, Found: true})); ok {
		t.Error("an answer to a question that was never put is used")
	}
}

// look makes the peer ask its workers, whenever that is due.
func (p *Peer) look(t *testing.T, now time.Duration) {
	t.Helper()
	for _, r := range p.runs.all {
		r.look.open, r.look.at = true, now+time.Hour
	}
}

// TestLooksOftenWhileThingsAreFound: where something was just advertised or found, the workers are
// asked again soon, else seldom.
func TestLooksOftenWhileThingsAreFound(t *testing.T) {
	s := newStage(t, "b1")
	asked := func(from, to time.Duration) (n int) {
		for now := from; now < to; now += time.Millisecond {
			if want, ok := find[WantKeys](s.p.Tick(now)); ok {
				s.p.Unfinished(now, want.Run, nil)
				n++
			}
		}
		return n
	}
	s.advert(0, "b1", 0, 9, 7)
	if n := asked(0, lookSoonFor); n != int(lookSoonFor/lookSoon) {
		t.Errorf("asked %d times in the first %v", n, lookSoonFor)
	}
	const later = lookSoonFor + time.Second
	if n := asked(lookSoonFor, later); n != int(time.Second/lookEvery) {
		t.Errorf("asked %d times in the second after, though nothing is found", n)
	}
	s.p.Unfinished(later, 1, []steal.Key{{7}})
	if _, ok := find[Use](s.from(later, "b1", orphan.ResultIs{Run: s.run, Key: steal.Key{7}, Found: true})); !ok {
		t.Fatal("what was found is not used")
	}
	if n := asked(later+lookEvery, later+2*lookEvery); n != int(lookEvery/lookSoon) {
		t.Errorf("asked %d times in %v after something was found", n, lookEvery)
	}
}

// TestFetchesAreBounded: the dearest come first, no holder gets more than its share, and the next
// go out as answers come.
func TestFetchesAreBounded(t *testing.T) {
	s := newStage(t, "b1", "b2")
	var keys []steal.Key
	for k := range byte(100) {
		keys = append(keys, steal.Key{k})
		s.advert(0, "b1", uint64(k), uint32(k)+1, k)
		s.advert(0, "b2", uint64(k), uint32(k)+1, k)
	}
	to, asked := sent[orphan.WantResult](s.p.Unfinished(0, 1, keys))
	if len(to) != 2*fetchesEach || asked[0].Key != (steal.Key{99}) {
		t.Fatalf("%d fetches, the first for %v", len(to), asked[0].Key)
	}
	to, more := sent[orphan.WantResult](s.from(0, to[0], orphan.ResultIs{Run: s.run, Key: asked[0].Key, Found: true}))
	if len(to) != 1 || more[0].Key != (steal.Key{byte(99 - 2*fetchesEach)}) {
		t.Errorf("then %v", more)
	}
}

// TestResultWaitsForItsBest: a result that was found under a best that is not here is
// used when that has come.
func TestResultWaitsForItsBest(t *testing.T) {
	s := newStage(t, "b1")
	s.advert(0, "b1", 0, 9, 7)
	s.p.Unfinished(0, 1, []steal.Key{{7}})
	best := []byte("a long best")
	got := s.from(0, "b1", orphan.ResultIs{Run: s.run, Key: steal.Key{7}, Found: true, Best: steal.Stamp{Digest: steal.KeyOf(best)}})
	if _, ok := find[Use](got); ok {
		t.Fatal("used before its best is here")
	}
	if _, ask := sent[WantBest](got); len(ask) != 1 {
		t.Error("the best is not asked for")
	}
	got = s.from(0, "b1", BestIs{Run: s.run, For: steal.KeyOf(best), Best: steal.StampOf(best)})
	if _, ok := find[Use](got); ok {
		t.Fatal("used before its best is compared")
	}
	got = s.p.Compared(0, 1, steal.KeyOf(best), Better, steal.Result{})
	if _, ok := find[Use](got); !ok {
		t.Error("its best is here, and it is not used")
	}
}
