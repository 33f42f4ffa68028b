//go:build unix

package satin_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"satingrid/satin"
	"satingrid/satin/await"
	"satingrid/satin/ticket"
)

// TestRootThatEndsItsOnlyPeer: a run that is left to a grid of one, and ends its process, does not
// end for ever each one that is started in its place: the fifth of those serves, and that root
// waits.
func TestRootThatEndsItsOnlyPeer(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it starts processes")
	}
	t.Parallel()
	tk, err := ticket.New("lonely")
	if err != nil {
		t.Fatal(err)
	}
	g := &doomedGrid{t: t, ticket: tk, begins: make(chan *doomedPeer, 64), gone: make(chan *doomedPeer, 64)}
	state := t.TempDir()
	start := func() (p *doomedPeer, client *satin.Peer) {
		g.ticket.Addrs = nil
		p = g.joinFrom("a", state)
		g.ticket.Addrs = []string{p.addr}
		client, err := satin.Open(t.Context(), satin.Config{
			App: doomedApp, Client: true, Ticket: g.ticket, Listen: []string{"/ip4/127.0.0.1/tcp/0"}, Log: slog.New(slog.DiscardHandler),
		})
		if err != nil {
			t.Fatal(err)
		}
		return p, client
	}
	ends := func(p *doomedPeer) {
		t.Helper()
		for _, c := range []chan *doomedPeer{g.begins, g.gone} {
			select {
			case <-c:
			case <-time.After(await.Patience):
				t.Fatalf("%s does not end", p.name)
			}
		}
	}
	p, client := start()
	// it is on the disk when it ends its process
	sub, err := satin.Submit(t.Context(), client, doomed{"exit", 2 * time.Second}, satin.Keep(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	<-sub.Accepted()
	client.Close()
	ends(p)
	for range 4 {
		g.ticket.Addrs = nil
		ends(g.joinFrom("a", state))
	}
	_, client = start()
	defer client.Close()
	ctx, cancel := context.WithTimeout(t.Context(), await.Patience)
	defer cancel()
	if n, err := satin.Run(ctx, client, fibTask{10}); err != nil || n != 55 {
		t.Errorf("it computes %d, %v", n, err)
	}
	select {
	case <-g.begins:
		t.Error("its root is started again")
	case <-time.After(4 * time.Second): // as long as two lives
	}
}
