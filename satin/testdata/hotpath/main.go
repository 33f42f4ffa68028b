// Command hotpath spawns and waits, and nothing else: its disassembly shows what a spawn costs.
package main

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"

	"satingrid/satin"
)

// Fib is the smallest task there is: one spawn, one plain call, one wait.
type Fib struct{ N int }

func (f Fib) Run(s *satin.Scope) (int, error) {
	if f.N < 2 {
		return f.N, nil
	}
	x := satin.Spawn(s, Fib{f.N - 1})
	y, err := Fib{f.N - 2}.Run(s)
	if err != nil {
		return 0, err
	}
	n, err := x.Wait(s)
	return n + y, err
}

// Planted does all that the hot path must not, so that the test sees that it would notice.
//
//go:noinline
func Planted(counter *uint32, kept **[2]int) {
	atomic.AddUint32(counter, 1)
	atomic.StoreUint32(counter, 2)
	*kept = new([2]int)
	elsewhere()
}

//go:noinline
func elsewhere() { fmt.Fprintln(os.Stderr, "hotpath") }

var (
	counter uint32
	kept    *[2]int
)

func main() {
	if len(os.Args) > 1 {
		Planted(&counter, &kept)
	}
	n, err := satin.Run(context.Background(), nil, Fib{20})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(n)
}
