package local_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"testing"
	"time"

	"satingrid/satin"
	"satingrid/satin/program/local"
)

// Nap is a job that sleeps for a millisecond for each of its leaves.
type Nap struct{ Depth int }

func (n Nap) Run(s *satin.Scope) (int, error) {
	if n.Depth == 0 {
		time.Sleep(time.Millisecond)
		return 1, nil
	}
	x := satin.Spawn(s, Nap{n.Depth - 1})
	a, err := Nap{n.Depth - 1}.Run(s)
	if err != nil {
		return 0, err
	}
	b, err := x.Wait(s)
	return a + b, err
}

var naps = satin.App{Name: "naps", Tasks: []satin.TaskType{satin.Type[Nap]()}}

// childWord makes this binary a child, as main would in a program that is no test.
const childWord = "child"

func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == childWord {
		local.Serve(context.Background(), naps, slog.Default(), os.Stdin, os.Stdout, nil, nil)
		return
	}
	os.Exit(m.Run())
}

// Three processes of this binary at two sites. One is killed while they compute.
func ExampleOpen() {
	ctx := context.Background()
	sites, err := local.ParseSites("a:2,b:1")
	if err != nil {
		fmt.Println(err)
		return
	}
	g, err := local.Open(ctx, local.Options{
		App: naps, Command: []string{os.Args[0], childWord}, Sites: sites, Stderr: os.Stderr, Log: slog.Default(),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer g.Close()
	run, err := satin.Submit(ctx, g.Client, Nap{10})
	if err != nil {
		fmt.Println(err)
		return
	}
	for len(run.Stats().Masters) == 0 {
		time.Sleep(time.Millisecond) // nobody has begun yet
	}
	fmt.Println(g.Kill("b/1"))
	fmt.Println(run.Wait())
	for _, p := range g.Alive() {
		fmt.Println(p.Name)
	}
	// Output:
	// <nil>
	// 1024 <nil>
	// a/1
	// a/2
}

func ExampleParseSites() {
	sites, err := local.ParseSites("delft:2,paris:1x4")
	for _, s := range sites {
		fmt.Println(s.Name, s.Peers, s.Workers)
	}
	_, bad := local.ParseSites("delft:many")
	fmt.Println(err, bad)
	// Output:
	// delft 2 1
	// paris 1 4
	// <nil> "delft:many": a number of peers from 1 to 64 is expected after the colon, as in a:2
}

func ExampleParseDistance() {
	d, err := local.ParseDistance("20ms,50Mbit")
	fmt.Println(d.Delay, d.Rate, err) // bytes a second
	// Output: 20ms 6250000 <nil>
}
