package satin_test

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"satingrid/apps/fib"
	"satingrid/satin"
	"satingrid/satin/await"
	"satingrid/satin/build"
	"satingrid/satin/p2p"
	"satingrid/satin/satintest"
	"satingrid/satin/ticket"
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
	var refused *p2p.DeniedError
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

// TestOpenWaitsForNoBuild: a peer is open, and computes, while it is still being found out what its
// program was built from, for which its executable may have to be read. Others are let in then.
func TestOpenWaitsForNoBuild(t *testing.T) {
	for _, carrier := range []string{"libp2p", "in memory"} {
		t.Run(carrier, func(t *testing.T) {
			tk, err := ticket.New("builds")
			if err != nil {
				t.Fatal(err)
			}
			network := satintest.NewNetwork(func(from, to string) time.Duration { return 0 })
			open := func(known <-chan struct{}) *satin.Peer {
				c := satin.Config{App: fib.App(), Workers: 1, Ticket: tk, Listen: []string{"/ip4/127.0.0.1/tcp/0"}, Log: slog.New(slog.DiscardHandler)}
				if carrier == "in memory" {
					c.Testing.Carrier = network.Carrier("a")
				}
				c.PretendOnce(known, pretended("a"))
				p, err := satin.Open(t.Context(), c)
				if err != nil {
					t.Fatal(err)
				}
				return p
			}
			known := make(chan struct{})
			isKnown := sync.OnceFunc(func() { close(known) })
			late := time.AfterFunc(await.Patience, func() {
				t.Error("it waits until its build is known")
				isKnown()
			})
			one := open(known)
			defer one.Close()
			defer isKnown() // Close waits for that
			if n, err := satin.Run(t.Context(), one, fib.Fib{N: 20}); err != nil || n != 6765 {
				t.Errorf("it computes %d, %v", n, err)
			}
			late.Stop()
			isKnown()
			tk.Addrs = one.Addrs()
			open(nil).Close()
		})
	}
}

// TestVersionIsEnough: what a build has on disk is for no other, but where an App says that its
// version is enough; then a peer of another finds it.
func TestVersionIsEnough(t *testing.T) {
	app := fib.App()
	of := func(made, version string, enough bool) satin.App {
		app.Version, app.VersionIsEnough = version, enough
		return app
	}
	first := satin.StoredFor(of("a", "1", true), pretended("a"))
	for _, other := range []struct {
		made, version string
		enough, same  bool
	}{
		{"a", "1", true, true}, {"b", "1", true, true}, {"b", "2", true, false}, {"a", "1", false, false}, {"b", "1", false, false},
	} {
		if got := satin.StoredFor(of(other.made, other.version, other.enough), pretended(other.made)); (got == first) != other.same {
			t.Errorf("%+v is stored for %s, and the first for %s", other, got, first)
		}
	}
	if _, err := satin.Open(t.Context(), satin.Config{App: of("a", "", true)}); err == nil || !strings.Contains(err.Error(), "VersionIsEnough without a Version") {
		t.Errorf("no version is enough: %v", err)
	}

	state := t.TempDir()
	open := func(made string) *satin.Peer {
		t.Helper()
		tk, err := ticket.New("versions")
		if err != nil {
			t.Fatal(err)
		}
		network := satintest.NewNetwork(func(from, to string) time.Duration { return 0 })
		c := satin.Config{App: of(made, "1", true), Workers: 1, Ticket: tk, State: state, Testing: satin.Testing{Carrier: network.Carrier("a")}}
		c.Pretend(pretended(made))
		p, err := satin.Open(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { p.Close() })
		return p
	}
	p := open("a")
	sub, err := satin.Submit[fib.Fib, int64](t.Context(), p, fib.Fib{N: 10}, satin.Keep(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sub.Wait(); err != nil {
		t.Fatal(err)
	}
	if err := p.Leave(t.Context()); err != nil {
		t.Fatal(err)
	}
	p = open("b")
	await.Until(t, "the run of the other build is there", func() bool {
		all := p.Runs()
		return len(all) == 1 && all[0].State == satin.RunAnswered
	})
}
