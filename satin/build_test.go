package satin_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"satingrid/apps/fib"
	"satingrid/satin"
	"satingrid/satin/build"
	"satingrid/satin/p2p"
	"satingrid/satin/p2p/ticket"
	"satingrid/satin/satintest"
)

// pretended is a build that differs from others by its letter.
func pretended(letter string) build.Identity {
	return build.Identity{Digest: strings.Repeat(letter, 64), Name: "revision " + letter}
}

// mixBuilds opens a peer of build a, and one of a build or client of another that wants to
// join it: the error says that they were not told apart as they should.
func mixBuilds(t *testing.T, other string, client bool) error {
	t.Helper()
	network := satintest.NewNetwork(func(from, to string) time.Duration { return 0 })
	tk, err := ticket.New("builds")
	if err != nil {
		t.Fatal(err)
	}
	open := func(made build.Identity, client bool) (*satin.Peer, error) {
		c := satin.Config{App: fib.App(), Client: client, Workers: 1, Ticket: tk, Testing: satin.Testing{Carrier: network.Carrier("a")}}
		c.Pretend(made)
		return satin.Open(t.Context(), c)
	}
	one, err := open(pretended("a"), false)
	if err != nil {
		t.Fatal(err)
	}
	defer one.Close()
	tk.Addrs = one.Addrs()
	two, err := open(pretended(other), client)
	if two != nil {
		defer two.Close()
	}
	if other == "a" {
		return err
	}
	var refused *p2p.Refusal
	if !errors.As(err, &refused) || refused.Why != p2p.WhyHello {
		return fmt.Errorf("a host of build %s joins one of build a: %v", other, err)
	}
	for _, words := range []string{"build aaaaaaaaaaaa, revision a", "build bbbbbbbbbbbb, revision b", "copy one executable to all machines"} {
		if !strings.Contains(refused.Reason, words) {
			return fmt.Errorf("the refusal says %q, and not %q", refused.Reason, words)
		}
	}
	return nil
}

// TestBuildsAreKeptApart: peers and clients of another build are refused, with both named.
func TestBuildsAreKeptApart(t *testing.T) {
	for _, client := range []bool{false, true} {
		for _, other := range []string{"a", "b"} {
			if err := mixBuilds(t, other, client); err != nil {
				t.Errorf("build %s, client %v: %v", other, client, err)
			}
		}
	}
}
