package peer

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// stage is one peer with a run, and others that a test plays itself.
type stage struct {
	t    *testing.T
	p    *Peer
	run  steal.Instance
	life map[membership.PeerID]membership.Incarnation
}

// newStage has a peer called me at site a, others by name and site, and a run that it masters.
func newStage(t *testing.T, others ...string) *stage {
	t.Helper()
	p := New(Config{Member: membership.Config{ID: "me", Site: "a", Workers: 1}}, rand.New(rand.NewPCG(4, 4)))
	p.Found(0)
	s := &stage{t: t, p: p, life: map[membership.PeerID]membership.Incarnation{}}
	for n, o := range others {
		id := membership.PeerID(o)
		s.life[id] = membership.Incarnation{Join: uint64(n + 2)}
		s.member(id, membership.Here, 0)
	}
	_, effects, _ := p.Submit(0, RootOf(steal.KeyOf([]byte("root")), "t", []byte("root")))
	start, _ := find[StartRun](effects)
	s.run = start.Instance
	return s
}

// member says in what state another is.
func (s *stage) member(id membership.PeerID, state membership.State, grace uint32) []Effect {
	m := membership.Member{ID: id, Site: membership.Site(id[:1]), Workers: 1, Incarnation: s.life[id], State: state, Grace: grace}
	if state == membership.Here {
		return s.p.Received(0, id, Message{From: s.life[id], Body: membership.Hello{Member: m}})
	}
	return s.from(0, id, membership.Gone{Member: m})
}

func (s *stage) from(now time.Duration, id membership.PeerID, b membership.Body) []Effect {
	s.t.Helper()
	effects := s.p.Received(now, id, Message{From: s.life[id], Body: b})
	if err := s.p.Sight().Check(); err != nil {
		s.t.Fatal(err)
	}
	return effects
}

// pass lets time pass in which all others are heard, and gathers what the peer does.
func (s *stage) pass(from, until time.Duration) (all []Effect) {
	s.t.Helper()
	for now := from; now <= until; now += 50 * time.Millisecond {
		for id := range s.life {
			all = append(all, s.from(now, id, membership.Heartbeat{})...)
		}
		all = append(all, s.p.Tick(now)...)
	}
	return all
}

// sent lists to whom a kind of message went.
func sent[B membership.Body](effects []Effect) (to []membership.PeerID, all []B) {
	for _, e := range effects {
		if x, ok := e.(Send); ok {
			if b, ok := x.Message.Body.(B); ok {
				to, all = append(to, x.To), append(all, b)
			}
		}
	}
	return to, all
}

