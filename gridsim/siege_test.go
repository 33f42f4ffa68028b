package gridsim

import (
	"fmt"
	"testing"
	"time"

	"satingrid/satin/effort"
)

// TestFlood lets a client, and a member, say so much to the oldest peer that it is held up: what
// others say to that one is not, their runs are answered in time, and whoever was quiet for a while
// may speak again.
func TestFlood(t *testing.T) {
	t.Parallel()
	if slower > 1 {
		t.Skip("too slow with the race detector, and has nothing for it: one goroutine")
	}
	lasts := time.Duration(effort.Of(0, 1, 4)) * time.Second
	for _, client := range []bool{true, false} {
		said, err := Siege{Seed: 1, Client: client, Lasts: lasts, Flood: true}.Run()
		if err != nil {
			t.Errorf("by a client: %v: %v", client, err)
		}
		if least := uint64(lasts/floodsEvery) * floodEach / 2; said < least {
			t.Errorf("%d messages were said, %d at least should have been", said, least)
		}
	}
}

// TestHostileValues lets a client, and a member, say well-formed nonsense, and demands that
// nothing of it lasts.
func TestHostileValues(t *testing.T) {
	t.Parallel()
	if slower > 1 {
		t.Skip("too slow with the race detector, and has nothing for it: one goroutine")
	}
	lasts, whole := 90*time.Second, *hostileFlag > 0
	if whole {
		lasts = *hostileFlag
	}
	for _, client := range []bool{true, false} {
		t.Run(fmt.Sprintf("client %v", client), func(t *testing.T) {
			t.Parallel()
			said, err := Siege{Seed: *fromFlag, Client: client, Lasts: lasts, Whole: whole}.Run()
			if err != nil {
				t.Error(err)
			}
			if least := uint64(lasts/saysEvery) / 2; said < least {
				t.Errorf("%d hostile messages were said, %d at least should have been", said, least)
			}
			if whole {
				t.Logf("siege: %d hostile messages in %v, and what is kept for hours has gone", said, lasts)
			}
		})
	}
}
