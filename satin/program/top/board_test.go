package top

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mattn/go-runewidth"

	"satingrid/satin"
	"satingrid/satin/golden"
	"satingrid/satin/program/across"
	"satingrid/satin/program/moments"
	"satingrid/satin/program/observe"
)

// aView is of a grid of so many peers at three sites, with two runs.
func aView(peers int) observe.View {
	at := func(seconds float64) (s observe.Sample) {
		s.Grid = "lab"
		for i := range peers {
			site := []string{"delft", "paris", "amsterdam-science-park"}[i%3]
			s.Peers = append(s.Peers, across.Doing{
				Name: fmt.Sprintf("%s/peer%02d", site, i), ID: fmt.Sprint("id", i), Site: site, State: "here", Workers: 2, Build: "e7", Answers: true, Uptime: 100 + seconds,
				Totals: satin.Totals{Jobs: int64(seconds * 1e6 * float64(i+1)), Busy: seconds * 2 * float64(i) / float64(peers), LentFar: uint64(seconds * float64(i)), BytesFar: int64(seconds * 1234 * float64(i))},
				Memory: int64(10e6 * (i + 1)), Runs: []across.RunShare{{ID: "3f2a1b9c0000", App: "tsp", Root: i == 1, Busy: seconds * float64(i)}},
			})
		}
		s.Runs = []across.RunLine{
			{ID: "3f2a1b9c0000", App: "tsp", Input: "berlin52.tsp", State: "computing", Who: "ann@delft", Age: 90, Progress: 0.31, Left: []float64{70, 1300}, Share: 100, Master: "paris/peer01", Build: "e7"},
			{ID: "77770000", App: "märchen", Input: "東京から京都まで、そして大阪へ", State: "answered", Who: "bob", Age: 7200, Progress: 1, Share: 50, Build: "e7"},
		}
		s.Hosts = []across.Activity{{By: "delft/peer00", Lost: map[string]int{"kill": 1}}}
		return s
	}
	return observe.Between(at(1), at(2))
}

// aMoment is when that is to be seen.
func aMoment(peers int) moments.Moment { return moments.Moment{View: aView(peers)} }

// trouble is when nothing is.
func trouble(why string) moments.Moment { return moments.Moment{Trouble: why} }

// played is that on a recording.
func played(peers int, playing bool) moments.Moment {
	m := aMoment(peers)
	m.Tape = &moments.Position{Began: time.Date(2026, 11, 27, 13, 0, 0, 0, time.Local), At: 12 * time.Second, End: 65 * time.Second, Look: 13, Looks: 66, Speed: 4, Playing: playing, Whole: true}
	return m
}

// text is a screen as it is read.
func text(b Board) string {
	var all strings.Builder
	for _, line := range b.Screen() {
		all.WriteString(line.Text + "\n")
	}
	return all.String()
}

// typed is a board after some keys.
func typed(t *testing.T, b Board, keys ...string) Board {
	t.Helper()
	for _, key := range keys {
		next, do, quit := b.Key(key)
		if do != nil || quit {
			t.Fatalf("%s does %+v, or ends: %v", key, do, quit)
		}
		b = next
	}
	return b
}

// TestScreens are as they are in testdata: what was seen, the size of the screen and the keys are
// all that they depend on.
func TestScreens(t *testing.T) {
	all := []moments.Ability{moments.Leave, moments.Kick, moments.Cancel}
	for name, b := range map[string]Board{
		"80x24.txt":         NewBoard(80, 24, moments.Cancel).Seen(aMoment(6)),
		"80x24-many.txt":    typed(t, NewBoard(80, 24, all...).Seen(aMoment(40)), "down", "down", "pgdn", "s", "s", "s", "s"),
		"80x24-asks.txt":    typed(t, NewBoard(80, 24, all...).Seen(aMoment(6)), "tab", "c"),
		"80x24-trouble.txt": NewBoard(80, 24, all...).Seen(aMoment(6)).Seen(trouble("satin: no host answers")).Done("run 77770000 is cancelled"),
		"80x12.txt":         NewBoard(80, 12, all...).Seen(aMoment(6)).Seen(trouble("satin: no host answers")),
		"120x40.txt":        typed(t, NewBoard(120, 40, all...).Seen(aMoment(20)), "down"),
		"40x10.txt":         typed(t, NewBoard(40, 10).Seen(aMoment(20)), "backtab", "down"),
		"80x24-plays.txt":   NewBoard(80, 24).Seen(played(6, true)),
		"80x24-stands.txt":  NewBoard(80, 24).Seen(played(40, false)),
		"80x24-first.txt":   NewBoard(80, 24),
		"80x24-nobody.txt":  NewBoard(80, 24).Seen(moments.Moment{}),
	} {
		t.Run(name, func(t *testing.T) {
			golden.Same(t, name, text(b))
		})
	}
}

