package satin_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"satingrid/satin"
)

// tour is a solution: shorter is better.
type tour struct {
	Length int
	Order  []int
}

func (a tour) Better(b tour) bool { return a.Length < b.Length }

type matrix []int

var derived, located atomic.Int64

type scratch struct{ uses int }

// salesman offers a solution at each leaf; its own result is not the best.
type salesman struct{ Dist []int }

type leg struct{ At, Depth int }

func (g leg) Run(s *satin.Scope) (int, error) {
	root := satin.Root[salesman](s)
	m := satin.Derive(s, func() matrix {
		derived.Add(1)
		return append(matrix(nil), root.Dist...)
	})
	satin.Local(s, func() *scratch { located.Add(1); return new(scratch) }).uses++
	if g.Depth == 0 {
		satin.Offer(s, tour{m[g.At%len(m)], []int{g.At}})
		return 1, nil
	}
	x := satin.Spawn(s, leg{2 * g.At, g.Depth - 1})
	y := satin.Spawn(s, leg{2*g.At + 1, g.Depth - 1})
	m1, err := y.Wait(s)
	if err != nil {
		return 0, err
	}
	m2, err := x.Wait(s)
	if best, ok := satin.Best[tour](s); !ok || best.Length < 3 {
		panic("the best is not what was offered")
	}
	return m1 + m2, err
}

func (q salesman) Run(s *satin.Scope) (tour, error) {
	_, err := leg{1, 8}.Run(s)
	return tour{Length: 1 << 30}, err
}

func TestBestIsTheAnswer(t *testing.T) {
	derived.Store(0)
	located.Store(0)
	p := alone(t, 3)
	got, err := satin.Run(context.Background(), p, salesman{[]int{9, 5, 3, 7, 3, 8}})
	if err != nil || got.Length != 3 {
		t.Fatalf("got %v, %v", got, err)
	}
	// Of the equally good ones the canonical encoding decides, whoever came first. 256
	// is the least leg at 3.
	for range 20 {
		again, err := satin.Run(context.Background(), p, salesman{[]int{9, 5, 3, 7, 3, 8}})
		if err != nil || again.Order[0] != got.Order[0] {
			t.Fatalf("got %v, then %v: %v", got, again, err)
		}
	}
	if n := derived.Load(); n != 21 {
		t.Errorf("Derive made %d values in 21 runs", n)
	}
	if n := located.Load(); n > 21*3 {
		t.Errorf("Local made %d values in 21 runs of 3 workers", n)
	}
}

type wrongOffer struct{}

func (wrongOffer) Run(s *satin.Scope) (int, error) { satin.Offer(s, tour{}); return 0, nil }

type wrongRoot struct{}

func (wrongRoot) Run(s *satin.Scope) (int, error) { return satin.Root[fibTask](s).N, nil }

func TestMisuseFailsTheRun(t *testing.T) {
	p := alone(t, 1)
	if _, err := satin.Run(context.Background(), p, wrongOffer{}); err == nil || !strings.Contains(err.Error(), "must be one type") {
		t.Errorf("Offer of another type: %v", err)
	}
	if _, err := satin.Run(context.Background(), p, wrongRoot{}); err == nil || !strings.Contains(err.Error(), "root task of this run is") {
		t.Errorf("Root of another type: %v", err)
	}
	if _, err := satin.Run(context.Background(), p, twice{}); err == nil || !strings.Contains(err.Error(), "waited for twice") {
		t.Errorf("a future waited for twice: %v", err)
	}
}

type twice struct{}

func (twice) Run(s *satin.Scope) (int, error) {
	x := satin.Spawn(s, fibTask{3})
	if _, err := x.Wait(s); err != nil {
		return 0, err
	}
	return x.Wait(s)
}

// draws adds up random numbers of a tree of jobs.
type draws struct{ Stream, Depth int }

func (d draws) Run(s *satin.Scope) (uint64, error) {
	sum := s.Rand().Uint64()
	if d.Depth > 0 {
		x := satin.Spawn(s, draws{2 * d.Stream, d.Depth - 1})
		y := satin.Spawn(s, draws{2*d.Stream + 1, d.Depth - 1})
		a, err := x.Wait(s)
		if err != nil {
			return 0, err
		}
		b, err := y.Wait(s)
		if err != nil {
			return 0, err
		}
		sum += 3*a + 5*b
	}
	return sum + s.Rand().Uint64(), nil
}

func TestRandIsTheJobs(t *testing.T) {
	want, err := satin.Run(context.Background(), nil, draws{1, 9})
	if err != nil {
		t.Fatal(err)
	}
	// The same on every platform and with every release: redone jobs depend on it.
	if want != 0x5c7b090a3144e703 {
		t.Errorf("the sum of draws is %#x", want)
	}
	app := satin.App{Name: "x", Tasks: []satin.TaskType{satin.Type[draws]().Named("other")}}
	for _, workers := range []int{1, 2, 4} {
		got, err := satin.Run(context.Background(), satin.OpenRecording(t, workers, 50*time.Microsecond, app), draws{1, 9})
		if err != nil || got != want {
			t.Errorf("%d workers: %#x, %v, want %#x", workers, got, err, want)
		}
	}
}
