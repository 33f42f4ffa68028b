package wan

import (
	"net"
	"os"
	"sync"
	"time"
)

// lineBytes is how much one connection has under way: 100 ms at 40 MB/s.
// Beyond it Write waits, as it does when TCP's window is full.
const lineBytes = 4 << 20

// cutHold is how long a closed connection is kept behind a cut.
const cutHold = time.Minute

// line is a delay line: what is written waits until it is due, all of it at
// the same time, so that a delay costs latency and no throughput.
type line struct {
	mu      sync.Mutex // protects what follows
	queue   []parcel
	bytes   int
	pumping bool // a goroutine empties the queue
	closing bool
	err     error

	room chan struct{} // a writer may find room
	shut chan struct{} // closed by close
}

type parcel struct {
	due  time.Time
	data []byte
}

// write queues a copy of p, or writes it at once when nothing is in its way.
// There is one writer at a time: TLS sees to that.
func (l *line) write(c *conn, p []byte) (int, error) {
	l.mu.Lock()
	for l.err == nil && !l.closing && l.bytes >= lineBytes {
		l.mu.Unlock()
		c.deadMu.Lock()
		timeout, stop := after(c.writeDeadline)
		c.deadMu.Unlock()
		select {
		case <-l.room:
		case <-l.shut:
		case <-timeout:
			stop()
			return 0, os.ErrDeadlineExceeded
		}
		stop()
		l.mu.Lock()
	}
	err, empty := l.err, len(l.queue) == 0
	if err == nil && l.closing {
		err = net.ErrClosed
	}
	if err != nil {
		l.mu.Unlock()
		return 0, err
	}
	due, instant := c.wire.send(len(p), time.Now())
	if instant && empty {
		l.mu.Unlock()
		return c.writeNow(p)
	}
	defer l.mu.Unlock()
	l.queue = append(l.queue, parcel{due, append([]byte(nil), p...)})
	l.bytes += len(p)
	if !l.pumping {
		l.pumping = true
		go l.pump(c)
	}
	return len(p), nil
}

// close says whether the pump will close the socket when the line is empty.
func (l *line) close() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.closing {
		l.closing = true
		close(l.shut)
	}
	return l.pumping
}

// pump delivers what is due, and ends when the line is empty; Close and the
// end of the host end it too, so it never outlives them by more than cutHold.
func (l *line) pump(c *conn) {
	for {
		l.mu.Lock()
		if len(l.queue) == 0 || l.err != nil {
			l.pumping = false
			closing := l.closing
			l.mu.Unlock()
			if closing {
				c.Conn.Close()
			}
			return
		}
		next := l.queue[0]
		l.mu.Unlock()
		err := l.await(c, next.due)
		if err == nil {
			_, err = c.Conn.Write(next.data)
		}
		l.mu.Lock()
		l.queue = l.queue[1:]
		l.bytes -= len(next.data)
		if err != nil {
			l.err, l.queue = err, nil
		}
		l.mu.Unlock()
		select {
		case l.room <- struct{}{}:
		default: // a writer is about to look already
		}
	}
}

// await waits until a parcel is due and the way out is not cut.
func (l *line) await(c *conn, due time.Time) error {
	if time.Until(due) > 0 {
		timeout, stop := after(due)
		defer stop()
		select {
		case <-timeout:
		case <-c.emulator.gone:
			return net.ErrClosed
		}
	}
	var giveUp <-chan time.Time
	for {
		cut, changed := c.wire.isCut(Out)
		if !cut {
			return nil
		}
		shut := l.shut
		if giveUp != nil {
			shut = nil
		}
		select {
		case <-changed:
		case <-shut: // closed meanwhile: it need not be kept for ever
			t := time.NewTimer(cutHold)
			defer t.Stop()
			giveUp = t.C
		case <-giveUp:
			return net.ErrClosed
		case <-c.emulator.gone:
			return net.ErrClosed
		}
	}
}
