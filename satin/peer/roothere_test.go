package peer

import (
	"testing"
	"time"

	"satingrid/steal"
)

// rootToCome is one of so many bytes that has not come, and its bytes.
func rootToCome(size int) (h rootHere, bytes []byte) {
	bytes = make([]byte, size)
	return rootHere{digest: steal.KeyOf(bytes), size: uint32(size)}, bytes
}

// TestRootIsLacked: the right one, while it has not come; one of no bytes is one.
func TestRootIsLacked(t *testing.T) {
	for _, size := range []int{0, 4} {
		h, bytes := rootToCome(size)
		for name, c := range map[string]struct {
			digest steal.Key
			root   []byte
			lacks  bool
		}{
			"it":                   {h.digest, bytes, true},
			"nothing":              {h.digest, nil, false},
			"of another digest":    {steal.Key{1}, bytes, false},
			"of another length":    {h.digest, make([]byte, size+1), false},
			"of another, and long": {steal.Key{1}, make([]byte, size+1), false},
		} {
			if h.lacks(c.digest, c.root) != c.lacks {
				t.Errorf("of %d bytes, %s: it is lacked: %v", size, name, !c.lacks)
			}
		}
		if h.bytes = bytes; !h.isHere() || h.lacks(h.digest, bytes) {
			t.Errorf("of %d bytes, it has come, and is lacked", size)
		}
	}
}

// TestRootIsDue: again after as long as a slow link needs for it, until it has come; one that
// follows a Snapshot has less time.
func TestRootIsDue(t *testing.T) {
	h, bytes := rootToCome(10 * bytesPerSecond)
	if !h.isDue(0) || h.deadline() != 0 {
		t.Error("it is not asked for at once")
	}
	h.asked(time.Second)
	if due := time.Second + fetchEvery + 10*time.Second; h.deadline() != due || h.isDue(due-1) || !h.isDue(due) {
		t.Errorf("it is asked for again at %v", h.deadline())
	}
	if h.isToCome(time.Minute); h.deadline() != time.Minute+fetchEvery {
		t.Errorf("it is to come, and asked for at %v", h.deadline())
	}
	for h.fetches = range rootlessAfter {
		if h.isLost() {
			t.Fatalf("nobody has it, after %d times", h.fetches)
		}
	}
	if h.fetches++; !h.isLost() {
		t.Error("it is asked for for ever")
	}
	if h.bytes = bytes; h.isLost() || h.isDue(time.Hour) || h.deadline() != steal.Never {
		t.Error("it has come, and is asked for")
	}
}

// TestRootGoesAlong with the record of its run, unless it is big.
func TestRootGoesAlong(t *testing.T) {
	for size, along := range map[int]bool{0: true, rootAlong: true, rootAlong + 1: false} {
		h, bytes := rootToCome(size)
		if h.isBig() == along || h.along() != nil {
			t.Errorf("of %d bytes, which have not come: big %v, along go %d", size, h.isBig(), len(h.along()))
		}
		if h.bytes = bytes; (h.along() != nil) != along {
			t.Errorf("of %d bytes, it goes along: %v", size, !along)
		}
	}
}
