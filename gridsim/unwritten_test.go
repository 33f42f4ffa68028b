package gridsim

import (
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
)

// A queue is bounded by frames and by bytes; what was written makes room.
func TestSendQueue(t *testing.T) {
	var q sendQueue
	for n := range 3 {
		if !q.has(0, 3, 10) {
			t.Fatalf("there is no room for frame %d", n)
		}
		q.put(time.Duration(n+1)*time.Second, 10)
	}
	if q.has(time.Second-1, 3, 10) {
		t.Error("there is room for one more than there may be")
	}
	if !q.has(time.Second, 3, 10) || q.bytes != 20 || len(q.frames) != 2 {
		t.Errorf("the first was written: %+v", q)
	}
	q.put(time.Minute, queueBytes-20)
	if q.has(time.Second, 9, 1) || !q.has(2*time.Second, 9, 10) {
		t.Error("there is room for more bytes than there may be, or none after some were written")
	}
}

// A process that is stopped reads nothing: what is said to it waits, up to a bound, and what is
// beyond is lost without a word. When it goes on it hears what has waited, and the rest goes its
// way.
func TestFramesBeyondTheQueueAreLost(t *testing.T) {
	w := idle(t, 2)
	from, to := w.who.members()[0], w.who.members()[1]
	to.asleep = w.now + 500*time.Millisecond
	hello := toHosts{from}.Encode(peer.Message{From: from.peer.Sight().Self().Incarnation, Body: membership.Hello{Member: from.peer.Sight().Self()}})
	before := w.report.Messages
	for range queueFrames + 44 {
		if !(toHosts{from}).Send(to.id, hello) {
			t.Fatal("there is no session")
		}
	}
	if sent := w.report.Messages - before; w.report.Full != 44+queueFrames-sent || sent < queueFrames-8 || sent > queueFrames {
		t.Errorf("%d were sent, and %d found no room", sent, w.report.Full)
	}
	w.passes(t, time.Second)
	full := w.report.Full
	if (toHosts{from}).Send(to.id, hello); w.report.Full != full {
		t.Error("all was read, and there is no room")
	}
	w.passes(t, 10*time.Second)
	w.isOne(t)
}
