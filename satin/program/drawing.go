package program

import (
	"bytes"
	"context"
	"errors"
	"io"
	"time"

	"satingrid/satin/program/console"
	"satingrid/satin/program/node"
)

const (
	// DrawingMax bounds the bytes of a drawing: a larger one is not shown.
	DrawingMax = node.DrawingMax

	// drawEvery is how often a run is drawn at most.
	drawEvery = time.Second

	// drawPart is how many times as long as it took to draw it: what draws does not compute,
	// where both are one machine.
	drawPart = 100
)

// Drawer is an answer that can be drawn. Draw writes a PNG, or an SVG, of at most [DrawingMax]
// bytes, which run --dash and watch --dash show while the run goes on, with what the answer says of
// itself as a [Briefer] or a [Measured]. The error says that there is nothing to be drawn.
type Drawer interface{ Draw(w io.Writer) error }

// Credited is an answer that draws which peer has computed which part of it, as a Drawer does, and
// says what that figure shows. A run whose answers so far tell nothing may be one itself, as a
// [View] has it.
type Credited interface {
	DrawCredits(w io.Writer, of Attributions) (says string, err error)
}

// Bracketed is an answer so far of a search: the best value that it has found, and one that no
// answer is better than. Both are shown as curves that come together.
type Bracketed interface{ Bounds() (best, bound float64) }

// easel has a page show what a run has so far.
type easel struct {
	page    *node.Page
	next    time.Time
	curve   curve
	sampled time.Time
	flat    bool // the run's answers have no bounds
}

// dashFlagUsage is what --dash does.
const dashFlagUsage = "show the grid, and the run as far as it is, on a page in a browser, as dash does; its link is said"

// openEasel opens the page of --dash and says where it is. own makes that of a grid that this
// process has made.
func openEasel(ctx context.Context, con *console.Console, a *Application, where *node.Where, own func() (*node.Page, error)) (e *easel, err error) {
	e = &easel{}
	if where != nil {
		e.page, err = where.Page(ctx)
	} else {
		e.page, err = own()
	}
	if err != nil {
		return nil, err
	}
	if a.Draws {
		e.page.Reserve()
	}
	con.Say("while it goes on it is shown at %s", e.page.Link())
	return e, nil
}

// close ends the page. A nil easel has none.
func (e *easel) close() error {
	if e == nil {
		return nil
	}
	return e.page.Close()
}

// look draws what the run has so far, if somebody looks and it is time to.
func (e *easel) look(r Running) {
	if e == nil {
		return
	}
	e.sample(r)
	if time.Now().Before(e.next) || !e.page.IsWatched() {
		return
	}
	began := time.Now()
	var of Attributions
	h, held := r.(shownRun)
	if held {
		of = creditsOf(e.page.Credits(h.id()))
		r = h.Running
	}
	a, ok := r.Partial()
	if !ok {
		a = nil
	}
	figures, says := drawn(r, a, of)
	if f, ok := e.curve.figure(); ok {
		figures = append(figures, f)
	}
	if len(figures) > 0 || says != "" {
		e.page.Draw(figures, says)
	}
	e.next = time.Now().Add(max(drawEvery, drawPart*time.Since(began)))
}

// sample notes how far the best and the bound are apart, whether somebody looks or not.
func (e *easel) sample(r Running) {
	now := time.Now()
	if e.flat || now.Sub(e.sampled) < drawEvery {
		return
	}
	e.sampled = now
	a, ok := r.Partial()
	if !ok {
		return
	}
	if b, is := a.(Bracketed); is {
		best, bound := b.Bounds()
		e.curve.add(now, best, bound)
	} else {
		e.flat = true // not to be asked again: an answer may be large
	}
}

// drawn is what is shown of a run and of its answer so far, if there is one: figures, and what that
// says of itself.
func drawn(r any, a Answer, of Attributions) (figures []node.Exhibit, says string) {
	if d, ok := a.(Drawer); ok {
		var b paper
		if d.Draw(&b) == nil {
			figures = append(figures, node.Exhibit{Image: b.Bytes(), Says: "what there is so far"})
		}
	}
	for _, is := range []any{r, a} {
		if d, ok := is.(Credited); ok {
			var b paper
			if says, err := d.DrawCredits(&b, of); err == nil {
				figures = append(figures, node.Exhibit{Image: b.Bytes(), Says: says, Keys: of.keys})
			}
		}
	}
	switch a := a.(type) {
	case Briefer:
		says = a.Brief()
	case Measured:
		says = a.Extent()
	}
	return figures, says
}

// paper takes so many bytes of a drawing, and no more.
type paper struct{ bytes.Buffer }

var errDrawing = errors.New("the drawing is too large")

func (b *paper) Write(p []byte) (int, error) {
	if b.Len()+len(p) > DrawingMax {
		return 0, errDrawing
	}
	return b.Buffer.Write(p)
}
