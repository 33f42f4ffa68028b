package program

import (
	"errors"
	"strings"
	"testing"
	"time"

	"satingrid/satin"
	"satingrid/satin/program/console"
	"satingrid/satin/satintest"
)

// TestShownAcross: a node prints the answer of a run for who is of another build. An application
// whose functions panic meanwhile ends nobody's node. What its root is called does not matter.
func TestShownAcross(t *testing.T) {
	broken := func(**pointed, *Input) (View[int], error) { panic("no view") }
	for name, c := range map[string]struct {
		show func(**pointed, *Input) (View[int], error)
		text string
		err  string
	}{
		"shown":       {nil, "7\n", ""},
		"panics":      {broken, "", "the answer cannot be shown: x panicked: no view"},
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
