package main

import (
	"fmt"
	"math"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	// quiet is how long a run may take before it is worth a line: soon enough that nobody wonders whether
	// anything happens, late enough that short runs print their answer and nothing else.
	quiet = 150 * time.Millisecond

	// logEvery is the time between two lines where there is no terminal.
	logEvery = 5 * time.Second

	// trusted is the progress below which an estimate of the time to go would be a guess.
	trusted = 0.01

	barWidth = 24
)

// meter shows a run's progress: a bar on a terminal, a line now and then elsewhere.
type meter struct {
	con   *console
	what  string
	start time.Time
	next  time.Duration // when the next line is due, where there is no terminal
	drawn bool          // a bar is on the screen
	more  func() string // what else there is to say in a line; nil: nothing
}

func newMeter(con *console, app, input string, start time.Time) *meter {
	what := app
	if input != embedded {
		what += " " + input
	}
	return &meter{con: con, what: what, start: start, next: quiet}
}

// announce says that a run has started, at once.
func (m *meter) announce() {
	if m.con.terminal >= 0 {
		m.draw(m.bar(0, 0))
		return
	}
	fmt.Fprintf(m.con.err, "satin: running %s\n", m.what)
	m.next = logEvery
}

// show shows the progress, 0 to 1.
func (m *meter) show(progress float64) {
	gone := time.Since(m.start)
	if gone < quiet {
		return
	}
	if m.con.terminal >= 0 {
		m.draw(m.bar(progress, gone) + m.said())
		return
	}
	if gone < m.next {
		return
	}
	if m.next == quiet {
		m.announce()
		return
	}
	fmt.Fprintf(m.con.err, "satin: %s: %s%s\n", m.what, state(progress, gone), m.said())
	m.next = gone.Truncate(logEvery) + logEvery
}

// said is what there is to say beside the progress.
func (m *meter) said() string {
	if m.more == nil {
		return ""
	}
	return m.more()
}

// say prints lines above the bar.
func (m *meter) say(lines []string) {
	for _, line := range lines {
		m.clear()
		fmt.Fprintf(m.con.err, "satin: %s\n", line)
	}
}

// clear takes the bar off the screen.
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
	if m.con.colour && strings.Contains(line, "█") {
		full := strings.Count(line, "█")
		line = strings.Replace(line, strings.Repeat("█", full), "\x1b[32m"+strings.Repeat("█", full)+"\x1b[0m", 1)
	}
	fmt.Fprintf(m.con.err, "\r%s", line)
	m.drawn = true
}

func (m *meter) bar(progress float64, gone time.Duration) string {
	full := int(progress * barWidth)
	return fmt.Sprintf("%s %s%s %s", m.what, strings.Repeat("█", full), strings.Repeat("░", barWidth-full), state(progress, gone))
}

// state says how far a run is: "42 %, 12 s gone, about 16 s to go".
func state(progress float64, gone time.Duration) string {
	s := fmt.Sprintf("%.0f %%, %s gone", math.Floor(100*progress), brief(gone.Seconds()))
	if progress >= trusted {
		s += fmt.Sprintf(", about %s to go", brief(gone.Seconds()*(1-progress)/progress))
	}
	return s
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
