package peer

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// large is a root of 63 MiB; its digest is what tells one from another.
var large = make([]byte, 63<<20)

// largeSubmit is a submission of a run of its own.
func largeSubmit(client string, n steal.Nonce, root []byte) Message {
	return Message{From: asClient, Body: Submit{
		Submission: steal.Submission{Submitter: membership.PeerID(client), Nonce: n},
		Run:        steal.Key{byte(n)}, Task: "t", RootDigest: steal.Key{1, byte(n)}, Root: root,
	}}
}

// TestRootsAreBounded: of forty roots of 63 MiB from one client two are taken, from many four;
// each of the others is told. When runs have ended there is room again.
func TestRootsAreBounded(t *testing.T) {
	p, _ := lone(t)
	n := steal.Nonce(0)
	submit := func(client string, root []byte) (taken bool) {
		n++
		effects := p.Received(time.Second, membership.PeerID(client), largeSubmit(client, n, root))
		_, taken = find[Execute](effects)
		to, full := sent[Full](effects)
		if !taken && (len(full) != 1 || to[0] != membership.PeerID(client) || !full[0].Roots) {
			t.Fatalf("%s is told %v", client, full)
		}
		if err := p.Sight().Check(); err != nil {
			t.Fatal(err)
		}
		return taken
	}
	taken := 0
	for range 40 {
		if submit("greedy", large) {
			taken++
		}
	}
	if taken != 2 {
		t.Errorf("%d roots of one client are taken", taken)
	}
	for i := range 40 {
		if submit(fmt.Sprint("client", i), large) {
			taken++
		}
	}
	if taken != 4 || p.runs.rootsHeld() > rootsMax {
		t.Errorf("%d roots are taken, of %d bytes", taken, p.runs.rootsHeld())
	}
	if !submit("modest", []byte("root")) || !submit("greedy", []byte("root")) {
		t.Error("a small root finds no room")
	}
	ended := Ended{[]Tombstone{{Submission: steal.Submission{Submitter: "greedy", Nonce: 1}}}}
	p.Received(2*time.Second, "greedy", Message{From: asClient, Body: ended})
	if !submit("other", large) || submit("other", large) {
		t.Error("the room of one that has ended is not for one other")
	}
}

// TestRootsOfAnotherSideWait: after a cut there are more roots than one side would have taken.
// What finds no room is not asked for, and is when there is.
func TestRootsOfAnotherSideWait(t *testing.T) {
	p, other := lone(t)
	hear := func(now time.Duration, n steal.Nonce) (fetched int) {
		s := steal.Submission{Submitter: "far", Nonce: n}
		rec := Record{Head: Head{
			Run: steal.Instance{Run: steal.Key{byte(n)}, First: s}, Task: "t", RootDigest: steal.Key{1, byte(n)},
			RootBytes: uint32(len(large)), Epoch: membership.Epoch{Number: 1}, Master: "other", Submissions: []steal.Submission{s},
		}}
		_, asked := sent[Fetch](p.Received(now, "other", Message{From: other, Body: rec}))
		if len(asked) > 0 {
			rec.Root = large
			p.Received(now, "other", Message{From: other, Body: rec})
		}
		return len(asked)
	}
	for n := range steal.Nonce(4) {
		if hear(time.Second, n) != 1 {
			t.Fatalf("root %d is not asked for", n)
		}
	}
	if hear(time.Second, 4) != 0 || p.runs.rootsHeld() > rootsMax {
		t.Errorf("one too many is asked for: %d bytes", p.runs.rootsHeld())
	}
	ended := Ended{[]Tombstone{{Submission: steal.Submission{Submitter: "far", Nonce: 0}}}}
	p.Received(2*time.Second, "other", Message{From: other, Body: ended})
	if hear(2*time.Second, 4) != 1 {
		t.Error("there is room again, and the root is not asked for")
	}
	if err := p.Sight().Check(); err != nil {
		t.Error(err)
	}
}

// TestSubmitterBoundsItsRoots: whoever submits is told at once what no peer would take, and keeps
// no more itself.
func TestSubmitterBoundsItsRoots(t *testing.T) {
	p, other := lone(t)
	client := New(Config{Member: membership.Config{ID: "client", Client: true}}, p.rng)
	greet(client, 0, membership.Member{ID: "other", Site: "a", Incarnation: other, State: membership.Here})
	for n := range byte(2) {
		if _, _, err := client.Submit(0, Root{Run: steal.Key{n}, Task: "t", Digest: steal.Key{1, n}, Args: large}); err != nil {
			t.Fatal(err)
		}
	}
	_, _, err := client.Submit(0, Root{Run: steal.Key{2}, Task: "t", Digest: steal.Key{1, 2}, Args: large})
	if err == nil || !strings.Contains(err.Error(), "189 MiB together") {
		t.Errorf("a third: %v", err)
	}
	nonce, _, err := client.Submit(0, RootOf(steal.Key{3}, "t", []byte("root")))
	if err != nil {
		t.Errorf("a small one: %v", err)
	}
	d, ok := find[Deliver](client.Received(time.Second, "other", Message{From: other, Body: Full{Nonce: nonce, Roots: true}}))
	if !ok || !strings.Contains(string(d.Result.Bytes), "256 MiB together") {
		t.Errorf("told that there is no room: %v %s", ok, d.Result.Bytes)
	}
}

