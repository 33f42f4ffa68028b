package orphan

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// world is a few peers with their tables, the messages on their way between them, and what a dumb
// twin of the whole says: who holds what.
type world struct {
	t     *testing.T
	rng   *rand.Rand
	now   time.Duration
	ids   []membership.PeerID
	life  map[membership.PeerID]membership.Incarnation
	table map[membership.PeerID]*Table
	truth map[membership.PeerID]map[name]uint32
	over  map[steal.Instance]bool
	wire  []letter
}

type name struct {
	run steal.Instance
	key steal.Key
}

type letter struct {
	from, to membership.PeerID
	life     membership.Incarnation
	body     membership.Body
}

func runNo(n int) steal.Instance { return steal.Instance{Run: steal.Key{byte(n + 1)}} }

func newWorld(t *testing.T, seed uint64, peers int) *world {
	w := &world{
		t: t, rng: rand.New(rand.NewPCG(seed, 1)), life: map[membership.PeerID]membership.Incarnation{},
		table: map[membership.PeerID]*Table{}, truth: map[membership.PeerID]map[name]uint32{}, over: map[steal.Instance]bool{},
	}
	for n := range peers {
		id := membership.PeerID(fmt.Sprint("p", n))
		w.ids = append(w.ids, id)
		w.life[id] = membership.Incarnation{Join: uint64(n + 1)}
		w.table[id] = NewTable(id)
		w.table[id].Reborn(0, w.life[id])
		w.truth[id] = map[name]uint32{}
	}
	return w
}

func (w *world) draw() membership.PeerID { return w.ids[w.rng.IntN(len(w.ids))] }

// send puts a message on its way; some are lost, some doubled.
func (w *world) send(from, to membership.PeerID, b membership.Body, loss float64) {
	for range 1 + w.rng.IntN(2) {
		if w.rng.Float64() >= loss {
			w.wire = append(w.wire, letter{from, to, w.life[from], b})
		}
	}
}

func (w *world) publish(from membership.PeerID, loss float64) {
	for _, a := range w.table[from].Due(w.now) {
		for _, to := range w.ids {
			if to != from {
				w.send(from, to, a, loss)
			}
		}
	}
}

// arrive brings a message drawn from those on their way, as package peer does.
func (w *world) arrive(loss float64) {
	n := w.rng.IntN(len(w.wire))
	l := w.wire[n]
	w.wire = slices.Delete(w.wire, n, n+1)
	t := w.table[l.to]
	if l.life != w.life[l.from] {
		return // it speaks in a life that is over
	}
	switch b := l.body.(type) {
	case Advert:
		if t.HearAdvert(l.from, l.life, b) && t.Want(w.now, l.from) {
			w.send(l.to, l.from, WantList{Holder: l.from}, loss)
		}
	case WantList:
		if list, ok := t.List(b.Holder); ok {
			w.send(l.to, l.from, list, loss)
		}
	case List:
		if b.Incarnation == w.life[b.Holder] {
			t.HearList(b.Holder, b)
		}
	case Versions:
		give, want := t.Compare(b, w.rng.IntN(4) == 0)
		for _, h := range give {
			if list, ok := t.List(h); ok && h != l.from {
				w.send(l.to, l.from, list, loss)
			}
		}
		for _, h := range want {
			w.send(l.to, l.from, WantList{Holder: h}, loss)
		}
	}
	t.Sweep(func(i steal.Instance) bool { return w.over[i] })
}

