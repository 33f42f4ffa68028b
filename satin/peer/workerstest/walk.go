package workerstest

import (
	"fmt"
	"slices"
	"time"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// Walk is a course of things that is drawn: legal orders, in any order, between whatever the
// workers say.
func Walk(workers, steps int) Script {
	return Script{Name: fmt.Sprintf("a walk with %d workers", workers), Workers: workers, play: func(p *player) {
		w := &walk{player: p, on: map[*run]bool{}}
		for range steps {
			p.turn(w.step)
			switch w.rand.IntN(60) {
			case 0:
				p.pass(2 * p.bench.TickEvery())
			default:
				p.bench.Pass(time.Duration(w.rand.IntN(400)) * time.Microsecond)
			}
		}
		w.drain()
	}}
}

// Walks plays so many walks, each with another seed, and tells how often what was said.
func Walks(open Open, workers, steps int, seeds uint64) (covered map[string]int, err error) {
	covered = map[string]int{}
	for seed := range seeds {
		one, err := check(open, Walk(workers, steps), seed)
		for _, event := range Events() {
			covered[event] += one[event]
		}
		if err != nil {
			return covered, err
		}
	}
	return covered, nil
}

// Events names what walks come upon: each event, and what else makes them worth while.
func Events() []string {
	return []string{
		"Idle", "Taken", "job taken", "job passed on", "Abandoned", "job abandoned", "Finished", "Panicked", "Salvaged", "Stopped",
		"Gathered", "part", "Unfinished", "key", "Offered", "Compared", "Differed", "Told",
	}
}

// walk is what a walk has done so far.
type walk struct {
	*player
	all      []*run
	on       map[*run]bool // the root was executed
	executed int
	ended    int // by Withdraw
}

const (
	walkRuns    = 3 // at a time
	walkBorrows = 8
)

// step draws an order, or none.
func (w *walk) step() []peer.Effect {
	w.meet()
	w.all = slices.DeleteFunc(w.all, func(r *run) bool { return r.ended })
	if len(w.all) == 0 || len(w.all) < walkRuns && w.rand.IntN(40) == 0 {
		return w.starts()
	}
	r := w.all[w.rand.IntN(len(w.all))]
	if r.failed && w.rand.IntN(8) == 0 || w.rand.IntN(150) == 0 {
		return []peer.Effect{peer.EndRun{Run: r.no}}
	}
	steps := []func(*run) []peer.Effect{
		w.executes, w.executes, w.wants, w.wants, w.wants, w.brings, w.brings, w.brings, w.brings, w.withdraws,
		w.asksParts, w.asksKeys, w.uses, w.compares, w.others, w.verifies,
	}
	return steps[w.rand.IntN(len(steps))](r)
}

// meet enters runs that were started.
func (w *walk) meet() {
	for no := peer.RunNo(len(w.on) + 1); no <= w.runs; no++ {
		r := w.model.runs[no]
		w.all, w.on[r] = append(w.all, r), false
	}
}

func (w *walk) starts() []peer.Effect {
	w.runs++
	does := []Does{0, 0, 0, Searches | Tells, Errs, Searches, Blows}[w.rand.IntN(7)]
	root := Job{Seed: w.rand.Uint64(), Depth: 4, Wide: 3, Does: does, Cost: w.draw(), Leaf: w.draw()}
	return []peer.Effect{w.started(root)}
}

func (w *walk) draw() time.Duration { return time.Duration(w.rand.IntN(300)) * time.Microsecond }

// open are a run's jobs that the workers have, and that nobody has withdrawn.
func (w *walk) open(r *run) []*borrow {
	return slices.DeleteFunc(w.model.all(r), func(b *borrow) bool { return b.ends > 0 || b.withdrawn || b.salvaged })
}

// out are a run's jobs that are in the machine's hands.
func (w *walk) out(r *run) []*loan {
	return slices.DeleteFunc(w.model.lent(), func(x *loan) bool { return x.run != r || x.state != out })
}

func (w *walk) executes(r *run) []peer.Effect {
	if r.failed || len(w.open(r)) > walkBorrows {
		return nil
	}
	w.executed++
	if !w.on[r] {
		w.on[r] = true
		e := w.player.executes(r, r.root)
		e.IsRoot = true
		return []peer.Effect{e}
	}
	j := r.root
	j.Seed, j.Depth, j.Wide = w.rand.Uint64(), uint8(w.rand.IntN(4)), uint8(1+w.rand.IntN(3))
	j.Cost, j.Leaf = w.draw(), w.draw()
	return []peer.Effect{w.player.executes(r, j)}
}

func (w *walk) verifies(r *run) []peer.Effect {
	all := w.out(r)
	if len(all) == 0 || r.failed || r.root.Does != 0 || len(w.open(r)) > walkBorrows {
		return nil
	}
	first := all[w.rand.IntN(len(all))]
	e := w.player.executes(r, first.job)
	e.Ref, e.Verifies = first.ref, true
	return []peer.Effect{e}
}

func (w *walk) wants(*run) []peer.Effect {
	if w.model.want != nil {
		return nil
	}
	e := steal.WantJobs{N: 1 + w.rand.IntN(4), Bytes: 1 << 10}
	if w.rand.IntN(3) == 0 {
		for _, i := range w.rand.Perm(len(w.all)) {
			e.Of = append(e.Of, w.all[i].instance)
		}
	}
	return []peer.Effect{e}
}

// brings ends a loan.
func (w *walk) brings(r *run) []peer.Effect {
	all := w.out(r)
	if len(all) == 0 || r.failed {
		return nil
	}
	x := all[w.rand.IntN(len(all))]
	if w.rand.IntN(4) == 0 {
		return []peer.Effect{peer.PutBack{Ref: x.ref, Loss: peer.LossNo(w.rand.IntN(3))}}
	}
	return []peer.Effect{w.settles(x)}
}

func (w *walk) withdraws(r *run) []peer.Effect {
	all := w.open(r)
	if len(all) == 0 || r.failed || w.executed < 2*w.ended+2 {
		return nil
	}
	w.ended++
	return []peer.Effect{peer.Withdraw{Borrow: all[w.rand.IntN(len(all))].no, Salvage: w.rand.IntN(3) > 0}}
}

func (w *walk) asksParts(*run) []peer.Effect {
	if w.model.wantParts {
		return nil
	}
	return []peer.Effect{peer.WantParts{}}
}

func (w *walk) asksKeys(r *run) []peer.Effect {
	if r.wantKeys {
		return nil
	}
	return []peer.Effect{peer.WantKeys{Run: r.no}}
}

// uses brings the value of a key that may be missing.
func (w *walk) uses(r *run) []peer.Effect {
	keys := slices.DeleteFunc(slices.Clone(w.model.keys), func(key steal.Key) bool { return r.keyOf[key] == Job{} })
	for _, x := range w.out(r) {
		keys = append(keys, x.key)
	}
	if len(keys) == 0 || r.failed || r.root.Does&(Searches|Errs) != 0 || w.rand.IntN(4) > 0 {
		return nil
	}
	key := keys[w.rand.IntN(len(keys))]
	return []peer.Effect{peer.Use{Run: r.no, Key: key, Result: w.result(r.keyOf[key])}}
}

func (w *walk) compares(r *run) []peer.Effect {
	if r.comparing != nil || r.root.Does&Searches == 0 {
		return nil
	}
	x := Result{leaf(w.rand.Uint64N(4), 0), w.rand.Uint64(), 0}
	return []peer.Effect{peer.Compare{Run: r.no, Best: steal.StampOf(w.bench.Bytes(x)), From: Self}}
}

func (w *walk) others(r *run) []peer.Effect {
	switch w.rand.IntN(3) {
	case 0:
		return []peer.Effect{peer.Hear{Run: r.no, Fact: leaf(w.rand.Uint64(), 0).Fact()}}
	case 1:
		return []peer.Effect{peer.ShareIs{Run: r.no, Share: uint16(1 + w.rand.IntN(200))}}
	}
	w.nonce++
	a, b := Result{leaf(1, 0), w.rand.Uint64N(2), 0}, Result{leaf(1, 0), w.rand.Uint64N(2), 0}
	return []peer.Effect{peer.Differ{Nonce: w.nonce, Task: w.bench.Task(), A: w.bench.Bytes(a), B: w.bench.Bytes(b)}}
}

// drain brings what is lent until all jobs have ended of which an end must be heard, and sees that
// nothing is left.
func (w *walk) drain() {
	for by := w.bench.Now() + w.waits; !w.ask(w.hasEnded); {
		if w.bench.Now() > by {
			rule, why := w.missing()
			panic(&Broken{rule, why})
		}
		w.turn(func() (all []peer.Effect) {
			for _, x := range w.model.lent() {
				if x.state == out && !x.run.ended && !x.run.failed {
					all = append(all, w.settles(x))
				}
			}
			return append(all, w.wants(nil)...)
		})
		w.bench.Pass(time.Millisecond)
	}
	w.until(RuleAbandoned, "Abandoned of what nobody waits for", func() bool {
		return !slices.ContainsFunc(w.model.lent(), func(x *loan) bool { return x.state == out && !x.run.ended })
	})
}

// hasEnded tells whether all have ended of which it must be heard.
func (w *walk) hasEnded() bool {
	_, why := w.missing()
	return why == ""
}

func (w *walk) missing() (Rule, string) {
	for no := steal.Borrow(1); no <= w.borrow; no++ {
		switch b := w.model.borrows[no]; {
		case b.ends > 0 || b.withdrawn || b.run.ended:
		case b.salvaged:
			return RuleOneEnd, fmt.Sprintf("nothing is heard of the end of %d, %+v", no, b.job)
		case !b.run.failed:
			return RuleFinished, fmt.Sprintf("nothing is heard of the end of %d, %+v", no, b.job)
		}
	}
	return "", ""
}