func (s *stage) advert(now time.Duration, id membership.PeerID, after uint64, cost uint32, keys ...byte) []Effect {
	a := orphan.Advert{After: after, Runs: []steal.Instance{s.run}}
	for _, k := range keys {
		a.Changes = append(a.Changes, orphan.Change{Key: steal.Key{k}, Cost: cost})
	}
	return s.from(now, id, a)
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

// TestCopiesAreKeptOnce: copies that come twice or late change nothing, and are
// acknowledged with what is kept.
func TestCopiesAreKeptOnce(t *testing.T) {
	s := newStage(t, "b1")
	part := func(k byte) orphan.Part {
		return orphan.Part{Key: steal.Key{k}, Result: steal.Result{Cost: 500, Bytes: []byte{k}}}
	}
	copied := func(c orphan.Copy) uint64 {
		c.Run = s.run
		_, acks := sent[orphan.Copied](s.from(0, "b1", c))
		if len(acks) == 0 {
			return 0
		}
		return acks[0].Sum
	}
	one := orphan.Copy{Round: 1, Whole: true, Parts: []orphan.Part{part(1), part(2)}}
	two := orphan.Copy{Round: 2, Parts: []orphan.Part{part(3)}, Gone: []steal.Key{{1}, {2}}}
	if sum := copied(one); sum != 1+2 {
		t.Errorf("kept %d", sum)
	}
	if sum := copied(two); sum != 3 {
		t.Errorf("kept %d", sum)
	}
	if sum := copied(two); sum != 3 {
		t.Errorf("doubled, it keeps %d", sum)
	}
	if copied(one); s.p.Sight().Store().Len() != 1 {
		t.Errorf("an old round brought %d back", s.p.Sight().Store().Len())
	}
	if copied(orphan.Copy{Round: 3, Whole: true}); s.p.Sight().Store().Len() != 0 {
		t.Errorf("anew and empty, it keeps %d", s.p.Sight().Store().Len())
	}
}

// TestSilentHolderIsLeft: a holder that does not acknowledge is left for another, who gets all.
func TestSilentHolderIsLeft(t *testing.T) {
	s := newStage(t, "b1", "c1")
	effects := s.pass(0, 11*time.Second)
	if _, ok := find[WantParts](effects); !ok {
		t.Fatal("in eleven seconds nobody asked for parts")
	}
	parts := []Part{{Run: 1, Key: steal.Key{1}, Result: steal.Result{Cost: 900}}}
	first, _ := sent[orphan.Copy](s.p.Gathered(11*time.Second, parts))
	effects = s.pass(11*time.Second, 24*time.Second)
	repeated, _ := sent[orphan.Copy](effects)
	if len(first) != 1 || len(repeated) < 2 {
		t.Fatalf("sent to %v, repeated to %v", first, repeated)
	}
	if _, ok := find[WantParts](effects); !ok {
		t.Fatal("the parts were not asked for again")
	}
	second, copies := sent[orphan.Copy](s.p.Gathered(24*time.Second, parts))
	if len(second) != 1 || second[0] == first[0] || !copies[0].Whole || len(copies[0].Parts) != 1 {
		t.Errorf("then to %v: %v", second, copies)
	}
}

// TestCopiesAreMoreFrequentAfterDeaths: where peers die every few seconds, ten seconds between
// copies would lose nearly all; later it is as before.
func TestCopiesAreMoreFrequentAfterDeaths(t *testing.T) {
	s := newStage(t, "b1", "c1", "d1", "e1")
	at, _ := s.round(0)
	for _, id := range []membership.PeerID{"d1", "e1"} {
		s.from(at, "b1", membership.Gone{Member: membership.Member{
			ID: id, Site: membership.Site(id[:1]), Incarnation: s.life[id], State: membership.Dead, How: membership.Killed,
		}})
		delete(s.life, id)
	}
	first, _ := s.round(at)
	second, _ := s.round(first)
	if first-at > 4*time.Second || second-first > 4*time.Second || second-first < copyEveryMin {
		t.Errorf("two of five are dead, and copies are made after %v and %v", first-at, second-first)
	}
	late, _ := s.round(second + churnWindow)
	if next, _ := s.round(late); next-late < copyEvery {
		t.Errorf("nobody has died for %v, and copies are made after %v", churnWindow, next-late)
	}
}

// round lets time pass until the workers are asked for their parts, answers, and is what was sent
// to keep for this peer.
func (s *stage) round(from time.Duration, parts ...Part) (at time.Duration, c orphan.Copy) {
	s.t.Helper()
	for at = from; at < from+12*time.Second; at += 50 * time.Millisecond {
		if _, ok := find[WantParts](s.pass(at, at)); !ok {
			continue
		}
		to, copies := sent[orphan.Copy](s.p.Gathered(at, parts))
		if len(copies) == 0 {
			return at, c
		}
		c = copies[0]
		var sum uint64
		for _, k := range s.p.copier.of(s.run).after {
			sum = orphan.SumOf(sum, k)
		}
		s.from(at, to[0], orphan.Copied{Run: s.run, Round: c.Round, Sum: sum})
		return at, c
	}
	s.t.Fatal("the workers are not asked for their parts")
	return 0, c
}

// TestCopiesStayUntilTheOwnerHasTheResult: what a finished job has replaced is not taken back
// before its owner, or the holder, has its result.
func TestCopiesStayUntilTheOwnerHasTheResult(t *testing.T) {
	s := newStage(t, "b1", "c1")
	left := Part{Run: 1, Key: steal.Key{1}, Result: steal.Result{Cost: 900}}
	e, ok := find[Execute](s.from(0, "b1", steal.Lend{Run: s.run, Jobs: []steal.Lent{{Number: 1, Key: steal.Key{9}, Task: "t", Args: []byte("nine")}}}))
	if !ok {
		t.Fatal("the job is not executed")
	}
	at, c := s.round(0, left)
	if len(c.Parts) != 1 || c.Parts[0].Key != left.Key {
		t.Fatalf("kept elsewhere: %v", c)
	}
	s.p.Finished(at, e.Borrow, steal.Result{Cost: 2000, Bytes: []byte("NINE")})
	at, c = s.round(at + time.Second)
	if len(c.Gone) != 1 || len(c.Parts) != 1 || c.Parts[0].Key != (steal.Key{9}) {
		t.Fatalf("its result is not acknowledged, and kept elsewhere is: %v", c)
	}
	s.from(at, "b1", steal.Returned{Numbers: []steal.LoanNo{1}})
	if _, c = s.round(at + time.Second); len(c.Parts) != 0 || len(c.Gone) != 1 || c.Gone[0] != (steal.Key{9}) {
		t.Errorf("its owner, at another site, has the result, and kept elsewhere is: %v", c)
	}
}

// TestCopiesStayUntilTheAnswerIsKept: nothing is taken back while the master alone has the answer.
func TestCopiesStayUntilTheAnswerIsKept(t *testing.T) {
	s := newStage(t, "b1", "c1")
	asker := membership.PeerID("asker")
	s.p.Received(0, asker, Message{From: asClient, Body: Submit{Submission: steal.Submission{Submitter: asker, Nonce: 1}, Run: s.run.Run, Task: "t", RootDigest: steal.KeyOf([]byte("root"))}})
	left := Part{Run: 1, Key: steal.Key{1}, Result: steal.Result{Cost: 900}}
	at, c := s.round(0, left)
	if len(c.Parts) != 1 {
		t.Fatalf("kept elsewhere: %v", c)
	}
	s.p.Finished(at, s.p.runs.find(s.run).rootBorrow, steal.Result{Cost: 9000, Bytes: make([]byte, rootAlong+1)})
	if at, c = s.round(at + time.Second); c.Round != 0 {
		t.Fatalf("only the master has the answer, and it sends %v", c)
	}
	s.from(at, s.p.runs.find(s.run).keep.by, Kept{s.run})
	if _, c = s.round(at + time.Second); len(c.Gone) != 1 {
		t.Errorf("the answer is kept elsewhere, and the copies are not taken back: %v", c)
	}
}

// TestStrayResultsAreAskedAbout: a peer that has heard of a run nothing but what another advertised
// asks that one for its record, and forgets the results when it hears that the run is over.
func TestStrayResultsAreAskedAbout(t *testing.T) {
	p := New(Config{Member: membership.Config{ID: "me", Site: "a", Workers: 1}}, rand.New(rand.NewPCG(1, 1)))
	p.Found(0)
	m := someone("m", 2)
	greet(p, 0, m)
	first := steal.Submission{Submitter: "s", Nonce: 1}
	run := steal.Instance{Run: keyOf("root"), First: first}
	p.Received(0, "m", Message{From: m.Incarnation, Body: orphan.Advert{Runs: []steal.Instance{run}, Changes: []orphan.Change{{Key: keyOf("part"), Cost: 1}}}})
	if p.Sight().Quiet() {
		t.Fatal("what is advertised is not kept")
	}
	asked := 0
	for now := time.Duration(0); now < 5*time.Second; now += 50 * time.Millisecond {
		p.Received(now, "m", Message{From: m.Incarnation, Body: membership.Heartbeat{}})
		for _, b := range sends(p.Tick(now), "m") {
			if b == (Fetch{run}) {
				asked++
			}
		}
	}
	if asked == 0 || asked > 10 {
		t.Errorf("it has asked %d times", asked)
	}
	p.Received(5*time.Second, "m", Message{From: m.Incarnation, Body: Ended{[]Tombstone{{Submission: first}}}})
	if !p.Sight().Quiet() {
		t.Error("the run is over, and its results are kept")
	}
}
