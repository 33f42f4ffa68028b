package program

import (
	"fmt"
	"sync"

	"satingrid/satin"
	"satingrid/satin/program/console"
	"satingrid/satin/program/local"
)

// feed is what happens on a grid on its way to the screen and to --events.
type feed struct {
	con *console.Console
	log *eventLines

	mu     sync.Mutex // protects what follows
	lines  []string   // for the screen, not shown yet
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
