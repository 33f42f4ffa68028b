package satin_test

import (
	"context"
	"errors"
	"fmt"

	"satingrid/satin"
)

// Darts throws darts at a square, and counts those that hit the circle in it. Stream tells two jobs
// with as many darts apart: they would draw the same numbers.
type Darts struct{ Stream, Thrown int }

func (d Darts) Run(s *satin.Scope) (hits int, err error) {
	r := s.Rand()
	for range d.Thrown {
		if x, y := r.Float64(), r.Float64(); x*x+y*y < 1 {
			hits++
		}
	}
	return hits, nil
}

// Pi guesses π with so many streams of darts.
type Pi struct{ Streams int }

func (p Pi) Run(s *satin.Scope) (float64, error) {
	const thrown = 1000
	hits := 0
	err := satin.Each(s, p.Streams, func(i int) Darts { return Darts{i, thrown} }, func(_, n int) { hits += n })
	return 4 * float64(hits) / float64(p.Streams*thrown), err
}

// Whoever runs a job, and how often: it draws the same numbers.
func ExampleScope_Rand() {
	first, err := satin.Run(context.Background(), nil, Pi{100})
	if err != nil {
		fmt.Println(err)
		return
	}
	second, err := satin.Run(context.Background(), nil, Pi{100})
	fmt.Println(first == second, err)
	fmt.Printf("%.1f\n", first)
	// Output:
	// true <nil>
	// 3.1
}

// Pythagoras needs three squares before it can tell anything.
type Pythagoras struct{ A, B, C int }

func (p Pythagoras) Run(s *satin.Scope) (bool, error) {
	a, b, c := satin.Spawn(s, Square{p.A}), satin.Spawn(s, Square{p.B}), satin.Spawn(s, Square{p.C})
	if err := s.Sync(); err != nil { // all three are there
		return false, err
	}
	x, _ := a.Wait(s)
	y, _ := b.Wait(s)
	z, _ := c.Wait(s)
	return x+y == z, nil
}

func ExampleScope_Sync() {
	fmt.Println(satin.Run(context.Background(), nil, Pythagoras{3, 4, 5}))
	// Output: true <nil>
}

// Hedge begins the long way while it tries a short one, and gives the long one up when the short
// one has led somewhere.
type Hedge struct{ N int }

func (h Hedge) Run(s *satin.Scope) (string, error) {
	long := satin.Spawn(s, Nap{h.N})
	if h.N%2 > 0 { // it has not
		n, err := long.Wait(s)
		return fmt.Sprint("the long way: ", n), err
	}
	s.Abort()
	_, err := long.Wait(s)
	return fmt.Sprint("the short way; the long one was withdrawn: ", errors.Is(err, satin.ErrWithdrawn)), nil
}

func ExampleScope_Abort() {
	fmt.Println(satin.Run(context.Background(), nil, Hedge{5}))
	fmt.Println(satin.Run(context.Background(), nil, Hedge{30})) // a billion naps
	// Output:
	// the long way: 32 <nil>
	// the short way; the long one was withdrawn: true <nil>
}

// Broken cannot be computed.
type Broken struct{}

var errBroken = errors.New("it is broken")

func (Broken) Run(*satin.Scope) (int, error) { return 0, errBroken }

// A list of runs, and their statistics, name tasks as the App does.
func ExampleApp_NameOf() {
	app := satin.App{Name: "example", Tasks: []satin.TaskType{satin.Type[Broken]().Named("broken")}}
	fmt.Println(app.NameOf(satin.Type[Broken]()))
	fmt.Println(app.NameOf(satin.Type[Fib]()))
	// Output:
	// broken
	// satin_test.Fib
}

// The type may be called otherwise tomorrow. What peers and people know it by stays.
func ExampleTaskType_Named() {
	p, err := satin.Open(context.Background(), satin.Config{Alone: true, App: satin.App{
		Name: "example", Tasks: []satin.TaskType{satin.Type[Broken]().Named("broken")},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer p.Close()
	_, err = satin.Run(context.Background(), p, Broken{})
	var failed *satin.JobError
	fmt.Println(errors.As(err, &failed), errors.Is(err, errBroken))
	fmt.Println(failed.Task)
	// Output:
	// true true
	// broken
}
