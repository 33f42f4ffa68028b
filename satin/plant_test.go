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
		time.Sleep(time.Millisecond)
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

// The planted defect: a clash of fields is accepted. A grid's answer is wrong then, and Strict and
// Verify each find it.
func TestPlantedClashIsFound(t *testing.T) {
	defer satin.PlantClash()()
	app := satin.App{Name: "planted", Tasks: []satin.TaskType{satin.Type[span](), satin.Type[spanning]()}}
	run := func(c satintest.Config) (int, error) {
		c.App, c.Sites = app, []satintest.Site{{Name: "a", Peers: 4}}
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		return satin.Run(ctx, satintest.Start(t, c).Client, spanning{9})
	}
	if got, err := run(satintest.Config{}); err != nil || got == (spanning{9}).value() {
		t.Errorf("nobody looks, and the answer is %d, %v: the defect does nothing", got, err)
	}
	if got, err := run(satintest.Config{Strict: true}); err == nil || !strings.Contains(err.Error(), "satin_test.span.start.X") {
		t.Errorf("Strict finds nothing: %d, %v", got, err)
	}
	var fault *satin.FaultError
	verify := func(c *satin.Config) { c.Verify = 1 }
	if got, err := run(satintest.Config{Peer: verify}); !errors.As(err, &fault) || fault.Task != "satin_test.span" {
		t.Errorf("Verify finds nothing: %d, %v", got, err)
	}
}
