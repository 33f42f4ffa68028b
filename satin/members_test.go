package satin_test

import (
	"context"
	"testing"

	"satingrid/apps/nqueens"
	"satingrid/satin"
	"satingrid/satin/satintest"
)

func TestMembers(t *testing.T) {
	g := satintest.Start(t, satintest.Config{App: nqueens.App()})
	for who, p := range map[string]*satin.Peer{"a/1": g.Peer("a/1"), "the client": g.Client} {
		members := p.Members()
		if len(members) != 3 || members[0].Name != "a/1" || members[2].Site != "b" || members[1].State != "here" || members[1].Workers != 1 {
			t.Errorf("%s sees %+v", who, members)
		}
	}
	if id := g.Peer("a/1").ID(); id == "" || id != g.Client.Members()[0].ID {
		t.Errorf("a/1 has the id %q", id)
	}
	if runs := g.Peer("a/1").Runs(); len(runs) != 0 {
		t.Errorf("nothing was asked for, and there is %+v", runs)
	}
	ctx, cancel := context.WithCancel(t.Context())
	run, err := satin.Submit(ctx, g.Client, nqueens.Queens{N: 18})
	if err != nil {
		t.Fatal(err)
	}
	for len(g.Peer("a/1").Runs()) == 0 && ctx.Err() == nil {
		select {
		case <-run.Done():
			t.Fatal("the run ended before anybody saw it")
		default:
		}
	}
	if r := g.Peer("a/1").Runs()[0]; r.Task != "nqueens.Queens" || r.Progress < 0 || r.Progress > 1 {
		t.Errorf("the run is %+v", r)
	}
	cancel()
	run.Wait()
}

func TestAloneHasNoMembers(t *testing.T) {
	p, err := satin.Open(t.Context(), satin.Config{App: nqueens.App(), Alone: true})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if p.Members() != nil || p.Runs() != nil || p.ID() != "" {
		t.Errorf("%v, %v, %q", p.Members(), p.Runs(), p.ID())
	}
}
