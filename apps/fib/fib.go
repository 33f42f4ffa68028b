// Package fib computes Fibonacci numbers the slow way, a spawn a call: nothing but
// the cost of spawning.
//
// [Fib] is both the root task and the job. [Fib.Sequential] is the same Go without spawns.
package fib

import (
	"fmt"

	"satingrid/satin"
)

// Max is the largest N: beyond, the number does not fit in 64 bits. Nobody waits for it anyway.
const Max = 92

// Fib computes the Nth Fibonacci number.
type Fib struct{ N int }

// Check says what is wrong with f, or nil.
func (f Fib) Check() error {
	if f.N < 0 || f.N > Max {
		return fmt.Errorf("%d is out of range: a number from 0 to %d is expected", f.N, Max)
	}
	return nil
}

// Run computes the number.
func (f Fib) Run(s *satin.Scope) (int64, error) {
	if f.N < 2 {
		return int64(f.N), nil
	}
	x := satin.Spawn(s, Fib{f.N - 1})
	y, err := Fib{f.N - 2}.Run(s)
	if err != nil {
		return 0, err
	}
	n, err := x.Wait(s)
	return n + y, err
}

// Sequential computes the number with plain calls: the yardstick for what a spawn costs. It has no
// error to check, as nobody would who wrote it alone.
func (f Fib) Sequential() int64 {
	if f.N < 2 {
		return int64(f.N)
	}
	return Fib{f.N - 1}.Sequential() + Fib{f.N - 2}.Sequential()
}

// Goroutines computes the number with a goroutine for each spawn, as one would write it without
// this project. Keep N small: they may all be alive at once.
func (f Fib) Goroutines() int64 {
	if f.N < 2 {
		return int64(f.N)
	}
	x := make(chan int64, 1)
	go func() { x <- Fib{f.N - 1}.Goroutines() }()
	y := Fib{f.N - 2}.Goroutines()
	return <-x + y
}

// Spawns is how many spawns computing the number takes.
func (f Fib) Spawns() int64 {
	a, b := int64(0), int64(0) // of N-2 and N-1
	for i := 2; i <= f.N; i++ {
		a, b = b, a+b+1
	}
	return b
}

// App is what a peer needs to take part.
func App() satin.App {
	return satin.App{Name: "fib", Version: "1", Tasks: []satin.TaskType{satin.Type[Fib]()}}
}
