package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// metered is a meter of a run that started a while ago.
func metered(terminal int, ago time.Duration) (*meter, *bytes.Buffer) {
	var out bytes.Buffer
	return newMeter(&console{err: &out, terminal: terminal}, "uts", "T1", time.Now().Add(-ago)), &out
}

func TestMeterQuiet(t *testing.T) {
	m, out := metered(-1, -time.Hour) // it is short, as it begins in an hour
	m.show(0.5)
	m.clear()
	if out.Len() > 0 {
		t.Errorf("a short run says %q", out)
	}
}

// TestMeterLines has no terminal: a line at the beginning, and then one in five seconds.
func TestMeterLines(t *testing.T) {
	m, out := metered(-1, time.Second)
	for range 9 {
		m.show(0.2)
	}
	m.start = m.start.Add(-5 * time.Second)
	for range 9 {
		m.show(0.5)
	}
	m.clear()
	if want := "satin: running uts T1\nsatin: uts T1: 50 %, 6.0 s gone, about 6.0 s to go\n"; out.String() != want {
		t.Errorf("it says %q, wanted %q", out, want)
	}
}

// TestMeterBar has a terminal: all in one line of it, and nothing is left.
func TestMeterBar(t *testing.T) {
	m, out := metered(0, 10*time.Second) // a file that is no terminal has the default width
	m.show(0.5)
	line := strings.TrimPrefix(out.String(), "\r")
	if n := utf8.RuneCountInString(line); n != widthDefault-1 || strings.Count(line, "█") != barWidth/2 {
		t.Errorf("%d columns: %q", n, line)
	}
	if strings.ContainsAny(line, "\n\x1b") {
		t.Errorf("a bar without colour has escapes: %q", line)
	}
	out.Reset()
	m.clear()
	if got := strings.Trim(out.String(), "\r "); got != "" {
		t.Errorf("clearing leaves %q", got)
	}
	m.con.colour = true
	m.show(1)
	if !strings.Contains(out.String(), "\x1b[32m█") {
		t.Errorf("no colour in %q", out)
	}
}

func TestState(t *testing.T) {
	for _, c := range []struct {
		progress float64
		gone     time.Duration
		want     string
	}{
		{0, 3 * time.Second, "0 %, 3.0 s gone"},
		{0.25, 30 * time.Second, "25 %, 30 s gone, about 90 s to go"},
		{0.999, time.Hour, "99 %, 60 min gone, about 3.6 s to go"},
		{0.5, 30 * time.Hour, "50 %, 30.0 h gone, about 30.0 h to go"},
		{0.5, 72 * time.Hour, "50 %, 3.0 days gone, about 3.0 days to go"},
	} {
		if got := state(c.progress, c.gone); got != c.want {
			t.Errorf("%q, wanted %q", got, c.want)
		}
	}
}
