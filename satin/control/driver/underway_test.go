package driver

import (
	"testing"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// TestBulksUnderWayAreBounded: by number and by bytes for each host, but one may always be under
// way; and big ones together.
func TestBulksUnderWayAreBounded(t *testing.T) {
	d, n := alone()
	small, half, huge := make([]byte, BulkAbove+1), make([]byte, bulkBytesMax/2), make([]byte, bulkBytesMax+1)
	for range 2 * bulksMax {
		d.sendEncoded("many", membership.Who{}, small)
	}
	for range 5 {
		d.sendEncoded("large", membership.Who{}, half)
	}
	for range 2 {
		d.sendEncoded("huge", membership.Who{}, huge[:bigsMax-2*len(half)])
	}
	d.sendEncoded("late", membership.Who{}, half) // there is no room for one more big one
	d.send("huge", peer.Message{Body: peer.Submit{Root: huge}})
	for to, want := range map[membership.PeerID]underwayTo{
		"many":  {bulks: bulksMax, bytes: bulksMax * len(small)},
		"large": {bulks: 2, bytes: bulkBytesMax},
		"huge":  {bulks: 1, bytes: bigsMax - 2*len(half)},
		"late":  {},
	} {
		got := d.underway.to[to]
		if got == nil {
			got = &underwayTo{}
		}
		if got.bulks != want.bulks || got.bytes != want.bytes {
			t.Errorf("to %s: %d of %d bytes, want %d of %d", to, got.bulks, got.bytes, want.bulks, want.bytes)
		}
	}
	for _, over := range n.bulks {
		over(true)
	}
	if len(d.underway.to) != 0 || d.underway.bigs != 0 {
		t.Errorf("all have come, and %v is under way", d.underway)
	}
}

// TestARepeatedBulkWaitsForTheFirst: while a result is on its way it goes no second time, and
// afterwards it may.
func TestARepeatedBulkWaitsForTheFirst(t *testing.T) {
	d, n := alone()
	result := func(loan steal.LoanNo) peer.Message {
		return peer.Message{Body: steal.Return{Number: loan, Result: steal.Result{Bytes: make([]byte, 2*BulkAbove)}}}
	}
	for range 5 {
		d.send("owner", result(1))
		d.send("owner", result(2))
		d.send("other", result(1))
	}
	if a, b := d.underway.to["owner"].bulks, d.underway.to["other"].bulks; a != 2 || b != 1 {
		t.Errorf("%d and %d are under way, want 2 and 1", a, b)
	}
	for _, over := range n.bulks {
		over(true)
	}
	d.send("owner", result(1))
	if d.underway.to["owner"].bulks != 1 {
		t.Error("a result that is not under way any more was not repeated")
	}
}
