// Package nqueens counts the ways to place n queens on a board of n by n so that
// none attacks another.
//
// [Queens] is the root task, [Place] the job that places the queens of the remaining rows: a spawn
// for each column of a row that is open, but the last, which the job tries itself.
// [Queens.Sequential] is the same search without a spawn.
//
// # Limitations
//
// Mirrored boards are counted one by one: symmetry would halve the work and hide what is measured.
package nqueens

import (
	"fmt"
	"math/bits"

	"satingrid/satin"
)

// Max is the largest board: 24 queens have 227,514,171,973,736 solutions, a year of a
// large machine's time.
const Max = 24

// Known are the numbers of solutions on boards of 0, 1, 2 … queens, from the Online Encyclopedia of
// Integer Sequences, A000170.
var Known = [...]int64{1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512, 95815104}

// Queens counts the solutions for N queens.
type Queens struct{ N int }

// Check says what is wrong with q, or nil.
func (q Queens) Check() error {
	if q.N < 0 || q.N > Max {
		return fmt.Errorf("%d queens are out of range: 0 to %d are expected", q.N, Max)
	}
	return nil
}

// Run counts the solutions.
func (q Queens) Run(s *satin.Scope) (int64, error) {
	if err := q.Check(); err != nil {
		return 0, err
	}
	return Place{Free: 1<<q.N - 1}.Run(s)
}

// Place places a queen in each remaining row. A bit stands for a column.
type Place struct {
	Free  uint32 // columns without a queen
	Left  uint32 // columns of this row attacked along a diagonal that falls to the left
	Right uint32 // likewise to the right
}

// next is the position after a queen was placed in the column of bit.
func (p Place) next(bit uint32) Place {
	return Place{p.Free &^ bit, (p.Left | bit) << 1, (p.Right | bit) >> 1}
}

// Run counts the ways to go on from p.
func (p Place) Run(s *satin.Scope) (int64, error) {
	if p.Free == 0 {
		return 1, nil
	}
	return p.row(s, p.Free&^(p.Left|p.Right))
}

// row places a queen in each of the open columns. The recursion keeps the futures on the stack in
// the order in which waiting is fastest, and needs no array that would have to be cleared.
func (p Place) row(s *satin.Scope, open uint32) (int64, error) {
	rest := open & (open - 1)
	switch {
	case open == 0:
		return 0, nil
	case rest == 0:
		return p.next(open).Run(s)
	}
	first := satin.Spawn(s, p.next(open&-open))
	total, err := p.row(s, rest)
	if err != nil {
		return 0, err
	}
	ways, err := first.Wait(s)
	return total + ways, err
}

// Sequential counts the solutions alone, without the scheduler.
func (q Queens) Sequential() int64 { return Place{Free: 1<<q.N - 1}.sequential() }

func (p Place) sequential() int64 {
	if p.Free == 0 {
		return 1
	}
	var total int64
	for open := p.Free &^ (p.Left | p.Right); open != 0; open &= open - 1 {
		total += p.next(open & -open).sequential()
	}
	return total
}

// Placements is how many queens the search for N queens places: its spawns.
func (q Queens) Placements() int64 { return Place{Free: 1<<q.N - 1}.placements() }

func (p Place) placements() int64 {
	open := p.Free &^ (p.Left | p.Right)
	total := int64(bits.OnesCount32(open))
	for ; open != 0; open &= open - 1 {
		total += p.next(open & -open).placements()
	}
	return total
}

// Spawns is how many spawns the search for N queens takes.
func (q Queens) Spawns() int64 { return Place{Free: 1<<q.N - 1}.spawns() }

func (p Place) spawns() int64 {
	open := p.Free &^ (p.Left | p.Right)
	total := max(int64(bits.OnesCount32(open))-1, 0)
	for ; open != 0; open &= open - 1 {
		total += p.next(open & -open).spawns()
	}
	return total
}

// App is what a peer needs to take part.
func App() satin.App {
	return satin.App{
		Name:    "nqueens",
		Version: "1",
		Tasks:   []satin.TaskType{satin.Type[Queens](), satin.Type[Place]()},
	}
}
