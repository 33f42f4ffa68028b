package satin_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"satingrid/satin"
	"satingrid/satin/satintest"
)

// Nap sleeps for a millisecond and returns how many leaves it has.
type Nap struct{ Depth int }

func (n Nap) Run(s *satin.Scope) (int, error) {
	if n.Depth == 0 {
		select {
		case <-time.After(time.Millisecond):
			return 1, nil
		case <-s.Context().Done():
			// the run or the peer has ended: what is returned now is no result
			return 0, s.Context().Err()
		}
	}
	x := satin.Spawn(s, Nap{n.Depth - 1})
	a, err := Nap{n.Depth - 1}.Run(s)
	if err != nil {
		return 0, err
	}
	b, err := x.Wait(s)
	return a + b, err
}

func napping() *satintest.Grid {
	g, err := satintest.Open(satintest.Config{App: satin.App{Name: "nap", Tasks: []satin.TaskType{satin.Type[Nap]()}}})
	if err != nil {
		panic(err)
	}
	return g
}

func ExamplePeer_Leave() {
	g := napping() // in memory; elsewhere satin.Open makes each peer in a process of its own
	defer g.Close()
	sub, err := satin.Submit(context.Background(), g.Client, Nap{8})
	if err != nil {
		fmt.Println(err)
		return
	}
	p := g.Peer("b/1")
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second) // the grace
	defer cancel()
	fmt.Println(p.Leave(ctx), errors.Is(p.Err(), satin.ErrLeft))
	p.Close()
	fmt.Println(sub.Wait())
	// Output:
	// <nil> true
	// 256 <nil>
}

func ExamplePeer_Order() {
	g := napping()
	defer g.Close()
	for _, m := range g.Client.Members() {
		if m.Name == "a/2" {
			fmt.Println(g.Peer("a/1").Order(context.Background(), m.ID, 10*time.Second, "b"))
		}
	}
	<-g.Peer("a/2").Done()
	fmt.Println(g.Peer("a/2").Err())
	// Output:
	// <nil>
	// satin: the peer has left the grid
}

// A member that is to move leaves only when somebody is where it moves to.
func ExamplePeer_Move() {
	g := napping()
	defer g.Close()
	who := g.Peer("a/2")
	err := g.Peer("a/1").Move(context.Background(), who.ID(), 10*time.Second, "nowhere")
	fmt.Println(errors.Is(err, satin.ErrDeserted), who.Err())
	fmt.Println(g.Peer("a/1").Move(context.Background(), who.ID(), 10*time.Second, "b"))
	<-who.Done()
	fmt.Println(errors.Is(who.Err(), satin.ErrLeft))
	// Output:
	// true <nil>
	// <nil>
	// true
}

func ExamplePeer_Bar() {
	g := napping()
	defer g.Close()
	who := g.Peer("b/1")
	fmt.Println(g.Peer("a/1").Bar(who.ID(), true))
	<-who.Done()
	fmt.Println(errors.Is(who.Err(), satin.ErrBarred))
	// Output:
	// <nil>
	// true
}

// An invitation that names others, too, leads to the grid when the one that wrote it is gone.
func ExamplePeer_Others() {
	g := napping()
	defer g.Close()
	p := g.Peer("b/1")
	fmt.Println(p.Site(), p.Beginning() == satin.Joined)
	invitation := append(p.Addrs(), p.Others()...)
	g.Kill("b/1")
	g.Client.Learn(invitation) // those that it has no session with are looked for
	fmt.Println(len(invitation) > len(p.Addrs()))
	// Output:
	// b true
	// true
}

func ExampleScope_Context() {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	_, err := satin.Run(ctx, nil, Nap{14})
	fmt.Println(err)
	// Output: context deadline exceeded
}

func ExampleSubmission_Stats() {
	g := napping()
	defer g.Close()
	sub, err := satin.Submit(context.Background(), g.Client, Nap{11})
	if err != nil {
		fmt.Println(err)
		return
	}
	for len(sub.Stats().Masters) == 0 {
		time.Sleep(time.Millisecond) // nobody has begun yet
	}
	g.Kill("b/1")
	n, err := sub.Wait()
	fmt.Println(n, err)
	for _, l := range sub.Stats().Losses {
		fmt.Printf("%s lost (%s)\n", l.Peer, l.How)
	}
	// Output:
	// 2048 <nil>
	// b/1 lost (kill)
}
