package console

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// logEvery is the time between two lines where there is no terminal.
const logEvery = 5 * time.Second

// Meter shows that a run goes on: a line that changes on a terminal, one now and then elsewhere.
// How far the run is, and how long it will take, is told as an interval, in words: a bar would say
// less, and seem to know more.
//
// Libraries are made for bars. What they could take over is two
// functions, clear and draw. schollz/progressbar v3.19.1 draws on whatever it is given, in a log,
// too; vbauerster/mpb v8.16.2 is silent where there is no terminal, and somebody reads that log.
type Meter struct {
	con   *Console
	what  string
	start time.Time
	next  time.Duration // when the next line is due, where there is no terminal
	drawn bool          // the line is on the screen

	More func() string // what else there is to say in a line; nil: nothing
}

// NewMeter is the meter of a run that has begun at start; what names it.
func (c *Console) NewMeter(what string, start time.Time) *Meter {
	return &Meter{con: c, what: what, start: start, next: Quiet}
}

// Announce says that a run has started, at once.
func (m *Meter) Announce() {
	if m.con.Terminal >= 0 {
		m.draw(m.line(0))
		return
	}
	m.con.Say("running %s", m.what)
	m.next = logEvery
}

// Show shows that the run goes on.
func (m *Meter) Show() {
	gone := time.Since(m.start)
	if gone < Quiet {
		return
	}
	if m.con.Terminal >= 0 {
		m.draw(m.line(gone))
		return
	}
	if gone < m.next {
		return
	}
	if m.next == Quiet {
		m.Announce()
		return
	}
	m.con.Say("%s", m.line(gone))
	m.next = gone.Truncate(logEvery) + logEvery
}

// Share shows how much is done of what is done in known steps.
func (m *Meter) Share(done float64) {
	m.More = func() string { return fmt.Sprintf("; %.0f %%", 100*done) }
	m.Show()
}

// line says how long a run has gone on, and what else there is to say: "uts T1: 12 s
// gone; 34100000 jobs".
func (m *Meter) line(gone time.Duration) string {
	return fmt.Sprintf("%s: %s gone%s", m.what, Brief(gone.Seconds()), m.said())
}

// said is what there is to say beside the time.
func (m *Meter) said() string {
	if m.More == nil {
		return ""
	}
	return m.More()
}

// Say prints lines above that one.
func (m *Meter) Say(lines []string) {
	for _, line := range lines {
		m.Clear()
		m.con.Say("%s", line)
	}
}

// Clear takes the line off the screen.
func (m *Meter) Clear() {
	if m.drawn {
		fmt.Fprintf(m.con.Err, "\r%s\r", strings.Repeat(" ", m.con.width()-1))
		m.drawn = false
	}
}

// draw replaces the line on the screen. A line as wide as the screen would scroll it.
func (m *Meter) draw(line string) {
	width := m.con.width() - 1
	if n := utf8.RuneCountInString(line); n < width {
		line += strings.Repeat(" ", width-n)
	} else {
		line = string([]rune(line)[:width])
	}
	fmt.Fprintf(m.con.Err, "\r%s", line)
	m.drawn = true
}
