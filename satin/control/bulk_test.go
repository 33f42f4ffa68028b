package control

import (
	"context"
	"testing"

	"satingrid/membership"
	"satingrid/satin/p2p"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// slowCarrier has bulk messages under way until they are let go.
type slowCarrier struct {
	p2p.Carrier
	letGo chan struct{}
}

func (c *slowCarrier) SendBulk(context.Context, string, []byte, []byte) error {
	<-c.letGo
	return nil
}

// TestBulksUnderWayAreBounded: by number and by bytes for each peer, but one may always be under
// way; and big ones together.
func TestBulksUnderWayAreBounded(t *testing.T) {
	c := &slowCarrier{letGo: make(chan struct{})}
	l := &Loop{conf: Config{Clock: stopped{}}, carrier: c, wake: make(chan struct{}, 1), ctx: t.Context()}
	small, half, huge := make([]byte, bulkAbove+1), make([]byte, bulkBytesMax/2), make([]byte, bulkBytesMax+1)
	for range 2 * bulksMax {
		l.sendBytes("many", nil, small)
	}
	for range 5 {
		l.sendBytes("large", nil, half)
	}
	for range 2 {
		l.sendBytes("huge", nil, huge[:bigsMax-2*len(half)])
	}
	l.sendBytes("late", nil, half) // there is no room for one more big one
	l.send("huge", peer.Message{Body: peer.Submit{Root: huge}})
	for to, want := range map[membership.PeerID]underwayTo{
		"many": {bulks: bulksMax, bytes: bulksMax * len(small)}, "large": {bulks: 2, bytes: bulkBytesMax}, "huge": {bulks: 1, bytes: bigsMax - 2*len(half)}, "late": {},
	} {
		got := l.underway.to[to]
		if got == nil {
			got = &underwayTo{}
		}
		if got.bulks != want.bulks || got.bytes != want.bytes {
			t.Errorf("to %s: %d of %d bytes, want %d of %d", to, got.bulks, got.bytes, want.bulks, want.bytes)
		}
	}
	close(c.letGo)
	l.goroutines.Wait()
	l.doPosted()
	if len(l.underway.to) != 0 || l.underway.bigs != 0 {
		t.Errorf("all have come, and %v is under way", l.underway)
	}
}

// TestARepeatedBulkWaitsForTheFirst: while a result is on its way it goes no second time, and
// afterwards it may.
func TestARepeatedBulkWaitsForTheFirst(t *testing.T) {
	c := &slowCarrier{letGo: make(chan struct{})}
	l := &Loop{conf: Config{Clock: stopped{}}, carrier: c, wake: make(chan struct{}, 1), ctx: t.Context()}
	result := func(loan steal.LoanNo) peer.Message {
		return peer.Message{Body: steal.Return{Number: loan, Result: steal.Result{Bytes: make([]byte, 2*bulkAbove)}}}
	}
	for range 5 {
		l.send("owner", result(1))
		l.send("owner", result(2))
		l.send("other", result(1))
	}
	if a, b := l.underway.to["owner"].bulks, l.underway.to["other"].bulks; a != 2 || b != 1 {
		t.Errorf("%d and %d are under way, want 2 and 1", a, b)
	}
	close(c.letGo)
	l.goroutines.Wait()
	l.doPosted()
	l.send("owner", result(1))
	if l.underway.to["owner"].bulks != 1 {
		t.Error("a result that is not under way any more was not repeated")
	}
	l.goroutines.Wait()
}
