//go:build unix

package launch

import (
	"testing"

	"satingrid/satin/ticket"
)

// ticketWord is a ticket to some grid.
func ticketWord(t *testing.T) string {
	t.Helper()
	g, err := ticket.New("lab")
	if err == nil {
		g, err = g.Invite("/ip4/192.0.2.1/tcp/4001/p2p/12D3KooWAc7p")
	}
	if err != nil {
		t.Fatal(err)
	}
	word, err := g.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return word
}
