package gridsim

import (
	"testing"
	"time"
)

// TestDistanceChanges while messages are on their way: what has left comes as it would have, what
// leaves later takes the new way and overtakes nothing, and the way back is as it was.
func TestDistanceChanges(t *testing.T) {
	net := farNet()
	net.Far.Jitter = 0
	w, a, b := shared(t, net)
	began := w.now
	takes := func(from, to *host) (d time.Duration) {
		at := w.now
		done := false
		long := packet{message: heartbeat(from, to), bytes: 100, over: func(bool) { done, d = true, w.now-at }}
		w.net.shared.send(from, to, shipment{long, from, 0})
		w.play(at+time.Second, func() bool { return done })
		return d
	}
	first := takes(a, b)
	w.net.shared.delay(a.site, b.site, 200*time.Millisecond)
	far, back := takes(a, b), takes(b, a)
	if l := w.net.linkOf(a, b); first != 20*time.Millisecond || far != 200*time.Millisecond || back != first || l.Delay != far {
		t.Errorf("a message took %v, then %v, and back %v; a dial %v", first, far, back, l.Delay)
	}
	stream := w.net.shared.trains[trainName{a.no, b.no, false}]
	if stream == nil || stream.link.Delay != 200*time.Millisecond || began == w.now {
		t.Errorf("the stream between them goes by %+v", stream)
	}
	// one that is near now does not come before those that were sent when it was far
	last := w.now
	w.net.shared.send(a, b, shipment{packet{message: heartbeat(a, b), bytes: 100}, a, 0})
	w.net.shared.delay(a.site, b.site, time.Millisecond)
	w.net.shared.send(a, b, shipment{packet{message: heartbeat(a, b), bytes: 100}, a, 0})
	if stream.last < last+200*time.Millisecond {
		t.Errorf("a later message comes at %v, and the one before %v later than %v", stream.last, 200*time.Millisecond, last)
	}
}

// TestDistanceOfALossyWay: what one connection can have there changes with its round trip, also
// while bytes are on their way.
func TestDistanceOfALossyWay(t *testing.T) {
	net := farNet()
	net.Far = Link{Delay: 10 * time.Millisecond, Loss: 0.001}
	took := func(change func(w *World, a, b *host)) (d time.Duration) {
		w, a, b := shared(t, net)
		at, done := w.now, false
		long := packet{message: heartbeat(a, b), bytes: 20_000_000, over: func(bool) { done, d = true, w.now-at }}
		w.after(0, func() { w.net.shared.send(a, b, shipment{long, a, 0}) })
		w.after(time.Second, func() { change(w, a, b) })
		w.play(at+5*time.Minute, func() bool { return done })
		return d
	}
	as := took(func(*World, *host, *host) {})
	farther := took(func(w *World, a, b *host) { w.net.shared.delay(a.site, b.site, 100*time.Millisecond) })
	// all but what the first second has carried, at a tenth of the rate
	if want := time.Second + 10*(as-time.Second); farther < want*9/10 || farther > want*11/10 {
		t.Errorf("it took %v, and ten times as far from the first second on %v, not about %v", as, farther, want)
	}
}
