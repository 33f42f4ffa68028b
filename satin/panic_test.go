package satin

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"
)

// bomb is a tree one of whose leaves ends badly.
type bomb struct {
	Depth int
	How   string // panic, goexit, error, or nothing
	Armed bool
}

func (b bomb) Run(s *Scope) (int, error) {
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
	x := Spawn(s, bomb{b.Depth - 1, b.How, false})
	y := Spawn(s, bomb{b.Depth - 1, b.How, b.Armed})
	m, err := y.Wait(s)
	if err != nil {
		return 0, err
	}
	n, err := x.Wait(s)
	return n + m, err
}

func TestPanicFailsTheRunAndNamesTheJob(t *testing.T) {
	for _, workers := range []int{1, 4} {
		p := openWorkers(t, workers)
		for range 20 {
			_, err := Run(context.Background(), p, bomb{12, "panic", true})
			var pe *PanicError
			if !errors.As(err, &pe) {
				t.Fatalf("%d workers: %v, want a PanicError", workers, err)
			}
			if pe.Task != "satin.bomb" || pe.Key == [16]byte{} || pe.Peer != "here" || !errors.Is(err, errPlanned) ||
				!strings.Contains(string(pe.Stack), "bomb.Run") {
				t.Fatalf("the panic is told as %q, key %v, peer %q, stack of %d bytes", pe.Error(), pe.Key, pe.Peer, len(pe.Stack))
			}
			if got, err := Run(context.Background(), p, fibTask{20}); err != nil || got != 6765 {
				t.Fatalf("the run after a panic: %d, %v", got, err)
			}
		}
	}
}

func TestGoexitFailsTheRun(t *testing.T) {
	p := openWorkers(t, 2)
	for range 10 {
		_, err := Run(context.Background(), p, bomb{8, "goexit", true})
		var pe *PanicError
		if !errors.As(err, &pe) || pe.Value != nil || !strings.Contains(err.Error(), "Goexit") {
			t.Fatalf("%v, want an error that names runtime.Goexit", err)
		}
		if got, err := Run(context.Background(), p, fibTask{20}); err != nil || got != 6765 {
			t.Fatalf("the run after it: %d, %v", got, err)
		}
	}
}

// TestGoexitAndPanic: a deferred function panics while the goroutine ends. That
// goes on all the same.
func TestGoexitAndPanic(t *testing.T) {
	p := openWorkers(t, 2)
	for range 10 {
		if _, err := Run(context.Background(), p, bomb{8, "goexit and panic", true}); !errors.Is(err, errPlanned) {
			t.Fatalf("%v, want %v", err, errPlanned)
		}
		if got, err := Run(context.Background(), p, fibTask{20}); err != nil || got != 6765 {
			t.Fatalf("the run after it: %d, %v", got, err)
		}
	}
}

// forgetful does not wait for a child that fails.
type forgetful struct{}

func (forgetful) Run(s *Scope) (int, error) {
	Spawn(s, bomb{3, "error", true})
	return 1, nil
}

func TestErrorOfAnUnwaitedChildIsNotLost(t *testing.T) {
	p := openWorkers(t, 2)
	if _, err := Run(context.Background(), p, forgetful{}); !errors.Is(err, errPlanned) {
		t.Errorf("error %v, want %v", err, errPlanned)
	}
}

// handled learns of a child's error from Sync and goes on.
type handled struct{}

func (handled) Run(s *Scope) (int, error) {
	Spawn(s, bomb{2, "error", true})
	if err := s.Sync(); !errors.Is(err, errPlanned) {
		return 0, errors.New("Sync did not return the child's error")
	}
	return 7, nil
}

func TestErrorThatSyncReturnedIsHandled(t *testing.T) {
	p := openWorkers(t, 2)
	if got, err := Run(context.Background(), p, handled{}); err != nil || got != 7 {
		t.Errorf("got %d, %v", got, err)
	}
}

// endless computes until it is told to stop.
type endless struct{ Depth int }

func (e endless) Run(s *Scope) (int, error) {
	if e.Depth == 0 {
		for !s.Aborted() {
			runtime.Gosched()
		}
		return 5, nil // dropped: the job was withdrawn
	}
	x := Spawn(s, endless{e.Depth - 1})
	y := Spawn(s, endless{e.Depth - 1})
	n, err := x.Wait(s)
	if err != nil {
		return 0, err
	}
	m, err := y.Wait(s)
	return n + m, err
}

func TestCancelStopsEveryJob(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, workers := range []int{1, 3} {
		p := openWorkers(t, workers)
		for range 10 {
			ctx, cancel := context.WithCancelCause(context.Background())
			sub, err := Submit(ctx, p, endless{5})
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Millisecond)
			why := errors.New("enough")
			cancel(why)
			if got, err := sub.Wait(); !errors.Is(err, why) {
				t.Fatalf("a cancelled run came to %d, %v", got, err)
			}
			if got, err := Run(context.Background(), p, fibTask{18}); err != nil || got != 2584 {
				t.Fatalf("the run after it: %d, %v", got, err)
			}
		}
		p.Close()
		if _, err := Run(context.Background(), p, fibTask{3}); !errors.Is(err, ErrClosed) {
			t.Errorf("a run on a closed peer: %v", err)
		}
	}
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines before, %d after", before, runtime.NumGoroutine())
}

func TestCloseDuringRuns(t *testing.T) {
	p := openWorkers(t, 2)
	var subs []*Submission[int]
	for range 5 {
		sub, err := Submit(context.Background(), p, endless{4})
		if err != nil {
			t.Fatal(err)
		}
		subs = append(subs, sub)
	}
	time.Sleep(2 * time.Millisecond)
	p.Close()
	for _, sub := range subs {
		if _, err := sub.Wait(); !errors.Is(err, ErrClosed) {
			t.Errorf("a run of a closed peer ended with %v", err)
		}
	}
}
