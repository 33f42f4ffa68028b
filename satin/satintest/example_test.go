package satintest_test

import (
	"context"
	"fmt"
	"time"

	"satingrid/satin"
	"satingrid/satin/await"
	"satingrid/satin/satintest"
	"satingrid/satin/ticket"
)

// grid is one for the examples; a test has satintest.Start.
func grid(sites ...satintest.Site) *satintest.Grid {
	g, err := satintest.Open(satintest.Config{App: app, Sites: sites, Delay: time.Millisecond})
	if err != nil {
		panic(err)
	}
	return g
}

// compute runs a task of half a second or so while something happens.
func compute(g *satintest.Grid, happen func()) {
	task := Tree{Depth: 9, Seed: 1, Leaf: time.Millisecond}
	sub, err := satin.Submit[Tree, uint64](context.Background(), g.Client, task)
	if err != nil {
		panic(err)
	}
	await.Comes(func() bool { return hasBegun(sub.Stats()) })
	happen()
	got, err := sub.Wait()
	fmt.Println(got == task.Value(), err)
}

func ExampleOpen() {
	g, err := satintest.Open(satintest.Config{App: app})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer g.Close()
	fmt.Println(g.Names())
	sum, err := satin.Run[Tree, uint64](context.Background(), g.Client, Tree{Depth: 3, Seed: 1})
	fmt.Println(sum == Tree{Depth: 3, Seed: 1}.Value(), err)
	// Output:
	// [a/1 a/2 b/1]
	// true <nil>
}

func ExampleGrid_Kill() {
	g := grid(satintest.Site{Name: "a", Peers: 2}, satintest.Site{Name: "b", Peers: 1})
	defer g.Close()
	compute(g, func() { g.Kill("a/1") }) // the oldest peer: the master
	fmt.Println(g.Names())
	// Output:
	// true <nil>
	// [a/2 b/1]
}

func ExampleGrid_Add() {
	g := grid(satintest.Site{Name: "a", Peers: 1})
	defer g.Close()
	compute(g, func() { fmt.Println(g.Add("b")) })
	// Output:
	// b/1 <nil>
	// true <nil>
}

func ExampleGrid_Leave() {
	g := grid(satintest.Site{Name: "a", Peers: 1}, satintest.Site{Name: "b", Peers: 1})
	defer g.Close()
	compute(g, func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		fmt.Println(g.Leave(ctx, "a/1"))
	})
	// Output:
	// <nil>
	// true <nil>
}

func ExampleGrid_Cut() {
	g := grid(satintest.Site{Name: "a", Peers: 1}, satintest.Site{Name: "b", Peers: 1})
	defer g.Close()
	compute(g, func() {
		since := g.Lost()
		g.Cut("a", "b")
		g.AwaitLoss(since) // before, nobody has noticed
		g.Heal()
	})
	// Output: true <nil>
}

func ExampleGrid_Pause() {
	g := grid(satintest.Site{Name: "a", Peers: 2})
	defer g.Close()
	compute(g, func() {
		since := g.Lost()
		g.Pause("a/2")
		g.AwaitLoss(since) // before, nobody has noticed
		g.Resume("a/2")
	})
	// Output: true <nil>
}

func ExampleGrid_Strike() {
	g := grid(satintest.Site{Name: "a", Peers: 2}, satintest.Site{Name: "b", Peers: 2})
	defer g.Close()
	compute(g, func() {
		end := g.Strike(satintest.Storm{Seed: 7, Every: 50 * time.Millisecond})
		time.Sleep(200 * time.Millisecond) // so long it lasts
		end()                              // tells what has happened
	})
	// Output: true <nil>
}

// Others may come, with the grid's ticket, and see what a peer of it sees.
func ExampleGrid_AddClient() {
	g := grid(satintest.Site{Name: "a", Peers: 1})
	defer g.Close()
	other, err := g.AddClient()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(g.Ticket().Grid == "", len(g.Peer("a/1").Members()), len(other.Members()))
	// Output: false 1 1
}

// A loss costs something when the peer has begun to work.
func ExampleGrid_Works() {
	g := grid(satintest.Site{Name: "a", Peers: 2})
	defer g.Close()
	task := Tree{Depth: 9, Seed: 1, Leaf: time.Millisecond}
	sub, err := satin.Submit[Tree, uint64](context.Background(), g.Client, task)
	if err != nil {
		fmt.Println(err)
		return
	}
	if g.Works("a/2", sub.Done()) {
		g.Kill("a/2")
	}
	got, err := sub.Wait()
	fmt.Println(got == task.Value(), err)
	// Output: true <nil>
}

// What site a says does not reach b, but what b says reaches a.
func ExampleGrid_CutOneWay() {
	g := grid(satintest.Site{Name: "a", Peers: 1}, satintest.Site{Name: "b", Peers: 1})
	defer g.Close()
	compute(g, func() {
		since := g.Lost()
		g.CutOneWay("a", "b")
		g.AwaitLoss(since)
		g.Heal()
	})
	// Output: true <nil>
}

// A network alone, for peers that a test opens itself: here one, which hears no gossip for a while.
func ExampleNetwork() {
	n := satintest.NewNetwork(func(from, to string) time.Duration { return 0 })
	t, err := ticket.New("lab")
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := satin.Open(context.Background(), satin.Config{
		App: app, Ticket: t, Site: "a", Testing: satin.Testing{Carrier: n.Carrier("a")},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer p.Close()
	n.Deafen(p.ID(), true)
	n.Deafen(p.ID(), false)
	fmt.Println(len(p.Members()))
	// Output: 1
}
