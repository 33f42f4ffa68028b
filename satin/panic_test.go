package satin_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"satingrid/satin"
)

func TestPanicFailsTheRunAndNamesTheJob(t *testing.T) {
	for _, workers := range []int{1, 4} {
		p := alone(t, workers)
		for range 20 {
			_, err := satin.Run(context.Background(), p, bomb{12, "panic", true})
			var pe *satin.PanicError
			if !errors.As(err, &pe) {
				t.Fatalf("%d workers: %v, want a PanicError", workers, err)
			}
			if pe.Task != "satin_test.bomb" || pe.Key == [16]byte{} || pe.Peer != "here" || !errors.Is(err, errPlanned) ||
				!strings.Contains(string(pe.Stack), "bomb.Run") || !strings.Contains(err.Error(), " panicked at satin/tasks_test.go:") {
				t.Fatalf("the panic is told as %q, key %v, peer %q, stack of %d bytes", pe.Error(), pe.Key, pe.Peer, len(pe.Stack))
			}
			if got, err := satin.Run(context.Background(), p, fibTask{20}); err != nil || got != 6765 {
				t.Fatalf("the run after a panic: %d, %v", got, err)
			}
		}
	}
}

// TestPanicIsToldWithItsLine finds the program's own code in stacks as package debug prints them.
func TestPanicIsToldWithItsLine(t *testing.T) {
	const head = "goroutine 9 [running]:\nruntime/debug.Stack()\n\t/go/debug/stack.go:26 +0x5e\nsatingrid/satin.(*Scope).guarded.func1()\n\t/w/satin/frame.go:78 +0x4f\n"
	const panics = "panic({0xe5?, 0x12?})\n\t/go/runtime/panic.go:860 +0x13a\n"
	const index = "runtime.goPanicIndex(0x5, 0x5)\n\t/go/runtime/panic.go:115 +0x74\n"
	const wait = "satingrid/satin.Future[...].Wait(...)\n\t/w/satin/wait.go:20\n"
	const own = "main.Queens.Run({0x5}, 0x6)\n\t/home/anna/board/main.go:99 +0x1b4\n"
	const inlined = "main.look(...)\n\tboard/look.go:7\n"
	const created = "created by satingrid/satin.(*pool).start in goroutine 1\n\t/w/satin/pool.go:9 +0x1\n"
	for stack, want := range map[string]string{
		head + panics + own + created:         " panicked at board/main.go:99: why",
		head + panics + index + inlined + own: " panicked at board/look.go:7: why",
		head + panics + wait + own + panics:   " panicked at board/main.go:99: why",
		head + panics + wait + created:        " panicked: why",
		head + panics + "main.Queens.Run(":    " panicked: why", // the rest had no room
		head + own:                            " panicked: why",
		"":                                    " panicked: why",
	} {
		err := &satin.PanicError{Task: "queens", Peer: "a/1", Value: "why", Stack: []byte(stack)}
		if !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%q: %v; wanted %q", stack, err, want)
		}
	}
}

func TestGoexitFailsTheRun(t *testing.T) {
	p := alone(t, 2)
	for range 10 {
		_, err := satin.Run(context.Background(), p, bomb{8, "goexit", true})
		var pe *satin.PanicError
		if !errors.As(err, &pe) || pe.Value != nil || !strings.Contains(err.Error(), "Goexit") || !strings.Contains(err.Error(), " at satin/tasks_test.go:") {
			t.Fatalf("%v, want an error that names runtime.Goexit", err)
		}
		if got, err := satin.Run(context.Background(), p, fibTask{20}); err != nil || got != 6765 {
			t.Fatalf("the run after it: %d, %v", got, err)
		}
	}
}

