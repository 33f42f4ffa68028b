package peer

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/membership/addresses"
)

// TestBookIsKeptSoon: what a peer knows of others is not kept before it is in, and at once then.
// While it knows few hosts the next ones are kept soon, too.
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
	effects := p.Received(0, "m0", Message{From: m.Incarnation, Body: Snapshot{Members: []membership.Member{m}, About: aboutAll}})
	if _, in := find[Started](effects); !in {
		t.Fatal("it is not let in")
	}
	keepsBy := func(from, until time.Duration) bool {
		for now := from; now <= until; now = max(now+time.Millisecond, min(p.Deadline(), until)) {
			if _, kept := find[KeepAddresses](p.Tick(now)); kept {
				return true
			}
		}
		return false
	}
	if !keepsBy(0, 50*time.Millisecond) {
		t.Error("right after it was let in it has kept nothing")
	}
	for n := range keepFew + 4 {
		id := membership.PeerID(fmt.Sprintf("m%d", n+1))
		now := time.Duration(n+1) * 10 * time.Second
		p.Proved(id, false)
		p.Connected(now, id, "/ip4/10.0.0.1/tcp/4001/p2p/"+string(id))
		first := keepsBy(now, now+100*time.Millisecond) // there was no news for a while
		again := membership.PeerID(fmt.Sprintf("n%d", n+1))
		p.Proved(again, false)
		p.Connected(now+200*time.Millisecond, again, "/ip4/10.0.0.1/tcp/4002/p2p/"+string(again))
		soon := keepsBy(now+200*time.Millisecond, now+keepSoon+100*time.Millisecond)
		few := p.Sight().Book().Len() <= keepFew
		if !first || soon != few {
			t.Errorf("of %d hosts the newest but one is kept at once: %v; the newest is kept soon: %v, wanted %v", p.Sight().Book().Len(), first, soon, few)
		}
		if !few && !keepsBy(now+keepSoon+100*time.Millisecond, now+keepEvery+100*time.Millisecond) {
			t.Errorf("of %d hosts the newest is not kept at all", p.Sight().Book().Len())
		}
	}
}
