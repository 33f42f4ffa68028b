package p2p_test

import (
	"bytes"
	"context"
	"fmt"

	"satingrid/satin/p2p"
)

// Two hosts of one grid: one dials the other and sends it a frame.
func Example() {
	got := make(chan string)
	config := p2p.Config{
		Grid:   "lab",
		Secret: bytes.Repeat([]byte{1}, p2p.SecretSize), // from the ticket
		Listen: []string{"/ip4/127.0.0.1/tcp/0"},
		Hello:  func() []byte { return []byte("build 1") },
	}
	config.Events.Frame = func(_ string, frame []byte) { got <- string(frame) }
	ctx := context.Background()
	a, err := p2p.Open(ctx, config)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer a.Close()
	b, err := p2p.Open(ctx, config)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer b.Close()
	id, err := a.Dial(ctx, b.Addrs()...)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(id == b.ID(), a.Send(id, []byte("have you work for me?")))
	fmt.Println(<-got)
	// Output:
	// true <nil>
	// have you work for me?
}

// A host with another secret is refused, and told why.
func ExampleDeniedError() {
	config := p2p.Config{Grid: "lab", Listen: []string{"/ip4/127.0.0.1/tcp/0"}}
	config.Secret = bytes.Repeat([]byte{1}, p2p.SecretSize)
	a, err := p2p.Open(context.Background(), config)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer a.Close()
	config.Secret = bytes.Repeat([]byte{2}, p2p.SecretSize)
	b, err := p2p.Open(context.Background(), config)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer b.Close()
	_, err = b.Dial(context.Background(), a.Addrs()...)
	refusal, ok := err.(*p2p.DeniedError)
	fmt.Println(ok && refusal.Peer == a.ID(), refusal.Why)
	// Output: true has a wrong grid secret
}

// A host that tells hosts of other builds how many peers it has.
func ExampleVisit() {
	secret := bytes.Repeat([]byte{1}, p2p.SecretSize)
	h, err := p2p.Open(context.Background(), p2p.Config{
		Grid: "lab", Secret: secret, Listen: []string{"/ip4/127.0.0.1/tcp/0"},
		Visit: func(_ context.Context, from string, request []byte) []byte { return append(request, " 0"...) },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer h.Close()
	by := p2p.Visitor{Grid: "lab", Secret: secret}
	answer, err := p2p.Visit(context.Background(), by, []byte("peers:"), h.Addrs()...)
	fmt.Println(string(answer), err)
	// Output: peers: 0 <nil>
}
