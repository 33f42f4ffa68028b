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

// easel has a page show what a run has so far.
type easel struct {
	page *node.Page
	next time.Time
}

// dashFlagUsage is what --dash does.
const dashFlagUsage = "show the grid, and the run as far as it is, on a page in a browser, as dash does; its link is said"

// openEasel opens the page of --dash and says where it is. own makes that of a grid that this
// process has made.
func openEasel(ctx context.Context, con *console.Console, where *node.Where, own func() (*node.Page, error)) (e *easel, err error) {
	e = &easel{}
	if where != nil {
		e.page, err = where.Page(ctx)
	} else {
		e.page, err = own()
	}
	if err != nil {
		return nil, err
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
	if e == nil || time.Now().Before(e.next) || !e.page.IsWatched() {
		return
	}
	began := time.Now()
	if a, ok := r.Partial(); ok {
		image, says := drawn(a)
		if image != nil || says != "" {
			e.page.Draw(image, says)
		}
	}
	e.next = time.Now().Add(max(drawEvery, drawPart*time.Since(began)))
}

// drawn is what is shown of an answer: its drawing, if it has one, and what it says of itself.
func drawn(a Answer) (image []byte, says string) {
	if d, ok := a.(Drawer); ok {
		var b paper
		if d.Draw(&b) == nil {
			image = b.Bytes()
		}
	}
	switch a := a.(type) {
	case Briefer:
		says = a.Brief()
	case Measured:
		says = a.Extent()
	}
	return image, says
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
