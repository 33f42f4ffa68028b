package top

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/gdamore/tcell/v2"

	"satingrid/satin/program/moments"
	"satingrid/satin/program/observe"
)

// eventsMax bounds what is typed and not yet shown.
const eventsMax = 64

// Vantage is from where a board sees a grid, and acts on it.
type Vantage struct {
	Moments moments.Stream
	Press   func(moments.Press) // a button of a recording; nil: it shows none
	Control moments.Control
}

// Run shows what is seen from somewhere on a screen, until a key ends it, or ctx.
func Run(ctx context.Context, s tcell.Screen, at Vantage, colours bool) error {
	if err := s.Init(); err != nil {
		return fmt.Errorf("no full screen: %w; TERM says which terminal this is", err)
	}
	defer s.Fini()
	ctx, cancel := context.WithCancel(ctx)
	events, quit := make(chan tcell.Event, eventsMax), make(chan struct{})
	changes := make(chan func(Board) Board, eventsMax)
	var others sync.WaitGroup
	defer others.Wait()
	defer close(quit)
	defer cancel()
	others.Go(func() { s.ChannelEvents(events, quit) })
	others.Go(func() { at.watch(ctx, changes) })
	width, height := s.Size()
	b := NewBoard(width, height, at.Control.Can...)
	for {
		draw(s, b, colours)
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case change := <-changes:
			b = change(b)
		case e, open := <-events:
			if !open {
				return errors.New("the terminal is gone")
			}
			next, do, over := b.on(e)
			if over {
				return nil
			}
			switch b = next; {
			case do == nil:
			case do.Do == moments.Handle:
				// here, so that keys keep their order
				at.Press(moments.Press{Button: do.Button})
			default:
				others.Go(func() { send(ctx, changes, at.act(ctx, *do)) })
			}
		}
	}
}

// watch has the board show each moment.
func (p Vantage) watch(ctx context.Context, changes chan<- func(Board) Board) {
	for {
		m, err := p.Moments.Next(ctx)
		if err != nil {
			return
		}
		send(ctx, changes, func(b Board) Board { return b.Seen(m) })
	}
}

func (p Vantage) act(ctx context.Context, o moments.Intent) func(Board) Board {
	said, err := p.Control.Act(ctx, o)
	if err != nil {
		said = err.Error()
	}
	return func(b Board) Board { return b.Done(said) }
}

func send(ctx context.Context, changes chan<- func(Board) Board, change func(Board) Board) {
	select {
	case changes <- change:
	case <-ctx.Done():
	}
}

// on is the board after something happened at the terminal.
func (b Board) on(e tcell.Event) (next Board, do *moments.Intent, quit bool) {
	switch e := e.(type) {
	case *tcell.EventResize:
		return b.Resized(e.Size()), nil, false
	case *tcell.EventKey:
		return b.Key(keyOf(e))
	}
	return b, nil, false
}

// keyOf is a key by name: the letter that it is, or "up", "tab" and so on.
func keyOf(e *tcell.EventKey) string {
	switch e.Key() {
	case tcell.KeyRune:
		return string(e.Rune())
	case tcell.KeyCtrlC:
		return "ctrl-c"
	}
	return strings.ToLower(tcell.KeyNames[e.Key()])
}

// draw draws the board.
func draw(s tcell.Screen, b Board, colours bool) {
	s.Clear()
	for y, line := range b.Screen() {
		x := 0
		for _, r := range line.Text {
			// an accent that stands alone has no place of its own
			if n := observe.Columns(r); n > 0 {
				s.SetContent(x, y, r, nil, styleOf(line.Style, colours))
				x += n
			}
		}
	}
	s.Show()
}

// styleOf is a style on a terminal: without colours there are none, and nothing is lost.
func styleOf(style Style, colours bool) tcell.Style {
	plain := tcell.StyleDefault
	switch {
	case !colours:
	case style == Title:
		return plain.Bold(true)
	case style == Chosen:
		return plain.Reverse(true)
	case style == Warning:
		return plain.Foreground(tcell.ColorOlive)
	}
	return plain
}
