package p2p

import (
	"fmt"
	"testing"
	"time"

	"satingrid/satin/await"
)

const bestTopic = "/satin/best"

// mesh starts n hosts that all know each other.
func mesh(t *testing.T, n int) []peerHost {
	t.Helper()
	hosts := make([]peerHost, n)
	for i := range hosts {
		hosts[i] = start(t)
		if err := hosts[i].Subscribe(bestTopic); err != nil {
			t.Fatal(err)
		}
	}
	for i, a := range hosts {
		for _, b := range hosts[:i] {
			if _, err := a.Dial(soon(t), b.Addrs()...); err != nil {
				t.Fatalf("host %d: %v", i, err)
			}
		}
	}
	for _, h := range hosts {
		h.saw.await(t, "up", n-1)
	}
	return hosts
}

// heard publishes until a host has heard from another: gossip promises nothing.
func heard(t *testing.T, from, to peerHost) {
	t.Helper()
	await.Until(t, to.ID()+" hears of "+from.ID(), func() bool {
		if to.saw.count("message "+bestTopic+" "+from.ID()) > 0 {
			return true
		}
		if err := from.Publish(bestTopic, []byte("7542")); err != nil {
			t.Fatal(err)
		}
		return false
	})
}

func TestMeshOf25HostsInOneProcess(t *testing.T) {
	await.NoLeaks(t)
	hosts := mesh(t, 25)
	heard(t, hosts[0], hosts[24])
	heard(t, hosts[24], hosts[0])
	for _, h := range hosts[1:] {
		heard(t, hosts[0], h)
		if h.saw.count("down") != 0 {
			t.Fatal("a session ended")
		}
	}
	hosts[3].Close()
	for i, h := range hosts {
		if i != 3 {
			h.saw.await(t, "down "+hosts[3].ID(), 1)
		}
	}
	for _, h := range hosts {
		h.Close()
	}
}

func TestMessagesOfTheBarredAreDropped(t *testing.T) {
	hosts := mesh(t, 3)
	a, b, c := hosts[0], hosts[1], hosts[2]
	heard(t, a, c)
	c.Bar(a.ID())
	a.saw.await(t, "down "+c.ID()+" barred", 1)
	before := c.saw.count("message")
	for i := range 5 { // b passes them on
		if err := a.Publish(bestTopic, fmt.Appendf(nil, "%d", i)); err != nil {
			t.Fatal(err)
		}
	}
	heard(t, b, c)
	b.saw.await(t, "message "+bestTopic+" "+a.ID(), 5)
	if n := c.saw.count("message " + bestTopic + " " + a.ID()); n != before {
		t.Fatalf("%d messages of a barred author", n-before)
	}
}

func TestTopicLimits(t *testing.T) {
	a := start(t)
	if err := a.Publish(bestTopic, make([]byte, MessageMax+1)); err != ErrTooBig {
		t.Errorf("a long message: %v", err)
	}
	for _, bad := range []string{"", "best", "/satin/", "/satin/A", "/other/best"} {
		if a.Subscribe(bad) == nil || a.Publish(bad, nil) == nil {
			t.Errorf("topic %q was accepted", bad)
		}
	}
	for i := range topicMax {
		if err := a.Subscribe(fmt.Sprintf("/satin/topic.%d", i)); err != nil {
			t.Fatal(err)
		}
	}
	if a.Subscribe("/satin/one.more") == nil {
		t.Error("there is no limit")
	}
	a.Close()
	if err := a.Publish("/satin/topic.1", nil); err != ErrClosed {
		t.Errorf("Publish on a closed host: %v", err)
	}
}

// Two that have no connection hear each other through a third, but not through
// a leaf, which hears both.
func TestALeafIsNoBridge(t *testing.T) {
	for _, leaf := range []bool{false, true} {
		a, b := start(t), start(t)
		between := start(t, func(c *Config) { c.Leaf = leaf })
		for _, h := range []peerHost{a, b, between} {
			if err := h.Subscribe(bestTopic); err != nil {
				t.Fatal(err)
			}
		}
		join(t, a, between)
		join(t, b, between)
		heard(t, b, between)
		heard(t, between, b)
		heard(t, between, a)
		if !leaf {
			heard(t, a, b)
			continue
		}
		for range 10 {
			before := between.saw.count("message " + bestTopic + " " + a.ID())
			for between.saw.count("message "+bestTopic+" "+a.ID()) == before {
				if err := a.Publish(bestTopic, []byte("7542")); err != nil {
					t.Fatal(err)
				}
				// two heartbeats in all, at which gossip tells what it has
				time.Sleep(50 * time.Millisecond)
			}
		}
		if n := b.saw.count("message " + bestTopic + " " + a.ID()); n > 0 {
			t.Errorf("%d messages went through a leaf", n)
		}
	}
}
