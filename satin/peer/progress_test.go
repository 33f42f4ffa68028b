package peer

import (
	"math"
	"slices"
	"testing"

	"satingrid/membership"
	"satingrid/steal"
)

// TestThiefTellsHowFar: each owner hears of its own loans, in order; a root is nobody's.
func TestThiefTellsHowFar(t *testing.T) {
	s := newStage(t, "b1", "c1")
	s.p.Idle(0, 0)
	all := []Begun{{99, 0.1}}
	for n, from := range []string{"b1", "c1", "b1"} {
		e, ok := find[Execute](s.from(0, membership.PeerID(from), steal.Lend{Run: s.run, Jobs: []steal.Lent{{Number: steal.LoanNo(n + 1), Key: steal.Key{byte(n)}, Task: "t"}}}))
		if !ok {
			t.Fatal("what is lent is not executed")
		}
		all = append(all, Begun{e.Borrow, float64(n) / 4})
	}
	to, told := sent[Progress](s.p.HowFar(0, all))
	if len(told) != 2 || to[0] != "b1" || to[1] != "c1" ||
		!slices.Equal(told[0].Numbers, []steal.LoanNo{1, 3}) || !slices.Equal(told[0].Done, []float32{0, 0.5}) ||
		!slices.Equal(told[1].Numbers, []steal.LoanNo{2}) || !slices.Equal(told[1].Done, []float32{0.25}) {
		t.Errorf("%v hear %v", to, told)
	}
	many := slices.Repeat(all[1:2], progressMax+1)
	if _, told := sent[Progress](s.p.HowFar(0, many)); len(told) != 1 || len(told[0].Numbers) != progressMax {
		t.Error("a message has no bound")
	}
}

// TestOwnerHearsHowFar: of what is lent to the sender, and what may be.
func TestOwnerHearsHowFar(t *testing.T) {
	s := newStage(t, "b1", "c1")
	s.p.Idle(0, 0)
	s.from(0, "b1", steal.Ask{Number: 1, Jobs: 1, Bytes: 1 << 10})
	_, lends := sent[steal.Lend](s.p.Taken(0, []Job{{Ref: 1, Run: 1, Key: steal.Key{1}, Task: "t", Args: []byte("x")}}))
	if len(lends) != 1 {
		t.Fatal("nothing was lent")
	}
	no := lends[0].Jobs[0].Number
	nan := float32(math.NaN())
	for name, c := range map[string]struct {
		from  string
		m     Progress
		heard bool
	}{
		"half":             {"b1", Progress{[]steal.LoanNo{no}, []float32{0.5}}, true},
		"none":             {"b1", Progress{[]steal.LoanNo{no}, []float32{0}}, true},
		"all":              {"b1", Progress{[]steal.LoanNo{no}, []float32{1}}, false},
		"less than none":   {"b1", Progress{[]steal.LoanNo{no}, []float32{-1}}, false},
		"no number":        {"b1", Progress{[]steal.LoanNo{no}, []float32{nan}}, false},
		"not its loan":     {"c1", Progress{[]steal.LoanNo{no}, []float32{0.5}}, false},
		"no loan":          {"b1", Progress{[]steal.LoanNo{no + 9}, []float32{0.5}}, false},
		"of a stranger":    {"h", Progress{[]steal.LoanNo{no}, []float32{0.5}}, false},
		"more than it has": {"b1", Progress{[]steal.LoanNo{no, no}, []float32{0.5}}, false},
		"beyond the bound": {"b1", Progress{append(slices.Repeat([]steal.LoanNo{no + 9}, progressMax), no), slices.Repeat([]float32{0.5}, progressMax+1)}, false},
	} {
		e, heard := find[Progressed](s.from(0, membership.PeerID(c.from), c.m))
		if heard != c.heard || heard && (e.Ref != 1 || float32(e.Done) != c.m.Done[0]) {
			t.Errorf("%s: %v, %v", name, heard, e)
		}
	}
}

// TestProgressAlone: loans of one owner go in one message, to the life in which it has lent them.
func TestProgressAlone(t *testing.T) {
	x := progress{ledger: steal.NewLedger()}
	var all []Begun
	for n := range 3 {
		b, _ := x.ledger.Borrow("a1", in("a1").incarnation, steal.LoanNo(n+1), steal.Instance{}, steal.Key{byte(n)})
		all = append(all, Begun{b, float64(n) / 4})
	}
	effects := x.told(append(all, Begun{99, 1}))
	if e, ok := effects[0].(membership.Send); !ok || len(effects) != 1 || e.To != "a1" || e.Incarnation != in("a1").incarnation || len(e.Body.(Progress).Numbers) != 3 {
		t.Errorf("it does %v", effects)
	}
	no := x.ledger.Lend(0, "b1", in("b1").incarnation, steal.Instance{}, steal.Key{9}, 4)
	does(t, "how far it is", x.hearProgress("b1", Progress{[]steal.LoanNo{no}, []float32{0.25}}), "peer.Progressed")
	does(t, "another's", x.hearProgress("a1", Progress{[]steal.LoanNo{no}, []float32{0.25}}))
	does(t, "without a number", x.hearProgress("b1", Progress{[]steal.LoanNo{no}, nil}))
}
