package program

import (
	"bytes"
	"encoding/json"
	"os"
	"sync"
	"time"

	"satingrid/satin"
	"satingrid/satin/program/console"
	"satingrid/satin/program/wording"
)

// eventLines writes what happens to a run to a file, a JSON object a line, as it happens. A nil
// *eventLines writes nothing.
type eventLines struct {
	con      *console.Console
	start    time.Time
	lastJobs int64         // the progress written last, …
	lastTold time.Duration // … and when
	lastBest []byte

	mu     sync.Mutex // protects what follows: the grid tells of itself on its own goroutine
	file   *os.File
	broken bool // a write has failed, and was talked about
}

// Event is one line of --events. What an event has no use for is left out.
type Event struct {
	Time  float64 `json:"t"` // seconds since the start
	Event string  `json:"event"`
	Peer  string  `json:"peer,omitempty"`
	Site  string  `json:"site,omitempty"`
	PID   int     `json:"pid,omitempty"`
	Jobs  int64   `json:"jobs,omitempty"` // of progress: how many were executed so far
	// of progress: how much of what the run will cost was spent, from 0 to 1; and the seconds
	// that it will take yet, at least and at most, and likely, where these are known
	Done     *float64  `json:"done,omitempty"`
	Left     []float64 `json:"left_seconds,omitempty"`
	Likely   float64   `json:"likely_seconds,omitempty"`
	Best     any       `json:"best,omitempty"`
	Answer   any       `json:"answer,omitempty"`
	Complete *bool     `json:"complete,omitempty"`
	How      string    `json:"how,omitempty"`  // of a loss
	What     string    `json:"what,omitempty"` // of chaos: what happened
	// of progress, and answered, what the time left is made of: the seconds of workers so far,
	// and which share of all that is, as it is guessed now
	Busy  *float64 `json:"busy_seconds,omitempty"`
	Guess *float64 `json:"guess,omitempty"`
}

// openEvents opens the file, or returns nil where none is asked for.
func openEvents(con *console.Console, name string) (*eventLines, error) {
	if name == "" {
		return nil, nil
	}
	f, err := os.Create(name)
	if err != nil {
		return nil, console.Usage("--events %v", wording.Bare(err))
	}
	return &eventLines{con: con, file: f, start: time.Now()}, nil
}

func (e *eventLines) wanted() bool { return e != nil }

func (e *eventLines) startedProcess(name, site string, pid int) {
	e.write(Event{Event: "started", Peer: name, Site: site, PID: pid})
}

// progress is written when the jobs have grown by a hundredth, or the time by a fiftieth where the
// run tells how far it is, so that a run of days has some thousand lines of it.
func (e *eventLines) progress(jobs int64, left remaining) {
	if e == nil {
		return
	}
	gone := time.Since(e.start)
	if jobs <= e.lastJobs+e.lastJobs/100 && !(left.told && gone > e.lastTold+e.lastTold/50) {
		return
	}
	e.lastJobs, e.lastTold = jobs, gone
	line := Event{Event: "progress", Jobs: jobs, Left: left.seconds()}
	if left.told {
		done, busy, guess := console.Round(left.done), console.Round(left.busy), console.Round(left.guess)
		line.Done, line.Likely = &done, console.Round(left.left.Likely.Seconds())
		line.Busy, line.Guess = &busy, &guess
	}
	e.write(line)
}

// best is written when it has changed.
func (e *eventLines) best(a Answer) {
	if e == nil {
		return
	}
	if b, err := json.Marshal(a.JSON()); err == nil && !bytes.Equal(b, e.lastBest) {
		e.lastBest = b
		e.write(Event{Event: "best", Best: a.JSON()})
	}
}

func (e *eventLines) answered(o runEnd, s satin.Stats) {
	if e == nil {
		return
	}
	busy := console.Round(busyOf(s))
	e.write(Event{Event: "answered", Answer: o.answer.JSON(), Complete: &o.complete, Busy: &busy})
}

// write writes a line. A file that cannot be written any more must not end a run of
// hours; it is told once.
func (e *eventLines) write(v Event) {
	if e == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.broken {
		return
	}
	v.Time = console.Round(time.Since(e.start).Seconds())
	var line bytes.Buffer
	if err := console.PrintJSON(&line, v); err != nil {
		panic("program: BUG: event " + v.Event + ": " + err.Error())
	}
	if _, err := e.file.Write(line.Bytes()); err != nil {
		e.broken = true
		e.con.Say("--events %v; the run goes on without", wording.Bare(err))
	}
}

func (e *eventLines) close() {
	if e != nil {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.broken = true // what the grid tells of its end is not part of the run
		e.file.Close()
	}
}
