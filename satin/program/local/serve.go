package local

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"satingrid/satin"
	"satingrid/satin/p2p/wan"
	"satingrid/satin/ticket"
)

const (
	// orderMax bounds one order: a ticket with all its addresses and some cuts.
	orderMax = 256 << 10

	// closeMax is how long a peer may take to end. A job that computes for long without looking
	// up would hold it up, and nobody waits for that job.
	closeMax = time.Second
)

// Equip adds to what a child is opened with, and may want to know when it is open; nil: nothing.
type Equip func(*satin.Config) (opened func(*satin.Peer))

// Serve is a child: it becomes a peer as the first order says, follows the others, and returns when
// they end, when ctx does, or when it has left the grid, as an order or a signal told it to.
func Serve(ctx context.Context, app satin.App, log *slog.Logger, in io.Reader, out io.Writer, leave <-chan os.Signal, equip Equip) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	orders := bufio.NewScanner(in)
	orders.Buffer(make([]byte, 0, 4096), orderMax)
	first, err := next(orders)
	if err == nil && first.Start == nil {
		err = errors.New("local: the first order does not say what to be")
	}
	if err != nil {
		return err
	}
	c := &child{conf: *first.Start, leave: make(chan time.Duration, 1)}
	if c.conf.Wan {
		c.wan = distance(c.conf.Site, c.conf.Far, c.conf.Cuts)
	}
	// The orders end when the parent is gone, also while this child is still on its way in.
	go func() {
		defer cancel()
		for o, err := next(orders); err == nil; o, err = next(orders) {
			c.follow(o)
		}
	}()
	p, err := c.open(ctx, app, log, equip)
	if err != nil {
		return errors.Join(err, tell(out, announced{Error: err.Error()}))
	}
	if err := tell(out, announced{Addrs: p.Addrs(), ID: p.ID()}); err != nil {
		cancel()
	}
	select {
	case <-ctx.Done():
		return c.close(p)
	case within := <-c.leave:
		return c.goAway(ctx, p, within)
	case <-leave:
		return c.goAway(ctx, p, c.conf.Grace)
	case <-p.Done():
		return errors.Join(p.Err(), c.close(p))
	}
}

// goAway leaves the grid.
func (c *child) goAway(ctx context.Context, p *satin.Peer, within time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	return errors.Join(p.Leave(ctx), c.close(p))
}

// close ends the peer, unless that takes too long.
func (c *child) close(p *satin.Peer) error {
	CloseWithin(p, closeMax)
	return nil
}

// CloseWithin closes a peer at the end of its process, but does not wait longer for jobs that do
// not look up: they end with the process, and the goroutine that waits for them, too.
func CloseWithin(p *satin.Peer, most time.Duration) {
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		p.Close()
	}()
	select {
	case <-closed:
	case <-time.After(most):
	}
}

func next(orders *bufio.Scanner) (instruction, error) {
	var o instruction
	if !orders.Scan() {
		return o, errors.Join(io.EOF, orders.Err())
	}
	if err := json.Unmarshal(orders.Bytes(), &o); err != nil {
		// and is not shown: it may hold the secret
		return o, errors.New("local: an order cannot be read")
	}
	return o, nil
}

func tell(out io.Writer, t announced) error {
	line, err := json.Marshal(t)
	if err != nil {
		panic("local: BUG: " + err.Error())
	}
	_, err = out.Write(append(line, '\n'))
	return err
}

// child is one peer of the grid in a process of its own.
type child struct {
	conf  start
	wan   *wan.Emulator
	leave chan time.Duration // holds an order to leave
}

// open becomes a peer.
func (c *child) open(ctx context.Context, app satin.App, log *slog.Logger, equip Equip) (*satin.Peer, error) {
	t, err := ticket.Parse(c.conf.Ticket)
	if err != nil {
		return nil, fmt.Errorf("local: the ticket: %w", err)
	}
	conf := satin.Config{
		App: app, Name: c.conf.Name, Site: c.conf.Site, Workers: c.conf.Workers, Ticket: t,
		Listen: []string{loopback}, Log: log,
	}
	if c.wan != nil {
		conf.Testing.Wan = c.wan
	}
	c.conf.Care.Apply(&conf)
	opened := func(*satin.Peer) {}
	if equip != nil {
		opened = equip(&conf)
	}
	peer, err := satin.Open(ctx, conf)
	if err == nil {
		opened(peer)
	}
	return peer, err
}

// loopback is where the processes of one machine meet: any free port.
const loopback = "/ip4/127.0.0.1/tcp/0"

// distance is what is around a peer at a site, with what lies between it and the others.
func distance(site string, far Distance, cuts []Cut) *wan.Emulator {
	w := wan.New(site)
	w.Set("", wan.Link{Delay: far.Delay, Rate: far.Rate})
	for _, x := range cuts {
		if other, way := x.seenFrom(site); other != "" {
			w.Cut(other, way)
		}
	}
	return w
}

func (c *child) follow(o instruction) {
	if o.Leave > 0 {
		select {
		case c.leave <- o.Leave:
		default: // it has been told
		}
	}
	if c.wan == nil {
		return
	}
	if o.Heal {
		c.wan.Heal("")
	}
	if o.Cut != nil {
		if other, way := o.Cut.seenFrom(c.conf.Site); other != "" {
			c.wan.Cut(other, way)
		}
	}
}
