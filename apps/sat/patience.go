package sat

import "slices"

// patience is how many times the budget of a cube a worker spends on it. It doubles with each cube
// that nobody has taken from where it was split, for then nobody waits for work, and splits of a
// formula of the real world seldom make it easier: one worker alone hardly splits. It begins anew
// where a cube goes to another worker, at both ends.
type patience struct {
	times int64
	open  []opened // the cubes that this worker has split, each within a half of the one before
}

// opened is a cube that was split.
type opened struct {
	lits []int32
	here int // how many of its halves were begun by the worker that split it
}

const (
	// patienceMax bounds how long a worker may have to wait for a cube in the middle of a run:
	// some seconds, …
	patienceMax = 64
	// … also where a conflict takes many propagations. In one second there are some millions.
	patientPropagations = 1 << 24
)

// begin is told of each cube that the worker begins. Those that it has split since the one whose
// half that is have ended, or wait for others: it goes on with nothing of its own before.
func (p *patience) begin(cube []int32) {
	taken := false
	for n := len(p.open) - 1; n >= 0; n-- {
		if o := &p.open[n]; len(cube) > 0 && slices.Equal(o.lits, cube[:len(cube)-1]) {
			o.here++
			break
		}
		taken = taken || p.open[n].here < 2
		p.open = p.open[:n]
	}
	if p.times = min(2*p.times, patienceMax); taken || len(p.open) == 0 {
		p.times = 1
	}
}

// split is told of each cube that is split.
func (p *patience) split(cube []int32) { p.open = append(p.open, opened{lits: cube}) }

// stretch is the budget of a cube that may take so many conflicts at least, when so much was done
// for those before it.
func (p *patience) stretch(budget, conflicts, propagations int64) int64 {
	most := budget * p.times
	if conflicts > 0 {
		most = min(most, patientPropagations/max(1, propagations/conflicts))
	}
	return max(budget, most)
}
