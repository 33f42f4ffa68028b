package gridsim

import (
	"math"
	"time"
)

// What TCP does when packets are lost.
const (
	packetBytes = 1460
	// a packet is sent again after a round trip and so much, and then each time after twice as
	// long, so many times
	againAfter = 200 * time.Millisecond
	againMax   = 6
)

// ofTCP is what one connection can have where packets are lost, however much there is. Nil: none
// is.
func ofTCP(l Link) *pipe {
	if l.Loss == 0 {
		return nil
	}
	return &pipe{rate: rateOfTCP(l)}
}

// rateOfTCP is how many bytes a second that is (Mathis et al., The Macroscopic Behavior of the TCP
// Congestion Avoidance Algorithm, 1997).
func rateOfTCP(l Link) int64 {
	trip := max(2*l.Delay, time.Millisecond).Seconds()
	return max(int64(packetBytes/trip*math.Sqrt(1.5/l.Loss)), 1)
}

// repeats draws how much later a message comes because packets of it were lost.
func (s *sharing) repeats(l Link, bytes int) (later time.Duration) {
	if l.Loss == 0 {
		return 0
	}
	whole := 1.0
	for range 1 + bytes/packetBytes {
		whole *= 1 - l.Loss
	}
	wait := 2*l.Delay + againAfter
	for n := 0; n < againMax && s.n.draw.Float64() >= whole; n++ {
		later += wait
		wait *= 2
		whole = 1 - l.Loss // of what was lost, only that goes again
	}
	return later
}
