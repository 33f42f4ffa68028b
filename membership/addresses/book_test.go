package addresses

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"satingrid/membership"
)

// at is an address of a host.
func at(n int, id membership.PeerID) string {
	return fmt.Sprintf("/ip4/192.0.2.1/tcp/%d/p2p/%s", n, id)
}

// bookOf is the book of host me at port 1, who knows hosts at ports from 2 on.
func bookOf(known ...Known) *Book {
	return New(Config{Self: "me", Addrs: []string{at(1, "me")}, Known: known, Sessions: true})
}

func reached(id membership.PeerID, site membership.Site, port int, age time.Duration) Known {
	return Known{ID: id, Site: site, Age: age, Addrs: []string{at(port, id)}}
}

// dialled are the ids of those that are to be dialled.
func dialled(effects []membership.Effect) (ids []membership.PeerID) {
	for _, e := range effects {
		ids = append(ids, e.(membership.Dial).ID)
	}
	return ids
}

// play lets time pass while nobody answers, and gives for each host when it was dialled.
func play(t *testing.T, b *Book, from, to time.Duration, isNobody func(membership.PeerID) bool) map[membership.PeerID][]time.Duration {
	t.Helper()
	times := map[membership.PeerID][]time.Duration{}
	for now := from; now < to; now += 100 * time.Millisecond {
		if b.Deadline() > now {
			continue
		}
		for _, id := range dialled(b.Tick(now)) {
			times[id] = append(times[id], now)
			b.Failed(now, id, isNobody(id), false)
		}
		if err := b.Check(); err != nil {
			t.Fatal(err)
		}
	}
	return times
}

// Every lost group is dialled within 5 s, however many have died at its site, and dials
// a second are capped.
func TestEveryGroupIsDialled(t *testing.T) {
	known := []Known{}
	for n := range 200 {
		known = append(known, reached(membership.PeerID(fmt.Sprint("dead", n)), "spot", 100+n, time.Duration(n)*time.Minute))
	}
	for n := range 10 {
		known = append(known, reached(membership.PeerID(fmt.Sprint("cut", n)), membership.Site(fmt.Sprint("s", n/2)), 10+n, time.Hour))
	}
	b := bookOf(known...)
	b.Up(0, "friend", false, []string{at(9, "friend")})
	isDead := func(id membership.PeerID) bool { return id[0] == 'd' }
	play(t, b, 0, time.Minute, isDead) // who is dead is known by then
	times := play(t, b, time.Minute, 3*time.Minute, isDead)
	total := 0
	for site := range 5 {
		last := time.Minute
		both := slices.Concat(times[membership.PeerID(fmt.Sprint("cut", 2*site))], times[membership.PeerID(fmt.Sprint("cut", 2*site+1))])
		slices.Sort(both)
		for _, x := range append(both, 3*time.Minute) {
			if x-last > 5*time.Second {
				t.Errorf("nobody of site %d is dialled for %v", site, x-last)
			}
			last = x
		}
	}
	for _, all := range times {
		total += len(all)
	}
	if most := int(2*time.Minute/LookEvery) + LookBurst; total > most || total == 0 {
		t.Errorf("%d dials, %d at the most", total, most)
	}
}

// Whoever has to be told something is dialled once, and after a failure not before a moment. A host
// comes back to whom most of those that it knows are gone: they are due again before all were
// dialled, and keep nobody waiting whom it has met.
func TestTheDeadKeepNobodyWaiting(t *testing.T) {
	for _, site := range []membership.Site{"dead", "living"} {
		var known []Known
		for n := range 40 {
			k := reached(membership.PeerID(fmt.Sprintf("a%02d", n)), "dead", 100+n, 0)
			k.Age = -1
			known = append(known, k)
		}
		known = append(known, reached("b", site, 10, 0), reached("c", "third", 11, 0))
		times := play(t, bookOf(known...), 0, 10*time.Second, func(membership.PeerID) bool { return true })
		for _, id := range []membership.PeerID{"b", "c"} {
			if len(times[id]) == 0 || times[id][0] > GroupEvery {
				t.Errorf("%s is dialled at %v", id, times[id])
			}
		}
	}
}

