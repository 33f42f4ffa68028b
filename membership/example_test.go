package membership_test

import (
	"fmt"
	"math/rand/v2"
	"time"

	"satingrid/membership"
)

// told prints what a view wants done, or has found out.
func told(effects []membership.Effect) {
	for _, e := range effects {
		switch e := e.(type) {
		case membership.Joined:
			fmt.Println(e.Member.Name, "has joined")
		case membership.Dial:
			fmt.Println("dial", e.ID)
		case membership.Lost:
			fmt.Printf("%s is lost (%v), noticed within %v\n", e.Member.Name, e.Member.How, e.Noticed)
		case membership.Publish:
			fmt.Printf("publish %T\n", e.Body)
		case membership.Send:
			fmt.Printf("send %T to %s\n", e.Body, e.To)
		}
	}
}

// One peer joins another, and its process dies.
func ExampleView() {
	rng := rand.New(rand.NewPCG(1, 2))
	a := membership.New(membership.Config{ID: "a", Name: "delft/a", Site: "delft", Workers: 2}, rng)
	b := membership.New(membership.Config{ID: "b", Name: "paris/b", Site: "paris", Workers: 2}, rng)
	a.Enter(0)

	// b learns what a knows, enters as the youngest, and greets everybody.
	members, bars := a.Snapshot(time.Second)
	told(b.Adopt(time.Second, members, bars))
	told(b.Enter(time.Second))
	told(a.HearHello(time.Second, "b", membership.Hello{Member: b.Self()}))
	oldest, _ := b.Oldest()
	fmt.Println(oldest.Name, "is the oldest")

	// The connection breaks. It is dialled once more, and nobody listens there.
	told(a.Disconnected(5*time.Second, "b"))
	told(a.ConnectRefused(5*time.Second, "b"))
	// Output:
	// delft/a has joined
	// publish membership.Hello
	// send membership.Hello to a
	// paris/b has joined
	// delft/a is the oldest
	// dial b
	// paris/b is lost (kill), noticed within 4s
	// publish membership.Gone
	// send membership.Refused to b
}
