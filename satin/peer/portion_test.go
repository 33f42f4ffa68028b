package peer

import (
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// TestWillsFitTheLink: over a link that carries 0.7 MB in a second, a leaver hands on nine
// megabytes to one heir, in twenty seconds; over one without such a limit it takes few messages.
func TestWillsFitTheLink(t *testing.T) {
	for name, c := range map[string]struct {
		perSecond int
		willsMax  int
	}{"slow": {700_000, 100}, "fast": {1 << 30, 8}} {
		s := newStage(t, "b1", "b2")
		effects := s.p.Leave(0, 20*time.Second, "b")
		w, _ := find[Withdraw](effects)
		parts := make([]Part, 90)
		for n := range parts {
			parts[n] = Part{Run: 1, Key: steal.Key{byte(n)}, Result: steal.Result{Cost: 9000, Bytes: make([]byte, 100_000)}}
		}
		s.p.Salvaged(0, parts)
		effects = s.p.Stopped(0, w.Borrow)
		number, acked := uint64(0), 0
		var heir membership.PeerID
		var at time.Duration // when the will that is under way arrives
		var under orphan.Will
		for now := time.Duration(0); ; now += 50 * time.Millisecond {
			to, wills := sent[orphan.Will](effects)
			for n, w := range wills {
				if heir == "" {
					heir = to[n]
				}
				if to[n] != heir {
					t.Fatalf("%s: after %v %s is given up, of whom %d messages were acknowledged", name, now, heir, acked)
				}
				if w.Number > number {
					// a repeat of what is under way is not sent by the carrier
					number, under = w.Number, w
					at = now + time.Duration(willSize(&w))*time.Second/time.Duration(c.perSecond)
				}
			}
			if left, ok := find[Left](effects); ok {
				if left.Lost != 0 || acked > c.willsMax {
					t.Errorf("%s: it left after %v and %d messages, %d were lost", name, now, acked, left.Lost)
				}
				break
			}
			effects = s.pass(now, now)
			if under.Number > 0 && now >= at {
				acked++
				under.Number = 0
				effects = append(effects, s.from(now, heir, orphan.Willed{Number: number})...)
			}
		}
	}
}

// TestOneLongResultHasTime: it goes alone, whatever it is, and its heir is not given up while a
// slow link carries it.
func TestOneLongResultHasTime(t *testing.T) {
	q := portion{}
	if a, b := q.patience(portionMin), q.patience(16<<20); a > time.Second || b < 30*time.Second {
		t.Errorf("a portion has %v, sixteen megabytes %v", a, b)
	}
	for range 100 {
		q.took(q.bytes(), portionTime/2)
	}
	if q.bytes() != portionMax {
		t.Errorf("on a fast link a message brings %d bytes", q.bytes())
	}
	q.took(q.bytes(), 3*portionTime)
	if q.bytes() != portionMax/2 {
		t.Errorf("when the link has become slower a message brings %d bytes", q.bytes())
	}
	for range 100 {
		q.took(10, portionTime/2) // says nothing of the link
	}
	if q.bytes() != portionMax/2 {
		t.Errorf("after short messages one brings %d bytes", q.bytes())
	}
}

// TestNothingIsCoveredWhereSomethingIsUnkept: a thief drops what it has returned when copies cover
// it. They cover nothing for certain where the owner cannot list all that is finished.
func TestNothingIsCoveredWhereSomethingIsUnkept(t *testing.T) {
	s := newStage(t, "b1")
	covered := func() int {
		_, all := sent[orphan.Covered](s.from(0, "b1", orphan.Uncovered{Run: s.run, Loans: []steal.LoanNo{1}}))
		return len(all)
	}
	if covered() != 1 {
		t.Fatal("what was settled long ago is not covered")
	}
	s.p.Unkept(0, 1)
	if covered() != 0 {
		t.Error("it is called covered, though it may be in no copy")
	}
}

// TestManyPartsCoverNothing: of more parts than are copied, the dearest are; what
// others returned they keep.
func TestManyPartsCoverNothing(t *testing.T) {
	s := newStage(t, "b1")
	s.pass(0, 11*time.Second)
	parts := make([]Part, partsMax+1)
	for n := range parts {
		parts[n] = Part{Run: 1, Key: steal.Key{byte(n), byte(n >> 8)}, Result: steal.Result{Cost: 900}}
	}
	s.p.Gathered(11*time.Second, parts)
	if _, all := sent[orphan.Covered](s.from(11*time.Second, "b1", orphan.Uncovered{Run: s.run, Loans: []steal.LoanNo{1}})); len(all) != 0 {
		t.Error("a loan is called covered, though its result may be the one that is not copied")
	}
}

// TestLoanWithoutRoomGoesBack: a peer that knows as many runs as there may be hands back what
// belongs to another at once.
func TestLoanWithoutRoomGoesBack(t *testing.T) {
	s := newStage(t, "b1")
	for n := range RunsMax {
		s.p.Submit(0, RootOf(steal.KeyOf([]byte{byte(n)}), "t", []byte{byte(n)}))
	}
	unknown := steal.Instance{Run: steal.KeyOf([]byte("one more"))}
	_, held := sent[steal.Missing](s.from(0, "b1", steal.Lend{Run: unknown, Jobs: []steal.Lent{{Number: 3}}}))
	if len(held) != 1 || len(held[0].Numbers) != 1 {
		t.Errorf("it is answered %v", held)
	}
}
