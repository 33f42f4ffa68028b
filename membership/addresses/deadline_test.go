package addresses

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"satingrid/membership"
)

// TestTicksMeetDeadlines tells books whatever can be said of few hosts, at random. A deadline that
// has passed is met by a Tick: whoever is told of it would else tick for ever, and do nothing else.
// And each entry stands in the rows where it would be put if all were looked through.
func TestTicksMeetDeadlines(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		id := func() membership.PeerID { return membership.PeerID(fmt.Sprint("h", rng.IntN(5))) }
		at := func(id membership.PeerID) string { return fmt.Sprintf("/ip4/10.0.0.%d/tcp/1/p2p/%s", rng.IntN(4), id) }
		known := func() Known {
			id := id()
			k := Known{ID: id, Site: membership.Site(fmt.Sprint("s", rng.IntN(3))), Client: rng.IntN(4) == 0, Age: -1}
			for range rng.IntN(3) {
				k.Addrs = append(k.Addrs, at(id))
			}
			return k
		}
		b := New(Config{
			Self: "self", Client: seed%4 == 0, Sessions: true, Addrs: []string{"/ip4/10.0.0.0/tcp/1/p2p/self"},
			Known: []Known{known(), known(), {ID: "self", Addrs: []string{"/ip4/10.0.0.3/tcp/1/p2p/self"}}},
		})
		now := time.Duration(0)
		for step := range 2000 {
			now += time.Duration(rng.Int64N(int64(time.Second)))
			switch id := id(); rng.IntN(13) {
			case 0, 1, 2:
				b.Learn(now, known(), rng.IntN(2) == 0)
			case 3:
				b.Up(now, id, false, nil)
			case 4:
				b.Down(now, id)
			case 5, 6:
				b.Failed(now, id, rng.IntN(2) == 0, rng.IntN(8) == 0)
			case 7:
				b.Present(id, rng.IntN(2) == 0)
			case 8:
				b.Bar(id, rng.IntN(4) == 0)
			case 9:
				b.Met(now, at(id), id)
			case 10:
				b.Called(now, known())
			case 11:
				b.Listens([]string{at("self")})
			case 12:
				b.Ticket(now, known())
			}
			if step%50 == 49 {
				least, n := leastDear(b), b.Len()
				if b.evict(there) != (least != "") || b.Has(least) || b.Len() != n-count(least != "") {
					t.Fatalf("seed %d, step %d: %q should have gone, the first of those whose loss costs least", seed, step, least)
				}
			}
			if wrong := misplaced(b); wrong != "" {
				t.Fatalf("seed %d, step %d: %s", seed, step, wrong)
			}
			for tries := 0; b.Deadline() <= now; tries++ {
				if tries > 2 {
					t.Fatalf("seed %d, step %d: at %v the deadline is %v, whatever is done", seed, step, now, b.Deadline())
				}
				b.Tick(now)
			}
			if e, due := b.next(); e != nil && due <= now && b.credit >= b.every && b.rows.dials < dialsMax {
				t.Fatalf("seed %d, step %d: at %v the deadline is %v, and %s is due since %v", seed, step, now, b.Deadline(), e.id, due)
			}
			if err := b.Check(); err != nil {
				t.Fatal(err)
			}
		}
	}
}
