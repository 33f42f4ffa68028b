//go:build unix

package satin_test

import (
	"context"
	"testing"
	"time"

	"satingrid/satin"
	"satingrid/satin/await"
)

// TestRootThatEndsItsOnlyPeer: a run that is left to a grid of one, and ends its process, does not
// end for ever each one that is started in its place: the fifth of those serves, and that root
// waits.
func TestRootThatEndsItsOnlyPeer(t *testing.T) {
	g, state := nobodysGrid(t), t.TempDir()
	start := func() (p *doomedPeer, client *satin.Peer) {
		g.ticket.Addrs = nil
		p = g.joinFrom("a", state)
		return p, g.reach()
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
