package fib_test

import (
	"context"
	"fmt"
	"testing"

	"satingrid/apps/fib"
	"satingrid/satin"
)

func Example() {
	n, err := satin.Run(context.Background(), nil, fib.Fib{N: 20})
	fmt.Println(n, err)
	// Output: 6765 <nil>
}

// TestTwins compares the three programs, and the count of spawns with a count made by counting.
func TestTwins(t *testing.T) {
	var count func(n int) int64
	count = func(n int) int64 {
		if n < 2 {
			return 0
		}
		return 1 + count(n-1) + count(n-2)
	}
	for n := range 16 {
		f := fib.Fib{N: n}
		want := f.Sequential()
		got, err := satin.Run(t.Context(), nil, f)
		if err != nil || got != want || f.Goroutines() != want {
			t.Errorf("fib(%d): %d with spawns (%v), %d with goroutines, %d alone", n, got, err, f.Goroutines(), want)
		}
		if got, want := f.Spawns(), count(n); got != want {
			t.Errorf("fib(%d) takes %d spawns, Spawns says %d", n, want, got)
		}
	}
}

func TestCheck(t *testing.T) {
	for n, good := range map[int]bool{-1: false, 0: true, fib.Max: true, fib.Max + 1: false} {
		if err := (fib.Fib{N: n}).Check(); (err == nil) != good {
			t.Errorf("fib(%d): %v", n, err)
		}
	}
}
