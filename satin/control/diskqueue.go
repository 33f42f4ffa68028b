package control

import (
	"sync"
	"time"
)

// Bounds of what waits for a disk that holds runs.
const (
	// a slow disk takes seconds for a long batch, or to make room for it
	diskPatience = 30 * time.Second
	// each run that begins or ends asks for one, and the machine writes one batch at a time
	diskOrdersMax = 1024
)

// diskQueue has a disk do one thing after another, on a goroutine of its own while there is
// something. A disk may never answer: what it has not done in time is given up, with what waits
// behind it, and nothing is taken on until it answers again.
type diskQueue struct {
	clock Clock
	by    Goroutines
	hung  func() // hears that the disk does not answer

	mu     sync.Mutex   // protects what follows, and the orders
	orders []*diskOrder // the first is under way
	hangs  bool
}

// diskOrder is something that a disk is to do.
type diskOrder struct {
	do func() (over func()) // over says what came of it, unless it was given up meanwhile
	// says that it was given up; nil: it is not, but waits until the disk has done it
	givenUp func()
	isOver  bool // one of the two was said
}

// give has the disk do something after all that it was given before. It never waits. Where too much
// waits, what cannot be given up is forgotten, as if the process had died before.
func (q *diskQueue) give(o *diskOrder) {
	q.mu.Lock()
	refused := q.hangs && o.givenUp != nil || len(q.orders) >= diskOrdersMax
	if !refused {
		q.orders = append(q.orders, o)
	}
	begins := !refused && len(q.orders) == 1
	q.mu.Unlock()
	switch {
	case begins:
		q.by.Go(func() { q.work(o) })
	case refused && o.givenUp != nil:
		o.givenUp()
	}
}

// work does what there is, one thing after another.
func (q *diskQueue) work(o *diskOrder) {
	for o != nil {
		timer := q.clock.AfterFunc(diskPatience, func() { q.waited(o) })
		over := o.do()
		timer.Stop()
		var inTime bool
		if o, inTime = q.done(o); inTime {
			over()
		}
	}
}

// done notes that the disk has answered, and tells what is next and whether that was in time.
func (q *diskQueue) done(o *diskOrder) (next *diskOrder, inTime bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	inTime = !o.isOver
	o.isOver, q.hangs = true, false
	q.orders[0] = nil
	if q.orders = q.orders[1:]; len(q.orders) > 0 {
		next = q.orders[0]
	}
	return next, inTime
}

// waited gives up what the disk should have done by now, and what waits behind it.
func (q *diskQueue) waited(o *diskOrder) {
	q.mu.Lock()
	if o.isOver {
		q.mu.Unlock()
		return
	}
	q.hangs = true
	var left, given []*diskOrder
	for _, w := range q.orders {
		if w.givenUp != nil {
			w.isOver = true
			given = append(given, w)
		}
		if w.givenUp == nil || w == o {
			left = append(left, w)
		}
	}
	q.orders = left
	q.mu.Unlock()
	q.hung()
	for _, w := range given {
		w.givenUp()
	}
}
