package top

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"

	"satingrid/satin/await"
	"satingrid/satin/program/observe"
)

// shown is what stands on a screen.
func shown(s tcell.Screen) string {
	var all strings.Builder
	width, height := s.Size()
	for y := range height {
		for x := range width {
			r, _, _, _ := s.GetContent(x, y)
			all.WriteRune(r)
		}
		all.WriteByte('\n')
	}
	return all.String()
}

// orderedBy types until something is ordered: before the grid is seen there is nothing to choose.
func orderedBy(s tcell.Screen, acted <-chan Intent) Intent {
	for {
		for _, e := range []*tcell.EventKey{
			tcell.NewEventKey(tcell.KeyTab, 0, tcell.ModNone), tcell.NewEventKey(tcell.KeyRune, 'c', tcell.ModNone), tcell.NewEventKey(tcell.KeyRune, 'y', tcell.ModNone),
		} {
			s.PostEvent(e)
		}
		select {
		case o := <-acted:
			return o
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// TestRun types on a simulated terminal: the grid is looked at, what is ordered is done once, and a
// key ends it.
func TestRun(t *testing.T) {
	s := tcell.NewSimulationScreen("UTF-8")
	acted, looked := make(chan Intent), make(chan struct{})
	looks := 0
	from := Vantage{
		Can: []Ability{Cancel},
		Look: func(context.Context) (observe.View, error) {
			if looks++; looks > 1 {
				return observe.View{}, errors.New("nobody answers")
			}
			close(looked)
			return aView(6), nil
		},
		Act: func(ctx context.Context, o Intent) (string, error) {
			select {
			case acted <- o:
			case <-ctx.Done():
			}
			return "", errors.New("it is refused")
		},
	}
	ended := make(chan error)
	go func() { ended <- Run(t.Context(), s, from, true) }()
	<-looked // before that the screen is not there
	if o := orderedBy(s, acted); o != (Intent{Cancel, "3f2a1b9c0000", "3f2a1b9c"}) {
		t.Errorf("it orders %+v", o)
	}
	await.Until(t, "the grid on the screen", func() bool { return strings.Contains(shown(s), "grid lab: 6 peers at 3 sites") })
	s.InjectKey(tcell.KeyRune, 'q', tcell.ModNone)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("interrupted"))
	from.Look = func(context.Context) (observe.View, error) { return aView(1), nil }
	if err := Run(ctx, tcell.NewSimulationScreen(""), from, false); err == nil || err.Error() != "interrupted" {
		t.Errorf("after a signal: %v", err)
	}
}

// TestColours: without them there are none at all.
func TestColours(t *testing.T) {
	for _, style := range []Style{Plain, Title, Chosen, Warning} {
		if styleOf(style, false) != tcell.StyleDefault || (styleOf(style, true) != tcell.StyleDefault) != (style != Plain) {
			t.Errorf("style %d", style)
		}
	}
}
