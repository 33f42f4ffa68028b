package gridsim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// twinFlow is a flow of the dumb twin.
type twinFlow struct {
	pipes []int
	left  float64
	rate  float64
	ended float64
}

// twinRates raises all rates together, a little at a time, and stops those whose pipe is full. It
// knows no search and no bottleneck.
func twinRates(rates []int64, flows []*twinFlow) {
	used := make([]float64, len(rates))
	rising := slices.Clone(flows)
	for _, x := range flows {
		x.rate = 0
	}
	for len(rising) > 0 {
		step := math.Inf(1)
		for p, rate := range rates {
			n := 0
			for _, x := range rising {
				if slices.Contains(x.pipes, p) {
					n++
				}
			}
			if n > 0 {
				step = min(step, (float64(rate)-used[p])/float64(n))
			}
		}
		for _, x := range rising {
			x.rate += step
			for _, p := range x.pipes {
				used[p] += step
			}
		}
		rising = slices.DeleteFunc(rising, func(x *twinFlow) bool {
			return slices.ContainsFunc(x.pipes, func(p int) bool { return used[p] >= float64(rates[p])*(1-1e-9) })
		})
	}
}

// twinEnds plays begins one after another, with all rates found anew whenever a flow begins or
// ends, and tells when each flow was through.
func twinEnds(rates []int64, begins []begun) (ends []float64) {
	var all, on []*twinFlow
	now := 0.0
	for next := 0; next < len(begins) || len(on) > 0; {
		twinRates(rates, on)
		until := math.Inf(1)
		if next < len(begins) {
			until = begins[next].at.Seconds()
		}
		var first *twinFlow
		for _, x := range on {
			if t := now + x.left/x.rate; t <= until {
				until, first = t, x
			}
		}
		for _, x := range on {
			x.left -= x.rate * (until - now)
		}
		if now = until; first != nil {
			first.ended = now
			on = slices.DeleteFunc(on, func(x *twinFlow) bool { return x == first })
			continue
		}
		x := &twinFlow{pipes: begins[next].pipes, left: float64(begins[next].bytes)}
		all, on = append(all, x), append(on, x)
		next++
	}
	for _, x := range all {
		ends = append(ends, x.ended)
	}
	return ends
}

// begun is that a flow begins.
type begun struct {
	at    time.Duration
	pipes []int
	bytes int
}

// drawBegins draws flows through up to four of some pipes, of all sizes.
func drawBegins(r *rand.Rand) (rates []int64, begins []begun) {
	for range 1 + r.IntN(6) {
		rates = append(rates, 100_000+r.Int64N(1_000_000))
	}
	at := time.Duration(0)
	for range 1 + r.IntN(60) {
		if r.IntN(4) == 0 {
			at += time.Duration(r.Int64N(int64(300 * time.Millisecond)))
		}
		begins = append(begins, begun{at, r.Perm(len(rates))[:1+r.IntN(min(4, len(rates)))], 1 + r.IntN(1<<r.IntN(22))})
	}
	return rates, begins
}

// playBegins has the same done by what is tested.
func playBegins(rates []int64, begins []begun, settled func(*fairly)) (ends []time.Duration) {
	var f fairly
	var pipes []*pipe
	for _, rate := range rates {
		pipes = append(pipes, &pipe{rate: rate})
	}
	ends = make([]time.Duration, len(begins))
	now := time.Duration(0)
	for next := 0; next < len(begins) || len(f.flows) > 0; {
		f.settle(now)
		settled(&f)
		first := f.next()
		if first != nil && (next == len(begins) || first.ends <= begins[next].at) {
			now = first.ends
			f.end(first)
			first.over()
			continue
		}
		b, no := begins[next], next
		now = b.at
		var through []*pipe
		for _, p := range b.pipes {
			through = append(through, pipes[p])
		}
		f.begin(now, through, b.bytes, func() { ends[no] = now })
		next++
	}
	return ends
}

// TestFairlyAgainstTwin: flows end when those of a twin do that finds all rates anew, by raising
// them together.
func TestFairlyAgainstTwin(t *testing.T) {
	many := 0
	for seed := range uint64(400) {
		rates, begins := drawBegins(rand.New(rand.NewPCG(seed, 1)))
		want := twinEnds(rates, begins)
		got := playBegins(rates, begins, func(f *fairly) { many = max(many, len(f.flows)) })
		for n := range want {
			// each change of a rate leaves less than a byte a second and flow unused
			if off := math.Abs(got[n].Seconds() - want[n]); off > 1e-6+2e-3*want[n] {
				t.Fatalf("seed %d: flow %d is through at %v, the twin's at %.6f s", seed, n, got[n], want[n])
			}
		}
	}
	if many < 20 {
		t.Errorf("there were at most %d flows at a time", many)
	}
}

// TestFairlyIsFair: no pipe carries more than it can, and each flow goes through one that is full
// and in which none is faster: that is what fair means.
func TestFairlyIsFair(t *testing.T) {
	looked := 0
	for seed := range uint64(200) {
		rates, begins := drawBegins(rand.New(rand.NewPCG(seed, 2)))
		playBegins(rates, begins, func(f *fairly) {
			for _, x := range f.flows {
				looked++
				if why := unfair(x); why != "" {
					t.Fatalf("seed %d: a flow at %d B/s %s", seed, x.rate, why)
				}
			}
		})
	}
	if looked < 1000 {
		t.Errorf("only %d rates were looked at", looked)
	}
}

func unfair(x *haul) string {
	full := false
	for _, p := range x.pipes {
		sum, fastest := int64(0), int64(0)
		for _, o := range p.flows {
			sum += o.rate
			fastest = max(fastest, o.rate)
		}
		if sum > p.rate {
			return fmt.Sprintf("goes through a pipe of %d B/s that carries %d", p.rate, sum)
		}
		// what is no multiple of the flows is left over
		full = full || sum > p.rate-int64(len(p.flows)) && fastest <= x.rate+1
	}
	if !full {
		return "has no pipe that is full and in which none is faster"
	}
	return ""
}

// TestFlowsInOneStream: what follows in one stream begins when the other is through, and leaves the
// rates as they are.
func TestFlowsInOneStream(t *testing.T) {
	var f fairly
	p := &pipe{rate: 1000}
	x := f.begin(0, []*pipe{p}, 1000, nil)
	f.begin(0, []*pipe{p}, 10_000, nil)
	f.settle(0)
	if x.ends != 2*time.Second {
		t.Fatalf("half of 1,000 B/s carries 1,000 B in %v", x.ends)
	}
	x.again(x.ends, 500, nil)
	f.settle(2 * time.Second)
	if x.ends != 3*time.Second {
		t.Errorf("and 500 more until %v", x.ends)
	}
}
