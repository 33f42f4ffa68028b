package satin_test

import (
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"

	"satingrid/membership"
	"satingrid/satin"
	"satingrid/satin/p2p"
	"satingrid/satin/peer"
	"satingrid/satin/ticket"
	"satingrid/satin/wire"
)

// TestGridIsFull: a grid of as many peers as there may be, all but one of them made up, says so to
// one more, which ends for that reason; a client is let in.
func TestGridIsFull(t *testing.T) {
	tk := crowdedGrid(t)
	config := satin.Config{App: floodedApp, Site: "b", Name: "late", Workers: 1, Ticket: tk, Listen: []string{"/ip4/127.0.0.1/tcp/0"}, Log: slog.New(slog.DiscardHandler)}
	config.State = t.TempDir()
	if p, err := satin.Open(t.Context(), config); !errors.Is(err, satin.ErrGridFull) {
		t.Errorf("one more: %v, want ErrGridFull", err)
		if p != nil {
			p.Close()
		}
	}
	config.Client, config.State = true, t.TempDir()
	p, err := satin.Open(t.Context(), config)
	if err != nil {
		t.Fatal("a client: ", err)
	}
	p.Close()
}

// crowdedGrid is a host that answers whatever it is told with a view of as many members as a grid
// may have, itself among them.
func crowdedGrid(t *testing.T) ticket.Ticket {
	tk, err := ticket.New("crowd")
	if err != nil {
		t.Fatal(err)
	}
	var host p2p.Carrier
	var view []byte
	var ready sync.WaitGroup
	ready.Add(1)
	tell := func(id string) {
		ready.Wait()
		go host.SendBulk(t.Context(), id, nil, view)
	}
	host = outsider(t, tk, p2p.Events{Frame: func(id string, _ []byte) { tell(id) }})
	t.Cleanup(func() { host.Close() })
	var all []membership.Member
	for n := range membership.MembersMax {
		m := membership.Member{ID: membership.PeerID(fmt.Sprint("made up ", n)), Site: "a", Name: fmt.Sprint("a/", n), Workers: 1, State: membership.Here,
			Incarnation: membership.Incarnation{Join: uint64(n + 1), Random: uint64(n + 1)}}
		if n == 0 {
			m.ID, m.Addrs = membership.PeerID(host.ID()), host.Addrs()
		}
		all = append(all, m)
	}
	whole := peer.Snapshot{Members: all, About: peer.AboutMembers | peer.AboutRuns}
	view, _ = wire.Encode(peer.Message{From: all[0].Incarnation, Body: whole})
	tk.Addrs = host.Addrs()
	ready.Done()
	return tk
}