// TestScreenFits: no line is wider than the screen, and there are no more than it has, whatever its
// size.
func TestScreenFits(t *testing.T) {
	for _, v := range []observe.View{aView(0), aView(1), aView(40)} {
		for _, width := range []int{1, 2, 3, 12, 40, 61, 79, 80, 100, 120, 200} {
			for _, height := range []int{0, 1, 2, 3, 5, 8, 11, 12, 13, 15, 20, 24, 40} {
				b := NewBoard(width, height, moments.Leave, moments.Kick, moments.Cancel).Seen(moments.Moment{View: v}).Seen(trouble("why"))
				for range 3 {
					b = typed(t, b, "tab", "s", "down", "pgdn", "l")
					if b.asks != nil {
						b = typed(t, b, "n")
					}
					lines := b.Screen()
					if len(lines) != height {
						t.Fatalf("%d lines on %d×%d", len(lines), width, height)
					}
					for _, l := range lines {
						if runewidth.StringWidth(l.Text) > width {
							t.Fatalf("%q on %d×%d", l.Text, width, height)
						}
					}
				}
			}
		}
	}
}

// TestKeys: what is done to a peer or a run is asked about first, and only what can be done.
func TestKeys(t *testing.T) {
	b := NewBoard(80, 24, moments.Leave, moments.Kick, moments.Cancel).Seen(aMoment(6))
	order := func(b Board, keys ...string) *moments.Intent {
		t.Helper()
		b = typed(t, b, keys...)
		_, do, _ := b.Key("y")
		return do
	}
	for keys, want := range map[string]*moments.Intent{
		"l":                     {Do: moments.Leave, ID: "id5", Name: "amsterdam-science-park/peer05"},
		"down k":                {Do: moments.Kick, ID: "id0", Name: "delft/peer00"},
		"tab c":                 {Do: moments.Cancel, ID: "3f2a1b9c0000", Name: "3f2a1b9c"},
		"tab down c":            {Do: moments.Cancel, ID: "77770000", Name: "77770000"},
		"c":                     nil, // of a peer
		"tab l":                 nil, // of a run
		"backtab l":             nil, // of a site
		"l n":                   nil,
		"l l":                   nil,
		"s s s s down tab up c": {Do: moments.Cancel, ID: "3f2a1b9c0000", Name: "3f2a1b9c"},
	} {
		words := strings.Fields(keys)
		if keys == "l" {
			words = []string{"down", "l"}
		}
		if keys == "down k" {
			words = []string{"down", "down", "k"}
		}
		switch got := order(b, words...); {
		case (got == nil) != (want == nil), got != nil && *got != *want:
			t.Errorf("%s orders %+v, wanted %+v", keys, got, want)
		}
	}
	if do := order(NewBoard(80, 24, moments.Cancel).Seen(aMoment(6)), "l"); do != nil {
		t.Errorf("what cannot be done is ordered: %+v", do)
	}
	// who is chosen stays so when the order of lines changes, and is let go when gone
	b = typed(t, b, "down", "down", "s", "s", "s", "s")
	if got := text(b); !strings.Contains(got, "> delft/peer00") {
		t.Errorf("it shows\n%s", got)
	}
	if got := text(b.Seen(aMoment(0)).Seen(aMoment(2))); !strings.Contains(got, "> delft/peer00") {
		t.Errorf("when it is back it shows\n%s", got)
	}
	for _, key := range []string{"q", "ctrl-c", "esc"} {
		if _, _, quit := b.Key(key); !quit {
			t.Errorf("%s does not end it", key)
		}
	}
	if _, do, quit := typed(t, b, "l").Key("ctrl-c"); do != nil || !quit {
		t.Error("a question cannot be left")
	}
}

// TestButtons: keys press them where a recording is played, and nowhere else.
func TestButtons(t *testing.T) {
	for key, want := range map[string]moments.Button{
		" ": moments.Play, "right": moments.On, "left": moments.Back, "+": moments.Faster, "-": moments.Slower,
		"home": moments.Start, "end": moments.End,
	} {
		if _, do, quit := NewBoard(80, 24).Seen(played(6, true)).Key(key); do == nil || *do != (moments.Intent{Do: moments.Handle, Button: want}) || quit {
			t.Errorf("%s orders %+v", key, do)
		}
		if _, do, quit := NewBoard(80, 24).Seen(aMoment(6)).Key(key); do != nil || quit {
			t.Errorf("of a grid that is there %s orders %+v", key, do)
		}
	}
}
