package control

import (
	"log/slog"
	"strings"
	"testing"

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
