package cli

import (
	"fmt"
	"io"
	"time"

	"satingrid/apps/raytracer"
	"satingrid/satin/program"
	"satingrid/satin/program/wording"
)

// watchEvery is how often --watch writes the picture.
const watchEvery = time.Second

// watched writes the picture so far while it is made.
type watched struct {
	program.Running
	written time.Time
	done    int // parts in the picture that was written
}

// Follow writes the picture if there is more of it. What fails here fails again at the end,
// where it is told.
func (w *watched) Follow() {
	if time.Since(w.written) < watchEvery {
		return
	}
	best, ok := w.Partial()
	if !ok {
		return
	}
	a := best.(answer)
	if !w.written.IsZero() && a.image.Done == w.done {
		return
	}
	if a.Keep() == nil {
		w.written, w.done = time.Now(), a.image.Done
	}
}

type answer struct {
	image raytracer.Image
	file  *program.Output
	took  time.Duration // since the run began
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

// Extent says how much of the picture there is.
func (a answer) Extent() string {
	return fmt.Sprintf("%d of %s are finished, the rest is a sketch", a.image.Done, wording.Count(a.image.Bands, "tile"))
}

func (a answer) JSON() any {
	return struct {
		Width  int    `json:"width"`
		Height int    `json:"height"`
		SHA256 string `json:"sha256"`
		Rays   int    `json:"rays"`
		Rate   int    `json:"rays_per_second"`
	}{a.image.Width, a.image.Height, a.image.SHA256(), a.image.Rays, int(float64(a.image.Rays) / max(a.took.Seconds(), 1e-9))}
}

func (a answer) Text(w io.Writer) error {
	_, err := fmt.Fprintln(w, a.file.Name)
	return err
}
