package console

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// writePatience is how long whoever prints waits for a terminal that is held, or for a pipe that
// nobody reads.
const writePatience = time.Second

// patient writes to what may take long, or never take anything again: a terminal that is held with
// Ctrl-S, a pipe whose reader is stopped. After writePatience it goes on without, and what is to be
// written until that is over is missed, and said to be.
type patient struct {
	mu     sync.Mutex // protects what follows
	to     io.Writer
	last   <-chan struct{} // closed when the last write is over; nil: there was none
	missed int             // writes
}

// Patient is a writer that keeps nobody for ever.
func Patient(to io.Writer) io.Writer { return &patient{to: to} }

func (p *patient) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.last != nil {
		select {
		case <-p.last:
		default:
			p.missed++
			return len(b), nil
		}
	}
	text := append([]byte(nil), b...)
	if p.missed > 0 {
		text = append(fmt.Appendf(nil, "[%d lines are missing here: nobody read them]\n", p.missed), text...)
		p.missed = 0
	}
	over, failed := make(chan struct{}), error(nil)
	go func() {
		defer close(over)
		_, failed = p.to.Write(text)
	}()
	p.last = over
	select {
	case <-over:
		return len(b), failed
	case <-time.After(writePatience):
		return len(b), nil
	}
}