func TestWantBacksOff(t *testing.T) {
	b := bookOf(reached("x", "a", 2, 0))
	effects, ok := b.Want(0, "x")
	if !ok || len(effects) != 1 {
		t.Fatalf("%v, %v", effects, ok)
	}
	if effects, ok = b.Want(0, "x"); !ok || len(effects) != 0 {
		t.Errorf("a dial is under way: %v, %v", effects, ok)
	}
	gap := time.Duration(0)
	for now, n := time.Duration(0), 0; n < 8; n++ {
		b.Failed(now, "x", false, false)
		failed := now
		for ok = false; !ok; now += 10 * time.Millisecond {
			_, ok = b.Want(now, "x")
		}
		if wait := now - failed; wait < gap || wait > againMax+time.Second {
			t.Errorf("after %d failures it waits for %v, before for %v", n+1, wait, gap)
		} else {
			gap = wait
		}
	}
	b.Up(time.Minute, "x", false, nil)
	if effects, ok = b.Want(time.Minute, "x"); !ok || len(effects) != 0 {
		t.Errorf("a session stands: %v, %v", effects, ok)
	}
	if effects, ok = b.Want(0, "nobody"); ok || len(effects) != 0 {
		t.Errorf("a host that is not known: %v, %v", effects, ok)
	}
}

// A host that has come back elsewhere is reached there while the dial of its old address waits: by
// one dial more, once the first was not answered for long enough, of what that does not ask. It is
// no second one when both have failed.
func TestDialBesideOneThatWaits(t *testing.T) {
	b := bookOf(reached("x", "s", 2, time.Minute))
	wants := func(now time.Duration, want ...string) {
		t.Helper()
		effects, ok := b.Want(now, "x")
		var at []string
		for _, e := range effects {
			at = append(at, e.(membership.Dial).Addrs...)
		}
		if !ok || !slices.Equal(at, want) {
			t.Errorf("at %v it is dialled at %v (%v), want %v", now, at, ok, want)
		}
	}
	wants(0, at(2, "x"))
	wants(besideAfter / 2)
	b.Learn(besideAfter/2, Known{ID: "x", Addrs: []string{at(3, "x"), at(2, "x")}}, false)
	wants(besideAfter - 1)
	wants(besideAfter, at(3, "x"))
	b.Learn(besideAfter, Known{ID: "x", Addrs: []string{at(4, "x")}}, false)
	wants(2 * besideAfter)
	if n := b.rows.dials; n != 2 {
		t.Errorf("%d dials are under way", n)
	}
	b.Failed(time.Second, "x", false, false)
	if n := b.rows.dials; n != 0 || b.byID["x"].fails != 1 {
		t.Errorf("%d dials are under way, %d have failed", n, b.byID["x"].fails)
	}
	// it has spoken, and others say something else
	b.Up(time.Minute, "x", false, []string{at(5, "x")})
	b.Down(time.Minute, "x")
	wants(time.Minute, at(5, "x"))
	b.Learn(time.Minute, Known{ID: "x", Addrs: []string{at(6, "x")}}, false)
	wants(time.Minute+besideAfter, at(6, "x"))
	b.Up(2*time.Minute, "x", false, nil)
	if n := b.rows.dials; n != 0 || !slices.Contains(b.Addrs("x"), at(5, "x")) {
		t.Errorf("%d dials are under way; it is at %v", n, b.Addrs("x"))
	}
}

// A refusal is an answer: it is not asked again for a while. The barred is not dialled.
func TestRefusalIsAnAnswer(t *testing.T) {
	b := bookOf(reached("x", "a", 2, 0), reached("y", "a", 3, 0))
	if ids := dialled(b.Tick(0)); len(ids) != 2 {
		t.Fatal(ids)
	}
	b.Failed(0, "x", false, true)
	b.Failed(0, "y", true, false)
	b.Bar("y", true)
	if !b.Denied() || !b.Tried() {
		t.Error("the refusal is not known")
	}
	times := play(t, b, 0, DeniedFor+5*time.Second, func(membership.PeerID) bool { return false })
	if len(times["x"]) == 0 || times["x"][0] < DeniedFor || len(times["y"]) > 0 {
		t.Errorf("dialled: %v", times)
	}
}

