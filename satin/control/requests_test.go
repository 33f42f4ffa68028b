package control

import (
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// TestAsking has requests that are answered from near and from far, twice, late and never.
func TestAsking(t *testing.T) {
	far := farSites{site: "a", sites: map[membership.PeerID]membership.Site{"near": "a", "far": "b"}}
	a := requests{far: &far}
	ms := func(n int) time.Duration { return time.Duration(n) * time.Millisecond }
	ask := func(at int, number steal.AskNo) { a.sent(ms(at), number) }
	came := func(at int, from membership.PeerID, body membership.Body) {
		a.came(ms(at), from, peer.Message{Body: body})
	}
	expect := func(what string, spent int, near, far answeredIn) {
		t.Helper()
		if a.spent != ms(spent) || a.trips != [2]answeredIn{near, far} {
			t.Errorf("%s: %v were asked for, and answered %+v", what, a.spent, a.trips)
		}
	}
	a.look(ms(1000))
	expect("nothing was asked", 0, answeredIn{}, answeredIn{})
	ask(1000, 1)
	ask(1010, 2)
	came(1020, "far", steal.Wake{})
	came(1020, "far", steal.Lend{}) // that answers nothing
	came(1030, "near", steal.Nothing{Number: 1})
	came(1030, "near", steal.Nothing{Number: 1})
	expect("the first is answered, and the other is not", 30, answeredIn{1, ms(30)}, answeredIn{})
	came(1110, "far", steal.Lend{Answer: 2})
	a.look(ms(2000))
	expect("both are answered", 110, answeredIn{1, ms(30)}, answeredIn{1, ms(100)})

	ask(2000, 3) // of one that is dead
	ask(3000, 4)
	came(3001, "near", steal.Lend{Answer: 4})
	a.look(ms(20_000))
	if most := ms(110) + ms(1001) + askedFor; a.spent > most || len(a.asked) > 0 {
		t.Errorf("one that nobody answers lasts: %v were asked for, %d are under way", a.spent, len(a.asked))
	}
	came(20_001, "near", steal.Nothing{Number: 3})
	expect("an answer that is too late is none", int(a.spent/time.Millisecond), answeredIn{2, ms(31)}, answeredIn{1, ms(100)})

	for number := range steal.AskNo(10 * askedMax) {
		ask(30_000, 10+number)
	}
	if len(a.asked) != askedMax {
		t.Errorf("%d requests are remembered, want %d", len(a.asked), askedMax)
	}
}
