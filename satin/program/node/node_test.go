package node

import (
	"bytes"
	"testing"

	"satingrid/satin"
	"satingrid/satin/program/console"
)

// TestMembersAreTold in the words of the command: one that rejoined had been silent.
func TestMembersAreTold(t *testing.T) {
	var said bytes.Buffer
	con := &console.Console{Name: "lab", Err: &said}
	sayMember(con, satin.Event{Kind: satin.EventJoined, Peer: "b/1"})
	sayMember(con, satin.Event{Kind: satin.EventLost, Peer: "b/1", How: "rejoin"})
	if said.String() != "lab: b/1 is here\nlab: b/1 is gone (silent)\n" {
		t.Errorf("a node says %q", &said)
	}
}
