package gridsim

import (
	"time"

	"satingrid/membership"
)

// between is what lies between two sites now.
func (s *sharing) between(from, to membership.Site) Link {
	l := s.net.way(from, to)
	if d, ok := s.delays[wayName{from, to}]; ok {
		l.Delay = d
	}
	return l
}

// delay gives the way from one site to another a new delay. What has left comes when it would have;
// what has not goes by the new one, and comes no earlier than what went before it in its stream.
func (s *sharing) delay(from, to membership.Site, d time.Duration) {
	s.delays[wayName{from, to}] = d
	for _, t := range s.trains {
		s.delayTrain(t, from, to, d)
	}
	// in their order: rates are found in that of what is touched
	for _, x := range s.flows.flows {
		if t := s.of[x]; s.delayTrain(t, from, to, d) && t.tcp != nil {
			s.flows.touched = append(s.flows.touched, t.tcp)
		}
	}
}

// delayTrain gives a train another delay, if it goes that way.
func (s *sharing) delayTrain(t *train, from, to membership.Site, d time.Duration) bool {
	if s.siteOf(t.from) != from || s.siteOf(t.to) != to {
		return false
	}
	if t.link.Delay = d; t.tcp != nil {
		t.tcp.rate = rateOfTCP(t.link)
	}
	return true
}

// Distance gives a message from one site to another so long a way from now on. The rehearsal has a
// [Net].
func (r *Rehearsal) Distance(from, to membership.Site, d time.Duration) {
	r.w.net.shared.delay(from, to, d)
}
