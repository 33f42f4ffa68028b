package satintest_test

import (
	"context"
	"fmt"
	"time"

	"satingrid/satin/await"

	"satingrid/satin"
	"satingrid/satin/satintest"
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
