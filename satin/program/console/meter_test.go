package console

import (
	"bytes"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// metered is a meter of a run that started a while ago.
func metered(terminal int, ago time.Duration) (*Meter, *bytes.Buffer) {
	var out bytes.Buffer
	return (&Console{Name: "satin", Err: &out, Terminal: terminal}).NewMeter("uts T1", time.Now().Add(-ago)), &out
}

func TestMeterQuiet(t *testing.T) {
	m, out := metered(-1, -time.Hour) // it is short, as it begins in an hour
	m.Show()
	m.Clear()
	if out.Len() > 0 {
		t.Errorf("a short run says %q", out)
	}
}

// TestMeterLines has no terminal: a line at the beginning, and then one in five seconds.
func TestMeterLines(t *testing.T) {
	m, out := metered(-1, time.Second)
	for range 9 {
		m.Show()
	}
	m.start = m.start.Add(-5 * time.Second)
	m.More = func() string { return "; 12 jobs" }
	for range 9 {
		m.Show()
	}
	m.Clear()
	if want := "satin: running uts T1\nsatin: uts T1: 6.0 s gone; 12 jobs\n"; out.String() != want {
		t.Errorf("it says %q, wanted %q", out, want)
	}
}

// TestMeterOnATerminal has all in one line of it, and leaves nothing.
func TestMeterOnATerminal(t *testing.T) {
	m, out := metered(0, 10*time.Second) // a file that is no terminal has the default width
	m.Show()
	line := strings.TrimPrefix(out.String(), "\r")
	if n := utf8.RuneCountInString(line); n != widthDefault-1 || !strings.HasPrefix(line, "uts T1: 10 s gone ") {
		t.Errorf("%d columns: %q", n, line)
	}
	if strings.ContainsAny(line, "\n\x1b%") {
		t.Errorf("a line has escapes, or a share that nobody knows: %q", line)
	}
	out.Reset()
	m.Clear()
	if got := strings.Trim(out.String(), "\r "); got != "" {
		t.Errorf("clearing leaves %q", got)
	}
}

func TestDurations(t *testing.T) {
	for seconds, want := range map[float64]string{3: "3.0 s", 30: "30 s", 3600: "60 min", 30 * 3600: "30.0 h", 72 * 3600: "3.0 days"} {
		if got := Brief(seconds); got != want {
			t.Errorf("%q, wanted %q", got, want)
		}
	}
}
