package wan

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"time"
)

// conn is a TCP connection with distance around it. Read and Write behave as
// those of a TCP connection over a slow link: Write returns when the bytes are
// on their way, unless lineBytes are already.
type conn struct {
	net.Conn
	emulator *Emulator
	dialled  bool

	met    sync.Once
	metErr error
	wire   *wire         // nil: near, nothing is held back
	in     *bufio.Reader // holds what came behind the other's line

	line line

	readMu sync.Mutex // protects held and heldErr, and orders readers
	held   []byte     // read, but behind a cut
	heldEr error

	deadMu        sync.Mutex // protects what follows
	readDeadline  time.Time
	writeDeadline time.Time
}

// A host at a far site says its site in one line, before TLS. The first byte
// tells the line from multistream's first, which is 0x13.
const (
	siteLine = "satin site "
	siteMax  = 64
)

// meet exchanges sites, at the first Read or Write and so on the goroutine
// that upgrades this connection. The listener speaks only when spoken to,
// because a host without an Emulator would not understand it.
func (c *conn) meet() error {
	c.met.Do(func() {
		mine := siteLine + c.emulator.site + "\n"
		if c.dialled {
			if _, c.metErr = io.WriteString(c.Conn, mine); c.metErr != nil {
				return
			}
		} else if first, err := c.in.Peek(1); err != nil || first[0] != siteLine[0] {
			return // no line: near, or a failed connection, which Read will say
		}
		theirs, err := c.readSite()
		if err != nil {
			c.metErr = err
			return
		}
		if !c.dialled {
			if _, c.metErr = io.WriteString(c.Conn, mine); c.metErr != nil {
				return
			}
		}
		c.wire = c.emulator.between(theirs)
	})
	return c.metErr
}

func (c *conn) readSite() (string, error) {
	line, err := c.in.ReadSlice('\n')
	site, ok := strings.CutPrefix(string(line), siteLine)
	if err != nil || !ok || len(site) > siteMax+1 {
		return "", fmt.Errorf("wan: the other end did not say its site: "+
			"do all hosts have an Emulator? (%v)", err)
	}
	return strings.TrimSuffix(site, "\n"), nil
}

// Write puts p on the line.
func (c *conn) Write(p []byte) (int, error) {
	if err := c.meet(); err != nil {
		return 0, err
	}
	if c.wire == nil {
		return c.Conn.Write(p)
	}
	n, err := c.line.write(c, p)
	c.emulator.sent.Add(int64(n))
	return n, err
}

// writeNow bypasses the line, and so needs the deadline on the socket.
func (c *conn) writeNow(p []byte) (int, error) {
	c.deadMu.Lock()
	deadline := c.writeDeadline
	c.deadMu.Unlock()
	if !deadline.IsZero() {
		c.Conn.SetWriteDeadline(deadline)
		defer c.Conn.SetWriteDeadline(time.Time{})
	}
	return c.Conn.Write(p)
}

// Read reads what has come, unless a cut hides it.
func (c *conn) Read(p []byte) (int, error) {
	if err := c.meet(); err != nil {
		return 0, err
	}
	if c.wire == nil {
		return c.in.Read(p)
	}
	c.readMu.Lock()
	defer c.readMu.Unlock()
	if c.held == nil && c.heldEr == nil {
		n, err := c.in.Read(p)
		if errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, net.ErrClosed) {
			return n, err
		}
		if cut, _ := c.wire.isCut(In); !cut {
			return n, err
		}
		c.held, c.heldEr = append([]byte(nil), p[:n]...), err
	}
	if err := c.waitHeal(); err != nil {
		return 0, err
	}
	n := copy(p, c.held)
	c.held = c.held[n:]
	if len(c.held) > 0 {
		return n, nil
	}
	err := c.heldEr
	c.held, c.heldEr = nil, nil
	return n, err
}

// waitHeal waits until nothing hides what has come.
func (c *conn) waitHeal() error {
	for {
		cut, changed := c.wire.isCut(In)
		if !cut {
			return nil
		}
		c.deadMu.Lock()
		deadline := c.readDeadline
		c.deadMu.Unlock()
		timeout, stop := after(deadline)
		select {
		case <-changed:
		case <-c.line.shut:
			stop()
			return net.ErrClosed
		case <-timeout:
			stop()
			return os.ErrDeadlineExceeded
		}
		stop()
	}
}

// after gives a channel that fires at a deadline; none for the zero time. A
// deadline that is moved while somebody waits is seen at the next change,
// which is enough: TLS and yamux set theirs before they wait.
func after(deadline time.Time) (<-chan time.Time, func()) {
	if deadline.IsZero() {
		return nil, func() {}
	}
	t := time.NewTimer(time.Until(deadline))
	return t.C, func() { t.Stop() }
}

// SetDeadline sets both.
func (c *conn) SetDeadline(t time.Time) error {
	c.SetWriteDeadline(t)
	return c.SetReadDeadline(t)
}

// SetReadDeadline is for the socket and for what a cut hides.
func (c *conn) SetReadDeadline(t time.Time) error {
	c.deadMu.Lock()
	c.readDeadline = t
	c.deadMu.Unlock()
	return c.Conn.SetReadDeadline(t)
}

// SetWriteDeadline is for room on the line. The socket has none: what is on
// the line has been sent as far as the writer is concerned.
func (c *conn) SetWriteDeadline(t time.Time) error {
	c.deadMu.Lock()
	c.writeDeadline = t
	c.deadMu.Unlock()
	return nil
}

// Close lets what is on the line arrive first, as a link would, and then
// closes the socket; while the way out is cut the other end does not see it.
func (c *conn) Close() error {
	if c.line.close() {
		c.Conn.SetReadDeadline(time.Unix(1, 0)) // whoever reads stops now
		return nil
	}
	return c.Conn.Close()
}