// TestGoexitAndPanic: a deferred function panics while the goroutine ends. That
// goes on all the same.
func TestGoexitAndPanic(t *testing.T) {
	p := alone(t, 2)
	for range 10 {
		if _, err := satin.Run(context.Background(), p, bomb{8, "goexit and panic", true}); !errors.Is(err, errPlanned) {
			t.Fatalf("%v, want %v", err, errPlanned)
		}
		if got, err := satin.Run(context.Background(), p, fibTask{20}); err != nil || got != 6765 {
			t.Fatalf("the run after it: %d, %v", got, err)
		}
	}
}

// forgetful does not wait for a child that fails.
type forgetful struct{}

func (forgetful) Run(s *satin.Scope) (int, error) {
	satin.Spawn(s, bomb{3, "error", true})
	return 1, nil
}

func TestErrorOfAnUnwaitedChildIsNotLost(t *testing.T) {
	p := alone(t, 2)
	if _, err := satin.Run(context.Background(), p, forgetful{}); !errors.Is(err, errPlanned) {
		t.Errorf("error %v, want %v", err, errPlanned)
	}
}

// handled learns of a child's error from Sync and goes on.
type handled struct{}

func (handled) Run(s *satin.Scope) (int, error) {
	satin.Spawn(s, bomb{2, "error", true})
	if err := s.Sync(); !errors.Is(err, errPlanned) {
		return 0, errors.New("Sync did not return the child's error")
	}
	return 7, nil
}

func TestErrorThatSyncReturnedIsHandled(t *testing.T) {
	p := alone(t, 2)
	if got, err := satin.Run(context.Background(), p, handled{}); err != nil || got != 7 {
		t.Errorf("got %d, %v", got, err)
	}
}

type failing struct{ N int }

func (f failing) Run(s *satin.Scope) (int, error) {
	if f.N == 0 {
		return 0, errPlanned
	}
	x := satin.Spawn(s, fibTask{20})
	y := satin.Spawn(s, failing{f.N - 1})
	n, err := y.Wait(s)
	if err != nil {
		return 0, err
	}
	m, err := x.Wait(s)
	return n + m, err
}

func TestErrorIsWrappedOnce(t *testing.T) {
	p := alone(t, 2)
	_, err := satin.Run(context.Background(), p, failing{5})
	var job *satin.JobError
	if !errors.As(err, &job) || !errors.Is(err, errPlanned) || errors.As(job.Err, new(*satin.JobError)) {
		t.Fatalf("error %v, want one JobError around %v", err, errPlanned)
	}
}

// A program that stays here is handed the very error that a job has returned; another one its text.
func TestErrorStaysHere(t *testing.T) {
	for _, stays := range []bool{false, true} {
		p := open(t, satin.Config{Workers: 2, StaysHere: stays})
		_, err := satin.Run(t.Context(), p, failing{5})
		var job *satin.JobError
		if !errors.As(err, &job) || (job.Err == errPlanned) != stays {
			t.Errorf("stays here %v: %v", stays, err)
		}
	}
}

type broken map[string]int

// needy asks for a value whose making panics.
type needy struct{ Depth int }

func (q needy) Run(s *satin.Scope) (int, error) {
	if q.Depth > 0 {
		x, y := satin.Spawn(s, needy{q.Depth - 1}), satin.Spawn(s, needy{q.Depth - 1})
		n, err := y.Wait(s)
		if err != nil {
			return 0, err
		}
		m, err := x.Wait(s)
		return n + m, err
	}
	m := satin.Derive(s, func() broken {
		satin.Computes(2 * time.Millisecond) // the others ask meanwhile
		panic(errPlanned)
	})
	m["x"]++ // a nil map would panic, too, and say nothing of the reason
	return 1, nil
}

func TestDerivePanicIsTheReason(t *testing.T) {
	p := alone(t, 8)
	for range 40 {
		_, err := satin.Run(context.Background(), p, needy{6})
		if !errors.Is(err, errPlanned) || strings.Contains(err.Error(), "nil map") {
			t.Fatalf("error %v, want what the maker panicked with", err)
		}
	}
}