// TestRootIsAskedFor: who told of the run first; then the master, any member or the submitter, in
// some order, each time that it has not come. One for which there is no room is not.
func TestRootIsAskedFor(t *testing.T) {
	s := newOfRuns(t, "a1", "b1")
	m := asks("u", 1, "root")
	m.Root = nil
	h := s.masteredBy("a1", m)
	h.RootBytes = 4
	r, _ := s.records.learn(0, "b1", &h, nil)
	does(t, "whoever told", s.roots.want(0, r, "b1"), "b1: Fetch")
	does(t, "at once again", s.roots.want(0, r, "b1"))
	does(t, "too soon", s.roots.tick(r.root.fetchAt-1, r))
	asked := map[string]int{}
	for range 200 {
		for _, one := range told(s.roots.tick(r.root.fetchAt, r)) {
			asked[one]++
		}
	}
	if asked["a1: Fetch"] < 80 || asked["b1: Fetch"] < 10 || asked["u: NeedRoot"] < 10 || len(asked) != 3 {
		t.Errorf("asked are %v", asked)
	}
	r.root.size = rootsMax + 1
	does(t, "no room", s.roots.tick(r.root.fetchAt, r))
	does(t, "no room for it", s.roots.want(time.Hour, r, "b1"))
	r.root.size = 4
	does(t, "it comes", s.roots.brought(time.Hour, r, r.root.digest, []byte("root")), `start run 1, root "root"`, "unblocks")
	does(t, "it is there", s.roots.tick(2*time.Hour, r))
	does(t, "and not wanted", s.roots.want(2*time.Hour, r, "b1"))
}

// TestRootThatComes: the workers hear of the run, and with it of a best that has come before; the
// thief asks, and whoever has submitted it is told what is done.
func TestRootThatComes(t *testing.T) {
	s := newOfRuns(t, "a1")
	h := s.masteredBy("a1", asks("u", 1, "root"))
	s.records.take(0, "a1", member, Record{Head: h, Best: stamp("best")})
	a1, _ := s.view.Member("a1")
	s.thief.Joined(a1)
	s.thief.Idle(0, 1)
	r := s.runs.all[0]
	s.hears(advert(r.instance, 0, "job"))
	s.mastership.due = false
	does(t, "it comes", s.roots.came(0, r, []byte("root")),
		`start run 1, root "root"`, `compare the best "best"`, "unblocks", "a1: Ask for 4")
	if r.look.at != 0 {
		t.Errorf("what is advertised of it is looked for from %v on", r.look.at)
	}
	if !s.mastership.due || len(s.contributed.all) != 1 {
		t.Errorf("its master is looked at: %v; told is of %d runs", s.mastership.due, len(s.contributed.all))
	}
}

// TestBigRootTravelsOnce: a root that is too big to ride along comes to a joiner because it asks,
// at once, and to the submitter never.
func TestBigRootTravelsOnce(t *testing.T) {
	p, _ := lone(t)
	root := make([]byte, rootAlong+1)
	joiner := New(Config{Member: membership.Config{ID: "joiner", Site: "a", Workers: 1}}, rand.New(rand.NewPCG(3, 3)))
	client := New(Config{Member: membership.Config{ID: "client", Client: true}}, rand.New(rand.NewPCG(4, 4)))
	peers := map[membership.PeerID]*Peer{"me": p, "joiner": joiner, "client": client}
	roots := map[membership.PeerID]int{}
	var carry func(from membership.PeerID, effects []Effect)
	deliver := func(from, to membership.PeerID, m Message) {
		if rec, ok := m.Body.(Record); ok && rec.Root != nil {
			roots[to]++
		}
		if q := peers[to]; q != nil {
			carry(to, q.Received(0, from, m))
		}
	}
	carry = func(from membership.PeerID, effects []Effect) {
		for _, e := range bytesSafe(effects) {
			switch e := e.(type) {
			case Send:
				deliver(from, e.To, e.Message)
			case Publish:
				for _, to := range []membership.PeerID{"me", "joiner", "client"} {
					if to != from {
						deliver(from, to, e.Message)
					}
				}
			}
		}
	}
	client.Join(0)
	carry("client", client.Connected(0, "me"))
	_, effects, _ := client.Submit(0, RootOf(steal.Key{1}, "t", root))
	carry("client", effects)
	joiner.Join(0)
	carry("joiner", joiner.Connected(0, "me"))
	if len(joiner.Sight().Runs()) != 1 || joiner.runs.all[0].root.bytes == nil || client.runs.all[0].root.bytes == nil {
		t.Fatal("somebody lacks the root")
	}
	if roots["joiner"] != 1 || roots["client"] != 0 {
		t.Errorf("the root travelled to %v", roots)
	}
}
