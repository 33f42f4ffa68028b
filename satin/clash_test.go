package satin_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"satingrid/satin"
	"satingrid/satin/satintest"
)

// The ends of a span have fields of the same names, so that neither travels.
type (
	end   struct{ X, Y int }
	start end
	stop  end
	span  struct {
		start
		stop
		Depth int
	}
	spanning struct{ Depth int } // begins with the first, and can travel itself
)

func (p span) Run(s *satin.Scope) (int, error) {
	if p.Depth == 0 {
		satin.Computes(time.Millisecond)
		return p.start.X + 10*p.start.Y + 100*p.stop.X + 1000*p.stop.Y, nil
	}
	x := satin.Spawn(s, span{p.start, p.stop, p.Depth - 1})
	m, err := span{p.start, p.stop, p.Depth - 1}.Run(s)
	if err != nil {
		return 0, err
	}
	n, err := x.Wait(s)
	return n + m, err
}

func (p spanning) Run(s *satin.Scope) (int, error) {
	return satin.Spawn(s, span{start{4, 3}, stop{2, 1}, p.Depth}).Wait(s)
}

func (p spanning) value() int { return 1234 << p.Depth }

// TestClashOfFields: a task whose fields clash is let in nowhere. Where it is all the same, the
// answer of a grid is wrong, and Strict and Verify each find it: TestTestsFindDefects in
// gridsim/plants sees that they do.
func TestClashOfFields(t *testing.T) {
	app := satin.App{Name: "clash", Tasks: []satin.TaskType{satin.Type[span](), satin.Type[spanning]()}}
	for name, c := range map[string]satintest.Config{
		"plain":  {},
		"strict": {Strict: true},
		"verify": {Peer: func(c *satin.Config) { c.Verify = 1 }},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := satin.Open(t.Context(), satin.Config{App: app, Alone: true})
			if err != nil && strings.Contains(err.Error(), "satin_test.span.stop.X would travel as") {
				return
			}
			p.Close()
			t.Errorf("it is let in: %v", err)
			c.App, c.Sites = app, []satintest.Site{{Name: "a", Peers: 4}}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			got, err := satin.Run(ctx, satintest.Start(t, c).Client, spanning{9})
			var fault *satin.FaultError
			switch want := (spanning{9}).value(); {
			case errors.As(err, &fault):
				t.Errorf("Verify finds %s", fault.Task)
			case err != nil:
				t.Errorf("the run fails: %v", err)
			case got != want:
				t.Errorf("the answer is %d, and not %d", got, want)
			}
		})
	}
}
