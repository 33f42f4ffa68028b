package satin

import (
	"context"
	"testing"

	"satingrid/membership"
	"satingrid/satin/p2p"
	"satingrid/satin/peer"
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

// TestBulksUnderWayAreBounded: by number and by bytes for each peer, but one may always be under way.
func TestBulksUnderWayAreBounded(t *testing.T) {
	c := &slowCarrier{letGo: make(chan struct{})}
	l := &loop{carrier: c, sending: map[membership.PeerID]underway{}, wake: make(chan struct{}, 1), ctx: t.Context()}
	small, half, huge := make([]byte, bulkAbove+1), make([]byte, bulkBytesMax/2), make([]byte, bulkBytesMax+1)
	for range 2 * bulksMax {
		l.sendBytes("many", small)
	}
	for range 5 {
		l.sendBytes("large", half)
		l.sendBytes("huge", huge)
	}
	l.send("huge", peer.Message{Body: peer.Submit{Root: huge}})
	for to, want := range map[membership.PeerID]underway{"many": {bulksMax, bulksMax * len(small)}, "large": {2, bulkBytesMax}, "huge": {1, len(huge)}} {
		if l.sending[to] != want {
			t.Errorf("to %s: %+v, want %+v", to, l.sending[to], want)
		}
	}
	close(c.letGo)
	l.crew.Wait()
	l.doPosted()
	if len(l.sending) != 0 {
		t.Errorf("all have come, and %v is under way", l.sending)
	}
}
