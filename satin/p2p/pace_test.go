package p2p

import (
	"context"
	"errors"
	"testing"
	"time"
)

// path is a dumb network in virtual time: a length and a rate. It sends chunks
// as the pace allows and tells how full the path was kept.
func path(length time.Duration, rate float64, chunks int) (p *pace, throughput float64, late time.Duration) {
	p = newPace()
	now, free := time.Unix(1, 0), time.Unix(1, 0)
	begin := now
	type packet struct{ sent, arrives time.Time }
	var air []packet
	for sent, done := 0, 0; done < chunks; {
		for sent < chunks && (p.flying == 0 || p.flying+bulkChunk <= p.window) {
			if p.acquire(context.Background(), bulkChunk) != nil {
				panic("no room")
			}
			if free.Before(now) {
				free = now
			}
			free = free.Add(time.Duration(bulkChunk / rate * float64(time.Second)))
			air = append(air, packet{now, free.Add(length)})
			sent++
		}
		first := air[0]
		air = air[1:]
		now = first.arrives
		took := now.Sub(first.sent)
		p.acknowledged(bulkChunk, took, now)
		if done++; done > chunks/2 {
			late = max(late, took-length)
		}
	}
	return p, float64(chunks*bulkChunk) / now.Sub(begin).Seconds(), late
}

func TestPaceFillsThePathAndDoesNotQueue(t *testing.T) {
	for _, x := range []struct {
		name   string
		length time.Duration
		rate   float64
	}{
		{"loopback", 20 * time.Microsecond, 1e9},
		{"a LAN of 1 Gbit", 200 * time.Microsecond, 125e6},
		{"a WAN of 50 Mbit", 40 * time.Millisecond, 6e6},
		{"a WAN of 1 Gbit", 100 * time.Millisecond, 125e6},
	} {
		p, throughput, late := path(x.length, x.rate, 20_000)
		if throughput < 0.5*x.rate {
			t.Errorf("%s: %.0f MB/s of %.0f", x.name, throughput/1e6, x.rate/1e6)
		}
		one := time.Duration(bulkChunk / x.rate * float64(time.Second))
		if allowed := x.length + 2*paceSlack + 4*one; late > allowed {
			t.Errorf("%s: a frame would have waited %v, more than %v", x.name, late, allowed)
		}
		if p.flying != 0 || p.window < paceMin || p.window > paceMax {
			t.Errorf("%s: %+v", x.name, p)
		}
	}
}

func TestPaceWaitsForRoom(t *testing.T) {
	p := newPace()
	for p.flying+bulkChunk <= p.window {
		if err := p.acquire(t.Context(), bulkChunk); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if err := p.acquire(ctx, bulkChunk); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("there was room for more than the window: %v", err)
	}
	got := make(chan error)
	go func() { got <- p.acquire(t.Context(), bulkChunk) }()
	p.release(bulkChunk)
	if err := <-got; err != nil {
		t.Fatal(err)
	}
}