// step does anything that can happen.
func (w *world) step(loss float64) {
	w.now += time.Duration(w.rng.IntN(int(8 * time.Millisecond)))
	id := w.draw()
	nm := name{runNo(w.rng.IntN(3)), steal.Key{byte(w.rng.IntN(40))}}
	switch k := w.rng.IntN(40); {
	case k < 12 && !w.over[nm.run]:
		cost := uint32(w.rng.IntN(9))
		w.table[id].Advertise(w.now, nm.run, Entry{Key: nm.key, Cost: cost})
		w.truth[id][nm] = cost
	case k < 16:
		w.table[id].Retract(w.now, nm.run, nm.key)
		delete(w.truth[id], nm)
	case k < 18:
		w.table[id].Age(w.now)
		w.send(id, w.draw(), w.table[id].Versions(), loss)
	case k == 18: // it was held dead, and comes back with all that it holds
		i := w.life[id]
		i.Rejoin++
		w.life[id] = i
		for _, o := range w.ids {
			if o != id && w.rng.IntN(2) == 0 {
				// some hear of it now, the others by what it says next
				w.table[o].Lost(id)
			}
		}
		w.table[id].Reborn(w.now, i)
	case k == 19 && w.rng.IntN(100) == 0 && len(w.over) < 2:
		w.over[nm.run] = true
		for _, o := range w.ids {
			w.table[o].Drop(nm.run)
			for known := range w.truth[o] {
				if known.run == nm.run {
					delete(w.truth[o], known)
				}
			}
		}
	case len(w.wire) > 0:
		w.arrive(loss)
	}
	w.publish(id, loss)
	if err := w.table[id].Check(); err != nil {
		w.t.Fatal(err)
	}
}

// settle lets digests be compared until nothing more is said, without loss.
func (w *world) settle() {
	w.now += time.Second
	for range 8 {
		w.now += 2 * wantListEvery
		for _, id := range w.ids {
			w.publish(id, 0)
			w.table[id].Age(w.now)
			w.table[id].Age(w.now + wantListEvery)
		}
		for _, id := range w.ids {
			for _, to := range w.ids {
				if to != id && w.table[id].Digest() != w.table[to].Digest() {
					w.send(id, to, w.table[id].Versions(), 0)
				}
			}
		}
		for len(w.wire) > 0 {
			w.arrive(0)
		}
	}
}

