package satin_test

import (
	"fmt"
	"testing"

	"satingrid/apps/nqueens"
	"satingrid/satin"
)

func TestFibAndQueens(t *testing.T) {
	for _, workers := range []int{1, 2, 3, 4} {
		for _, rec := range []bool{false, true} {
			t.Run(fmt.Sprint(workers, rec), func(t *testing.T) {
				p := alone(t, workers)
				if rec {
					p = satin.OpenRecording(t, workers, 0, satin.App{})
				}
				for range 3 {
					if got, err := satin.Run(t.Context(), p, fibTask{27}); err != nil || got != 196418 {
						t.Fatalf("fib(27) = %d, %v", got, err)
					}
					if got, err := satin.Run(t.Context(), p, nqueens.Queens{N: 10}); err != nil || got != 724 {
						t.Fatalf("queens(10) = %d, %v", got, err)
					}
				}
			})
		}
	}
}
