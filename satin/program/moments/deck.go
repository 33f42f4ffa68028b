package moments

import (
	"context"
	"time"
)

// Button is what can be pressed on a deck.
type Button string

// The buttons.
const (
	Play   Button = "play" // goes on, or stands; at the end it begins anew
	On     Button = "on"   // to the next look, and stands
	Back   Button = "back" // to the look before, and stands
	Faster Button = "faster"
	Slower Button = "slower"
	Start  Button = "start"
	End    Button = "end"
	Seek   Button = "seek" // to the moment of the press
)

// Press is a button that was pressed.
type Press struct {
	Button Button
	At     time.Duration // of [Seek]
}

const (
	pressesMax = 64                     // that wait; more are not heard
	frame      = 250 * time.Millisecond // from moment to moment at least, while it plays

	// passMost is how much time passes at most from frame to frame: a machine that has slept
	// does not jump to the end.
	passMost = time.Second
)

// Deck plays a tape by the clock. Next is called by one goroutine, which the tape belongs to; keys
// may be pressed by others.
type Deck struct {
	tape    *Tape
	presses chan Press
	shown   bool // what is to be seen now
	was     time.Time
}

// NewDeck plays a tape from a moment on.
func NewDeck(ctx context.Context, t *Tape, from time.Duration) (*Deck, error) {
	return &Deck{tape: t, presses: make(chan Press, pressesMax), was: time.Now()}, t.seek(ctx, from)
}

// Press presses a button.
func (d *Deck) Press(p Press) {
	select {
	case d.presses <- p:
	default:
	}
}

// Next waits until there is something else to be seen on the tape.
func (d *Deck) Next(ctx context.Context) (Moment, error) {
	changed, err := d.goOn(ctx)
	for err == nil && !changed && d.shown {
		var next <-chan time.Time
		if d.tape.playing {
			next = time.After(frame)
		}
		select {
		case <-next:
			changed, err = d.goOn(ctx)
		case p := <-d.presses:
			changed, err = d.goOn(ctx, p)
		case <-ctx.Done():
			return Moment{}, context.Cause(ctx)
		}
	}
	if ctx.Err() != nil {
		return Moment{}, context.Cause(ctx)
	}
	d.shown = true
	m := d.tape.moment()
	if err != nil {
		m.Trouble = err.Error()
	}
	return m, nil
}

// goOn lets the time pass that has passed, and does what was pressed.
func (d *Deck) goOn(ctx context.Context, pressed ...Press) (changed bool, err error) {
	changed, err = d.tape.pass(ctx, min(time.Since(d.was), passMost))
	for len(d.presses) > 0 {
		pressed = append(pressed, <-d.presses)
	}
	for _, p := range pressed {
		if err == nil {
			changed, err = true, d.tape.do(ctx, p)
		}
	}
	d.was = time.Now() // however long reading has taken, it is no time of the tape
	return changed, err
}

// do does what a button is for.
func (t *Tape) do(ctx context.Context, p Press) error {
	switch p.Button {
	case Play:
		return t.play(ctx)
	case On:
		return t.step(ctx, 1)
	case Back:
		return t.step(ctx, -1)
	case Faster:
		t.speed = min(2*t.speed, speedMost)
	case Slower:
		t.speed = max(t.speed/2, 1)
	case Start:
		return t.seek(ctx, 0)
	case End:
		return t.seek(ctx, t.end)
	case Seek:
		return t.seek(ctx, p.At)
	}
	return nil
}
