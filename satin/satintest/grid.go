package satintest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime/pprof"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"satingrid/satin"
	"satingrid/satin/ticket"
)

// Config says what grid to start. The zero value of each field but App is its default.
type Config struct {
	App   satin.App
	Sites []Site        // by default two peers at site a and one at b
	Delay time.Duration // between the sites, one way; 0 is none

	// Strict makes the peers check what programs promise; see satin.Testing. A job
	// costs microseconds more.
	Strict bool

	// Peer changes the configuration of a peer or client before it opens: copies,
	// verification, events.
	Peer func(*satin.Config)
}

// Site is how many peers of one worker a site has at the start.
type Site struct {
	Name  string
	Peers int
}

// Grid is a grid in this process: peers at sites, and a client. Its methods may be called at any
// time, from any goroutine. Those that name a peer that is gone do nothing.
type Grid struct {
	Network *Network
	Client  *satin.Peer

	conf   Config
	ticket ticket.Ticket
	mark   string         // of all goroutines of its peers
	ends   sync.WaitGroup // of peers that were killed
	lost   atomic.Int64   // how often one was held dead by another

	mu     sync.Mutex // protects what follows
	peers  map[string]*satin.Peer
	others []*satin.Peer // clients that were added
	count  map[string]int
	paused map[string]bool
	cuts   [][2]string
}

// Start makes a grid that ends with the test, and waits until everybody is in. The test fails when
// goroutines of a peer outlive the grid.
func Start(tb testing.TB, c Config) *Grid {
	tb.Helper()
	g, err := Open(c)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if g.Close(); g.lasts() {
			tb.Errorf("satintest: the grid was closed, and of its goroutines are left:\n%s", g.left())
		}
	})
	return g
}

// Open makes a grid, and waits until everybody is in. Close ends it.
func Open(c Config) (*Grid, error) {
	tk, err := ticket.New("test")
	if err != nil {
		return nil, err
	}
	if c.Sites == nil {
		c.Sites = []Site{{"a", 2}, {"b", 1}}
	}
	g := &Grid{
		Network: NewNetwork(func(from, to string) time.Duration {
			if from == to || from == "" || to == "" {
				return 0
			}
			return c.Delay
		}),
		conf: c, ticket: tk, mark: newMark(), peers: map[string]*satin.Peer{}, count: map[string]int{}, paused: map[string]bool{},
	}
	for _, s := range c.Sites {
		for range s.Peers {
			if _, err := g.Add(s.Name); err != nil {
				g.Close()
				return nil, err
			}
		}
	}
	if g.Client, err = g.open("", satin.Config{Client: true}); err != nil {
		g.Close()
		return nil, err
	}
	if err := g.meet(); err != nil {
		g.Close()
		return nil, err
	}
	return g, nil
}

// meetWithin is how long the peers of a new grid have to hear of each other: they need
// milliseconds.
const meetWithin = 30 * time.Second

// meet waits until the peers and the client know each other. Joining waits for less: a newcomer
// knows whom it joined through.
func (g *Grid) meet() error {
	g.mu.Lock()
	everybody := append(slices.Collect(maps.Values(g.peers)), g.Client)
	g.mu.Unlock()
	late := time.After(meetWithin)
	for _, p := range everybody {
		for len(p.Members()) < len(everybody)-1 { // clients are no members
			select {
			case <-late:
				return fmt.Errorf("satintest: %d of %d peers know each other after %s", len(p.Members()), len(everybody)-1, meetWithin)
			case <-time.After(time.Millisecond):
			}
		}
	}
	return nil
}

// Close ends the client and all peers. It returns when nothing of them is left.
func (g *Grid) Close() {
	g.Heal()
	for _, name := range g.Names() {
		g.Resume(name)
		g.Kill(name)
	}
	if g.Client != nil {
		g.Client.Close()
	}
	g.mu.Lock()
	others := g.others
	g.mu.Unlock()
	for _, p := range others {
		p.Close()
	}
	g.ends.Wait()
}

