package satintest_test

import (
	"testing"

	"satingrid/satin"
	"satingrid/satin/satintest"
)

// One joins while a run goes on, and all others are gone before the client has heard of it. It
// has the run, and nobody but the client knows where to find the other: it is the newcomer that
// looks for the client.
func TestNewcomerFindsTheClient(t *testing.T) {
	t.Parallel()
	g := start(t, satintest.Config{
		Sites: []satintest.Site{{Name: "a", Peers: 1}},
		Peer: func(c *satin.Config) {
			if c.Site == "b" {
				c.Ticket.Addrs = c.Ticket.Addrs[:1] // not the client's
			}
		},
	})
	task := seconds(2)
	sub := submit[Tree, uint64](t, g, task)
	soon(t, sub)
	g.CutOneWay("a", "")
	g.CutOneWay("b", "")
	if _, err := g.Add("b"); err != nil {
		t.Fatal(err)
	}
	g.Kill("a/1")
	if n := len(g.Client.Members()); n > 1 {
		t.Fatalf("the client knows %d members, and was to know one", n)
	}
	g.Heal()
	wait(t, sub, task.Value())
}
