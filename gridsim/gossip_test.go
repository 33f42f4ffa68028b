package gridsim

import (
	"strings"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// heard publishes something, and says how long it took to come to each host that has heard it
// within a moment. Nobody hears it twice.
func (w *World) heard(t *testing.T, from *host) map[membership.PeerID]time.Duration {
	t.Helper()
	w.opts.Trace, w.opts.All, w.last = true, true, nil
	began := w.now
	m := peer.Message{From: from.peer.Sight().Self().Incarnation, Body: membership.Barred{Bars: []membership.Bar{{ID: "nobody", Counter: 1}}}}
	w.net.publish(from, w.net.codec.encode(from, m))
	w.passes(t, 50*time.Millisecond)
	heard := map[membership.PeerID]time.Duration{}
	for _, line := range w.last {
		if s := strings.Fields(line); len(s) == 5 && s[2] == "receives" && s[3] == "membership.Barred" && s[4] == string(from.id) {
			at, err := time.ParseDuration(s[0])
			id := membership.PeerID(s[1])
			if _, twice := heard[id]; twice || err != nil {
				t.Errorf("%s hears it twice, or %v", id, err)
			}
			heard[id] = at - began
		}
	}
	return heard
}

// The link between two members is dead. What one publishes comes to the other by way of a third
// one, unless that is stopped or gone: a client passes nothing on.
func TestGossipGoesRoundADeadLink(t *testing.T) {
	w := idle(t, 3)
	w.hidden = true
	m := w.who.members()
	dead := &cut{pair: [2]*host{m[0], m[1]}, until: steal.Never}
	w.net.cuts = append(w.net.cuts, dead)
	heard := w.heard(t, m[0])
	if len(heard) != 3 || heard[m[1].id] < heard[m[2].id]+relayTakes || heard[w.who.asker.id] > relayTakes {
		t.Errorf("all were to hear it, %s by way of %s: %v", m[1].id, m[2].id, heard)
	}
	w.net.cuts[0].pair[0] = w.who.asker
	if heard := w.heard(t, w.who.asker); len(heard) != 3 {
		t.Errorf("all were to hear the client: %v", heard)
	}
	w.net.cuts[0].pair[0] = m[0]
	m[2].asleep = w.now + 10*time.Millisecond
	if heard := w.heard(t, m[0]); len(heard) != 2 || heard[m[2].id] == 0 {
		t.Errorf("%s was stopped, and the client passes nothing on: %v", m[2].id, heard)
	}
	w.kill(m[2], false)
	if heard := w.heard(t, m[0]); len(heard) != 1 || heard[w.who.asker.id] == 0 {
		t.Errorf("%s is gone, and the client passes nothing on: %v", m[2].id, heard)
	}
	if w.report.Stopped == 0 {
		t.Error("the dead link stopped nothing")
	}
}

// Nothing that is published crosses a cut that parts all on one side from all on the other.
func TestGossipStopsAtACut(t *testing.T) {
	w := idle(t, 4)
	w.end(w.who.asker, false)
	m := w.who.members()
	heal := w.apart(func(h *host) int { return h.no % 2 })
	if heard := w.heard(t, m[0]); len(heard) >= len(m)-1 {
		t.Errorf("it crossed the cut: %v", heard)
	}
	if heal(); len(w.heard(t, m[0])) != len(m)-1 {
		t.Error("all were to hear it when the cut had healed")
	}
}

// Two members have sessions with a client, and none with each other.
func TestClientsPassNothingOn(t *testing.T) {
	w := idle(t, 2)
	m := w.who.members()
	w.net.breaks(m[0].sessions[m[1].id], time.Second)
	if heard := w.heard(t, m[0]); len(heard) != 1 || heard[w.who.asker.id] == 0 {
		t.Errorf("the client alone was to hear it: %v", heard)
	}
	if heard := w.heard(t, w.who.asker); len(heard) != 2 {
		t.Errorf("both were to hear the client: %v", heard)
	}
}
