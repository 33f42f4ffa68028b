package peer

import (
	"math/rand/v2"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/membership/addresses"
)

// TestBookIsKeptSoon: what a peer knows of others is not kept before it is in, and soon after: killed in its first seconds it is one with a past all the same.
func TestBookIsKeptSoon(t *testing.T) {
	p := New(Config{
		Member: membership.Config{ID: "new", Site: "a", Name: "new", Workers: 1}, Sessions: true,
	}, rand.New(rand.NewPCG(1, 2)))
	if _, kept := find[KeepAddresses](p.Join(0)); kept {
		t.Error("it keeps what it knows before it is in")
	}
	if _, kept := find[KeepAddresses](p.Named(0, []addresses.Known{{ID: "m0", Site: "a", Age: time.Minute, Addrs: []string{"/ip4/10.0.0.1/tcp/4001/p2p/m0"}}})); kept {
		t.Error("it keeps what it was told before it is in")
	}
	p.Proved("m0", false)
	p.Connected(0, "m0", "/ip4/10.0.0.1/tcp/4001/p2p/m0")
	m := membership.Member{ID: "m0", Site: "a", Name: "a/0", Workers: 1, State: membership.Here, Incarnation: membership.Incarnation{Join: 1, Random: 1}}
	effects := p.Received(0, "m0", Message{From: m.Incarnation, Body: Snapshot{Members: []membership.Member{m}, Parts: partsAll}})
	if _, in := find[Started](effects); !in {
		t.Fatal("it is not let in")
	}
	for now := time.Duration(0); now <= time.Second; now += 50 * time.Millisecond {
		if _, kept := find[KeepAddresses](p.Tick(now)); kept {
			return
		}
	}
	t.Error("a second after it was let in it has kept nothing")
}
