package cdcl

import "math/bits"

const (
	restartMin    = 2    // conflicts between two restarts
	restartMargin = 1.1  // restart when the recent LBDs are so much above the average
	slowWindow    = 1e4  // conflicts that the average is about
	fastWindow    = 33   // … and the recent ones
	stableFirst   = 1000 // conflicts of the first phase; each next pair of phases is longer
	reluctant     = 1024 // conflicts before the first restart of a stable phase
)

// restarts says when to begin at the top again. Phases with many restarts, which refute well,
// alternate with stable ones, which satisfy well.
type restarts struct {
	fast, slow average
	last       int64 // conflicts at the last restart
	stable     bool
	change     int64 // conflicts at the next change of phases
	phases     int64
	luby       uint64 // restarts of the stable phases, for the sequence
}

func (r *restarts) init() {
	r.fast = average{window: fastWindow}
	r.slow = average{window: slowWindow}
	r.change = stableFirst
}

func (r *restarts) learned(lbd int) {
	r.fast.add(float64(lbd))
	r.slow.add(float64(lbd))
}

func (r *restarts) due(conflicts int64) bool {
	if conflicts >= r.change {
		r.stable = !r.stable
		r.phases++
		n := r.phases/2 + 1
		r.change = conflicts + stableFirst*n*n
	}
	since := conflicts - r.last
	if r.stable {
		return since >= int64(reluctant*luby(r.luby+1))
	}
	return since >= restartMin && r.fast.value > restartMargin*r.slow.value
}

func (r *restarts) began(conflicts int64) {
	r.last = conflicts
	if r.stable {
		r.luby++
	}
}

// luby is the sequence 1 1 2 1 1 2 4 … (Luby, Sinclair and Zuckerman, IPL 47, 1993), from 1.
func luby(i uint64) uint64 {
	for i&(i+1) != 0 {
		i -= 1<<(bits.Len64(i)-1) - 1
	}
	return (i + 1) / 2
}

// average is a moving average that is right from the first value on.
type average struct {
	window float64
	value  float64
	count  float64
}

func (a *average) add(v float64) {
	a.count = min(a.count+1, a.window)
	a.value += (v - a.value) / a.count
}
