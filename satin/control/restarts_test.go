package control

import (
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// TestLivesWithoutAResultAreCounted: on the disk, before a run that goes on can end this process. A
// result begins the count anew, and so does an end in order. A new record counts on.
func TestLivesWithoutAResultAreCounted(t *testing.T) {
	p, by, said := newPosted(), new(sync.WaitGroup), new(strings.Builder)
	folder := t.TempDir()
	save := func(d *disk, s peer.Save) {
		d.Save(s, func(ok bool) {
			if !ok {
				t.Errorf("it is not written: %s", said)
			}
		})
		by.Wait()
		p.doAll()
	}
	bare := batch()
	bare.Results, bare.Best = nil, steal.Stamp{}
	d := aDisk(t, folder, &p, by, said)
	save(d, bare)
	starts := func(want uint8) {
		t.Helper()
		if all := d.records(); len(all) != 1 || all[0].Starts != want || string(all[0].Root) != "the root" {
			t.Fatalf("the records are %+v, want one of %d starts", all, want)
		}
	}
	starts(0) // each is another life …
	starts(1)
	starts(2)
	later := bare
	later.Record = &peer.Record{Head: bare.Record.Head}
	later.Record.Head.Epoch.Number++
	save(d, later)
	starts(3)
	starts(4)
	if !strings.Contains(said.String(), "ends=4 for=1m0s") {
		t.Errorf("it says %q", said)
	}
	found := bare
	found.Record, found.Results = nil, batch().Results
	save(d, found)
	starts(0)
	starts(1)
	d.close() // … but this one
	d = aDisk(t, folder, &p, by, said)
	starts(1) // that of opening it
	d.Forget(peer.Forget{Place: bare.Place, All: true})
	by.Wait()
	if len(d.begun.last) != 0 {
		t.Errorf("%d are counted, and none is there", len(d.begun.last))
	}
}

// TestAHeldRootIsTold: of the runs that a peer goes on with, those whose root waits.
func TestAHeldRootIsTold(t *testing.T) {
	var told []Event
	l := newLoop(Config{Name: "a/1", Clock: stopped{}, Log: slog.New(slog.DiscardHandler), Events: func(e Event) { told = append(told, e) }})
	held, free, over := peer.Recorded{Starts: 5}, peer.Recorded{Starts: 1}, peer.Recorded{Starts: 5}
	for n, rec := range []*peer.Recorded{&held, &free, &over} {
		rec.Head.Run.Run = steal.Key{byte(n)}
	}
	over.Head.Answered = 1
	l.hold([]peer.Recorded{held, free, over})
	l.voice.end()
	id := held.Head.Run.ID()
	if want := (Event{Kind: EventHeld, Peer: "a/1", Run: id, Ends: 5, Wait: 2 * time.Minute}); len(told) != 1 || told[0] != want {
		t.Errorf("it tells %+v, wanted %+v", told, want)
	}
	if len(l.held) != 1 || l.held[id] != 5 {
		t.Errorf("it has noted %v", l.held)
	}
}
