package satintest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"satingrid/satin"
	"satingrid/satin/p2p/ticket"
)

// Grid is a grid in this process: peers at sites, and a client.
type Grid struct {
	Network *Network
	Client  *satin.Peer

	tb     testing.TB
	app    satin.App
	ticket ticket.Ticket
	peers  map[string]*satin.Peer
	count  map[string]int
}

// Site is how many peers of one worker a site has at the start.
type Site struct {
	Name  string
	Peers int
}

// Start makes a grid of these sites with a delay between them, one way, and waits until everybody is in. It
// ends with the test.
func Start(tb testing.TB, app satin.App, delay time.Duration, sites ...Site) *Grid {
	tb.Helper()
	tk, err := ticket.New("test")
	if err != nil {
		tb.Fatal(err)
	}
	g := &Grid{
		Network: NewNetwork(func(from, to string) time.Duration {
			if from == to || from == "" || to == "" {
				return 0
			}
			return delay
		}),
		tb: tb, app: app, ticket: tk, peers: map[string]*satin.Peer{}, count: map[string]int{},
	}
	for _, s := range sites {
		for range s.Peers {
			g.Add(s.Name)
		}
	}
	g.Client = g.open(satin.Config{App: app, Client: true, Ticket: g.ticket, Carrier: g.Network.Carrier("")})
	return g
}

// Add lets one more peer of one worker join at a site, and returns its name: site/1, site/2 and so on.
func (g *Grid) Add(site string) string {
	g.tb.Helper()
	g.count[site]++
	name := fmt.Sprintf("%s/%d", site, g.count[site])
	p := g.open(satin.Config{App: g.app, Site: site, Name: name, Workers: 1, Ticket: g.ticket, Carrier: g.Network.Carrier(site)})
	g.peers[name] = p
	if len(g.ticket.Addrs) == 0 {
		g.ticket.Addrs = p.Addrs()
	}
	return name
}

func (g *Grid) open(c satin.Config) *satin.Peer {
	g.tb.Helper()
	p, err := satin.Open(context.Background(), c)
	if err != nil {
		g.tb.Fatal(err)
	}
	g.tb.Cleanup(func() { p.Close() })
	return p
}

// Ticket admits to the grid.
func (g *Grid) Ticket() ticket.Ticket { return g.ticket }

// Peer is the peer of that name.
func (g *Grid) Peer(name string) *satin.Peer { return g.peers[name] }

// Kill ends a peer as a crash does.
func (g *Grid) Kill(name string) {
	g.peers[name].Close()
	delete(g.peers, name)
}
