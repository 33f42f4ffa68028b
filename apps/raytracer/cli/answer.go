package cli

import (
	"errors"
	"fmt"
	"io"
	"time"

	"satingrid/apps/raytracer"
	"satingrid/satin/program"
	"satingrid/satin/program/wording"
)

const (
	// watchEvery is how often --watch writes the picture.
	watchEvery = time.Second

	// watchPart is how many times as long as it took to write it: what writes does not render
	watchPart = 10

	// lastMax is how long the last statement of a run that was given up may take: its workers
	// are told at once, and notice within 16 pixels.
	lastMax = time.Second
	// drawnSide is how many pixels a picture has at most on a page, along its longer side
	drawnSide = 640

	// lastEvery is how often it is looked for.
	lastEvery = 2 * time.Millisecond
)

// showing puts together the picture so far, and with --watch writes it.
type showing struct {
	program.Running
	canvas  *raytracer.Canvas
	alone   bool // in this process: it makes a last statement when it is given up
	watch   bool
	written time.Time
	pause   time.Duration // until it is written again
	done    int           // tiles in the picture that was written
}

// Partial is the picture so far. Of a run in this process that has ended it is all that is
// finished.
func (w *showing) Partial() (program.Answer, bool) {
	select {
	case <-w.Done():
		for end := time.Now().Add(lastMax); w.alone && time.Now().Before(end) && !w.canvas.Picture().Ends; time.Sleep(lastEvery) {
			w.hear()
		}
	default:
	}
	a, ok := w.hear()
	if !ok {
		return nil, false
	}
	a.image, a.canvas = w.canvas.Picture(), w.canvas
	return a, true
}

// hear adds the present best to the canvas.
func (w *showing) hear() (a answer, ok bool) {
	best, ok := w.Running.Partial()
	if ok {
		a = best.(answer)
		w.canvas.Add(a.image)
	}
	return a, ok
}

// Follow hears what there is of the picture, and writes it if there is more. What fails here fails
// again at the end, where it is told.
func (w *showing) Follow() {
	best, ok := w.Partial()
	if !ok || !w.watch || time.Since(w.written) < w.pause {
		return
	}
	a := best.(answer)
	if !w.written.IsZero() && a.image.Done == w.done {
		return
	}
	began := time.Now()
	if a.Keep() == nil {
		w.written, w.done = time.Now(), a.image.Done
		w.pause = max(watchEvery, watchPart*w.written.Sub(began))
	}
}

type answer struct {
	image  raytracer.Image
	file   *program.Output
	took   time.Duration     // since the run began; 0: not known
	canvas *raytracer.Canvas // of a run that goes on; else nil
}

func (a answer) In(took time.Duration) program.Answer {
	a.took = took
	return a
}

func (a answer) Keep() error {
	switch {
	case a.file == nil:
		return nil
	case endsIn(a.file.Name, ".exr"):
		return a.file.Write(a.image.EXR)
	case a.image.Linear:
		return a.file.Write(a.image.PFM)
	default:
		return a.file.Write(a.image.PNG)
	}
}

// Draw draws the picture in a size that a page shows.
func (a answer) Draw(w io.Writer) error { return a.image.Small(w, drawnSide) }

// DrawCredits draws it in the colours of those who have rendered it.
func (a answer) DrawCredits(w io.Writer, of program.Attributions) (says string, err error) {
	if a.canvas == nil {
		return "", errors.New("the picture is whole")
	}
	var by []raytracer.Share
	for _, j := range of.Jobs {
		if t, ok := raytracer.TileOf(j.What); ok {
			by = append(by, raytracer.Share{Tile: t, Color: of.Color(j.Peer)})
		}
	}
	return "its finished tiles, by who rendered them; the sketch is grey", a.canvas.Shares(w, drawnSide, by, of.Color(of.Rest.Peer))
}

// Extent says how much of the picture there is.
func (a answer) Extent() string {
	return fmt.Sprintf("%d of %s are finished, the rest is a sketch", a.image.Done, wording.Count(a.image.Tiles, "tile"))
}

func (a answer) JSON() any {
	rate := 0
	if a.took > 0 {
		rate = int(float64(a.image.Rays) / a.took.Seconds())
	}
	return struct {
		Width  int    `json:"width"`
		Height int    `json:"height"`
		SHA256 string `json:"sha256"`
		Rays   int    `json:"rays"`
		Rate   int    `json:"rays_per_second"`
	}{a.image.Width, a.image.Height, a.image.SHA256(), a.image.Rays, rate}
}

// Text is the name of the file, or what there is to say of a picture that is in none.
func (a answer) Text(w io.Writer) error {
	if a.file == nil {
		_, err := fmt.Fprintf(w, "%dx%d pixels, SHA-256 %s\n", a.image.Width, a.image.Height, a.image.SHA256())
		return err
	}
	_, err := fmt.Fprintln(w, a.file.Name)
	return err
}
