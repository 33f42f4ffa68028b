package satin_test

import (
	"context"
	"net/netip"
	"strings"
	"testing"
	"time"

	"satingrid/satin"
)

// leads is a root that can travel, and spawns what cannot.
type leads struct{ Deep int }

func (l leads) Run(s *satin.Scope) (int, error) {
	if l.Deep > 0 {
		return satin.Spawn(s, leads{l.Deep - 1}).Wait(s)
	}
	return satin.Spawn(s, secret{7}).Wait(s)
}

type secret struct{ n int }

func (q secret) Run(*satin.Scope) (int, error) { return q.n, nil }

// dated returns a time, which may or may not be one that arrives.
type dated struct{ Local bool }

func (d dated) Run(*satin.Scope) (time.Time, error) {
	if d.Local {
		return time.Unix(1, 2).In(time.FixedZone("here", 3600)), nil
	}
	return time.Unix(1, 2).UTC(), nil
}

// dates waits for one.
type dates struct{ Local bool }

func (d dates) Run(s *satin.Scope) (int, error) {
	at, err := satin.Spawn(s, dated(d)).Wait(s)
	return at.Year(), err
}

// dating offers a best that does not arrive.
type dating struct{ Tell bool }

type date struct{ At time.Time }

func (d date) Better(e date) bool { return d.At.Before(e.At) }

func (d dating) Run(s *satin.Scope) (date, error) {
	at := date{time.Unix(1, 2).In(time.FixedZone("here", 3600))}
	if d.Tell {
		satin.Tell(s, at)
	} else {
		satin.Offer(s, at)
	}
	return date{}, nil
}

func runWith[T satin.Task[R], R any](t *testing.T, c satin.Config, task T) (R, error) {
	t.Helper()
	c.Workers = 1
	return satin.Run[T, R](context.Background(), open(t, c), task)
}

// Alone, a type that could not travel is refused all the same: the root's at once, another's when
// a worker first has one.
func TestAloneRefusesWhatCannotTravel(t *testing.T) {
	if _, err := satin.Submit(context.Background(), nil, secret{7}); err == nil || !strings.Contains(err.Error(), "satin_test.secret.n") {
		t.Errorf("as root: %v", err)
	}
	for deep := range 3 {
		if _, err := satin.Run(context.Background(), nil, leads{deep}); err == nil || !strings.Contains(err.Error(), "satin_test.secret.n") {
			t.Errorf("spawned: %v", err)
		}
	}
	for _, root := range []satin.Config{{StaysHere: true}, {StaysHere: true, Testing: satin.Testing{Strict: true}}} {
		if got, err := runWith(t, root, leads{2}); err != nil || got != 7 {
			t.Errorf("a program that stays here: %d, %v", got, err)
		}
	}
	app := satin.App{Tasks: []satin.TaskType{satin.Type[secret]()}}
	if _, err := runWith(t, satin.Config{StaysHere: true, App: app}, secret{7}); err != nil {
		t.Errorf("a program that stays here, with an App: %v", err)
	}
	if _, err := satin.Open(context.Background(), satin.Config{StaysHere: true}); err == nil || !strings.Contains(err.Error(), "Alone") {
		t.Errorf("a peer of a grid stays here: %v", err)
	}
}

// Under Strict all that could travel is tried, alone too.
func TestStrictTriesEverything(t *testing.T) {
	for _, strict := range []bool{false, true} {
		c := satin.Config{Testing: satin.Testing{Strict: strict}}
		if _, err := runWith(t, c, dates{}); err != nil {
			t.Errorf("a time in UTC: %v", err)
		}
		_, root := runWith(t, c, dated{true})
		_, result := runWith(t, c, dates{true})
		_, best := runWith(t, c, dating{})
		for what, err := range map[string]error{"dated": root, "time.Time": result, "Offer of a satin_test.date": best} {
			if strict && (err == nil || !strings.Contains(err.Error(), what) || !strings.Contains(err.Error(), "UTC()")) {
				t.Errorf("%s: %v", what, err)
			}
			if !strict && err != nil {
				t.Errorf("%s stays here: %v", what, err)
			}
		}
		if _, err := runWith(t, c, dating{Tell: true}); err == nil || !strings.Contains(err.Error(), "Tell of a satin_test.date") {
			t.Errorf("a fact: %v", err)
		}
	}
}

type good struct {
	N    int
	Name string
	List []struct{ X, Y float64 }
	Map  map[string][]byte
	Next *good
	Big  netip.Addr // carries itself
}

func (good) Run(*satin.Scope) (int, error) { return 0, nil }

type hidden struct {
	N int
	m int
}

func (hidden) Run(*satin.Scope) (int, error) { return 0, nil }

type deepHidden struct {
	In []map[string]struct{ F func() }
}

func (deepHidden) Run(*satin.Scope) (int, error) { return 0, nil }

type leftOut struct {
	N int `json:"-"`
}

func (leftOut) Run(*satin.Scope) (int, error) { return 0, nil }

type badResult struct{}

func (badResult) Run(*satin.Scope) (struct{ C chan int }, error) { return struct{ C chan int }{}, nil }

func TestOpenRefusesWhatCannotTravel(t *testing.T) {
	_ = hidden{m: 1}
	for _, c := range []struct {
		tasks []satin.TaskType
		want  string // in the error; empty: accepted
	}{
		{[]satin.TaskType{satin.Type[good](), satin.Type[fibTask]()}, ""},
		{[]satin.TaskType{satin.Type[good](), satin.Type[good]()}, ""},
		{[]satin.TaskType{satin.Type[hidden]()}, "satin_test.hidden.m is unexported"},
		{[]satin.TaskType{satin.Type[deepHidden]()}, "satin_test.deepHidden.In.F is a func"},
		{[]satin.TaskType{satin.Type[leftOut]()}, "left out"},
		{[]satin.TaskType{satin.Type[badResult]()}, "is a chan"},
		{[]satin.TaskType{satin.Type[good](), satin.Type[fibTask]().Named("satin_test.good")}, "both named"},
		{[]satin.TaskType{{}}, "satin.Type"},
	} {
		p, err := satin.Open(context.Background(), satin.Config{Alone: true, Workers: 1, App: satin.App{Tasks: c.tasks}})
		switch {
		case c.want == "" && err != nil:
			t.Errorf("refused: %v", err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("error %v, want %q", err, c.want)
		}
		if err == nil {
			p.Close()
		}
	}
	for _, n := range []int{-1, 4097} {
		if _, err := satin.Open(context.Background(), satin.Config{Workers: n}); err == nil {
			t.Errorf("%d workers were accepted", n)
		}
	}
}
