package program

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"satingrid/satin"
	"satingrid/satin/program/console"
	"satingrid/satin/satintest"
)

// TestFailedAcross: a run that failed is told with its error, which its document has, too.
func TestFailedAcross(t *testing.T) {
	p := slips("forgotten")
	g := satintest.Start(t, satintest.Config{App: p.App(), Sites: []satintest.Site{{Name: "a", Peers: 1}}})
	if _, err := satin.Run(t.Context(), g.Client, slip{"forgotten", false}, satin.Keep(time.Hour)); err == nil {
		t.Fatal("it has an answer")
	}
	node := g.Peer("a/1")
	for _, asJSON := range []bool{true, false} {
		text, _, err := p.toldAcross(t.Context(), node, node.Runs()[0], asJSON)
		if err == nil {
			t.Fatal("no error is told")
		}
		want := ""
		if asJSON {
			want = "task program.fib is not among the tasks of its application"
		}
		var told Document
		if json.Unmarshal([]byte(text), &told); told.Complete || told.Answer != nil || !strings.HasPrefix(told.Error, want) || asJSON != (text != "") {
			t.Errorf("with JSON %v it prints %q, and the error is %v", asJSON, text, err)
		}
	}
}

// TestShownAcross: a node prints the answer of a run for who is of another build. An application
// whose functions panic meanwhile ends nobody's node. What its root is called does not matter.
func TestShownAcross(t *testing.T) {
	broken := func(**pointed, *Input) (View[int], error) { panic("no view") }
	for name, c := range map[string]struct {
		show func(**pointed, *Input) (View[int], error)
		text string
		err  string
	}{
		"shown":  {nil, "7\n", ""},
		"panics": {broken, "", "the answer cannot be shown: x panicked: no view"},
		"told without a file": {func(_ **pointed, in *Input) (View[int], error) {
			if !in.Flags.Bool("json") {
				return View[int]{}, errors.New("it writes a file")
			}
			return View[int]{}, nil
		}, "7\n", ""},
		"cannot tell": {func(**pointed, *Input) (View[int], error) { return View[int]{}, errors.New("no file") }, "", "no file"},
	} {
		t.Run(name, func(t *testing.T) {
			p := rooted(pointed0, satin.Type[*pointed]().Named("old name"))
			p.Applications[0].Root = RootOf(func(*Input) (*pointed, error) { return pointed0, nil }, c.show)
			g := satintest.Start(t, satintest.Config{App: p.App(), Sites: []satintest.Site{{Name: "a", Peers: 1}}})
			if _, err := satin.Run(t.Context(), g.Client, &pointed{7}, satin.Keep(time.Hour)); err != nil {
				t.Fatal(err)
			}
			node := g.Peer("a/1")
			runs := node.Runs()
			if len(runs) != 1 {
				t.Fatalf("the grid has %d runs", len(runs))
			}
			text, code, err := p.toldAcross(t.Context(), node, runs[0], false)
			if err == nil {
				err = errors.New("")
			}
			if text != c.text || code != console.ExitOK || !strings.HasPrefix(err.Error(), c.err) {
				t.Errorf("%q, exit %d, %v; wanted %q, %q", text, code, err, c.text, c.err)
			}
		})
	}
}
