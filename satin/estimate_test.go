package satin

// Inside the package: a job looks at the estimate of itself while it runs.

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// half has four children, of which it has done two and another has taken one, when it
// looks how far it is.
type half struct{}

func (half) Run(s *Scope) (int, error) {
	done := func() float64 {
		s.checkpoint.estimate(&s.deque, s.clock())
		s.pool.appraise()
		return math.Float64frombits(s.run.root.progress.Load())
	}
	s.markRunning()
	a, b, c, d := Spawn(s, fibTask{1}), Spawn(s, fibTask{1}), Spawn(s, fibTask{1}), Spawn(s, fibTask{1})
	for _, x := range []Future[fibTask, int]{d, c} {
		if _, err := x.Wait(s); err != nil {
			return 0, err
		}
	}
	s.publish()
	if got := done(); got <= 0 || got >= 1 {
		return 0, fmt.Errorf("two of four children are done, and the job is at %v", got)
	}
	h := s.deque.slots[a.j.index].head().sh
	if h == nil || !h.claim(&newScope(s.pool).fiber) {
		panic("the child was not published")
	}
	h.appraised.Store(&appraisal{spent: 1000, left: 1000})
	// the fourth is held to cost no more than what is known of the others
	if got := done(); got < 0.374 || got > 0.49 {
		return 0, fmt.Errorf("all costs are those of the third child, half done, and the job is at %v", got)
	}
	h.fulfil(&outcome[int]{value: 1}, part{cost: 2000 * time.Second}, nil)
	h.progressed(0.5) // which comes late
	if got := done(); math.Abs(got-0.75) > 0.001 {
		return 0, fmt.Errorf("when the third child is done the job is at %v", got)
	}
	for _, x := range []Future[fibTask, int]{b, a} {
		if _, err := x.Wait(s); err != nil {
			return 0, err
		}
	}
	return 1, nil
}

func TestEstimate(t *testing.T) {
	p := openWorkers(t, 1)
	if _, err := Run(context.Background(), p, half{}); err != nil {
		t.Error(err)
	}
}

// long has many children, and others have done all of them that they may.
type long struct{}

func (long) Run(s *Scope) (int, error) {
	s.markRunning()
	all := make([]Future[fibTask, int], 3000)
	for i := range all {
		all[i] = Spawn(s, fibTask{1})
	}
	for range len(all) / publishMax / 2 {
		s.publish()
	}
	other, done := &newScope(s.pool).fiber, 0
	for _, f := range all { // the oldest first
		h := s.deque.slots[f.j.index].head().sh
		if h == nil {
			break
		}
		if !h.claim(other) {
			panic("a child was taken that nobody has heard of")
		}
		h.fulfil(&outcome[int]{value: 1}, part{cost: time.Second}, nil)
		done++
	}
	s.checkpoint.estimate(&s.deque, s.clock())
	s.pool.appraise()
	got, want := math.Float64frombits(s.run.root.progress.Load()), float64(done)/float64(len(all))
	if done < len(all)/3 || math.Abs(got-want) > 0.01 {
		return 0, fmt.Errorf("others have done %d of %d, and the job is at %v", done, len(all), got)
	}
	for _, f := range slices.Backward(all) {
		if _, err := f.Wait(s); err != nil {
			return 0, err
		}
	}
	return done, nil
}

func TestEstimateOfALongList(t *testing.T) {
	if _, err := Run(context.Background(), openWorkers(t, 1), long{}); err != nil {
		t.Error(err)
	}
}

// leveled is a level whose finished children have these costs, beside which others wait.
func leveled(waits int, finished ...float64) *unfinished {
	l := &unfinished{trend: &trend{common: &trend{}}, waits: waits}
	for _, c := range finished {
		if a, ok := l.costs.add(c, false); ok {
			l.trend.add(a)
		}
		l.spent += c
	}
	return l
}

