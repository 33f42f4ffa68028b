package satin_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"slices"
	"time"

	"satingrid/satin"
)

// Fib computes the Nth Fibonacci number, the slow way.
type Fib struct{ N int }

func (f Fib) Run(s *satin.Scope) (int, error) {
	if f.N < 2 {
		return f.N, nil
	}
	x := satin.Spawn(s, Fib{f.N - 1})
	y, err := Fib{f.N - 2}.Run(s) // a plain call: part of this job
	if err != nil {
		return 0, err
	}
	n, err := x.Wait(s)
	return n + y, err
}

func Example() {
	n, err := satin.Run(context.Background(), nil, Fib{25})
	fmt.Println(n, err)
	// Output: 75025 <nil>
}

func ExampleOpen() {
	p, err := satin.Open(context.Background(), satin.Config{
		Alone:   true,
		Workers: 2,
		App:     satin.App{Name: "fib", Version: "1", Tasks: []satin.TaskType{satin.Type[Fib]()}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer p.Close()
	for _, n := range []int{10, 20} {
		fmt.Println(satin.Run(context.Background(), p, Fib{n}))
	}
	// Output:
	// 55 <nil>
	// 6765 <nil>
}

func ExampleSubmit() {
	sub, err := satin.Submit(context.Background(), nil, Fib{25})
	if err != nil {
		fmt.Println(err)
		return
	}
	<-sub.Done()
	n, err := sub.Wait()
	fmt.Println(n, err, sub.Progress())
	// Output: 75025 <nil> 1
}

func ExampleSubmission_Remaining() {
	sub, err := satin.Submit(context.Background(), nil, Fib{25})
	if err != nil {
		fmt.Println(err)
		return
	}
	look := time.NewTicker(200 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case <-look.C:
			if left, ok := sub.Remaining(); ok {
				log.Println(left) // as in 2 to 4 min left
			}
		case <-sub.Done():
			left, ok := sub.Remaining()
			n, err := sub.Wait()
			fmt.Println(n, err, left.Most, ok)
			return
		}
	}
	// Output: 75025 <nil> 0s true
}

// What was stored of a run that was given up is not wanted: it is computed from the start.
func ExampleFresh() {
	n, err := satin.Run(context.Background(), nil, Fib{20}, satin.Fresh())
	fmt.Println(n, err)
	// Output: 6765 <nil>
}

// Squares sums the squares below N, with lists of children.
type Squares struct{ N int }

type Square struct{ X int }

func (q Square) Run(s *satin.Scope) (int, error) { return q.X * q.X, nil }

func (q Squares) Run(s *satin.Scope) (int, error) {
	sum := 0
	err := satin.Each(s, q.N, func(i int) Square { return Square{i} }, func(i, square int) { sum += square })
	return sum, err
}

func ExampleEach() {
	fmt.Println(satin.Run(context.Background(), nil, Squares{10}))
	// Output: 285 <nil>
}

// Both waits for two children with All.
type Both struct{ A, B int }

func (b Both) Run(s *satin.Scope) ([]int, error) {
	return satin.All(s, []Square{{b.A}, {b.B}})
}

func ExampleAll() {
	fmt.Println(satin.Run(context.Background(), nil, Both{3, 4}))
	// Output: [9 16] <nil>
}

// Factor finds a divisor of N by trying ranges of candidates at once.
type Factor struct{ N int }

type Range struct{ N, From, To int }

func (r Range) Run(s *satin.Scope) (int, error) {
	for d := r.From; d < r.To && !s.Aborted(); d++ {
		if r.N%d == 0 {
			return d, nil
		}
	}
	return 0, nil
}

func (f Factor) Run(s *satin.Scope) (int, error) {
	ranges := []Range{{f.N, 2, 100}, {f.N, 100, 200}, {f.N, 200, 300}}
	return satin.First(s, ranges, func(d int) bool { return d > 0 })
}

func ExampleFirst() {
	fmt.Println(satin.Run(context.Background(), nil, Factor{101 * 103}))
	_, err := satin.Run(context.Background(), nil, Factor{1009})
	fmt.Println(errors.Is(err, satin.ErrNone))
	// Output:
	// 101 <nil>
	// true
}

// Packing is a solution of a knapsack: more value is better.
type Packing struct {
	Value int
	Items []int
}

func (p Packing) Better(than Packing) bool { return p.Value > than.Value }

// Pack is the root: the items and the capacity, which every job reads and none carries.
type Pack struct {
	Value, Weight []int
	Capacity      int
}

// Choose decides about item Next, given what is packed.
type Choose struct {
	Next, Room int
	Packed     Packing
}

// rest is what all items together are worth, made once a run.
type rest int

func (p Pack) Run(s *satin.Scope) (Packing, error) {
	_, err := Choose{Room: p.Capacity}.Run(s)
	return Packing{}, err // the run answers with its best
}

func (c Choose) Run(s *satin.Scope) (struct{}, error) {
	root := satin.Root[Pack](s)
	all := satin.Derive(s, func() (sum rest) {
		for _, v := range root.Value {
			sum += rest(v)
		}
		return sum
	})
	if best, ok := satin.Best[Packing](s); ok && c.Packed.Value+int(all) < best.Value {
		return struct{}{}, nil
	}
	if c.Next == len(root.Value) {
		satin.Offer(s, c.Packed)
		return struct{}{}, nil
	}
	without := satin.Spawn(s, Choose{c.Next + 1, c.Room, c.Packed})
	if w := root.Weight[c.Next]; w <= c.Room {
		with := Packing{c.Packed.Value + root.Value[c.Next], append(slices.Clone(c.Packed.Items), c.Next)}
		if _, err := (Choose{c.Next + 1, c.Room - w, with}).Run(s); err != nil {
			return struct{}{}, err
		}
	}
	return without.Wait(s)
}

func ExampleOffer() {
	best, err := satin.Run(context.Background(), nil, Pack{
		Value:    []int{60, 100, 120},
		Weight:   []int{10, 20, 30},
		Capacity: 50,
	})
	fmt.Println(best, err)
	// Output: {220 [1 2]} <nil>
}
