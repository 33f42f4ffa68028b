package ticket_test

import (
	"fmt"

	"satingrid/satin/ticket"
)

func Example() {
	grid, err := ticket.New("lab") // the founder keeps this one
	if err != nil {
		fmt.Println(err)
		return
	}
	invitation, err := grid.Invite("/ip4/192.0.2.1/tcp/4001/p2p/12D3KooWQyDdBKpF5xGq4aqFJWRQcHJxX6xCGsGYyH3Xw2Y3x7vf")
	if err != nil {
		fmt.Println(err)
		return
	}
	word, _ := invitation.Encode() // to a file, with Save, or SATIN_TICKET
	got, err := ticket.Parse(word)
	fmt.Println(got, err)
	// Output: ticket for grid "lab", addresses: 1 <nil>
}

func ExampleHostsOf() {
	for _, h := range ticket.HostsOf([]string{
		"/ip4/192.0.2.1/tcp/4001/p2p/12D3KooWA", "/ip4/192.0.2.9/tcp/4001/p2p/12D3KooWB", "/ip4/10.0.0.1/tcp/4001/p2p/12D3KooWA",
	}) {
		fmt.Println(h.ID, len(h.Addrs))
	}
	// Output:
	// 12D3KooWA 2
	// 12D3KooWB 1
}
