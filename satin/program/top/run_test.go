package top

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"

	"satingrid/satin/await"
	"satingrid/satin/program/moments"
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

// stream is moments of which another comes every now and then.
type stream func() moments.Moment

func (s stream) Next(ctx context.Context) (moments.Moment, error) {
	select {
	case <-time.After(10 * time.Millisecond):
		return s(), nil
	case <-ctx.Done():
		return moments.Moment{}, context.Cause(ctx)
	}
}

// orderedBy types until something is ordered: before the grid is seen there is nothing to choose.
func orderedBy(s tcell.Screen, acted <-chan moments.Intent) moments.Intent {
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
	acted, looked := make(chan moments.Intent), make(chan struct{})
	looks := 0
	from := Vantage{
		Moments: stream(func() moments.Moment {
			if looks++; looks > 1 {
				return trouble("nobody answers")
			}
			close(looked)
			return aMoment(6)
		}),
		Control: moments.Control{Can: []moments.Ability{moments.Cancel}, Act: func(ctx context.Context, o moments.Intent) (string, error) {
			select {
			case acted <- o:
			case <-ctx.Done():
			}
			return "", errors.New("it is refused")
		}},
	}
	ended := make(chan error)
	go func() { ended <- Run(t.Context(), s, from, true) }()
	<-looked // before that the screen is not there
	if o := orderedBy(s, acted); o != (moments.Intent{Do: moments.Cancel, ID: "3f2a1b9c0000", Name: "3f2a1b9c"}) {
		t.Errorf("it orders %+v", o)
	}
	await.Until(t, "the grid on the screen", func() bool { return strings.Contains(shown(s), "grid lab: 6 peers at 3 sites") })
	s.InjectKey(tcell.KeyRune, 'q', tcell.ModNone)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("interrupted"))
	from.Moments = stream(func() moments.Moment { return aMoment(1) })
	if err := Run(ctx, tcell.NewSimulationScreen(""), from, false); err == nil || err.Error() != "interrupted" {
		t.Errorf("after a signal: %v", err)
	}
}

// TestPresses: what is typed is pressed in that order.
func TestPresses(t *testing.T) {
	s := tcell.NewSimulationScreen("UTF-8")
	pressed, looked := make(chan moments.Button, 2), make(chan struct{}, 1)
	from := Vantage{
		Moments: stream(func() moments.Moment {
			select {
			case looked <- struct{}{}:
			default:
			}
			return played(6, true)
		}),
		Press: func(p moments.Press) { pressed <- p.Button },
	}
	ended := make(chan error)
	go func() { ended <- Run(t.Context(), s, from, true) }()
	<-looked // before that the screen is not there
	await.Until(t, "the recording on the screen", func() bool { return strings.Contains(shown(s), "0:12 of 1:05") })
	s.InjectKey(tcell.KeyRight, 0, tcell.ModNone)
	s.InjectKey(tcell.KeyRune, ' ', tcell.ModNone)
	if a, b := <-pressed, <-pressed; a != moments.On || b != moments.Play {
		t.Errorf("%s and %s are pressed", a, b)
	}
	s.InjectKey(tcell.KeyRune, 'q', tcell.ModNone)
	if err := <-ended; err != nil {
		t.Error(err)
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
