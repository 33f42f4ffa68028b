package orphan

import (
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// FuzzTable brings any adverts and lists, and lets the results change meanwhile:
// the books always agree.
func FuzzTable(f *testing.F) {
	f.Add([]byte{0, 1, 0, 0, 1, 2, 1, 1, 3, 5, 0, 2, 9, 9, 9, 3, 1})
	f.Add([]byte("orphans' finished results, which nobody waits for yet"))
	f.Fuzz(func(t *testing.T, in []byte) {
		table := NewTable("me")
		s := NewResults(table)
		next := func() (b byte) {
			if len(in) > 0 {
				b, in = in[0], in[1:]
			}
			return b
		}
		now := time.Duration(0)
		for len(in) > 0 {
			who := membership.PeerID([]string{"x", "y", "me"}[next()%3])
			life := membership.Incarnation{Join: uint64(next() % 3)}
			nm := name{runNo(int(next() % 3)), steal.Key{next() % 8}}
			r := steal.Result{Cost: uint32(next()), Bytes: make([]byte, next()%9)}
			switch next() % 12 {
			case 0, 1:
				table.HearAdvert(who, life, Advert{After: uint64(next() % 8), Runs: []steal.Instance{nm.run},
					Changes: []Change{{Run: uint16(next() % 2), Key: nm.key, Cost: r.Cost}, {Key: steal.Key{next() % 8}, Gone: next()%2 == 0}}})
			case 2:
				table.HearList(who, List{Version: Version{who, life, uint64(next())}, Runs: []Listed{{Run: nm.run, Entries: []Entry{{Key: nm.key}, {Key: nm.key}}}, {Run: nm.run}}})
			case 3:
				table.Compare(Versions{All: []Version{{who, life, uint64(next())}}, Settled: []uint64{uint64(next()), 3}}, next()%2 == 0)
			case 4:
				table.Lost(who)
			case 5:
				s.Drop(nm.run)
				table.Drop(nm.run)
			case 6:
				table.Reborn(now, life)
			case 7:
				s.Orphan(now, nm.run, nm.key, r)
			case 8:
				s.KeepFor(now, nm.run, nm.key, r, KeptFor{Owner: who, Incarnation: life, Why: Purpose(next())})
			case 9:
				s.OwnerLost(now, who)
			case 10:
				s.Release(now, nm.run, func(k steal.Key, _ KeptFor) bool { return k == nm.key })
			default:
				now += time.Duration(next()) * time.Millisecond
				table.Age(now)
				table.Due(now)
			}
			if err := table.Check(); err != nil {
				t.Fatal(err)
			}
			if err := s.Check(); err != nil {
				t.Fatal(err)
			}
		}
	})
}
