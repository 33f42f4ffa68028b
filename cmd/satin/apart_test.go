//go:build unix

package main

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"satingrid/satin"
	"satingrid/satin/await"
	"satingrid/satin/program/console"
	"satingrid/satin/ticket"
)

// wholeWithin is how long parts of a grid that can reach each other may take to be one.
const wholeWithin = 10 * time.Second

// Ports that no system gives by itself to who listens at any or connects, so that nobody beside
// has one while its node is down.
const (
	firstPort = 20000
	nPorts    = 10000
)

// nextPort is the port that listenAt looks at next; another process begins elsewhere.
var nextPort atomic.Uint32

func init() { nextPort.Store(rand.Uint32N(nPorts)) }

// listenAt gives addresses that are free now, and that a node can be told to come back to.
func listenAt(t testing.TB, n int) (addrs []string) {
	t.Helper()
	for range nPorts {
		port := firstPort + nextPort.Add(1)%nPorts
		if l, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			l.Close()
			addrs = append(addrs, fmt.Sprintf("/ip4/127.0.0.1/tcp/%d", port))
		}
		if len(addrs) == n {
			return addrs
		}
	}
	t.Fatal("no port is free")
	return nil
}

// startAt starts a node at an address, from a folder that there may be.
func startAt(t *testing.T, folder, addr string, args ...string) *node {
	t.Helper()
	return startNodeWith(t, nil, folder, append(args, "--listen", addr)...)
}

// areOne waits until all nodes know each other and nobody else, and complains if they took
// too long since then. What was overslept does not count: nodes had no more of the machine either.
func areOne(t *testing.T, since watch, nodes ...*node) {
	t.Helper()
	for _, n := range nodes {
		n.awaitMembers(t, nodes...)
	}
	took, overslept := since()
	t.Logf("%d nodes are one after %v, of which %v were overslept", len(nodes), took.Round(10*time.Millisecond), overslept.Round(10*time.Millisecond))
	if took-overslept > wholeWithin {
		t.Errorf("%d nodes took %v to be one, of which %v were overslept", len(nodes), took, overslept)
	}
}

// keepsAddresses waits until a node has kept where another was reached.
func (n *node) keepsAddresses(t *testing.T, of ...*node) {
	t.Helper()
	var text []byte
	await.UntilOr(t, func() bool {
		text, _ = os.ReadFile(filepath.Join(n.folder, satin.AddressesFile))
		return !slices.ContainsFunc(of, func(o *node) bool { return !strings.Contains(string(text), o.addr) })
	}, func() string { return fmt.Sprintf("%s does not keep where the others are: %s", n.name, text) })
	info, err := os.Stat(filepath.Join(n.folder, satin.AddressesFile))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the address book: %v, %v", info.Mode(), err)
	}
}

func TestRestartWithoutTheFounder(t *testing.T) {
	t.Parallel()
	restartWithoutTheFounder(t, onLoopback)
}

// restartWithoutTheFounder: it is killed, and a member restarts from its own folder beside a living
// one. Then the founder comes back at another address: it founds nothing.
func restartWithoutTheFounder(t *testing.T, on ground) {
	hosts, fresh := on(t, 3)
	a, b, c := hosts[0], hosts[1], hosts[2]
	a.start("--site", "a")
	b.start("--site", "b", "--join", a.ticket)
	c.start("--site", "c", "--join", a.ticket)
	b.keepsAddresses(t, nodesOf(a, c)...)
	a.keepsAddresses(t, nodesOf(b, c)...)
	a.dies()
	c.awaitMembers(t, nodesOf(b, c)...)
	c.awaitSaid(t, a.name+" is gone (") // who asks hears it before the log does
	if said := c.said(t); a.isDark && !strings.Contains(said, a.name+" is gone (silent)") {
		t.Errorf("a machine that is off is not noticed by its silence: %s", said)
	}
	b.leaves()
	c.awaitMembers(t, c.node)
	since := newPulse(t).watch()
	b.start()
	areOne(t, since, nodesOf(b, c)...)
	a.moves(fresh())
	since = newPulse(t).watch()
	a.start()
	areOne(t, since, nodesOf(a, b, c)...)
}

func TestAnyOneStartsFirst(t *testing.T) {
	t.Parallel()
	anyOneStartsFirst(t, onLoopback)
}

// anyOneStartsFirst: all leave in order, and any one of them starts first.
func anyOneStartsFirst(t *testing.T, on ground) {
	hosts, _ := on(t, 3)
	hosts[0].start()
	for _, h := range hosts[1:] {
		h.start("--join", hosts[0].ticket)
	}
	for i, h := range hosts {
		h.keepsAddresses(t, nodesOf(hosts[(i+1)%3], hosts[(i+2)%3])...)
	}
	for i, x := range hosts {
		y, z := hosts[(i+1)%3], hosts[(i+2)%3]
		for _, h := range hosts {
			h.leaves()
		}
		x.start()
		x.awaitSaid(t, "goes on alone as the same grid")
		since := newPulse(t).watch()
		y.start()
		areOne(t, since, nodesOf(x, y)...)
		since = newPulse(t).watch()
		z.start()
		areOne(t, since, nodesOf(hosts...)...)
	}
}

