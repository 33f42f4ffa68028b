package satin_test

import (
	"errors"
	"runtime"
	"sync/atomic"
	"testing"

	"satingrid/satin"
)

// Tasks of many tests, and peers that compute alone.

func alone(t testing.TB, workers int) *satin.Peer {
	t.Helper()
	return open(t, satin.Config{Workers: workers})
}

func open(t testing.TB, c satin.Config) *satin.Peer {
	t.Helper()
	c.Alone = true
	p, err := satin.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

type fibTask struct{ N int }

func (f fibTask) Run(s *satin.Scope) (int, error) {
	if f.N < 2 {
		return f.N, nil
	}
	x := satin.Spawn(s, fibTask{f.N - 1})
	y, err := fibTask{f.N - 2}.Run(s)
	if err != nil {
		return 0, err
	}
	n, err := x.Wait(s)
	return n + y, err
}

// unit is the least job.
type unit struct{ I int }

func (u unit) Run(*satin.Scope) (int, error) { return u.I, nil }

var errPlanned = errors.New("planned")

// bomb is a tree one of whose leaves ends badly.
type bomb struct {
	Depth int
	How   string // panic, goexit, error, or nothing
	Armed bool
}

func (b bomb) Run(s *satin.Scope) (int, error) {
	if b.Depth == 0 {
		if !b.Armed {
			return 1, nil
		}
		switch b.How {
		case "panic":
			panic(errPlanned)
		case "goexit":
			runtime.Goexit()
		case "goexit and panic":
			defer func() { panic(errPlanned) }()
			runtime.Goexit()
		case "error":
			return 0, errPlanned
		}
	}
	x := satin.Spawn(s, bomb{b.Depth - 1, b.How, false})
	y := satin.Spawn(s, bomb{b.Depth - 1, b.How, b.Armed})
	m, err := y.Wait(s)
	if err != nil {
		return 0, err
	}
	n, err := x.Wait(s)
	return n + m, err
}

// endless computes until it is told to stop.
type endless struct{ Depth int }

// endlessBegun counts its leaves that have begun, since a test said so.
var endlessBegun atomic.Int64

func (e endless) Run(s *satin.Scope) (int, error) {
	if e.Depth == 0 {
		endlessBegun.Add(1)
		for !s.Aborted() {
			runtime.Gosched()
		}
		return 5, nil // dropped: the job was withdrawn
	}
	x := satin.Spawn(s, endless{e.Depth - 1})
	y := satin.Spawn(s, endless{e.Depth - 1})
	n, err := x.Wait(s)
	if err != nil {
		return 0, err
	}
	m, err := y.Wait(s)
	return n + m, err
}
