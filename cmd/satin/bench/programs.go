package bench

import (
	"context"
	"fmt"

	"satingrid/apps/fib"
	"satingrid/apps/nqueens"
	"satingrid/apps/uts"
	"satingrid/apps/uts/tree"
	"satingrid/satin"
)

// shareLeast is what two workers must give of two sequential processes side by
// side, for every program.
const shareLeast = 0.96

// Names are those of the programs of the bench, for a sentence.
const Names = "fib, nqueens and UTS trees"

// All are the programs of the bench, with the values to reach.
func All() []Computation {
	return []Computation{
		Fib(36, 24),
		Queens(13, 9),
		UTS("T1", 1.08),
		UTS("T3", 1.12),
	}
}

// Fib is fib without a cut-off: nothing but spawns. A goroutine a task computes a smaller number.
func Fib(n, goroutines int) Computation {
	f, small := fib.Fib{N: n}, fib.Fib{N: goroutines}
	return Computation{
		Name:       fmt.Sprintf("fib %d", n),
		App:        fib.App(),
		Satin:      func(ctx context.Context, p *satin.Peer) (any, error) { return satin.Run(ctx, p, f) },
		Sequential: func() any { return f.Sequential() },
		Spawns:     f.Spawns,
		Ratio:      2.3,
		Share:      shareLeast,
		Goroutines: func() int64 {
			small.Goroutines()
			return small.Spawns()
		},
		GoroutinesSequential: func() any { return small.Sequential() },
	}
}

// Queens is nqueens, without a cut-off.
func Queens(n, goroutines int) Computation {
	q, small := nqueens.Queens{N: n}, nqueens.Queens{N: goroutines}
	return Computation{
		Name:       fmt.Sprintf("nqueens %d", n),
		App:        nqueens.App(),
		Satin:      func(ctx context.Context, p *satin.Peer) (any, error) { return satin.Run(ctx, p, q) },
		Sequential: func() any { return q.Sequential() },
		Spawns:     q.Spawns,
		Ratio:      1.85,
		Share:      shareLeast,
		Goroutines: func() int64 {
			small.Goroutines()
			return small.Placements()
		},
		GoroutinesSequential: func() any { return small.Sequential() },
	}
}

// UTS is a named tree, a job a node that has children.
func UTS(name string, ratio float64) Computation {
	named, ok := tree.ByName(name)
	if !ok {
		panic("bench: BUG: no tree " + name)
	}
	return Tree("uts "+name, named.Params, ratio)
}

// Tree is the tree of these parameters, which must pass Check.
func Tree(name string, p tree.Params, ratio float64) Computation {
	task, err := uts.New(p)
	if err != nil {
		panic("bench: BUG: " + err.Error())
	}
	return Computation{
		Name:       name,
		App:        uts.App(),
		Satin:      func(ctx context.Context, p *satin.Peer) (any, error) { return satin.Run(ctx, p, task) },
		Sequential: func() any { return task.Sequential() },
		Spawns:     task.Spawns,
		Ratio:      ratio,
		Share:      shareLeast,
		Goroutines: func() int64 {
			_, started := task.Goroutines()
			return started
		},
		GoroutinesSequential: func() any { return task.Sequential() },
	}
}
