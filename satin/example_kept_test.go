package satin_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"satingrid/satin"
	"satingrid/satin/satintest"
)

// A process leaves a run to the grid, and ends. Another one, which has no more than its id, comes
// for the answer.
func ExampleAttach() {
	g := napping()
	defer g.Close()
	ctx := context.Background()
	sub, err := satin.Submit(ctx, g.Client, Nap{8}, satin.Keep(time.Hour), satin.Label("naps"), satin.By("ann@desk"))
	if err != nil {
		fmt.Println(err)
		return
	}
	<-sub.Accepted()
	run := sub.ID()
	g.Client.Close()

	other, err := g.AddClient()
	if err != nil {
		fmt.Println(err)
		return
	}
	later, root, err := satin.Attach[Nap](ctx, other, run)
	if err != nil {
		fmt.Println(err)
		return
	}
	n, err := later.Wait()
	fmt.Println(*root, n, err)
	// Output: {8} 256 <nil>
}

func ExampleSubmission_Release() {
	g := napping()
	defer g.Close()
	ctx := context.Background()
	sub, err := satin.Submit(ctx, g.Client, Nap{14}, satin.Keep(time.Minute))
	if err != nil {
		fmt.Println(err)
		return
	}
	<-sub.Accepted() // before, nobody but this process may have it
	fmt.Println(sub.Release())
	_, err = sub.Wait()
	fmt.Println(errors.Is(err, satin.ErrReleased))
	// Output:
	// <nil>
	// true
}

func ExamplePeer_Runs() {
	g := napping()
	defer g.Close()
	ctx := context.Background()
	sub, err := satin.Submit(ctx, g.Client, Nap{14}, satin.Label("a long nap"), satin.By("ann@desk"), satin.Share(50))
	if err != nil {
		fmt.Println(err)
		return
	}
	<-sub.Accepted()
	for _, r := range g.Peer("a/1").Runs() {
		fmt.Println(r.State, r.By, r.Label, r.Share, r.ID == sub.ID())
	}
	// Output: computing ann@desk a long nap 50 true
}

// What a peer has done is there when its runs have gone.
func ExamplePeer_Totals() {
	g := napping()
	defer g.Close()
	if _, err := satin.Run(context.Background(), g.Client, Nap{1}); err != nil {
		fmt.Println(err)
		return
	}
	t := g.Peer("a/1").Totals()
	fmt.Println(t.Jobs, "job,", t.Again, "put back")
	// Output: 1 job, 0 put back
}

// Each root and each job of another peer that has ended there is told of for a while.
func ExamplePeer_Loans() {
	g := napping()
	defer g.Close()
	if _, err := satin.Run(context.Background(), g.Client, Nap{0}); err != nil {
		fmt.Println(err)
		return
	}
	for _, l := range g.Peer("a/1").Loans(0) {
		fmt.Println(l.No, l.From == "", l.Took > 0, l.Ago > 0)
	}
	// Output: 1 true true true
}

// Cup is a task that offers how much is in it, and goes on.
type Cup struct{ Litres int }

// Filled is its best.
type Filled struct{ Litres int }

func (f Filled) Better(than Filled) bool { return f.Litres > than.Litres }

func (c Cup) Run(s *satin.Scope) (Filled, error) {
	satin.Offer(s, Filled(c))
	<-s.Context().Done()
	return Filled{}, s.Context().Err()
}

// A peer that has submitted nothing sees the best of a run so far.
func ExampleBestOf() {
	g, err := satintest.Open(satintest.Config{App: satin.App{Name: "cups", Tasks: []satin.TaskType{satin.Type[Cup]()}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer g.Close()
	sub, err := satin.Submit(context.Background(), g.Client, Cup{7})
	if err != nil {
		fmt.Println(err)
		return
	}
	<-sub.Accepted()
	for {
		if root, best, ok := satin.BestOf[Cup](g.Peer("a/1"), sub.ID()); ok {
			fmt.Println(*root, best)
			break
		}
		time.Sleep(time.Millisecond)
	}
	_, _, ok := satin.BestOf[Cup](g.Peer("a/1"), satin.RunID{})
	fmt.Println(ok)
	// Output:
	// {7} {7}
	// false
}

// Any member and any client may give a run another share, and end it.
func ExamplePeer_CancelRun() {
	g := napping()
	defer g.Close()
	ctx := context.Background()
	sub, err := satin.Submit(ctx, g.Client, Nap{14})
	if err != nil {
		fmt.Println(err)
		return
	}
	<-sub.Accepted()
	master := g.Peer("a/1")
	fmt.Println(master.ShareRun(ctx, sub.ID(), 200))
	fmt.Println(master.CancelRun(ctx, sub.ID()))
	_, err = sub.Wait()
	fmt.Println(err != nil)
	fmt.Println(errors.Is(master.CancelRun(ctx, sub.ID()), satin.ErrNoRun))
	// Output:
	// <nil>
	// <nil>
	// true
	// true
}
