package nqueens_test

import (
	"context"
	"fmt"
	"testing"

	"satingrid/apps/nqueens"
	"satingrid/satin"
)

func Example() {
	n, err := satin.Run(context.Background(), nil, nqueens.Queens{N: 8})
	fmt.Println(n, err)
	// Output: 92 <nil>
}

func TestKnown(t *testing.T) {
	for n := range 11 {
		q := nqueens.Queens{N: n}
		got, err := satin.Run(t.Context(), nil, q)
		if want := nqueens.Known[n]; err != nil || got != want || q.Sequential() != want {
			t.Errorf("%d queens: %d solutions (%v), alone %d, known %d", n, got, err, q.Sequential(), want)
		}
	}
	if got, want := (nqueens.Queens{N: 12}).Sequential(), nqueens.Known[12]; got != want {
		t.Errorf("12 queens: %d solutions, known %d", got, want)
	}
	if got, want := (nqueens.Queens{N: 8}).Goroutines(), nqueens.Known[8]; got != want {
		t.Errorf("8 queens: %d solutions with goroutines, known %d", got, want)
	}
}

// TestPlacements checks the count of queens that are placed against the published number of nodes
// of the search for 8 queens: 2057 with the empty board.
func TestPlacements(t *testing.T) {
	if got := (nqueens.Queens{N: 8}).Placements(); got != 2056 {
		t.Errorf("8 queens take %d placements, want 2056", got)
	}
}

// TestSpawns compares the count of spawns with one made on a board: in each row all columns that
// are open but one.
func TestSpawns(t *testing.T) {
	for n := range 9 {
		var spawns, placed int64
		var board []int
		var place func()
		place = func() {
			var open []int
			for x := range n {
				free := len(board) < n
				for y, column := range board {
					down := len(board) - y
					free = free && x != column && x != column-down && x != column+down
				}
				if free {
					open = append(open, x)
				}
			}
			spawns += int64(max(len(open)-1, 0))
			placed += int64(len(open))
			for _, x := range open {
				board = append(board, x)
				place()
				board = board[:len(board)-1]
			}
		}
		place()
		if q := (nqueens.Queens{N: n}); q.Spawns() != spawns || q.Placements() != placed {
			t.Errorf("%d queens: %d spawns of %d queens placed, want %d of %d", n, q.Spawns(), q.Placements(), spawns, placed)
		}
	}
}

func TestCheck(t *testing.T) {
	for n, good := range map[int]bool{-1: false, 0: true, nqueens.Max: true, nqueens.Max + 1: false} {
		q := nqueens.Queens{N: n}
		if err := q.Check(); (err == nil) != good {
			t.Errorf("%d queens: %v", n, err)
		}
	}
	if _, err := satin.Run(t.Context(), nil, nqueens.Queens{N: 40}); err == nil {
		t.Error("40 queens were counted")
	}
}
