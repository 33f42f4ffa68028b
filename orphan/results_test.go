package orphan

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"satingrid/membership"
	"satingrid/steal"
)

func result(cost int, bytes string) steal.Result {
	return steal.Result{Cost: uint32(cost), Bytes: []byte(bytes)}
}

// TestStoreAgainstTwin: what is kept and why is what a dumb map of reasons says.
func TestStoreAgainstTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	table := NewTable("me")
	s := NewResults(table)
	type why struct {
		nm name
		c  KeptFor // zero: it is an orphan's
	}
	twin := map[why]bool{}
	for step := range 5000 {
		nm := name{runNo(rng.IntN(3)), steal.Key{byte(rng.IntN(12))}}
		c := KeptFor{Owner: membership.PeerID(fmt.Sprint("o", rng.IntN(3))), Why: Purpose(1 + rng.IntN(2))}
		r := result(1+int(nm.key[0]), fmt.Sprint(nm.key[0]))
		switch rng.IntN(30) {
		case 0:
			s.Drop(nm.run)
			table.Drop(nm.run)
			for w := range twin {
				if w.nm.run == nm.run {
					delete(twin, w)
				}
			}
		case 1:
			s.OwnerLost(0, c.Owner)
			for w := range twin {
				if w.c.Owner == c.Owner {
					delete(twin, w)
					twin[why{w.nm, KeptFor{}}] = true
				}
			}
		case 2, 3:
			s.Orphan(0, nm.run, nm.key, r)
			twin[why{nm, KeptFor{}}] = true
		case 4, 5, 6, 7:
			s.ReleaseKeys(0, nm.run, []steal.Key{nm.key}, c)
			delete(twin, why{nm, c})
		case 8:
			s.Release(0, nm.run, func(_ steal.Key, o KeptFor) bool { return o.Owner == c.Owner })
			for w := range twin {
				if w.nm.run == nm.run && w.c.Owner == c.Owner {
					delete(twin, w)
				}
			}
		default:
			s.KeepFor(0, nm.run, nm.key, r, c)
			twin[why{nm, c}] = true
		}
		if err := s.Check(); err != nil {
			t.Fatalf("step %d: %v", step, err)
		}
		kept, reasons := map[name]bool{}, 0
		for w := range twin {
			kept[w.nm] = true
			reasons++
			if got, ok := s.Get(w.nm.run, w.nm.key); !ok || string(got.Bytes) != fmt.Sprint(w.nm.key[0]) {
				t.Fatalf("step %d: %v is not kept", step, w.nm)
			}
		}
		for n := range 3 {
			for _, i := range s.Items(runNo(n)) {
				reasons -= len(i.Owners)
				if i.Orphan {
					reasons--
				}
			}
		}
		if s.Len() != len(kept) || reasons != 0 {
			t.Fatalf("step %d: %d results are kept, the twin has %d; reasons differ by %d", step, s.Len(), len(kept), reasons)
		}
	}
}

// TestCheapestGoesFirst: above the limits the cheapest goes, and its advert with it.
func TestCheapestGoesFirst(t *testing.T) {
	table := NewTable("me")
	s := NewResults(table)
	for n := range ItemsMax + 10 {
		s.Orphan(0, runNo(0), steal.Key{byte(n), byte(n >> 8)}, result(n, "x"))
	}
	if _, ok := s.Get(runNo(0), steal.Key{9}); ok || s.Len() != ItemsMax || table.Len() != ItemsMax {
		t.Errorf("%d results, %d adverts; the cheapest is kept: %v", s.Len(), table.Len(), ok)
	}
	s.Orphan(0, runNo(0), steal.Key{0, 0, 1}, result(3, "x"))
	if _, ok := s.Get(runNo(0), steal.Key{0, 0, 1}); ok {
		t.Error("one that is worth less than all others was kept")
	}
	big := steal.Result{Cost: 1 << 20, Bytes: make([]byte, BytesMax)}
	s.Orphan(0, runNo(0), steal.Key{0, 0, 2}, big)
	if _, ok := s.Get(runNo(0), steal.Key{0, 0, 2}); !ok || s.Len() != 1 {
		t.Errorf("a dear big one: kept %v, beside %d", ok, s.Len()-1)
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
}
