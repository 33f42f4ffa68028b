package control

import (
	"context"
	"sync"
	"time"
)

// disksEndWithin is how long a process that ends waits for its disk at least. What is cut off then
// is as whole as after a crash.
const disksEndWithin = 2 * time.Second

// disks are the goroutines that wait for a disk, which may never answer: no process may hang at its
// end for that.
type disks struct{ sync.WaitGroup }

// end returns when all of them have ended and what follows is done, or when it has waited for long
// enough, and tells which: then the rest ends with the process.
func (d *disks) end(c Clock, patience time.Duration, then func()) (ended bool) {
	ctx, over := within(context.Background(), c, max(patience, disksEndWithin))
	go func() {
		d.Wait()
		then()
		over()
	}()
	<-ctx.Done()
	return context.Cause(ctx) != context.DeadlineExceeded
}
