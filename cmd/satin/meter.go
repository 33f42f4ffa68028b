package main

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"satingrid/satin/program"
)

const (
	// quiet is how long a run may take before it is worth a line: soon enough that nobody
	// wonders whether anything happens, late enough that short runs print their answer and
	// nothing else.
	quiet = 150 * time.Millisecond

	// logEvery is the time between two lines where there is no terminal.
	logEvery = 5 * time.Second
)

// meter shows that a run goes on: a line that changes on a terminal, one now and then elsewhere. It
// says no share and no time to go: what can be told from outside of a tree that unfolds as it is
// computed was wrong by a factor of three.
//
// That leaves no bar to draw, and libraries are made for bars. What they could take over is two
// functions, clear and draw. schollz/progressbar v3.19.1 draws on whatever it is given, in a log,
// too; vbauerster/mpb v8.16.2 is silent where there is no terminal, and somebody reads that log.
type meter struct {
	con   *console
	what  string
	start time.Time
	next  time.Duration // when the next line is due, where there is no terminal
	drawn bool          // the line is on the screen
	more  func() string // what else there is to say in a line; nil: nothing
}

func newMeter(con *console, app, input string, start time.Time) *meter {
	what := app
	if input != program.Embedded {
		what += " " + input
	}
	return &meter{con: con, what: what, start: start, next: quiet}
}

// announce says that a run has started, at once.
func (m *meter) announce() {
	if m.con.terminal >= 0 {
		m.draw(m.line(0))
		return
	}
	fmt.Fprintf(m.con.err, "satin: running %s\n", m.what)
	m.next = logEvery
}

// show shows that the run goes on.
func (m *meter) show() {
	gone := time.Since(m.start)
	if gone < quiet {
		return
	}
	if m.con.terminal >= 0 {
		m.draw(m.line(gone))
		return
	}
	if gone < m.next {
		return
	}
	if m.next == quiet {
		m.announce()
		return
	}
	fmt.Fprintf(m.con.err, "satin: %s\n", m.line(gone))
	m.next = gone.Truncate(logEvery) + logEvery
}

// share shows how much is done of what is done in known steps.
func (m *meter) share(done float64) {
	m.more = func() string { return fmt.Sprintf("; %.0f %%", 100*done) }
	m.show()
}

// line says how long a run has gone on, and what else there is to say: "uts T1: 12 s
// gone; 34100000 jobs".
func (m *meter) line(gone time.Duration) string {
	return fmt.Sprintf("%s: %s gone%s", m.what, brief(gone.Seconds()), m.said())
}

// said is what there is to say beside the time.
func (m *meter) said() string {
	if m.more == nil {
		return ""
	}
	return m.more()
}

// say prints lines above that one.
func (m *meter) say(lines []string) {
	for _, line := range lines {
		m.clear()
		fmt.Fprintf(m.con.err, "satin: %s\n", line)
	}
}

// clear takes the line off the screen.
func (m *meter) clear() {
	if m.drawn {
		fmt.Fprintf(m.con.err, "\r%s\r", strings.Repeat(" ", m.con.width()-1))
		m.drawn = false
	}
}

// draw replaces the line on the screen. A line as wide as the screen would scroll it.
func (m *meter) draw(line string) {
	width := m.con.width() - 1
	if n := utf8.RuneCountInString(line); n < width {
		line += strings.Repeat(" ", width-n)
	} else {
		line = string([]rune(line)[:width])
	}
	fmt.Fprintf(m.con.err, "\r%s", line)
	m.drawn = true
}

// brief is a duration as people say it.
func brief(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < 2*time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < 2*time.Hour:
		return fmt.Sprintf("%.0f min", d.Minutes())
	case d < 48*time.Hour:
		return fmt.Sprintf("%.1f h", d.Hours())
	default:
		return fmt.Sprintf("%.1f days", d.Hours()/24)
	}
}