func TestTwoSwapPorts(t *testing.T) {
	t.Parallel()
	twoSwap(t, onLoopback)
}

// twoSwap: two nodes restart, each at the other's address.
func twoSwap(t *testing.T, on ground) {
	hosts, _ := on(t, 2)
	a, b := hosts[0], hosts[1]
	a.start()
	b.start("--join", a.ticket)
	a.keepsAddresses(t, b.node)
	b.keepsAddresses(t, a.node)
	a.dies()
	b.dies()
	atA, atB := a.listens, b.listens
	a.moves(atB)
	b.moves(atA)
	a.start()
	since := newPulse(t).watch()
	b.start()
	areOne(t, since, nodesOf(a, b)...)
	for _, n := range nodesOf(a, b) {
		if strings.Contains(n.said(t), "dial to self") {
			t.Errorf("it says what misleads: %s", n.said(t))
		}
	}
}

// A refusal is an answer: one whose folder has another build's or another grid's hosts founds
// nothing; one without a past that reaches nobody ends, too. Who merely has the address of a host
// that is known is nobody: whoever finds no other goes on as the grid that it was in.
func TestNobodyFoundsASecondGrid(t *testing.T) {
	t.Parallel()
	for name, scene := range map[string]func(t *testing.T, a, b *host){
		"barred": func(t *testing.T, a, b *host) {
			id := b.addr[strings.LastIndexByte(b.addr, '/')+1:]
			told(t, "kick", id, "--state", a.folder)
			b.isRefused(console.ExitRefused, "is barred from the grid")
		},
		"nobody": func(t *testing.T, a, _ *host) {
			a.end()
			refused(t, console.ExitRefused, "nobody answers there", "node", "--listen", anyPort, "--state", filepath.Join(t.TempDir(), "new"), "--join", a.ticket)
		},
		"another build": func(t *testing.T, a, b *host) {
			a.end()
			tk, err := ticket.Load(a.ticket)
			if err != nil {
				t.Fatal(err)
			}
			app := command().App()
			app.Version = "0"
			p, err := satin.Open(t.Context(), satin.Config{
				App: app, Ticket: tk, State: a.folder, Workers: 1, Listen: []string{a.listens}, Log: slog.New(slog.DiscardHandler),
			})
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			b.isRefused(console.ExitIncompatible, `this grid runs "satin" "0", the other host "1"`)
		},
		"another grid": func(t *testing.T, a, b *host) {
			a.end()
			for _, name := range []string{ticket.GridFile, satin.AddressesFile} {
				// so that it founds another
				if err := os.Remove(filepath.Join(a.folder, name)); err != nil {
					t.Fatal(err)
				}
			}
			a.start()
			b.isRefused(console.ExitRefused, "this host belongs to another grid")
			a.awaitMembers(t, a.node)
		},
		"another grid's host": func(t *testing.T, a, b *host) {
			a.end()
			other := startAt(t, filepath.Join(t.TempDir(), "other"), a.listens)
			b.start()
			b.awaitSaid(t, "goes on alone as the same grid")
			a.listens = listenAt(t, 1)[0]
			since := newPulse(t).watch()
			a.start()
			areOne(t, since, nodesOf(a, b)...)
			other.awaitMembers(t, other)
		},
		"another grid's host that it has met": func(t *testing.T, a, b *host) {
			b.start()
			b.awaitMembers(t, nodesOf(a, b)...)
			a.dies()
			other := startAt(t, filepath.Join(t.TempDir(), "other"), a.listens)
			b.keepsAddresses(t, other)
			b.end()
			b.start()
			b.awaitSaid(t, "goes on alone as the same grid")
			other.awaitMembers(t, other)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			hosts, _ := onLoopback(t, 2)
			a, b := hosts[0], hosts[1]
			a.start()
			b.start("--join", a.ticket)
			b.keepsAddresses(t, a.node)
			b.end()
			scene(t, a, b)
		})
	}
}

// isRefused starts the node of a host that has a past: it must end by these words, and belong to
// the same grid as before.
func (h *host) isRefused(code int, words string) {
	h.t.Helper()
	of := func() string {
		text, err := os.ReadFile(filepath.Join(h.folder, ticket.GridFile))
		if err != nil {
			h.t.Fatal(err)
		}
		return string(text)
	}
	before := of()
	refused(h.t, code, words, "node", "--listen", h.listens, "--state", h.folder)
	if after := of(); after != before {
		h.t.Errorf("its folder has another grid: %s, and had %s", after, before)
	}
}

// A host is taken off the list of those who are allowed while all are down. Who starts again with
// that list does without it: that the list has it not is no word of the grid's.
func TestListedNoMore(t *testing.T) {
	t.Parallel()
	a := startNode(t)
	b := startNode(t, "--join", a.ticket)
	a.keepsAddresses(t, b)
	b.end()
	a.end()
	list := filepath.Join(t.TempDir(), "ids")
	id := a.addr[strings.LastIndexByte(a.addr, '/')+1:]
	if err := os.WriteFile(list, []byte(id+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	a = startNodeIn(t, a.folder, "--allow", list)
	a.awaitSaid(t, "goes on alone as the same grid")
	refused(t, console.ExitRefused, "is not on the allow-list", "node", "--listen", anyPort, "--state", b.folder, "--join", a.ticket)
}
