package program

import (
	"github.com/urfave/cli/v2"

	"satingrid/satin"
)

// sample is a program with two applications.
func sample() *Program {
	return &Program{
		Name: "lab", Summary: "a program for tests", Version: "1",
		Applications: []*Application{
			{Name: "fib", Summary: "a number", Input: "[N]", Details: "N is by default 30.", App: fibApp(), Root: fibRoot()},
			{
				Name: "tree", Summary: "a number, with flags", Input: "[TREE]", Details: "It has names.", Inputs: []string{"T1", "T1L", "T2"},
				Flags: []cli.Flag{
					&cli.IntFlag{Name: "type", Aliases: []string{"t"}, Usage: "of the tree"},
					&cli.IntFlag{Name: "depth", Aliases: []string{"d"}, Usage: "of the tree"},
					&cli.Float64Flag{Name: "branching", Aliases: []string{"b"}, Usage: "children of the root"},
				},
				App: fibApp(), Root: fibRoot(), Chooses: true,
				Checker: &Checker{Details: "ANSWER is a number.", Verify: func(*cli.Context, Case) (Verdict, error) { return Verdict{Says: "it is"}, nil }},
			},
		},
	}
}

func fibApp() satin.App { return satin.App{Name: "fib", Tasks: []satin.TaskType{satin.Type[fib]()}} }

// fib is a job.
type fib struct{ N int }

func (f fib) Run(s *satin.Scope) (int64, error) {
	if f.N < 2 {
		return int64(f.N), nil
	}
	x := satin.Spawn(s, fib{f.N - 1})
	y, err := fib{f.N - 2}.Run(s)
	if err != nil {
		return 0, err
	}
	n, err := x.Wait(s)
	return n + y, err
}

func fibRoot() Root {
	return RootOf(func(in *Input) (fib, error) {
		n, err := in.Number(20)
		return fib{n}, err
	}, func(*fib, *Input) (View[int64], error) {
		return View[int64]{Answer: func(v int64) Answer { return valued{v} }}, nil
	})
}
