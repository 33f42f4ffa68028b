package local

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"satingrid/satin"
	"satingrid/satin/p2p/wan"
	"satingrid/satin/ticket"
)

const (
	// joinMax is how long all processes together may take to become members: seconds on a
	// machine that has other things to do, and the library itself gives up a single one after
	// five.
	joinMax = 30 * time.Second

	// endMax is how long a process may take to end when it is asked to, before it is killed.
	endMax = closeMax + time.Second

	// graceDefault is how long a peer may take to leave where nothing else is said.
	graceDefault = 20 * time.Second

	// bootstraps is how many peers a newcomer is told of. One that lives is enough.
	bootstraps = 8
)

// Options say what a Grid is.
type Options struct {
	App     satin.App
	Command []string // starts a child: a program that calls Serve
	Sites   []Site
	Wan     bool          // whether there can be distance and cuts between the sites …
	Far     Distance      // … and what there is at the start
	Pin     bool          // each site on a core of its own
	Grace   time.Duration // that a peer may take to leave
	Care    Care
	Stderr  *os.File // of the children
	Log     *slog.Logger

	// Started is told of each process, Event what the client sees of the grid.
	// Both must return soon.
	Started func(name, site string, pid int)
	Event   func(satin.Event)
}

// Grid is a grid of processes on this machine and a client in this one.
type Grid struct {
	Client *satin.Peer

	options Options
	ticket  ticket.Ticket
	cores   []int

	mu      sync.Mutex // protects what follows
	all     []*process // in the order in which they were started
	count   map[string]int
	cuts    []Cut
	cutAt   time.Time         // the latest
	seen    map[string]bool   // members that the client has seen
	losses  map[string][]Loss // that the client has seen, by peer
	news    chan struct{}     // closed and made anew when seen changes
	closing bool
}

// Open starts a grid and returns when all of its peers and the client are members.
func Open(ctx context.Context, o Options) (*Grid, error) {
	t, err := ticket.New("local")
	if err != nil {
		return nil, err
	}
	if o.Grace == 0 {
		o.Grace = graceDefault
	}
	g := &Grid{
		options: o, ticket: t, count: map[string]int{}, seen: map[string]bool{},
		losses: map[string][]Loss{}, news: make(chan struct{}),
	}
	if o.Pin {
		if g.cores, err = Cores(); err != nil {
			return nil, err
		}
		if len(g.cores) < len(o.Sites) {
			return nil, fmt.Errorf("%d sites cannot each have a core of their own: there are %d", len(o.Sites), len(g.cores))
		}
	}
	ctx, cancel := context.WithTimeoutCause(ctx, joinMax, fmt.Errorf("not all peers were members after %v", joinMax))
	defer cancel()
	if err := g.open(ctx); err != nil {
		g.Close()
		return nil, err
	}
	return g, nil
}

// open starts the first peer, which founds the grid, then the others at once, and then the client,
// which so learns of all of them when it is let in: of those that come later it hears by a digest,
// up to a second later.
func (g *Grid) open(ctx context.Context) error {
	for _, s := range g.options.Sites {
		for range s.Peers {
			g.prepare(s.Name, s.Workers)
		}
	}
	all := slices.Clone(g.all)
	if err := g.launch(ctx, all[0]); err != nil {
		return err
	}
	var group errgroup.Group
	for _, p := range all[1:] {
		group.Go(func() error { return g.launch(ctx, p) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if err := g.openClient(ctx); err != nil {
		return err
	}
	for _, p := range all {
		if err := g.awaitSeen(ctx, p.name); err != nil {
			return err
		}
	}
	return nil
}

func (g *Grid) openClient(ctx context.Context) error {
	c := satin.Config{
		App: g.options.App, Client: true, Ticket: g.Ticket(), Listen: []string{loopback},
		Events: g.event, Log: g.options.Log,
	}
	g.options.Care.Apply(&c)
	if g.options.Wan {
		c.Testing.Wan = wan.New("")
	}
	client, err := satin.Open(ctx, c)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.Client = client
	return err
}

// prepare makes a process that is not started yet, and gives it its name and core.
func (g *Grid) prepare(site string, workers int) *process {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.count[site]++
	p := &process{name: fmt.Sprintf("%s/%d", site, g.count[site]), site: site, workers: workers, core: g.coreOf(site)}
	g.all = append(g.all, p)
	return p
}

// coreOf is the core of a site: the one that it has, or the one with the fewest peers that stay.
// The caller holds mu.
func (g *Grid) coreOf(site string) int {
	if !g.options.Pin {
		return -1
	}
	load := map[int]int{}
	for _, p := range g.all {
		if p.site == site {
			return p.core
		}
		if p.cmd == nil || p.stays() {
			load[p.core]++
		}
	}
	return slices.MinFunc(g.cores, func(a, b int) int { return load[a] - load[b] })
}

// launch starts a process and returns when it is a member.
func (g *Grid) launch(ctx context.Context, p *process) error {
	if err := g.begin(p); err != nil {
		return err
	}
	select {
	case <-p.ready:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if err := p.failure(); err != nil {
		return fmt.Errorf("%s did not start: %w", p.name, err)
	}
	return nil
}

// begin starts a process.
func (g *Grid) begin(p *process) error {
	t := g.Ticket()
	word, err := t.Encode()
	if err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closing {
		return satin.ErrClosed
	}
	s := start{Name: p.name, Site: p.site, Workers: p.workers, Grace: g.options.Grace, Care: g.options.Care, Ticket: word, Wan: g.options.Wan, Far: g.options.Far, Cuts: g.cuts}
	if err := launch(p, g.options, s); err != nil {
		return err
	}
	if g.options.Started != nil {
		g.options.Started(p.name, p.site, p.cmd.Process.Pid)
	}
	return nil
}

// Ticket is one to this grid, with the addresses of some who live, the client too: it may be the
// last one.
func (g *Grid) Ticket() ticket.Ticket {
	g.mu.Lock()
	defer g.mu.Unlock()
	t := g.ticket
	t.Addrs = nil
	for _, p := range g.all {
		if p.cmd != nil && p.lives() && len(t.Addrs) < bootstraps {
			p.mu.Lock()
			t.Addrs = append(t.Addrs, p.told.Addrs...)
			p.mu.Unlock()
		}
	}
	if g.Client != nil {
		t.Addrs = append(t.Addrs, g.Client.Addrs()...)
	}
	return t
}

// event notes what the client sees, and hands it on.
func (g *Grid) event(e satin.Event) {
	g.mu.Lock()
	switch e.Kind {
	case satin.EventJoined:
		g.seen[e.Peer] = true
		if p := g.find(e.Peer); p != nil {
			p.mu.Lock()
			p.back()
			p.mu.Unlock()
		}
		close(g.news)
		g.news = make(chan struct{})
	case satin.EventLost:
		delete(g.seen, e.Peer)
		l := g.loss(e)
		e.How = l.How
		g.losses[e.Peer] = append(g.losses[e.Peer], l)
	}
	closing := g.closing
	g.mu.Unlock()
	if g.options.Event != nil && !closing {
		g.options.Event(e)
	}
}

// awaitSeen returns when the client has seen a member.
func (g *Grid) awaitSeen(ctx context.Context, name string) error {
	for {
		g.mu.Lock()
		seen, news := g.seen[name], g.news
		g.mu.Unlock()
		if seen {
			return nil
		}
		select {
		case <-news:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
