package peer

import (
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// BenchmarkReceived is what a message costs to take: one of the detector, one about loans, one
// that others than members say, and one that nobody may say.
func BenchmarkReceived(b *testing.B) {
	_, other := lone(b)
	for name, body := range map[string]membership.Body{
		"Heartbeat": membership.Heartbeat{},
		"Missing":   steal.Missing{},
		"HaveBest":  HaveBest{},
		"Returned":  steal.Returned{Numbers: []steal.LoanNo{3}},
	} {
		b.Run(name, func(b *testing.B) {
			p, _ := lone(b)
			m := Message{From: other, Body: body}
			for n := range b.N {
				p.Received(time.Duration(n), "other", m)
			}
		})
	}
}