// A refusal is the grid's word only from a host that was reached before, or that a ticket names.
func TestWhoseRefusalCounts(t *testing.T) {
	heard := Known{ID: "x", Age: -1, Addrs: []string{at(2, "x")}}
	for _, c := range []struct {
		name           string
		folder, ticket []Known
		want           bool
	}{
		{"reached before", []Known{reached("x", "a", 2, 0)}, nil, true},
		{"heard of before", []Known{heard}, nil, false},
		{"named by a ticket", nil, []Known{heard}, true},
		{"heard of before, and named by a ticket", []Known{heard}, []Known{heard}, true},
	} {
		b := New(Config{Self: "me", Known: c.folder, Tickets: c.ticket, Sessions: true})
		dialled(b.Tick(0))
		if b.Failed(0, "x", false, true); b.Denied() != c.want || !b.Tried() {
			t.Errorf("%s: it counts: %v, want %v; all were tried: %v", c.name, b.Denied(), c.want, b.Tried())
		}
	}
}

// This host's own addresses are dialled under no name; those that it once had, under that of
// whoever is lost. Who is found instead is dialled.
func TestSwappedAddresses(t *testing.T) {
	b := bookOf(Known{ID: "me", Age: -1, Addrs: []string{at(2, "me")}}, reached("x", "a", 1, 0))
	effects := b.Tick(0)
	if len(effects) != 1 || !slices.Equal(effects[0].(membership.Dial).Addrs, []string{at(2, "x")}) {
		t.Fatalf("%+v", effects)
	}
	b.Failed(0, "x", true, false)
	effects = b.Met(0, at(2, "z"), "z")
	if ids := dialled(effects); !slices.Equal(ids, []membership.PeerID{"z"}) {
		t.Errorf("%+v", effects)
	}
	b.Up(0, "z", false, []string{at(2, "z")})
	if effects = b.Met(0, at(2, "z"), "z"); len(effects) > 0 || len(b.Met(0, at(1, "q"), "q")) > 0 {
		t.Error("one with a session, or at this host's own address, is dialled")
	}
}

// The book is bounded: every site keeps some, and whoever makes hosts up displaces
// nobody that was reached.
func TestBookIsBounded(t *testing.T) {
	b := bookOf(reached("old", "small", 2, 24*time.Hour))
	for n := range 3 * EntriesMax {
		id := membership.PeerID(fmt.Sprint("peer", n))
		b.Up(time.Duration(n)*time.Second, id, false, []string{at(100+n, id)})
		b.Learn(time.Duration(n)*time.Second, Known{ID: id, Site: "big"}, true)
		b.Down(time.Duration(n)*time.Second, id)
	}
	for n := range 3 * EntriesMax {
		id := membership.PeerID(fmt.Sprint("invented", n))
		b.Learn(time.Hour, Known{ID: id, Site: membership.Site(fmt.Sprint(n)), Addrs: []string{at(n, id)}}, false)
	}
	if err := b.Check(); err != nil {
		t.Fatal(err)
	}
	last := membership.PeerID(fmt.Sprint("peer", 3*EntriesMax-1))
	if b.Len() > EntriesMax || !b.Has("old") || !b.Has(last) || b.Has("peer0") {
		t.Errorf("%d entries, of the small site %v, the last %v, the first %v", b.Len(), b.Has("old"), b.Has(last), b.Has("peer0"))
	}
	b = bookOf()
	for n := range 3 * EntriesMax {
		id := membership.PeerID(fmt.Sprint("invented", n))
		b.Learn(0, Known{ID: id, Addrs: []string{at(n, id)}}, false)
	}
	if b.Len() != HeardMax {
		t.Errorf("%d hosts that were never reached, not %d", b.Len(), HeardMax)
	}
}

// Who has a session can be spoken to, however many have one, and who has to be told something can
// be dialled beside them.
func TestManySessions(t *testing.T) {
	b := bookOf(reached("old", "small", 2, 24*time.Hour))
	hosts := 2 * EntriesMax
	id := func(n int) membership.PeerID { return membership.PeerID(fmt.Sprint("peer", n)) }
	for n := range hosts {
		b.Up(time.Second, id(n), false, []string{at(100+n, id(n))})
		if err := b.Check(); err != nil {
			t.Fatal(err)
		}
	}
	for n := range hosts {
		if effects, ok := b.Want(time.Second, id(n)); !ok || len(effects) > 0 {
			t.Fatalf("%d of %d hosts with a session cannot be told anything", n, hosts)
		}
	}
	b.Admit(time.Second, Known{ID: "new", Addrs: []string{at(3, "new")}})
	if effects, ok := b.Want(time.Second, "new"); !ok || !slices.Equal(dialled(effects), []membership.PeerID{"new"}) || !b.Has("old") {
		t.Errorf("beside %d sessions nobody is dialled: %+v", hosts, effects)
	}
	b.Failed(2*time.Second, "new", true, false)
	for n := range hosts {
		b.Down(time.Duration(n)*time.Minute, id(n))
		if err := b.Check(); err != nil {
			t.Fatal(err)
		}
	}
	if b.Sessions() != 0 || b.Len() != EntriesMax || !b.Has(id(hosts-1)) {
		t.Errorf("%d sessions, %d entries", b.Sessions(), b.Len())
	}
}

