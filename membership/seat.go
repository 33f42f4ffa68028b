package membership

import "time"

// seat is a member and what this peer alone knows of it.
type seat struct {
	Member
	line      rollLine
	heard     time.Duration // when anything of it last arrived
	sent      time.Duration // when anything was last sent to it
	refused   time.Duration // when it was last told that it is refused
	gone      time.Duration // when it was lost
	gaps      estimator
	suspected bool          // State says so unless it is leaving
	verdict   time.Duration // while suspected: when it is dead
	redialed  bool          // its connection broke and is being dialled once more
	disputed  time.Duration // when another's word that it is dead was doubted first; 0: never
}

// isNews tells whether a record says more than is known. Most do not, and cost no more than this.
func (s *seat) isNews(m *Member) bool {
	switch c := m.Incarnation.Compare(s.Incarnation); {
	case c != 0:
		return c > 0
	case s.State.Present():
		return m.State > s.State
	}
	return s.State == Dead && m.State == Left // its own word, which came late
}

// hear notes a sign of life.
func (s *seat) hear(now time.Duration) {
	s.gaps.heard(now - s.heard)
	s.vouched(now)
}

// vouched notes that it lives, by another's word or because this peer could not hear: how long its
// silences are is not learned from that.
func (s *seat) vouched(now time.Duration) {
	s.heard, s.redialed, s.suspected = now, false, false
	if s.State == Suspected {
		s.State = Here
	}
}

// doubt begins a suspicion, which ends with its death.
func (s *seat) doubt(now time.Duration, near bool) {
	s.suspected = true
	if s.State == Here {
		s.State = Suspected
	}
	s.verdict = now + ProbeFar
	if near {
		s.verdict = now + ProbeNear
	}
}

// mayRefuse tells whether it may be told now that it is refused: its answers would be as many.
func (s *seat) mayRefuse(now time.Duration) bool {
	if now-s.refused < refuseEvery {
		return false
	}
	s.refused = now
	return true
}

// disputeMax is how long a member has to take another life when some hold it dead: twice what it
// may have to wait for that.
const disputeMax = 2 * rejoinEvery

// disputes doubts another's word that a member is dead of whom this peer has just heard: they are
// on this side of a cut that has healed. The member hears that it is held dead, and takes another
// life, in which it goes on. When it does not, it is at one end of a link that works one way, and
// dead.
//
// A client stands between the sides of a cut, which hold each other dead for as long as it lasts,
// and says nothing.
func (s *seat) disputes(now time.Duration, client bool) bool {
	if client {
		return now-s.heard < SilenceMaxFar
	}
	if now-s.heard >= SilenceMin || s.disputed > 0 && now-s.disputed >= disputeMax {
		return false
	}
	if s.disputed == 0 {
		s.disputed = now
	}
	return true
}

// record is what is known of a member, as it travels.
func (s *seat) record(now time.Duration) Member {
	m := s.Member
	switch {
	case m.State == Suspected:
		m.State = Here
	case !m.State.Present():
		m.Ago = uint32(max(now-s.gone, 0) / time.Second)
	}
	return m
}

// ago is for how long one that is gone was gone when its record was sent.
func (m *Member) ago() time.Duration {
	if m.State.Present() {
		return 0
	}
	return min(time.Duration(m.Ago)*time.Second, GoneKeptFor)
}
