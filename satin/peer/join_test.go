package peer

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/membership/addresses"
	"satingrid/steal"
)

// outside is a peer, or client, that is told to join; a test tells its components alone.
func outside(isClient bool) *Peer {
	p := New(Config{Member: membership.Config{ID: "me", Site: "a", Workers: 2, Client: isClient}}, rand.New(rand.NewPCG(1, 2)))
	p.join.begin(0)
	return p
}

// TestEnters: it greets all and those that a connection stands to, and begins to compare and to
// copy; what it has submitted is on its way then.
func TestEnters(t *testing.T) {
	p := outside(false)
	p.join.contacts = []membership.PeerID{"c9"}
	p.runs.whole(soughtRun)
	p.results.Orphan(0, soughtRun, keyOf("held"), worth("v"))
	root := RootOf(steal.Key{1}, "t", []byte("root"))
	if _, err := p.submissions.begin(root); err != nil {
		t.Fatal(err)
	}
	does(t, "it enters", p.entering.enter(time.Second), "all: Hello me joined 1.0", "c9: Hello me joined 1.0",
		"is a member, joined 1", `itself: Submit root "root"`)
	if l, _ := p.table.List("me"); l.Incarnation != p.view.Self().Incarnation {
		t.Errorf("it advertises as %v", l.Incarnation)
	}
	if p.join.active || !p.copier.on || p.comparing.at != time.Second+digestFirst || !p.mastership.due || p.copier.lots == nil || p.copier.lots != p.leaving.lots {
		t.Error("it is on its way in, copies nothing, compares nothing, looks at no run or can draw nobody who keeps its parts")
	}
}

// TestEntersAlone: with a join number above what a client has said, and asks for the roots of what
// it holds at once. A client only is in. What either has submitted goes out once: a big root takes
// seconds.
func TestEntersAlone(t *testing.T) {
	for _, isClient := range []bool{false, true} {
		p := outside(isClient)
		p.join.hearsay.newest = 6
		r := p.runs.made(submittedAs("c1", 1), 9)
		r.root.fetchAt, r.demand.hearsay = time.Hour, true
		if _, err := p.submissions.begin(RootOf(steal.Key{2}, "t", []byte("root"))); err != nil {
			t.Fatal(err)
		}
		if isClient {
			greet(p, 0, someone("b1", 2))
			does(t, "a client", p.entering.alone(time.Second, true), `b1: Submit root "root"`)
		} else {
			does(t, "it enters", p.entering.alone(time.Second, true),
				"all: Hello me joined 7.0", "is a member, joined 7", `itself: Submit root "root"`)
		}
		if p.join.active || p.comparing.at != time.Second+digestFirst || p.join.done != time.Second {
			t.Error("it is on its way in, or compares nothing")
		}
		if r.root.fetchAt != time.Second || r.demand.hearsay {
			t.Errorf("it asks for the root at %v, and does not believe what there is: %v", r.root.fetchAt, r.demand.hearsay)
		}
		hasty := outside(isClient)
		h := hasty.runs.made(submittedAs("c1", 1), 9)
		h.demand.hearsay = true
		if hasty.entering.alone(time.Second, false); !h.demand.hearsay {
			t.Error("it believes a client for good, though one that it has named may come")
		}
	}
}

// TestLetIn: by a member's word, with what was submitted before. A client is no member, and greets
// nobody.
func TestLetIn(t *testing.T) {
	for _, isClient := range []bool{false, true} {
		p := outside(isClient)
		p.join.contacts = []membership.PeerID{"b1"}
		greet(p, 0, someone("b1", 2))
		if _, err := p.submissions.begin(RootOf(steal.Key{1}, "t", []byte("root"))); err != nil {
			t.Fatal(err)
		}
		want := []string{"all: Hello me joined 3.0", "b1: Hello me joined 3.0", "is a member, joined 3", `b1: Submit root "root"`}
		if isClient {
			want = want[3:]
		}
		does(t, fmt.Sprint("a client: ", isClient), p.entering.letIn(time.Second), want...)
		if p.join.active || entered(p.view.Self()) == isClient || p.comparing.at != time.Second+digestFirst {
			t.Errorf("a client: %v, and it is a member: %v", isClient, entered(p.view.Self()))
		}
	}
}

// TestEntersAsOneThatIsYounger: a client tells a peer that was there in a former life of nobody but
// that life. It goes on alone at once, under a number above its own: whoever knows that life
// would take it for a late word of it. What no grid comes to counts for little.
func TestEntersAsOneThatIsYounger(t *testing.T) {
	for join, want := range map[uint64]string{
		9: "is a member, joined 10", 1 << 62: fmt.Sprint("is a member, joined ", membership.RaiseMax+1),
	} {
		p := outside(false)
		former := membership.Member{ID: "me", State: membership.Dead, Incarnation: membership.Incarnation{Join: join}}
		does(t, "a client knows it", p.join.named(0, []membership.Member{former}), "enters alone, all were asked")
		effects := p.entering.alone(0, true)
		if got := told(effects); len(got) != 2 || got[1] != want {
			t.Errorf("after a life of number %d it does %q", join, got)
		}
		if late := p.entering.view.Self().Incarnation; late.Join > membership.CounterMax {
			t.Errorf("its number is %d", late.Join)
		}
	}
}

// TestGoesOnAsOneThatIsYounger: one with a past that does not wait any longer for those whom a
// client has named enters above what that has said, too. The client knows a later life of it, and
// would give this one nothing to do.
func TestGoesOnAsOneThatIsYounger(t *testing.T) {
	p := New(Config{
		Member: membership.Config{ID: "me", Site: "a", Workers: 1}, Sessions: true, Past: true,
		Known: []addresses.Known{{ID: "gone", Addrs: []string{"/ip4/10.0.0.1/tcp/9/p2p/gone"}}},
	}, rand.New(rand.NewPCG(1, 2)))
	p.Join(0)
	p.Proved("client", true)
	p.Connected(1, "client")
	p.begin(100 * time.Millisecond)
	later := membership.Member{ID: "me", State: membership.Dead, Incarnation: membership.Incarnation{Join: 9}}
	p.apply(p.join.named(p.now, []membership.Member{later, rumoured("gone", membership.Here)}))
	did := slices.Clone(p.end())
	for now := p.now; now < aloneAfter+pullEvery; now += 50 * time.Millisecond {
		did = append(did, p.Tick(now)...)
	}
	at := slices.Index(did, Effect(WentOn{}))
	is := slices.IndexFunc(did, func(e Effect) bool { s, ok := e.(Started); return ok && s.Member.Incarnation.Join == 10 })
	if at < 0 || is < at {
		t.Errorf("it goes on at %d, and is a member with the number 10 at %d, of %v", at, is, did)
	}
}
