package raytracer

import (
	"sync/atomic"

	"satingrid/apps/raytracer/trace"
)

// probeSize is the side of the squares, in pixels, whose rays are counted by one path
// through their middle.
const probeSize = 16

// prepared is what every tile needs, made once a peer and run: the scene ready for rays, and
// how many a place takes.
type prepared struct {
	task  Render // with its defaults
	world *trace.World
	err   error
	// of the picture that is shown while its root runs in this process; else nil
	board *atomic.Pointer[board]
	cols  int
	rays  []int // a sample takes, for each square
}

func prepare(r Render) prepared {
	if err := r.Check(); err != nil {
		return prepared{err: err}
	}
	p := prepared{task: r.full(), board: new(atomic.Pointer[board])}
	if p.world, p.err = trace.New(&p.task.Scene); p.err != nil {
		return p
	}
	p.cols = (p.task.Width + probeSize - 1) / probeSize
	set, tracer := p.task.settings(), p.world.Tracer()
	for y := 0; y < p.task.Height; y += probeSize {
		for x := 0; x < p.task.Width; x += probeSize {
			px, py := min(x+probeSize/2, p.task.Width-1), min(y+probeSize/2, p.task.Height-1)
			p.rays = append(p.rays, tracer.Probe(px, py, p.task.Width, p.task.Height, set))
		}
	}
	return p
}

// estimate is about how many rays a tile takes. It depends on the root alone, so that every peer
// cuts in the same places.
func (p *prepared) estimate(t Tile) float64 {
	sum := 0
	for by := t.Y0 / probeSize; by*probeSize < t.Y1; by++ {
		h := min(t.Y1, (by+1)*probeSize) - max(t.Y0, by*probeSize)
		for bx := t.X0 / probeSize; bx*probeSize < t.X1; bx++ {
			w := min(t.X1, (bx+1)*probeSize) - max(t.X0, bx*probeSize)
			sum += w * h * p.rays[by*p.cols+bx]
		}
	}
	return float64(float64(sum) * float64(p.task.Samples))
}
