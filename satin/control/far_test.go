package control

import (
	"testing"

	"satingrid/membership"
	"satingrid/satin/p2p"
)

// counting is a carrier with two hosts that counts by itself.
type counting struct{ p2p.Carrier }

func (counting) BytesFar() int64 { return 77 }
func (counting) Peers() []string { return []string{"near", "far"} }

// TestBytesToOtherSites: of members that are known to be at another, each that something was sent
// to or published for.
func TestBytesToOtherSites(t *testing.T) {
	f := farSites{site: "a", sites: map[membership.PeerID]membership.Site{}, carrier: counting{}}
	f.wentToAll(1)
	if f.bytes() != 0 {
		t.Error("nobody is known, and somebody is far")
	}
	f.met(membership.Member{ID: "near", Site: "a"})
	f.met(membership.Member{ID: "far", Site: "b"})
	f.went("near", 10)
	f.went("far", 100)
	f.went("a client", 1000)
	f.wentToAll(1)
	if n := f.bytes(); n != 101 {
		t.Errorf("%d bytes are far, want 101", n)
	}
	if f.near != 11 {
		t.Errorf("%d bytes are near, want 11", f.near)
	}
	f.lost("far")
	f.went("far", 100)
	if n := f.bytes(); n != 101 {
		t.Errorf("what is sent to one that is gone counts: %d", n)
	}
	f.emulated = true
	if n := f.bytes(); n != 77 {
		t.Errorf("the carrier counts 77, and %d is said", n)
	}
	here := farSites{sites: f.sites}
	here.met(membership.Member{ID: "x", Site: "b"})
	here.went("x", 1)
	if here.bytes() != 0 || here.near != 0 {
		t.Error("a client is at no site, and something is far from it, or near")
	}
}
