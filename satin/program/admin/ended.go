package admin

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	// endMax is how long a node that has left may take until its process has ended: it has
	// written what it had to by then, and takes some milliseconds.
	endMax = 10 * time.Second

	// openMax bounds the connections that one keeps open to its end.
	openMax = asksMax
)

// open are connections to those who wait for the end of this process, which ends them. They are
// kept here since a connection that nobody can reach any more is closed.
var open struct {
	mu    sync.Mutex // protects conns
	conns []net.Conn
}

// keepOpen leaves a connection open for as long as this process lives. Whoever is at the other end
// sees its end however it ends, in whatever namespace, and whether or not its parent waits for it.
func keepOpen(c *http.ResponseController) {
	open.mu.Lock()
	defer open.mu.Unlock()
	if len(open.conns) == openMax {
		return
	}
	if conn, _, err := c.Hijack(); err == nil {
		open.conns = append(open.conns, conn)
	}
}

// awaitEnd returns when the process at the other end of a connection has ended, after outcome has
// been said, or tells that it has not. Hang up ends the connection at this end.
func awaitEnd(ctx context.Context, lines *bufio.Scanner, pid int, outcome error, within time.Duration, hangUp func()) error {
	late := time.AfterFunc(within, hangUp)
	for lines.Scan() {
	}
	if late.Stop() {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return outcome
	}
	stays := &Failure{1, fmt.Sprintf("its process %d is still there after %v s: end it before another node starts in its folder", pid, within.Seconds())}
	var failure *Failure
	if errors.As(outcome, &failure) {
		return &Failure{failure.Code, failure.Text + "; " + stays.Text}
	}
	stays.Text = "the node has left, but " + stays.Text
	return stays
}
