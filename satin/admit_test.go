package satin

import (
	"context"
	"strings"
	"testing"
	"time"
)

// leads is a root that can travel, and spawns what cannot.
type leads struct{ Deep int }

func (l leads) Run(s *Scope) (int, error) {
	if l.Deep > 0 {
		return Spawn(s, leads{l.Deep - 1}).Wait(s)
	}
	return Spawn(s, secret{7}).Wait(s)
}

type secret struct{ n int }

func (q secret) Run(*Scope) (int, error) { return q.n, nil }

// dated returns a time, which may or may not be one that arrives.
type dated struct{ Local bool }

func (d dated) Run(*Scope) (time.Time, error) {
	if d.Local {
		return time.Unix(1, 2).In(time.FixedZone("here", 3600)), nil
	}
	return time.Unix(1, 2).UTC(), nil
}

// dates waits for one.
type dates struct{ Local bool }

func (d dates) Run(s *Scope) (int, error) {
	at, err := Spawn(s, dated(d)).Wait(s)
	return at.Year(), err
}

// dating offers a best that does not arrive.
type dating struct{ Tell bool }

type date struct{ At time.Time }

func (d date) Better(e date) bool { return d.At.Before(e.At) }

func (d dating) Run(s *Scope) (date, error) {
	at := date{time.Unix(1, 2).In(time.FixedZone("here", 3600))}
	if d.Tell {
		Tell(s, at)
	} else {
		Offer(s, at)
	}
	return date{}, nil
}

func runWith[T Task[R], R any](t *testing.T, c Config, task T) (R, error) {
	t.Helper()
	c.Alone, c.Workers = true, 1
	p, err := Open(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	return Run[T, R](context.Background(), p, task)
}

// Alone, a type that could not travel is refused all the same: the root's at once, another's when
// a worker first has one.
func TestAloneRefusesWhatCannotTravel(t *testing.T) {
	if _, err := Submit(context.Background(), nil, secret{7}); err == nil || !strings.Contains(err.Error(), "satin.secret.n") {
		t.Errorf("as root: %v", err)
	}
	for deep := range 3 {
		if _, err := Run(context.Background(), nil, leads{deep}); err == nil || !strings.Contains(err.Error(), "satin.secret.n") {
			t.Errorf("spawned: %v", err)
		}
	}
	for _, root := range []Config{{StaysHere: true}, {StaysHere: true, Strict: true}} {
		if got, err := runWith(t, root, leads{2}); err != nil || got != 7 {
			t.Errorf("a program that stays here: %d, %v", got, err)
		}
	}
	app := App{Tasks: []TaskType{Type[secret]()}}
	if _, err := runWith(t, Config{StaysHere: true, App: app}, secret{7}); err != nil {
		t.Errorf("a program that stays here, with an App: %v", err)
	}
	if _, err := Open(context.Background(), Config{StaysHere: true}); err == nil || !strings.Contains(err.Error(), "Alone") {
		t.Errorf("a peer of a grid stays here: %v", err)
	}
}

// Under Strict all that could travel is tried, alone too.
func TestStrictTriesEverything(t *testing.T) {
	for _, strict := range []bool{false, true} {
		c := Config{Strict: strict}
		if _, err := runWith(t, c, dates{}); err != nil {
			t.Errorf("a time in UTC: %v", err)
		}
		_, root := runWith(t, c, dated{true})
		_, result := runWith(t, c, dates{true})
		_, best := runWith(t, c, dating{})
		for what, err := range map[string]error{"dated": root, "time.Time": result, "Offer of a satin.date": best} {
			if strict && (err == nil || !strings.Contains(err.Error(), what) || !strings.Contains(err.Error(), "UTC()")) {
				t.Errorf("%s: %v", what, err)
			}
			if !strict && err != nil {
				t.Errorf("%s stays here: %v", what, err)
			}
		}
		if _, err := runWith(t, c, dating{Tell: true}); err == nil || !strings.Contains(err.Error(), "Tell of a satin.date") {
			t.Errorf("a fact: %v", err)
		}
	}
}
