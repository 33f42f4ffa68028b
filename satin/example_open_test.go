package satin_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"satingrid/satin"
	"satingrid/satin/ticket"
)

// naps is the program that all hosts of this grid are.
var naps = satin.App{Name: "naps", Tasks: []satin.TaskType{satin.Type[Nap]()}}

// loopback is where these nodes listen. Without Listen they would on every interface.
var loopback = []string{"/ip4/127.0.0.1/tcp/0"}

// node is one process of the grid until ctx ends, which a signal may do. Then it leaves in order.
func node(ctx context.Context, t ticket.Ticket, site string, ready chan<- *satin.Peer) error {
	p, err := satin.Open(ctx, satin.Config{App: naps, Ticket: t, Site: site, Listen: loopback})
	if err != nil {
		return err
	}
	defer p.Close()
	ready <- p
	<-ctx.Done()
	grace, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	return p.Leave(grace)
}

// client computes on the grid, and is no part of it.
func client(ctx context.Context, t ticket.Ticket) (int, error) {
	p, err := satin.Open(ctx, satin.Config{App: naps, Client: true, Ticket: t})
	if err != nil {
		return 0, err
	}
	defer p.Close()
	return satin.Run(ctx, p, Nap{8})
}

// A grid of two nodes and a client, which are three processes as a rule. The first founds the grid:
// its ticket has no address. Whoever gets a ticket with its addresses joins there.
func ExampleOpen_grid() {
	t, err := ticket.New("lab")
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, signal := context.WithCancel(context.Background())
	defer signal()
	ready, ended := make(chan *satin.Peer), make(chan error)
	for _, site := range []string{"delft", "paris"} {
		go func() { ended <- node(ctx, t, site, ready) }()
		select {
		case p := <-ready:
			if t, err = t.Invite(p.Addrs()...); err != nil {
				fmt.Println(err)
				return
			}
		case err := <-ended:
			fmt.Println(err)
			return
		}
	}
	fmt.Println(client(ctx, t))
	signal()
	fmt.Println(errors.Join(<-ended, <-ended))
	// Output:
	// 256 <nil>
	// <nil>
}

// What a state folder remembers of a grid leads to it again.
func ExampleKnownAddrs() {
	t, err := ticket.New("lab")
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	first, err := satin.Open(ctx, satin.Config{App: naps, Ticket: t, Listen: loopback})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer first.Close()
	if t, err = t.Invite(first.Addrs()...); err != nil {
		fmt.Println(err)
		return
	}
	folder, err := os.MkdirTemp("", "state")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	second, err := satin.Open(ctx, satin.Config{App: naps, Ticket: t, Listen: loopback, State: folder})
	if err != nil {
		fmt.Println(err)
		return
	}
	second.Close()
	fmt.Println(slices.Contains(satin.KnownAddrs(folder), first.Addrs()[0]))
	// Output: true
}
