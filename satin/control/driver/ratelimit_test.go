package driver

import (
	"fmt"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// TestNewsAreLimited: each host's by themselves. What is about jobs, and signs of life, are not.
func TestNewsAreLimited(t *testing.T) {
	var r RateLimits
	for range 10 * newsBurst {
		if r.Wait(time.Hour, "busy", steal.Ask{}, 20)+r.Wait(time.Hour, "busy", membership.Heartbeat{}, 20) > 0 {
			t.Fatal("a job's message, or a sign of life, is held up")
		}
	}
	for n := range newsBurst {
		if wait := r.Wait(time.Hour, "loud", peer.Pull{}, 20); wait > 0 {
			t.Fatalf("the %dth of a burst is held up for %v", n+1, wait)
		}
	}
	for n := range 3 { // and so on, if it does not wait
		if wait := r.Wait(time.Hour, "loud", peer.Pull{}, 20); wait != time.Duration(n+1)*newsEvery {
			t.Errorf("the %dth after it is held up for %v", n+1, wait)
		}
	}
	if wait := r.Wait(time.Hour, "other", peer.Pull{}, 20); wait > 0 {
		t.Errorf("another is held up for %v", wait)
	}
}

// TestLimitsRefill: with time, as far as to a burst and no further. Whoever waits each time may say
// as much as time allows.
func TestLimitsRefill(t *testing.T) {
	var r RateLimits
	now := time.Hour
	says := func(n int) time.Duration {
		began := now
		for range n {
			now += r.Wait(now, "x", peer.Pull{}, 20)
		}
		return now - began
	}
	says(newsBurst)
	if took := says(500); took != 500*newsEvery {
		t.Errorf("500 beyond a burst take %v", took)
	}
	now += 300 * newsEvery
	if took := says(300); took != 0 {
		t.Errorf("what time has allowed is held up for %v", took)
	}
	now += time.Hour
	if first, next := says(newsBurst), says(1); first != 0 || next != newsEvery {
		t.Errorf("after an hour a burst takes %v, and one more %v", first, next)
	}
}

// TestListsCountByTheirLength: and none for more than a burst.
func TestListsCountByTheirLength(t *testing.T) {
	for _, x := range []struct {
		body  membership.Body
		bytes int
		count int
	}{
		{peer.Ended{}, 0, 1}, {peer.Ended{}, listBytes - 1, 1}, {peer.Ended{}, listBytes, 2}, {peer.Snapshot{}, 9 * listBytes, 10},
		{peer.Snapshot{}, newsBurst * listBytes, newsBurst}, {peer.Record{}, 9 * listBytes, 1}, {steal.Lend{}, 9 * listBytes, 0},
	} {
		if n := weight(x.body, x.bytes); n != x.count {
			t.Errorf("%T of %d bytes counts as %d, want %d", x.body, x.bytes, n, x.count)
		}
	}
	var r RateLimits
	if wait := r.Wait(0, "x", peer.Snapshot{}, 1<<30); wait != 0 {
		t.Errorf("the longest, and nothing else, is held up for %v", wait)
	}
	if wait := r.Wait(0, "x", peer.Snapshot{}, 1<<30); wait != newsBurst*newsEvery {
		t.Errorf("and another one for %v", wait)
	}
}

// TestRateLimitsAreBounded: whoever says little is not remembered for ever, and the loud are. When
// too many are loud, those that come share one limit.
func TestRateLimitsAreBounded(t *testing.T) {
	var r RateLimits
	pull := func(now time.Duration, id string, times int) (wait time.Duration) {
		for range times {
			wait = r.Wait(now, membership.PeerID(id), peer.Pull{}, 20)
		}
		return wait
	}
	pull(0, "loud", newsBurst)
	for n := range 2 * rateLimitsMax {
		if pull(time.Duration(n)*newsEvery/10, fmt.Sprint("quiet", n), 1) > 0 {
			t.Fatal("who says little is held up")
		}
	}
	if now := 2 * rateLimitsMax * newsEvery / 10; len(r.paid) > rateLimitsMax || pull(now, "loud", newsBurst) != newsBurst*newsEvery-now {
		t.Errorf("%d are remembered, and the loud one is not", len(r.paid))
	}
	r = RateLimits{}
	for n := range rateLimitsMax {
		pull(0, fmt.Sprint("loud", n), 1)
	}
	pull(0, "one more", newsBurst)
	if wait := pull(0, "another", 1); wait != newsEvery || len(r.paid) != rateLimitsMax+1 {
		t.Errorf("one beyond all is held up for %v, %d are remembered", wait, len(r.paid))
	}
	if wait := pull(0, "loud1", newsBurst-1); wait > 0 {
		t.Errorf("one that is known is held up for %v", wait)
	}
}