func TestLevel(t *testing.T) {
	prepared := leveled(4)
	prepared.spent = 2 // by the job itself, before it waited
	lent := leveled(3, 10)
	lent.terms = []term{{&shared{state: lentState}, 2}}
	lent.terms[0].job.progressed(0.5)
	less := math.Exp(-sizeBias * spreadUnknown)
	for name, c := range map[string]struct {
		l     *unfinished
		child *appraisal
		want  appraisal
	}{
		"nothing is known":           {leveled(5), nil, appraisal{}},
		"half of a flat list":        {leveled(2, 10, 10), nil, appraisal{spent: 20, left: 20}},
		"one of three runs":          {leveled(1, 10), &appraisal{spent: 5, left: 5}, appraisal{spent: 15, left: 5 + (10+10*less)/2}},
		"only one is known, it runs": {leveled(3), &appraisal{spent: 1, left: 1}, appraisal{spent: 1, left: 1 + 3*2*less}},
		"itself, and none is known":  {prepared, nil, appraisal{spent: 2, left: 8}},
		"its first child is new":     {prepared, &appraisal{spent: 0, left: 0}, appraisal{spent: 2, left: 8}},
		"another process is halfway": {lent, nil, appraisal{spent: 15, left: 25}},
		"all are done":               {leveled(0, 1, 2, 3), nil, appraisal{spent: 6}},
	} {
		got := c.l.appraise(c.child)
		if math.Abs(got.spent-c.want.spent) > 1e-9 || math.Abs(got.left-c.want.left) > 1e-9 {
			t.Errorf("%s: %+v, not %+v", name, got, c.want)
		}
		if (got.left > 0) != (got.variance > 0) && c.child == nil {
			t.Errorf("%s: left %v, with variance %v", name, got.left, got.variance)
		}
	}
}

// lentState is that of a job that another process has.
const lentState = lent

// TestLevelGrows: where each child has cost twice the one before, so will those that wait.
func TestLevelGrows(t *testing.T) {
	l := leveled(3, 1, 2, 4, 8, 16, 32, 64)
	for range 20 {
		var other costs
		for n := range 8 {
			if d, ok := other.add(math.Exp2(float64(n)), false); ok {
				l.trend.add(d)
			}
		}
	}
	got := l.appraise(nil)
	if want := 128. + 256 + 512; got.left < want/2 || got.left > want {
		t.Errorf("%v is left of 1+2+…+512, not %v", got.left, want)
	}
}

// node is a tree that is walked as a worker does, and looked at on the way.
type node struct {
	own  float64
	kids []*node
}

func (n *node) total() float64 {
	all := n.own
	for _, k := range n.kids {
		all += k.total()
	}
	return all
}

func treeOf(r *rand.Rand, depth int) *node {
	n := &node{own: r.Float64() / 10}
	if depth > 0 {
		for range r.IntN(6) {
			n.kids = append(n.kids, treeOf(r, depth-1))
		}
	}
	return n
}

// walk walks the tree, with the levels above it, and shows each state to look.
func (n *node) walk(tr *trend, above []unfinished, look func([]unfinished)) {
	l := unfinished{trend: tr, spent: n.own, waits: len(n.kids)}
	for _, k := range n.kids {
		l.waits--
		l.direct = true
		k.walk(tr, append(above[:len(above):len(above)], l), look)
		l.direct = false
		cost := k.total()
		l.spent += cost
		if a, ok := l.costs.add(cost, false); ok {
			tr.add(a)
		}
		look(append(above[:len(above):len(above)], l))
	}
}

// TestGuessOfDrawnTrees: a guess is a number, at most all is spent, and at the end exactly that.
func TestGuessOfDrawnTrees(t *testing.T) {
	for seed := range uint64(200) {
		tree := treeOf(rand.New(rand.NewPCG(seed, 15)), 6)
		all := tree.total()
		var last appraisal
		tree.walk(&trend{common: &trend{}}, nil, func(levels []unfinished) {
			g := guess{levels: levels}
			last = g.appraise()
			if s := last.share(); !(s >= 0 && s <= 1) || !(last.left >= 0) || !(last.variance >= 0) || math.IsInf(last.left, 0) {
				t.Fatalf("seed %d: %+v", seed, last)
			}
			if last.spent > all*(1+1e-9) {
				t.Fatalf("seed %d: %v is spent of %v", seed, last.spent, all)
			}
		})
		if len(tree.kids) > 0 && (last.left != 0 || math.Abs(last.spent-all) > 1e-9*all) {
			t.Errorf("seed %d: at the end %+v, of %v", seed, last, all)
		}
	}
}
