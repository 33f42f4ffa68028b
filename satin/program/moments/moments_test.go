package moments

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"satingrid/satin"
	"satingrid/satin/program/across"
	"satingrid/satin/program/observe"
	"satingrid/satin/program/recording"
)

var began = time.Date(2026, 11, 27, 13, 0, 0, 0, time.Local)

// at is what a grid of so many peers did then, each with half a worker.
func at(second, peers int) recording.Look {
	s := observe.Sample{Grid: "lab"}
	for i := range peers {
		name := fmt.Sprintf("a/%d", i+1)
		s.Members = append(s.Members, across.Peer{Name: name, ID: "id-" + name, Site: "a", State: "here", Workers: 1})
		s.Peers = append(s.Peers, across.Doing{
			Name: name, ID: "id-" + name, Site: "a", State: "here", Workers: 1, Build: "e7", Answers: true, Uptime: 10 + float64(second),
			Totals: satin.Totals{Jobs: int64(100 * second), Busy: float64(second) / 2},
		})
	}
	return recording.Look{At: time.Duration(second) * time.Second, Sample: s}
}

// aGrid is one that grows, falls silent, and shrinks.
func aGrid() []recording.Look {
	looks := []recording.Look{at(0, 1), at(1, 2), at(2, 3), at(8, 3), at(9, 2)}
	looks[3].Silent = true
	return looks
}

