package satin_test

import (
	"context"
	"fmt"

	"satingrid/satin"
)

// Dead is a fact: no sum of two squares leaves this remainder modulo 16.
type Dead struct{ Remainder int }

// Pairs counts the numbers below To that are the sum of two squares.
type Pairs struct{ To int }

// Span counts those from From to To.
type Span struct{ From, To int }

// dead is what a worker knows of the remainders: it makes jobs faster, and changes no count.
type dead map[int]bool

func (p Pairs) Run(s *satin.Scope) (int, error) {
	return Span{0, p.To}.Run(s)
}

func (q Span) Run(s *satin.Scope) (int, error) {
	if q.To-q.From > 64 {
		middle := (q.From + q.To) / 2
		upper := satin.Spawn(s, Span{middle, q.To})
		n, err := Span{q.From, middle}.Run(s)
		if err != nil {
			return 0, err
		}
		m, err := upper.Wait(s)
		return n + m, err
	}
	known := satin.Local(s, func() dead { return dead{} })
	for _, d := range satin.Heard[Dead](s) {
		known[d.Remainder] = true
	}
	count := 0
	for n := q.From; n < q.To; n++ {
		switch {
		case known[n%16]:
		case isSum(n):
			count++
		case neverSum(n % 16):
			known[n%16] = true
			satin.Tell(s, Dead{n % 16})
		}
	}
	return count, nil
}

func isSum(n int) bool {
	for a := 0; a*a <= n; a++ {
		for b := 0; a*a+b*b <= n; b++ {
			if a*a+b*b == n {
				return true
			}
		}
	}
	return false
}

func neverSum(r int) bool {
	for a := range 16 {
		for b := range 16 {
			if (a*a+b*b)%16 == r {
				return false
			}
		}
	}
	return true
}

func ExampleTell() {
	n, err := satin.Run(context.Background(), nil, Pairs{To: 1000})
	fmt.Println(n, err)
	// Output: 330 <nil>
}

func ExampleHeard() {
	// Whether and when a fact is heard must not matter: with it a job is faster.
	n, err := satin.Run(context.Background(), nil, Pairs{To: 100})
	fmt.Println(n, err)
	// Output: 43 <nil>
}
