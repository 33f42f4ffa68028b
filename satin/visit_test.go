package satin_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"satingrid/satin"
	"satingrid/satin/p2p"
	"satingrid/satin/ticket"
)

// A node that says how many are there, to hosts of any build.
func ExampleVisit() {
	t, err := ticket.New("lab")
	if err != nil {
		fmt.Println(err)
		return
	}
	var members func() int
	p, err := satin.Open(context.Background(), satin.Config{
		App: naps, Ticket: t, Listen: loopback,
		Visit: func(_ context.Context, from string, question []byte) []byte {
			return fmt.Appendf(nil, "%s %d", question, members())
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer p.Close()
	members = func() int { return len(p.Members()) }
	if t, err = t.Invite(p.Addrs()...); err != nil {
		fmt.Println(err)
		return
	}
	answer, err := satin.Visit(context.Background(), t, "", []byte("members:"))
	fmt.Println(string(answer), err)
	// Output: members: 1 <nil>
}

// TestVisitNobody says what is wrong with a way that leads nowhere.
func TestVisitNobody(t *testing.T) {
	grid, err := ticket.New("lab")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := satin.Visit(t.Context(), grid, "", nil); err == nil {
		t.Error("a ticket without addresses leads to an answer")
	}
	grid, err = grid.Invite("/ip4/127.0.0.1/tcp/1/p2p/12D3KooWQyDdBKpF5xGq4aqFJWRQcHJxX6xCGsGYyH3Xw2Y3x7vf")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := satin.Visit(t.Context(), grid, "", nil); !errors.Is(err, p2p.ErrNobody) {
		t.Errorf("nobody is there: %v", err)
	}
}
