package control

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"satingrid/membership"
	"satingrid/satin/control/driver"
	"satingrid/satin/peer"
	"satingrid/satin/wire"
)

// TestWhatComesIsDecoded: and queued, with what its sender has proved to be. Who cannot be
// understood is hung up on, which is said now and then; what is gossiped has no session to end.
func TestWhatComesIsDecoded(t *testing.T) {
	var said strings.Builder
	c := Config{Clock: stopped{}, Log: slog.New(slog.NewTextHandler(&said, nil))}
	i := newIncoming(t.Context(), &c)
	frame, err := wire.Encode(peer.Message{Body: peer.Pull{}})
	if err != nil {
		t.Fatal(err)
	}
	i.up("c", true)
	i.up("m", false)
	for _, from := range []string{"c", "m"} {
		if !i.receive(from, frame, true) {
			t.Errorf("%s is hung up on", from)
		}
		a := <-i.frames
		if a.from != membership.PeerID(from) || a.client != (from == "c") || a.message.Body.Kind() != peer.KindPull {
			t.Errorf("%+v has come from %s", a, from)
		}
	}
	i.down("c")
	if i.receive("c", frame, true); (<-i.frames).client {
		t.Error("it was a client in an earlier session")
	}
	for range 3 {
		if i.receive("m", []byte("nonsense"), true) {
			t.Error("who says nonsense is not hung up on")
		}
	}
	if !i.receive("m", []byte("nonsense"), false) {
		t.Error("who passes on what is gossiped is hung up on")
	}
	if n := strings.Count(said.String(), "hung up"); n != 1 || len(i.frames) > 0 {
		t.Errorf("it is said %d times, and %d messages wait", n, len(i.frames))
	}
}

// TestLongMessages: a member may send what a run was promised, a client what it always may.
func TestLongMessages(t *testing.T) {
	i := newIncoming(t.Context(), &Config{Clock: stopped{}})
	i.up("c", true)
	i.promise(100)
	i.promise(50)
	if n := i.bulkFrom("m"); n != 100+driver.BulkAbove {
		t.Errorf("a member may send %d bytes", n)
	}
	if n := i.bulkFrom("c"); n != 0 {
		t.Errorf("a client may send %d bytes", n)
	}
}

// TestWhoSaysTooMuchWaits: what comes by a session, so that the carrier reads no more of it. What
// is gossiped waits for nobody, and the loop's end for neither.
func TestWhoSaysTooMuchWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		ctx, stop := context.WithCancel(t.Context())
		i := newIncoming(ctx, &Config{Clock: bubble{began}})
		frame, err := wire.Encode(peer.Message{Body: peer.Pull{}})
		if err != nil {
			t.Fatal(err)
		}
		say := func(session bool, times int) time.Duration {
			before := time.Now()
			for range times {
				if !i.receive("m", frame, session) {
					t.Error("it is hung up on")
				}
				<-i.frames
			}
			return time.Since(before)
		}
		if held := say(true, 2000); held != 0 {
			t.Errorf("a burst is held up for %v", held)
		}
		if held := say(true, 100); held != 100*time.Millisecond {
			t.Errorf("100 more are held up for %v", held)
		}
		if held := say(false, 100); held != 0 {
			t.Errorf("what is gossiped is held up for %v", held)
		}
		stop()
		if goOn := i.receive("m", frame, true); !goOn || time.Since(began) != 100*time.Millisecond {
			t.Errorf("after %v the end is waited for", time.Since(began))
		}
	})
}
