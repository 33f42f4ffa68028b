package satin

// Inside the package: what a guess is made of is made up here.

import (
	"math"
	"math/rand/v2"
	"testing"
)

// walker is a worker that walks a tree in virtual time. Ticks mark what is unfinished, as they do
// on a fiber: of a job that none has seen nothing is known.
type walker struct {
	now, tick, next float64
	stack           []*walked
	trends          map[string]*trend
	common          trend
	look            func(w *walker)
}

// walked is a job that runs.
type walked struct {
	kind     string
	waits    int
	marked   bool
	markedAt float64
	costs    costs
}

// sown is a job to be walked: what it does itself, and then its children, in the order in which it
// waits for them.
type sown struct {
	kind string
	own  float64
	kids func() []sown
}

func (w *walker) spend(t float64) {
	for w.now+t >= w.next {
		t -= w.next - w.now
		w.now = w.next
		w.next += w.tick
		for _, j := range w.stack {
			if !j.marked {
				j.marked, j.markedAt = true, w.now
			}
		}
		w.look(w)
	}
	w.now += t
}

func (w *walker) walk(n sown) {
	began := w.now
	j := &walked{kind: n.kind}
	w.stack = append(w.stack, j)
	w.spend(n.own)
	if n.kids != nil {
		kids := n.kids()
		j.waits = len(kids)
		for _, k := range kids {
			j.waits--
			w.walk(k)
		}
	}
	w.stack = w.stack[:len(w.stack)-1]
	if len(w.stack) == 0 {
		return
	}
	if up := w.stack[len(w.stack)-1]; up.marked {
		cut := up.markedAt > began
		cost := w.now - max(began, up.markedAt)
		if d, ok := up.costs.add(cost, cut && cost < 4*w.tick); ok {
			w.trendOf(up.kind).add(d)
		}
	}
}

func (w *walker) trendOf(kind string) *trend {
	if w.trends[kind] == nil {
		w.trends[kind] = &trend{common: &w.common}
	}
	return w.trends[kind]
}

// share is how far the root is, as it is guessed now.
func (w *walker) share() float64 {
	var g guess
	for n, j := range w.stack {
		l := unfinished{spent: w.now - j.markedAt, costs: j.costs, trend: w.trendOf(j.kind), waits: j.waits}
		if n+1 < len(w.stack) && n+1 < guessedMax {
			l.direct = true
			l.spent -= w.now - w.stack[n+1].markedAt
		}
		if n < guessedMax {
			g.levels = append(g.levels, l)
		}
	}
	a := g.appraise()
	return a.share()
}

func fibSown(n int) sown {
	return sown{"fib", 1, func() (all []sown) {
		for k := 1 + (n+1)%2; k < n; k += 2 {
			all = append(all, fibSown(k))
		}
		return all
	}}
}

func halvesSown(r *rand.Rand, depth int, spread float64) sown {
	if depth == 0 {
		return sown{"half", math.Exp(spread * r.NormFloat64()), nil}
	}
	return sown{"half", 0, func() []sown {
		return []sown{halvesSown(r, depth-1, spread), halvesSown(r, depth-1, spread)}
	}}
}

func queensSown(n, row int, cols, left, right uint) sown {
	if row == n {
		return sown{"queens", 1, nil}
	}
	return sown{"queens", 1, func() (all []sown) {
		for open := ^(cols | left | right) & (1<<n - 1); open != 0; open &= open - 1 {
			b := open & -open
			all = append(all, queensSown(n, row+1, cols|b, (left|b)<<1, (right|b)>>1))
		}
		return all
	}}
}

// geoSown is a geometric tree of the UTS benchmark: with linear, the deeper the fewer children.
func geoSown(r *rand.Rand, mean float64, depth, most int, linear bool) sown {
	return sown{"uts", 1, func() (all []sown) {
		b := mean
		if linear {
			b = mean * (1 - float64(depth)/float64(most))
		}
		if depth >= most || b <= 0 {
			return nil
		}
		n := int(math.Log(1-r.Float64()) / math.Log(1-1/(1+b)))
		if depth == 0 {
			n = int(mean)
		}
		for range n {
			all = append(all, geoSown(r, mean, depth+1, most, linear))
		}
		return all
	}}
}

func wideSown(r *rand.Rand, n int, spread float64) sown {
	return sown{"wide", 0, func() (all []sown) {
		for range n {
			all = append(all, sown{"leaf", math.Exp(spread * r.NormFloat64()), nil})
		}
		return all
	}}
}

// unevenSown is a tree that is cut in two parts of drawn sizes.
func unevenSown(r *rand.Rand, size float64) sown {
	return sown{"uneven", 1, func() []sown {
		if size < 4 {
			return nil
		}
		x := 0.05 + 0.9*r.Float64()
		return []sown{unevenSown(r, size*x), unevenSown(r, size*(1-x))}
	}}
}

// TestGuessOfKnownTrees: from a fifth of a tree to nearly its end, what it is guessed to have left
// is off by no more than some factor, in the mean of the squares of the logarithms.
func TestGuessOfKnownTrees(t *testing.T) {
	for _, c := range []struct {
		name string
		most float64
		tree func(r *rand.Rand) sown
	}{
		{"Fibonacci numbers", 0.25, func(r *rand.Rand) sown { return fibSown(20 + r.IntN(4)) }},
		{"halves of halves", 0.15, func(r *rand.Rand) sown { return halvesSown(r, 12, 0.1) }},
		{"halves with wild leaves", 0.15, func(r *rand.Rand) sown { return halvesSown(r, 12, 1) }},
		{"queens", 0.2, func(r *rand.Rand) sown { return queensSown(8+r.IntN(2), 0, 0, 0, 0) }},
		{"a long list", 0.15, func(r *rand.Rand) sown { return wideSown(r, 5000, 0.5) }},
		{"parts of drawn sizes", 1, func(r *rand.Rand) sown { return unevenSown(r, 10000) }},
		{"a tree as wide everywhere", 1.3, func(r *rand.Rand) sown { return geoSown(r, 3.5, 0, 7, false) }},
		{"a tree that ends in twigs", 1.4, func(r *rand.Rand) sown { return geoSown(r, 4, 0, 12, true) }},
	} {
		squares, n := 0.0, 0.0
		for seed := range uint64(8) {
			root := func() sown { return c.tree(rand.New(rand.NewPCG(seed, 7))) }
			whole := walker{tick: math.Inf(1), next: math.Inf(1), trends: map[string]*trend{}}
			whole.walk(root())
			from, to, step := whole.now/5, 0.95*whole.now, whole.now/100
			w := walker{tick: step, next: step, trends: map[string]*trend{}}
			w.look = func(w *walker) {
				if s := w.share(); w.now >= from && w.now <= to && s > 0 && s < 1 {
					left := whole.now/w.now - 1 // in units of what was spent
					off := math.Log(left / (1/s - 1))
					squares += min(off*off, 9)
					n++
				}
			}
			w.walk(root())
		}
		if off := math.Sqrt(squares / n); n < 8*50 || off > c.most {
			t.Errorf("%s: the logarithm is off by %.3f at %v times, at most %v is expected", c.name, off, n, c.most)
		}
	}
}
