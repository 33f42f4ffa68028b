package gridsim

import (
	"errors"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// TestCodecIsPartOfTheModel lets a machine say what no other can read, and demands that the codec's
// checker finds it; and that a message takes the bytes that it has.
func TestCodecIsPartOfTheModel(t *testing.T) {
	o := quiet(&Tree{Seed: 1, Depth: 2, Width: 2, Leaf: time.Millisecond}, time.Millisecond, steal.CRS, 2, 2)
	o.spoil = func(m *peer.Message) bool {
		if _, ok := m.Body.(peer.Digest); ok {
			// more than any decoder takes
			m.Body = peer.Snapshot{Bars: make([]membership.Bar, 1<<16+1)}
		}
		return true
	}
	var found *Finding
	if _, err := Run(o); !errors.As(err, &found) || found.Checker != "codec" {
		t.Fatalf("%v, want a finding of the codec", err)
	}
}

// TestBytesAreTheCodecs sends a big argument over a slow link, and demands that it takes as
// long as its bytes do.
func TestBytesAreTheCodecs(t *testing.T) {
	w := newWorld(quiet(&Tree{Seed: 1, Depth: 2, Width: 2, Leaf: time.Millisecond}, time.Millisecond, steal.CRS, 1, 1))
	w.who.asker = w.populate()
	w.play(time.Second, func() bool { return false })
	pack := func(size int) (packet, bool) {
		m := peer.Message{Body: peer.Keep{Result: steal.Result{Bytes: make([]byte, size)}}}
		return w.net.codec.unpack(w.who.asker, w.net.codec.encode(w.who.asker, m))
	}
	small, ok := pack(10)
	big, also := pack(1 << 20)
	if grows := big.bytes - small.bytes; !ok || !also || grows < 1<<20-10 || grows > 1<<20 {
		t.Fatalf("a result of 1 MiB takes %d bytes more than one of 10", grows)
	}
}
