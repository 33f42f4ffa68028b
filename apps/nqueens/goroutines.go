package nqueens

import (
	"sync"
	"sync/atomic"
)

// Goroutines counts the solutions with a goroutine for each queen placed, as one would write it
// without this project. Keep N small: they may all be alive at once.
func (q Queens) Goroutines() int64 {
	var total atomic.Int64
	Place{Free: 1<<q.N - 1}.goroutines(&total)
	return total.Load()
}

func (p Place) goroutines(total *atomic.Int64) {
	if p.Free == 0 {
		total.Add(1)
		return
	}
	var group sync.WaitGroup
	for open := p.Free &^ (p.Left | p.Right); open != 0; open &= open - 1 {
		next := p.next(open & -open)
		group.Go(func() { next.goroutines(total) })
	}
	group.Wait()
}