// A host's own word holds; what led to it is kept beside that.
func TestOwnWordHolds(t *testing.T) {
	b := bookOf(Known{ID: "x", Age: -1, Addrs: []string{at(2, "x")}})
	b.Tick(0)
	b.Up(0, "x", false, []string{at(3, "x")})
	b.Learn(0, Known{ID: "x", Addrs: []string{at(4, "x"), at(5, "other"), "nonsense"}}, false)
	if got := b.Addrs("x"); !slices.Equal(got, []string{at(3, "x"), at(2, "x")}) {
		t.Errorf("%v", got)
	}
	again := New(Config{Self: "me", Known: b.Known(time.Hour), Sessions: true})
	if got := again.Addrs("x"); !slices.Equal(got, b.Addrs("x")) || !again.IsNamed("x") {
		t.Errorf("kept, and read again: %v", got)
	}
}

// fullBook is a book in which there is no room: of a large site and some small ones, all of whom
// were reached, and whose sessions have ended.
func fullBook() *Book {
	b := bookOf()
	for n := range EntriesMax {
		id, site := membership.PeerID(fmt.Sprintf("peer%03d", n)), membership.Site("big")
		if n < 10 {
			site = membership.Site(fmt.Sprint("small", n/2))
		}
		b.Up(time.Duration(n)*time.Second, id, false, []string{at(100+n, id)})
		b.Learn(time.Duration(n)*time.Second, Known{ID: id, Site: site}, true)
	}
	for n := range EntriesMax {
		b.Down(time.Duration(EntriesMax+n)*time.Second, membership.PeerID(fmt.Sprintf("peer%03d", n)))
	}
	return b
}

// named are hosts that tickets name.
func named(n int) (all []Known) {
	for n := range n {
		id := membership.PeerID(fmt.Sprintf("fresh%03d", n))
		all = append(all, Known{ID: id, Age: -1, Addrs: []string{at(1000+n, id)}})
	}
	return all
}

// What a ticket names has room in a book that is full, at the start and later, and is dialled; of
// others those go whose loss costs least. Hearsay does not displace it, nor do tickets displace
// more than they have room for.
func TestTicketsHaveRoom(t *testing.T) {
	const now = time.Hour
	folder := fullBook().Known(now)
	for _, tickets := range []int{1, 30, HeardMax, 2 * HeardMax} {
		atStart := New(Config{Self: "me", Addrs: []string{at(1, "me")}, Known: folder, Tickets: named(tickets), Sessions: true})
		later := fullBook()
		for _, k := range named(tickets) {
			later.Ticket(now, k)
		}
		for when, b := range map[string]*Book{"at the start": atStart, "later": later} {
			for n := range 2 * HeardMax {
				id := membership.PeerID(fmt.Sprint("invented", n))
				b.Learn(now, Known{ID: id, Addrs: []string{at(n, id)}}, false)
			}
			have, old := 0, 0
			for _, k := range named(tickets) {
				have += count(b.Has(k.ID))
			}
			for n := range EntriesMax {
				old += count(b.Has(membership.PeerID(fmt.Sprintf("peer%03d", n))))
			}
			if want := min(tickets, HeardMax); have != want || old != EntriesMax-want {
				t.Errorf("%s, %d tickets: %d have room, beside %d others", when, tickets, have, old)
			}
			if !b.Has("peer000") || !b.Has("peer255") || b.Has("peer010") {
				t.Errorf("%s, %d tickets: the wrong ones have gone", when, tickets)
			}
			if err := b.Check(); err != nil {
				t.Error(err)
			}
		}
		if first := named(tickets)[0].ID; !atStart.Has(first) || !atStart.IsNamed(first) {
			t.Errorf("of %d tickets the first, the youngest, has no room", tickets)
		}
		if tickets <= 30 {
			times := play(t, atStart, now, now+2*time.Minute, silence)
			for _, k := range named(tickets) {
				if len(times[k.ID]) == 0 {
					t.Errorf("%s is not dialled", k.ID)
				}
			}
		}
	}
}

