package program

import (
	"fmt"
	"sync"
	"time"

	"satingrid/satin"
	"satingrid/satin/program/console"
	"satingrid/satin/program/local"
)

// feed is what happens on a grid on its way to the screen and to --events.
type feed struct {
	con *console.Console
	log *eventLines

	mu     sync.Mutex             // protects what follows
	lines  []string               // for the screen, not shown yet
	lost   map[string][]time.Time // when each peer was, by name
	losses int
	master string
}

// linesMax bounds the lines that wait for the screen; nobody reads more in a fifth of a second.
const linesMax = 64

func newFeed(con *console.Console, log *eventLines) *feed { return &feed{con: con, log: log} }

// event takes what the library tells of the grid.
func (f *feed) event(e satin.Event) {
	switch e.Kind {
	case satin.EventJoined:
		f.log.write(Event{Event: "joined", Peer: e.Peer, Site: e.Site})
	case satin.EventLost:
		f.noteLoss(e.Peer, time.Now())
		how := local.Ended(e.How)
		name, line := "lost", fmt.Sprintf("%s lost (%s)", e.Peer, how)
		if how == "leave" {
			name, line = "left", e.Peer+" left"
		}
		f.log.write(Event{Event: name, Peer: e.Peer, Site: e.Site, How: how})
		f.say(line)
	case satin.EventMaster:
		f.log.write(Event{Event: "master", Peer: e.Peer})
		f.mu.Lock()
		f.master = e.Peer
		f.mu.Unlock()
	}
}

// lossesMax bounds the losses whose moments are remembered.
const lossesMax = 1024

func (f *feed) noteLoss(peer string, at time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.losses++; f.losses > lossesMax {
		return
	}
	if f.lost == nil {
		f.lost = map[string][]time.Time{}
	}
	f.lost[peer] = append(f.lost[peer], at)
}

// lossAt is when a peer was lost the nth time, from 0; known is false where that was not heard.
func (f *feed) lossAt(peer string, n int) (at time.Time, known bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if all := f.lost[peer]; n < len(all) {
		return all[n], true
	}
	return at, false
}

// say queues a line for the screen.
func (f *feed) say(line string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.lines) < linesMax {
		f.lines = append(f.lines, line)
	}
}

// take gives the lines that were not shown yet. A nil feed has none.
func (f *feed) take() []string {
	if f == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	lines := f.lines
	f.lines = nil
	return lines
}

// Master is the run's master as far as is known.
func (f *feed) Master() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.master
}
