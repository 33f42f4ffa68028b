package control

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// What a peer says beside its jobs is limited, for each peer by itself, and whoever says little is
// not remembered for ever.
func TestNewsAreLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		r := newRateLimits(bubble{began})
		for range 10 * newsBurst {
			r.wait(t.Context(), "busy", steal.Ask{}, 20)
			r.wait(t.Context(), "busy", membership.Heartbeat{}, 20)
		}
		for range newsBurst {
			r.wait(t.Context(), "loud", peer.Pull{}, 20)
		}
		if since := time.Since(began); since != 0 {
			t.Errorf("jobs, signs of life and a burst were held up for %v", since)
		}
		for range newsPerSecond {
			r.wait(t.Context(), "loud", peer.Pull{}, 20)
		}
		if since := time.Since(began); since < 990*time.Millisecond || since > 1010*time.Millisecond {
			t.Errorf("%d more took %v, not a second", newsPerSecond, since)
		}
		for range newsPerSecond / 10 {
			r.wait(t.Context(), "loud", peer.Ended{}, 9*listBytes)
			r.wait(t.Context(), "other", peer.Record{}, 9*listBytes)
		}
		if since := time.Since(began); since < 1990*time.Millisecond || since > 2010*time.Millisecond {
			t.Errorf("with %d long lists it took %v, not two seconds", newsPerSecond/10, since)
		}
		for n := range 2 * rateLimitsMax {
			r.wait(t.Context(), fmt.Sprint("peer ", n), peer.Pull{}, 20)
			time.Sleep(time.Millisecond / 10) // of the bubble: time is what is tested
		}
		if since := time.Since(began); since > 2300*time.Millisecond {
			t.Errorf("the others were held up: %v", since)
		}
		if r.of["loud"] == nil || len(r.of) > rateLimitsMax {
			t.Errorf("%d peers are remembered, the loud one: %v", len(r.of), r.of["loud"] != nil)
		}
	})
}
