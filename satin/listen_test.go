package satin_test

import (
	"context"
	"sync"
	"testing"

	"satingrid/apps/fib"
	"satingrid/satin"
	"satingrid/satin/satintest"
)

// TestListenerThatNeverReturns: a program's Events does not return. Its peer goes on – it answers,
// computes, and sees who comes – and Close does not wait for it.
func TestListenerThatNeverReturns(t *testing.T) {
	listens, until := make(chan struct{}), make(chan struct{})
	listening := sync.OnceFunc(func() { close(listens) })
	defer close(until)
	g := satintest.Start(t, satintest.Config{
		App: fib.App(), Sites: []satintest.Site{{Name: "a", Peers: 1}},
		Peer: func(c *satin.Config) {
			if c.Name == "a/1" {
				c.Events = func(satin.Event) {
					listening()
					<-until
				}
			}
		},
	})
	if _, err := g.Add("a"); err != nil {
		t.Fatal(err)
	}
	<-listens // a/1 is told of the other, or of itself
	p := g.Peer("a/1")
	for range 2 {
		if _, err := g.Add("a"); err != nil {
			t.Fatal(err)
		}
	}
	// asks its loop, which learns of them as fast as they are greeted
	for len(p.Members()) < 4 {
		if err := p.Err(); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := satin.Run(context.Background(), g.Client, fib.Fib{N: 20}); n != 6765 || err != nil {
		t.Errorf("it computes %d, %v", n, err)
	}
	p.Close()
}
