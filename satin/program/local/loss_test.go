//go:build unix

package local

import (
	"os/exec"
	"testing"

	"satingrid/satin"
)

// TestMomentOfAStop: a stop that is over explains nothing that happens later.
func TestMomentOfAStop(t *testing.T) {
	c := exec.Command("sleep", "60")
	if err := c.Start(); err != nil {
		t.Skip("there is no sleep: ", err)
	}
	defer func() {
		c.Process.Kill()
		c.Wait()
	}()
	p := &process{name: "b/1", site: "b", cmd: c, ended: make(chan struct{})}
	g := &Grid{all: []*process{p}}
	loss := func(how string) Loss { return g.loss(satin.Event{Peer: "b/1", How: how}) }
	if err := g.Stop("b/1"); err != nil {
		t.Fatal(err)
	}
	if l := loss("rejoin"); l.How != "silent" || !l.Known {
		t.Errorf("a stopped peer that is lost: %+v", l)
	}
	if err := g.Cont("b/1"); err != nil {
		t.Fatal(err)
	}
	if l := loss("leave"); l.How != "leave" || l.Known {
		t.Errorf("one that goes on, and leaves later: %+v", l)
	}
	if err := g.Kill("b/1"); err != nil {
		t.Fatal(err)
	}
	if l := loss("kill"); l.How != "kill" || !l.Known {
		t.Errorf("one that is killed later: %+v", l)
	}
}
