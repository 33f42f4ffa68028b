package satin

// Inside the package: it has the tasks, and the pool, of the tests within.

import (
	"errors"
	"testing"
)

type fibTask struct{ N int }

func (f fibTask) Run(s *Scope) (int, error) {
	if f.N < 2 {
		return f.N, nil
	}
	x := Spawn(s, fibTask{f.N - 1})
	y, err := fibTask{f.N - 2}.Run(s)
	if err != nil {
		return 0, err
	}
	n, err := x.Wait(s)
	return n + y, err
}

func openWorkers(t testing.TB, n int, tune ...func(*poolConfig)) *Peer {
	t.Helper()
	app, err := newRegistry(App{})
	if err != nil {
		t.Fatal(err)
	}
	c := poolConfig{workers: n, name: "here", app: app, outside: nobody{}}
	for _, f := range tune {
		f(&c)
	}
	p := &Peer{pool: newPool(c), app: app}
	t.Cleanup(func() { p.Close() })
	return p
}

// unit is the least job.
type unit struct{ I int }

func (u unit) Run(*Scope) (int, error) { return u.I, nil }

var errPlanned = errors.New("planned")