// AddClient makes one more client.
func (g *Grid) AddClient() (*satin.Peer, error) {
	p, err := g.open("", satin.Config{Client: true})
	if err != nil {
		return nil, fmt.Errorf("satintest: a client: %w", err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.others = append(g.others, p)
	return p, nil
}

// Add lets one more peer of one worker join at a site, and returns its name:
// site/1, site/2 and so on.
func (g *Grid) Add(site string) (string, error) {
	g.mu.Lock()
	g.count[site]++
	name := fmt.Sprintf("%s/%d", site, g.count[site])
	g.mu.Unlock()
	p, err := g.open(site, satin.Config{Site: site, Name: name, Workers: 1})
	if err != nil {
		return "", fmt.Errorf("satintest: %s: %w", name, err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.peers[name] = p
	return name, nil
}

func (g *Grid) open(site string, c satin.Config) (p *satin.Peer, err error) {
	c.Log = slog.New(slog.DiscardHandler)
	c.App, c.Ticket, c.Testing.Strict, c.Testing.Carrier = g.conf.App, g.Ticket(), g.conf.Strict, g.Network.Carrier(site)
	if g.conf.Peer != nil {
		g.conf.Peer(&c)
	}
	tells := c.Events
	c.Events = func(e satin.Event) {
		if e.Kind == satin.EventLost && e.How != "leave" {
			g.lost.Add(1)
		}
		if tells != nil {
			tells(e)
		}
	}
	pprof.Do(context.Background(), pprof.Labels(markKey, g.mark), func(ctx context.Context) { p, err = satin.Open(ctx, c) })
	if err != nil {
		return nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.ticket.Addrs) < ticketAddrsMax {
		g.ticket.Addrs = append(g.ticket.Addrs, p.Addrs()...)
	}
	return p, nil
}

// ticketAddrsMax is how many of the first peers, and the client, newcomers may join through.
const ticketAddrsMax = 8

// Ticket admits to the grid.
func (g *Grid) Ticket() ticket.Ticket {
	g.mu.Lock()
	defer g.mu.Unlock()
	t := g.ticket
	t.Addrs = slices.Clone(t.Addrs)
	return t
}

// Peer is the peer of that name, or nil.
func (g *Grid) Peer(name string) *satin.Peer {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.peers[name]
}

// Names are those of the peers that were neither killed nor have left, sorted.
func (g *Grid) Names() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Sorted(maps.Keys(g.peers))
}

// take removes a peer from the list, and returns it if it was there.
func (g *Grid) take(name string) *satin.Peer {
	g.mu.Lock()
	defer g.mu.Unlock()
	p := g.peers[name]
	delete(g.peers, name)
	delete(g.paused, name)
	return p
}

// Works waits until a peer has worked for a run of the grid, so that its loss costs something, and
// tells whether it has. It has not when the runs end before, of which over tells.
func (g *Grid) Works(name string, over <-chan struct{}) bool {
	p := g.Peer(name)
	for pause := time.NewTicker(time.Millisecond); ; {
		for _, r := range p.Runs() {
			if r.Busy > 0 {
				pause.Stop()
				return true
			}
		}
		select {
		case <-over:
			pause.Stop()
			return false
		case <-pause.C:
		}
	}
}

// Lost is how often so far one of the grid has held another dead: by a kill, or since it was
// silent. A cut or a pause that ends before is one that nobody has noticed.
func (g *Grid) Lost() int { return int(g.lost.Load()) }

// AwaitLoss waits until somebody was held dead once more than so often.
func (g *Grid) AwaitLoss(since int) {
	for g.Lost() <= since {
		time.Sleep(time.Millisecond) // Config.Events tells one that listens, and no other
	}
}

// Kill ends a peer as a crash does: its connections break, and nothing comes from it any more. It
// does not wait for the jobs that run there.
func (g *Grid) Kill(name string) {
	p := g.take(name)
	if p == nil {
		return
	}
	g.Network.Kill(p.ID())
	g.ends.Go(func() { p.Close() })
}

// Leave lets a peer leave in order, and returns when it has. The deadline of ctx is how long its
// jobs may take to end.
func (g *Grid) Leave(ctx context.Context, name string) error {
	p := g.take(name)
	if p == nil {
		return nil
	}
	err := p.Leave(ctx)
	return errors.Join(err, p.Close())
}

// Pause stops the network of a peer, as SIGSTOP does that of a process: what it sends and what is
// sent to it waits. Unlike a stopped process it goes on computing, and finds all others silent.
func (g *Grid) Pause(name string) { g.pause(name, true) }

// Resume ends a pause.
func (g *Grid) Resume(name string) { g.pause(name, false) }

func (g *Grid) pause(name string, paused bool) {
	g.mu.Lock()
	p := g.peers[name]
	if p != nil {
		g.paused[name] = paused
	}
	g.mu.Unlock()
	switch {
	case p == nil:
	case paused:
		g.Network.Pause(p.ID())
	default:
		g.Network.Resume(p.ID())
	}
}

// Cut loses everything that two sites send each other from now on, until Heal.
func (g *Grid) Cut(a, b string) {
	g.CutOneWay(a, b)
	g.CutOneWay(b, a)
}

// CutOneWay loses everything that is sent from one site to another, until Heal.
func (g *Grid) CutOneWay(from, to string) {
	g.mu.Lock()
	g.cuts = append(g.cuts, [2]string{from, to})
	g.mu.Unlock()
	g.Network.Cut(from, to)
}

// Heal ends all cuts.
func (g *Grid) Heal() {
	g.mu.Lock()
	cuts := g.cuts
	g.cuts = nil
	g.mu.Unlock()
	for _, c := range cuts {
		g.Network.Heal(c[0], c[1])
	}
}
