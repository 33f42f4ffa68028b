package recording

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"satingrid/satin/program/across"
	"satingrid/satin/program/console"
)

// runsFor is a grid of four peers of one worker each, all of which compute a run until it is over
// at a second; what each look has is changed before it is taken.
func runsFor(seconds int, change func(second int, l *Look)) (looks []Look) {
	for second := range seconds + 2 {
		l := at(second, "a/1", "a/2", "a/3", "a/4")
		for i := range l.Peers {
			d := &l.Peers[i]
			d.Totals.Busy = float64(second)
			d.Runs[0].Busy = d.Totals.Busy
		}
		if second >= seconds {
			l.Runs[0].State = "answered"
		}
		change(second, &l)
		looks = append(looks, l)
	}
	return looks
}

// hinted are the hints of a recording of some looks.
func hinted(t *testing.T, looks []Look) []string {
	t.Helper()
	p, err := Open(recorded(t, looks...))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Tell(p)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	r.Print(&console.Printer{W: &text})
	for _, hint := range r.Hints {
		if !strings.Contains(text.String(), hint+"\n") {
			t.Errorf("%q is not told in\n%s", hint, &text)
		}
	}
	return r.Hints
}

// slow has a peer do so many of the jobs that it would.
func slow(l *Look, peer int, part float64) {
	for _, jobs := range []*int64{&l.Peers[peer].Totals.Jobs, &l.Peers[peer].Runs[0].Jobs} {
		*jobs = int64(part * float64(*jobs))
	}
}

// rests has all but one worker be without work from a second on.
func rests(from int) func(int, *Look) {
	return func(second int, l *Look) {
		for i := range l.Peers[1:] {
			d := &l.Peers[i+1]
			d.Totals.Busy = min(d.Totals.Busy, float64(from))
			d.Runs[0].Busy = d.Totals.Busy
		}
	}
}

// TestHints: each sentence is told of a recording that has what it is about, and of none that has
// not.
func TestHints(t *testing.T) {
	const (
		straggles = "a/3 did 40 jobs of nqueens 17 (01234567) in a second of work, and the median of its site 100: its machine is slower or does something else, or its jobs were larger."
		ends      = "From 0:12 to its end nqueens 17 (01234567) had too few jobs: 21 s of workers were without work then, 28 % of what it had. Smaller ones can be shared."
		copies    = "3 jobs were put back after losses before anything was copied: copies at shorter intervals (--copies) may save such work."
	)
	nothing := func(int, *Look) {}
	both := func(changes ...func(int, *Look)) func(int, *Look) {
		return func(second int, l *Look) {
			for _, change := range changes {
				change(second, l)
			}
		}
	}
	third := func(part float64) func(int, *Look) {
		return func(_ int, l *Look) { slow(l, 2, part) }
	}
	loses := func(second int, l *Look) {
		if second >= 5 {
			l.Peers[0].Totals.Again = 3
		}
	}
	copied := func(from int) func(int, *Look) {
		return func(second int, l *Look) {
			if second >= from {
				l.Peers[1].Totals.CopiesSent = 7
			}
		}
	}
	beside := func(second int, l *Look) {
		if second > 5 && second < 8 {
			l.Runs = append(l.Runs, across.RunLine{ID: "99", App: "fib", Input: "40", State: "computing"})
		}
	}
	other := func(_ int, l *Look) { l.Peers[3].Build = "f0" }
	for what, c := range map[string]struct {
		seconds int
		change  func(int, *Look)
		want    []string
	}{
		"nothing":                             {20, nothing, nil},
		"a straggler":                         {20, third(0.4), []string{straggles}},
		"one that is a little slower":         {20, third(0.6), nil},
		"one of which not enough is known":    {8, third(0.4), nil},
		"one of two at its site":              {20, both(third(0.4), func(_ int, l *Look) { l.Peers[0].Site, l.Peers[1].Site = "b", "b" }), nil},
		"too few jobs at the end":             {20, rests(12), []string{ends}},
		"too few jobs before the end":         {20, func(second int, l *Look) { rests(12)(min(second, 14), l); catchUp(second, l) }, nil},
		"too few jobs for a moment":           {40, rests(38), nil},
		"another run at that time, or before": {20, both(rests(12), beside), nil},
		"peers of another build":              {20, both(rests(12), other), nil},
		"a run that is not over":              {20, both(rests(12), func(_ int, l *Look) { l.Runs[0].State = "computing" }), nil},
		"losses before anything was copied":   {20, both(loses, copied(9)), []string{copies}},
		"losses after something was copied":   {20, both(loses, copied(4)), nil},
		"losses of a moment with a copy":      {20, both(loses, copied(5)), nil},
		"two of them":                         {20, both(third(0.4), loses), []string{straggles, copies}},
	} {
		if got := hinted(t, runsFor(c.seconds, c.change)); !slices.Equal(got, c.want) {
			t.Errorf("%s: it is told\n%s\nwanted\n%s", what, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// catchUp has all workers compute from second 15 on, whatever was before.
func catchUp(second int, l *Look) {
	if second < 15 {
		return
	}
	for i := range l.Peers[1:] {
		d := &l.Peers[i+1]
		d.Totals.Busy = float64(12 + second - 14)
		d.Runs[0].Busy = d.Totals.Busy
	}
}

// TestHintsAreBounded: of many there are so many.
func TestHintsAreBounded(t *testing.T) {
	h := newAdvice()
	var runs []RunSummary
	for i := range hintsMax + 3 {
		id := string(rune('a' + i))
		runs = append(runs, RunSummary{ID: id})
		h.endings[id] = &rundown{there: 10, idle: 5, over: true}
	}
	if got := h.told(runs); len(got) != hintsMax {
		t.Errorf("%d are told", len(got))
	}
}