// A ticket names those of whom others have told, too: they are hearsay no more. The one that most
// dials have failed of makes room for another.
func TestTicketsBesideHearsay(t *testing.T) {
	b := bookOf(reached("friend", "a", 9, 0))
	all := named(2 * HeardMax)
	for _, k := range all[:HeardMax] {
		b.Learn(0, k, false)
		b.Ticket(0, k)
	}
	b.Failed(0, all[5].ID, true, false)
	for _, k := range all[HeardMax:] {
		b.Learn(0, k, false)
	}
	if n := b.heard(false); n != HeardMax {
		t.Errorf("beside tickets %d are heard of", n)
	}
	b.Ticket(0, all[HeardMax]) // it is in the book already, and hearsay still
	b.Ticket(0, Known{ID: "z", Addrs: []string{at(3, "z")}})
	if b.heard(true) != HeardMax || b.Has(all[5].ID) || !b.Has("z") || !b.Has(all[HeardMax].ID) {
		t.Errorf("tickets name %d; the one that was not reached is there: %v", b.heard(true), b.Has(all[5].ID))
	}
}

// A state folder may know more hosts than there is room for. Those are taken whose loss would cost
// most, whatever they are called: of each site the last that were reached, and then the youngest.
func TestFolderOfMoreThanTheBookTakes(t *testing.T) {
	var known []Known
	for n := range 2 * EntriesMax {
		known = append(known, reached(membership.PeerID(fmt.Sprintf("a%03d", n)), "big", 100+n, time.Duration(n)*time.Minute))
	}
	for n := range 2 * SiteMin {
		known = append(known, reached(membership.PeerID(fmt.Sprint("z", n)), "small", 10+n, 100*time.Hour+time.Duration(n)*time.Minute))
	}
	known = append(known,
		Known{ID: "client", Client: true, Age: 0, Addrs: []string{at(3, "client")}},
		Known{ID: "heard", Age: -1, Addrs: []string{at(4, "heard")}},
		Known{ID: "me", Addrs: []string{at(5, "me")}})
	b := bookOf(known...)
	if b.Len() != EntriesMax-1 || len(b.former) != 1 || b.Has("client") || b.Has("heard") {
		t.Errorf("there are %d entries, and %d own addresses", b.Len(), len(b.former))
	}
	small := 0
	for n := range 2 * SiteMin {
		small += count(b.Has(membership.PeerID(fmt.Sprint("z", n))))
	}
	if small != SiteMin || !b.Has("z0") {
		t.Errorf("%d of the small site are there", small)
	}
	for n := range 2 * EntriesMax {
		if id := membership.PeerID(fmt.Sprintf("a%03d", n)); b.Has(id) != (n < EntriesMax-1-SiteMin) {
			t.Fatalf("%s is there: %v", id, b.Has(id))
		}
	}
}

// Who was found at an address has an entry, and is dialled, though the book is full of others.
func TestMetInAFullBook(t *testing.T) {
	b := fullBook()
	if ids := dialled(b.Met(time.Hour, at(110, "new"), "new")); !slices.Equal(ids, []membership.PeerID{"new"}) {
		t.Errorf("dialled: %v", ids)
	}
	dials := 0
	for n := range 10 * EntriesMax { // one that answers under ever other names
		id := membership.PeerID(fmt.Sprint("liar", n))
		dials += len(b.Met(time.Hour, at(1, id), id)) + len(b.Met(time.Hour, at(2, id), id))
		b.Failed(time.Hour, id, true, false)
	}
	if dials > LookBurst {
		t.Errorf("%d dials at once of one that has many names", dials)
	}
	b.Failed(time.Hour, "new", true, false)
	old := 0
	for n := range EntriesMax {
		old += count(b.Has(membership.PeerID(fmt.Sprintf("peer%03d", n))))
	}
	if old < EntriesMax-3 { // the new one, and one at each place
		t.Errorf("%d of %d are left", old, EntriesMax)
	}
	if err := b.Check(); err != nil {
		t.Error(err)
	}
}