func (w *world) compare(seed uint64) {
	for _, id := range w.ids {
		count := 0
		for _, holder := range w.ids {
			for nm, cost := range w.truth[holder] {
				count++
				if holder == id {
					continue
				}
				all := w.table[id].Holders(nil, nm.run, nm.key)
				if !slices.Contains(all, Holder{holder, w.life[holder], cost}) {
					w.t.Fatalf("seed %d: %s does not know that %s holds %v; it knows %v", seed, id, holder, nm, all)
				}
			}
		}
		if w.table[id].Len() != count {
			w.t.Fatalf("seed %d: %s has %d entries, there are %d", seed, id, w.table[id].Len(), count)
		}
		if err := w.table[id].Check(); err != nil {
			w.t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// TestTablesAgree: whatever is lost, doubled and reordered, after the digests have been compared
// every table says what the twin says.
func TestTablesAgree(t *testing.T) {
	for seed := range uint64(20) {
		w := newWorld(t, seed, 2+int(seed%4))
		for range 1500 {
			w.step(0.3)
		}
		w.settle()
		w.compare(seed)
	}
}

// TestNothingIsSentTwice: what was published once is not published again, and one that heard
// all asks for nothing.
func TestNothingIsSentTwice(t *testing.T) {
	a, b := NewTable("a"), NewTable("b")
	life := membership.Incarnation{Join: 1}
	a.Reborn(0, life)
	sent := 0
	for n := range 2000 {
		a.Advertise(0, runNo(n%70), Entry{Key: steal.Key{byte(n), byte(n >> 8)}, Cost: 1})
	}
	for now := time.Duration(0); now < time.Second; now += AdvertAfter {
		for _, d := range a.Due(now) {
			if len(d.Changes) > ChangesMax || len(d.Runs) > RunsMax {
				t.Errorf("an advert of %d changes in %d runs", len(d.Changes), len(d.Runs))
			}
			sent += len(d.Changes)
			if b.HearAdvert("a", life, d) {
				t.Error("something is missing")
			}
		}
	}
	if sent != 2000 || b.Len() != 2000 || a.Deadline() != Never || a.Digest() != b.Digest() {
		t.Errorf("%d changes sent, %d heard, the next at %v", sent, b.Len(), a.Deadline())
	}
}

// TestOldLifeIsNotRevived: a list of a life that is over does not replace that of the present one.
func TestOldLifeIsNotRevived(t *testing.T) {
	b := NewTable("b")
	older, now := membership.Incarnation{Join: 1}, membership.Incarnation{Join: 1, Rejoin: 1}
	entry := []Listed{{Run: runNo(0), Entries: []Entry{{Key: steal.Key{1}}}}}
	if !b.HearList("x", List{Version: Version{"a", now, 1}, Runs: entry}) {
		t.Fatal("a list is refused")
	}
	b.HearAdvert("a", older, Advert{Runs: []steal.Instance{runNo(0)}, Changes: []Change{{Key: steal.Key{2}}}})
	if b.HearList("x", List{Version: Version{"a", older, 99}}) || b.Len() != 1 {
		t.Errorf("an older life changed the list: %d entries", b.Len())
	}
	if b.HearList("x", List{Version: Version{"a", now, 1}}) {
		t.Error("the same list was taken twice")
	}
}

func TestTableIsBounded(t *testing.T) {
	b := NewTable("b")
	for h := range TableMax/EntriesMax + 2 {
		l := List{Version: Version{membership.PeerID(fmt.Sprint("h", h)), membership.Incarnation{Join: 1}, 1}, Runs: []Listed{{Run: runNo(0)}}}
		for n := range EntriesMax + 5 {
			l.Runs[0].Entries = append(l.Runs[0].Entries, Entry{Key: steal.Key{byte(n), byte(n >> 8), byte(h)}})
		}
		b.HearList(l.Holder, l)
	}
	b.Advertise(0, runNo(1), Entry{Key: steal.Key{7}})
	if b.Len() != TableMax+1 || !b.Has(runNo(1)) {
		t.Errorf("%d entries", b.Len())
	}
	if err := b.Check(); err != nil {
		t.Error(err)
	}
}

// TestJoinerWantsAll: what was published before a peer joined is not on its way to it,
// however lately that was.
func TestJoinerWantsAll(t *testing.T) {
	holder, joiner, life := NewTable("holder"), NewTable("joiner"), membership.Incarnation{Join: 1, Random: 7}
	holder.Reborn(0, life)
	holder.Advertise(0, steal.Instance{Run: steal.Key{1}}, Entry{Key: steal.Key{2}, Cost: 3})
	holder.Due(time.Second)
	v := holder.Versions()
	if _, want := joiner.Compare(v, false); len(want) != 0 {
		t.Errorf("one that has long been there asks for %v, which is on its way", want)
	}
	if _, want := joiner.Compare(v, true); len(want) != 1 || want[0] != "holder" {
		t.Errorf("one that joins asks for %v", want)
	}
}

// TestNoListNumberLasts: whatever number somebody tells of for another's list, the holder's own
// changes are heard again.
func TestNoListNumberLasts(t *testing.T) {
	run, life := steal.Instance{Run: steal.Key{1}}, membership.Incarnation{Join: 1}
	for _, n := range []uint64{membership.RaiseMax, 1 << 32, membership.CounterMax, 1<<64 - 1} {
		holder, other := NewTable("a"), NewTable("b")
		holder.Reborn(0, life)
		other.Reborn(0, membership.Incarnation{Join: 2})
		lie := List{Version: Version{Holder: "a", Incarnation: life, Number: n}}
		other.HearList("liar", lie)
		holder.Advertise(0, run, Entry{Key: steal.Key{2}})
		for range 3 {
			for _, a := range holder.Due(time.Second) {
				if other.HearAdvert("a", life, a) {
					all, _ := holder.List("a")
					other.HearList("a", all)
				}
			}
			holder.Age(time.Second)
			holder.Age(2 * time.Second)
			give, _ := holder.Compare(other.Versions(), false)
			for _, h := range give {
				all, _ := holder.List(h)
				other.HearList("a", all)
			}
			if all, ok := holder.List("a"); ok {
				other.HearList("a", all)
			}
		}
		if got := other.Holders(nil, run, steal.Key{2}); len(got) != 1 {
			t.Errorf("after a list with number %d the holder's own is not heard", n)
		}
		if holder.Digest() != other.Digest() {
			t.Errorf("after a list with number %d the tables differ", n)
		}
	}
}
