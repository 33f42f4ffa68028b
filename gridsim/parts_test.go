package gridsim

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// TestPacketsAreRead: what a host sends is read as it was written, heartbeats once for each pair of
// lives; what nobody can read is a finding.
func TestPacketsAreRead(t *testing.T) {
	w := newWorld(Options{Workload: benchWork{}, CheckAll: true})
	h := &host{w: w, id: "h"}
	m := peer.Message{From: membership.Incarnation{Join: 1}, Body: peer.Pull{}}
	frame := w.net.codec.encode(h, m)
	if p, ok := w.net.codec.unpack(h, frame); !ok || p.message != m || p.bytes != len(frame) {
		t.Errorf("%+v is read as %+v, %v", m, p.message, ok)
	}
	m.Body = membership.Heartbeat{}
	first := w.net.codec.encode(h, m)
	w.net.codec.unpack(h, first)
	if again := w.net.codec.encode(h, m); &again[0] != &first[0] {
		t.Error("a heartbeat between the same lives is written anew")
	}
	m.From.Rejoin++
	if other := w.net.codec.encode(h, m); bytes.Equal(other, first) {
		t.Error("a heartbeat of another life is the same")
	}
	if _, ok := w.net.codec.unpack(h, w.net.codec.encode(h, peer.Message{Body: peer.Late{}})); ok {
		t.Error("what a late leaver says is carried in a world without asides")
	}
	if _, ok := w.net.codec.unpack(h, []byte("nonsense")); ok || w.err == nil {
		t.Errorf("nonsense is read, %v", w.err)
	}
}

// TestSuccessorsDie: the first who takes over in time, after as many events as was said.
func TestSuccessorsDie(t *testing.T) {
	a, b := &host{id: "a"}, &host{id: "b"}
	falls := falls{{until: time.Second, after: 5}, {until: 3 * time.Second}}
	if due := falls.due(100); len(due) > 0 {
		t.Errorf("before anybody takes over %d die", len(due))
	}
	falls.succeeded(a, 2*time.Second, 10)
	falls.succeeded(b, time.Second, 20)
	falls.succeeded(a, time.Second, 30)
	if due := falls.due(10); !slices.Equal(due, []*host{a}) {
		t.Errorf("at once %d die", len(due))
	}
	if due := falls.due(24); len(due) > 0 {
		t.Errorf("too early %d die", len(due))
	}
	if due := falls.due(25); !slices.Equal(due, []*host{b}) || len(falls) > 0 {
		t.Errorf("then %d die, and %d are left", len(due), len(falls))
	}
}

// TestValuesOfJobs: of the root and of what it spawns; of a search, which may prune, of none.
func TestValuesOfJobs(t *testing.T) {
	tree := &Tree{Seed: 1, Depth: 2, Width: 2, Leaf: time.Millisecond}
	run := steal.KeyOf(tree.Root())
	v := rightValues{work: tree}
	if r, ok := v.of(run, jobKey(run, tree.Root())); !ok || tree.Right(r) != nil {
		t.Errorf("the root comes to %+v, %v", r, ok)
	}
	if _, ok := v.of(run, run); ok {
		t.Error("a job that there is not comes to something")
	}
	search := rightValues{work: &Search{}}
	if _, ok := search.of(run, jobKey(run, tree.Root())); ok {
		t.Error("what a search comes to on its way is one value")
	}
}

// TestKeepersAreTheLatest: so many are remembered, and those that are gone are passed over.
func TestKeepersAreTheLatest(t *testing.T) {
	p := &population{asker: &host{id: "asker"}}
	if p.holders() != nil {
		t.Error("somebody holds copies, and none were sent")
	}
	last := &host{id: "last", up: true}
	p.keeps(last)
	p.keeps(&host{id: "gone"})
	if who := p.holders(); len(who) != 1 || who[0] != last {
		t.Errorf("copies are held by %v", who)
	}
	for range 2 * keepersMax {
		p.keeps(&host{id: "gone"})
	}
	if p.holders() != nil || len(p.keepers) > keepersMax+1 {
		t.Errorf("%d are remembered", len(p.keepers))
	}
}
