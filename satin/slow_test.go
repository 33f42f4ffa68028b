package satin_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"satingrid/satin/await"

	"satingrid/satin"
	"satingrid/satin/satintest"
	"satingrid/satin/ticket"
)

// Ballast is a root of tens of megabytes. Its jobs have long arguments and longer results,
// and look at the root.
type Ballast struct {
	Depth int
	Pad   []byte
}

// Crate is one of its jobs.
type Crate struct {
	Depth, N int
	Pad      []byte
}

// Cargo is a solution that can be compared, and long.
type Cargo struct {
	Weight int
	Goods  []byte
	Seal   Seal
}

// Seal is written and read by code of the program's own.
type Seal struct{ of byte }

func (x Seal) MarshalBinary() ([]byte, error) { return []byte{x.of}, nil }

func (x *Seal) UnmarshalBinary(b []byte) error {
	if len(b) != 1 {
		return errors.New("a seal has one byte")
	}
	x.of = b[0]
	return nil
}

// Better prefers the heavier.
func (c Cargo) Better(than Cargo) bool { return c.Weight > than.Weight }

func (b Ballast) Run(s *satin.Scope) (Cargo, error) {
	return Crate{Depth: b.Depth, N: 1, Pad: make([]byte, 200<<10)}.Run(s)
}

func (c Crate) Run(s *satin.Scope) (Cargo, error) {
	if c.Depth == 0 {
		satin.Computes(10 * time.Millisecond)
		v := Cargo{c.N + len(satin.Root[Ballast](s).Pad), make([]byte, 100<<10), Seal{byte(c.N)}}
		satin.Offer(s, v)
		return v, nil
	}
	x := satin.Spawn(s, Crate{c.Depth - 1, 2 * c.N, c.Pad})
	satin.Computes(2 * time.Millisecond)
	y := satin.Spawn(s, Crate{c.Depth - 1, 2*c.N + 1, c.Pad})
	m, err := y.Wait(s)
	if err != nil {
		return m, err
	}
	n, err := x.Wait(s)
	if n.Better(m) {
		m = n
	}
	return m, err
}

// TestNothingSlowOnTheLoop: a root of 60 MB, arguments of 200 KB, results and bests of 100 KB,
// copies, and a loss. None of it is encoded, decoded or compared where heartbeats are answered, and
// nobody is held dead but who was killed.
func TestNothingSlowOnTheLoop(t *testing.T) {
	var lost atomic.Int32
	g := satintest.Start(t, satintest.Config{
		App:   satin.App{Name: "slow", Tasks: []satin.TaskType{satin.Type[Ballast](), satin.Type[Crate]()}},
		Sites: []satintest.Site{{Name: "a", Peers: 2}, {Name: "b", Peers: 2}},
		Peer: func(c *satin.Config) {
			c.CopyEvery = 200 * time.Millisecond
			if c.Client {
				c.Events = func(e satin.Event) {
					if e.Kind == satin.EventLost {
						lost.Add(1)
					}
				}
			}
		},
	})
	all := []*satin.Peer{g.Client}
	for _, name := range g.Names() {
		all = append(all, g.Peer(name))
	}
	w, end := satin.WatchLoops(all...)
	defer end()
	root := Ballast{Depth: 9, Pad: make([]byte, 60<<20)}
	sub, err := satin.Submit[Ballast, Cargo](context.Background(), g.Client, root)
	if err != nil {
		t.Fatal(err)
	}
	await.Until(t, "the run is well under way", func() bool { return sub.Progress() >= 0.2 || isDone(sub) })
	g.Kill(g.Names()[3])
	await.Until(t, "the loss is noticed", func() bool { return lost.Load() > 0 })
	best, err := sub.Wait()
	if want := 1<<10 - 1 + len(root.Pad); err != nil || best.Weight != want {
		t.Errorf("it comes to %d, %v, want %d", best.Weight, err, want)
	}
	for _, f := range w.Found() {
		t.Error("on a loop: ", f)
	}
	if n := w.Long.Load(); n < 100 {
		t.Errorf("only %d long values and messages were seen", n)
	}
	if n := lost.Load(); n != 1 {
		t.Errorf("%d are held dead, 1 was killed", n)
	}
}

func isDone(sub *satin.Submission[Cargo]) bool {
	select {
	case <-sub.Done():
		return true
	default:
		return false
	}
}

// TestLongRootOnBusyCores: the same over real connections, while all cores are busy twice over.
// Nobody dies. It takes a minute or two, and so runs when SATIN_BUSY is set.
func TestLongRootOnBusyCores(t *testing.T) {
	if os.Getenv("SATIN_BUSY") == "" {
		t.Skip("SATIN_BUSY is not set: it keeps all cores busy for a minute or two")
	}
	tk, err := ticket.New("busy")
	if err != nil {
		t.Fatal(err)
	}
	var lost atomic.Int32
	open := func(name, site string, client bool) *satin.Peer {
		p, err := satin.Open(t.Context(), satin.Config{
			App: satin.App{Name: "slow", Tasks: []satin.TaskType{satin.Type[Ballast](), satin.Type[Crate]()}}, Workers: 1, Client: client, Ticket: tk,
			Site: site, Name: name, State: t.TempDir(), Listen: []string{"/ip4/127.0.0.1/tcp/0"}, Log: slog.New(slog.DiscardHandler),
			Events: func(e satin.Event) {
				if e.Kind == satin.EventLost {
					lost.Add(1)
				}
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(tk.Addrs) == 0 {
			tk.Addrs = p.Addrs()
		}
		return p
	}
	var all []*satin.Peer
	for n, site := range []string{"a", "a", "b", "b"} {
		all = append(all, open(fmt.Sprint(site, n), site, false))
	}
	client := open("client", "", true)
	defer func() {
		for _, p := range append(all, client) {
			p.Close()
		}
	}()
	w, end := satin.WatchLoops(append(all, client)...)
	defer end()
	var over atomic.Bool
	var burners sync.WaitGroup
	for range 2 * runtime.NumCPU() {
		burners.Go(func() {
			for !over.Load() {
			}
		})
	}
	defer burners.Wait()
	defer over.Store(true)
	root := Ballast{Depth: 3, Pad: make([]byte, 60<<20)}
	best, err := satin.Run[Ballast, Cargo](t.Context(), client, root)
	if want := 1<<4 - 1 + len(root.Pad); err != nil || best.Weight != want {
		t.Errorf("it comes to %d, %v, want %d", best.Weight, err, want)
	}
	for _, f := range w.Found() {
		t.Error("on a loop: ", f)
	}
	if n := lost.Load(); n != 0 {
		t.Errorf("%d false deaths", n)
	}
}