// recorded is that written down; whole or as a recorder leaves it that is killed.
func recorded(t *testing.T, whole bool) []byte {
	t.Helper()
	var b bytes.Buffer
	r := recording.NewRecorder(&b, began, time.Second)
	for _, l := range aGrid() {
		if err := r.Add(l); err != nil {
			t.Fatal(err)
		}
	}
	if whole {
		if err := r.Close(9 * time.Second); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

func aTape(t *testing.T) *Tape {
	t.Helper()
	tape, err := NewTape(t.Context(), bytes.NewReader(recorded(t, true)))
	if err != nil {
		t.Fatal(err)
	}
	return tape
}

// page is what a page shows of a moment: all of it.
func page(t *testing.T, m Moment) string {
	t.Helper()
	var b bytes.Buffer
	if err := m.Report().Live(&b, m.View); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestLiveAndRecordedAreTheSame: at each look a recording shows what was shown of the grid that was
// there, however one has come to it.
func TestLiveAndRecordedAreTheSame(t *testing.T) {
	sum, last := recording.NewSummary(recording.Preamble{Every: 1}), observe.Sample{}
	tape := aTape(t)
	var pages []string
	for i, l := range aGrid() {
		sum.Add(l)
		want := page(t, momentOf(observe.Between(last, l.Sample), sum))
		if pages, last = append(pages, want), l.Sample; i > 0 {
			if err := tape.step(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
		}
		if got := page(t, tape.moment()); got != want {
			t.Errorf("look %d is\n%s\nand was\n%s", i, got, want)
		}
	}
	for i := range slices.Backward(pages[:len(pages)-1]) {
		if err := tape.step(t.Context(), -1); err != nil {
			t.Fatal(err)
		}
		if got := page(t, tape.moment()); got != pages[i] {
			t.Errorf("back at look %d it is\n%s\nand was\n%s", i, got, pages[i])
		}
	}
}

// does has a tape do something, and checks where it stands then.
func does(t *testing.T, tape *Tape, what string, do func() error, want string) Moment {
	t.Helper()
	if err := do(); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	m := tape.moment()
	_, got, _ := strings.Cut(m.Tape.String(), ": ")
	if m.Trouble != "" {
		got += "; " + m.Trouble
	}
	if got != want {
		t.Errorf("%s: %s, wanted %s", what, got, want)
	}
	return m
}

// TestTape reads as a script: what is done, and where the tape stands then.
func TestTape(t *testing.T) {
	tape := aTape(t)
	press := func(b Button, want string) {
		t.Helper()
		does(t, tape, string(b), func() error { return tape.do(t.Context(), Press{Button: b}) }, want)
	}
	passes := func(d time.Duration, want string) {
		t.Helper()
		does(t, tape, d.String(), func() error { _, err := tape.pass(t.Context(), d); return err }, want)
	}
	m := does(t, tape, "at first", func() error { return nil }, "0:00 of 0:09, look 1 of 5, plays x1")
	if got := m.Tape.String(); got != "recorded 2026-11-27 13:00:00: 0:00 of 0:09, look 1 of 5, plays x1" {
		t.Errorf("at first it is %s", got)
	}
	passes(1500*time.Millisecond, "0:01 of 0:09, look 2 of 5, plays x1")
	press(Play, "0:01 of 0:09, look 2 of 5, stands")
	passes(time.Minute, "0:01 of 0:09, look 2 of 5, stands")
	press(On, "0:02 of 0:09, look 3 of 5, stands")
	press(Faster, "0:02 of 0:09, look 3 of 5, stands x2")
	press(Play, "0:02 of 0:09, look 3 of 5, plays x2")
	passes(time.Second, "0:04 of 0:09, look 3 of 5, plays x2; nobody answers until 0:08")
	press(Back, "0:01 of 0:09, look 2 of 5, stands x2")
	press(Slower, "0:01 of 0:09, look 2 of 5, stands")
	press(Slower, "0:01 of 0:09, look 2 of 5, stands")
	press(End, "0:09 of 0:09, look 5 of 5, ends here")
	press(On, "0:09 of 0:09, look 5 of 5, ends here")
	press(Play, "0:00 of 0:09, look 1 of 5, plays x1")
	passes(time.Hour, "0:09 of 0:09, look 5 of 5, ends here")
	press(Start, "0:00 of 0:09, look 1 of 5, stands")
	press(Back, "0:00 of 0:09, look 1 of 5, stands")
	press("another", "0:00 of 0:09, look 1 of 5, stands")
	for range 20 {
		tape.do(t.Context(), Press{Button: Faster})
	}
	for second, want := range map[float64]string{
		-5: "0:00 of 0:09, look 1 of 5, stands x1024", 8.5: "0:08 of 0:09, look 4 of 5, stands x1024", 3600: "0:09 of 0:09, look 5 of 5, ends here",
	} {
		at := time.Duration(second * float64(time.Second))
		does(t, tape, at.String(), func() error { return tape.do(t.Context(), Press{Seek, at}) }, want)
	}
}

// TestTapeThatIsNone: what is no recording is not played, one without an end is, and one that is
// spoilt meanwhile says so and can be gone back on.
func TestTapeThatIsNone(t *testing.T) {
	for text, want := range map[string]string{"": "it is no recording", "x": "it is no recording"} {
		if _, err := NewTape(t.Context(), strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	killed, err := NewTape(t.Context(), bytes.NewReader(recorded(t, false)))
	if err != nil {
		t.Fatal(err)
	}
	does(t, killed, "to its end", func() error { return killed.do(t.Context(), Press{Button: End}) }, "0:09 of 0:09, look 5 of 5, ends here unfinished")
	killed.close = recording.Closing{At: killed.end, Whole: true, Runs: []recording.Finale{{App: "fib", How: recording.Interrupted, Seconds: 9}}}
	m := does(t, killed, "of a run that was interrupted", func() error { return nil }, "0:09 of 0:09, look 5 of 5, ends here, interrupted")
	if got := m.View.Warnings; len(got) == 0 || got[0] != "fib was interrupted after 9.0 s." || !strings.Contains(page(t, m), "fib was interrupted") {
		t.Errorf("it warns of %q", got)
	}
	if m := does(t, killed, "a look before", func() error { return killed.step(t.Context(), -1) }, "0:08 of 0:09, look 4 of 5, stands"); strings.Contains(page(t, m), "interrupted") {
		t.Errorf("it is foretold: %q", m.View.Warnings)
	}
	tape := aTape(t)
	tape.marks = append(tape.marks, recording.Mark{At: 10 * time.Second})
	tape.end = 10 * time.Second
	for range 2 {
		if _, err := tape.pass(t.Context(), time.Minute); err == nil && tape.playing || tape.broken == nil {
			t.Errorf("a spoilt one goes on: %v", err)
		}
	}
	does(t, tape, "back", func() error { return tape.step(t.Context(), -1) }, "0:08 of 0:10, look 4 of 6, stands")
	over, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("interrupted"))
	if err := tape.seek(over, time.Hour); err == nil || err.Error() != "interrupted" {
		t.Errorf("one that is let go is read on: %v", err)
	}
}

// TestDeck plays by the clock to the end, waits there until a button is pressed, and ends with its
// context.
func TestDeck(t *testing.T) {
	d, err := NewDeck(t.Context(), aTape(t), 8*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	next := func() Moment {
		t.Helper()
		m, err := d.Next(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	if m := next(); m.Tape.Look != 4 || !m.Tape.Playing {
		t.Errorf("it begins with %v", m.Tape)
	}
	for range speedMost {
		d.Press(Press{Button: Faster}) // more than it hears
	}
	for m := next(); m.Tape.Playing; m = next() {
	}
	d.Press(Press{Button: Back})
	if m := next(); m.Tape.Look != 4 || m.Tape.Playing {
		t.Errorf("it goes back to %v", m.Tape)
	}
	cancel(errors.New("interrupted"))
	if _, err := d.Next(ctx); err == nil || err.Error() != "interrupted" {
		t.Errorf("once it is let go it shows something: %v", err)
	}
}

// TestLive looks until its context ends, and says when nobody answers.
func TestLive(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	n := 0
	l := NewLive(func(context.Context) (observe.Sample, error) {
		if n++; n == 2 {
			return observe.Sample{}, errors.New("no route")
		}
		return at(n, n).Sample, nil
	}, time.Millisecond)
	for i, want := range []string{"1 peer", "1 peer", "3 peers"} {
		m, err := l.Next(ctx)
		if err != nil || !strings.HasPrefix(m.View.Title(), "grid lab: "+want+" ") || (m.Trouble == "no route") != (i == 1) || m.Tape != nil {
			t.Errorf("look %d is %s, with trouble %q, %v", i, m.View.Title(), m.Trouble, err)
		}
		if i == 2 && !strings.Contains(page(t, m), "a/2 and a/3 are here") {
			t.Errorf("it tells\n%s", page(t, m))
		}
	}
	cancel(errors.New("interrupted"))
	if _, err := l.Next(ctx); err == nil || err.Error() != "interrupted" {
		t.Errorf("once it is let go it looks: %v", err)
	}
}

// TestLossesAreWrongForAMinute: who was lost is told first of what is wrong, until that is a minute
// ago. Who has left is not.
func TestLossesAreWrongForAMinute(t *testing.T) {
	sum, last := recording.NewSummary(recording.Preamble{Every: 1}), observe.Sample{}
	warned := func(l recording.Look) []string {
		sum.Add(l)
		m := momentOf(observe.Between(last, l.Sample), sum)
		last = l.Sample
		return m.View.Warnings
	}
	warned(at(0, 3))
	if got := warned(at(10, 2)); len(got) == 0 || got[0] != "a/3 is not there any more, 0.0 s ago" {
		t.Errorf("when it is lost: %q", got)
	}
	leaving := at(69, 2)
	leaving.Members[1].State = "leaving"
	if got := warned(leaving); len(got) == 0 || got[0] != "a/3 is not there any more, 59 s ago" {
		t.Errorf("a minute later: %q", got)
	}
	if got := warned(at(71, 1)); slices.ContainsFunc(got, func(w string) bool { return strings.HasPrefix(w, "a/") }) {
		t.Errorf("after that, when another has left: %q", got)
	}
}
