package membership

import "time"

// disputeMax is how long a member has to take another life when some hold it dead: twice what it
// may have to wait for that.
const disputeMax = 2 * rejoinEvery

// merge takes a record of a member, by its own word or another's. How often it came back is up to
// itself: from others no number is taken that is far above the known one, or nobody would believe
// the member's own any more.
func (v *View) merge(now time.Duration, m *Member, own bool) {
	if !m.sound() || !v.admits(now, &v.joins, m.Incarnation.Join) {
		return
	}
	if m.ID == v.self.ID {
		v.mergeSelf(now, m)
		return
	}
	s := v.byID[m.ID]
	if !own && v.isRaised(s, m) {
		return
	}
	if s == nil {
		v.seat(now, m)
		return
	}
	switch c := m.Incarnation.Compare(s.Incarnation); {
	case c > 0:
		v.follow(now, s, m)
	case c == 0 && m.State == Dead && m.How == Silent && s.State.Present() && v.disputes(now, s):
	case c == 0 && m.State > s.State && s.State.Present():
		s.Grace, s.Heir = m.Grace, m.Heir
		if m.State.Present() {
			s.State = m.State
		} else {
			v.lose(now, s, m.State, m.How)
			s.gone = now - v.ago(m)
		}
	case c == 0 && m.State == Left && s.State == Dead:
		// Its connection was refused before its last word came. It is that which
		// tells who its heir is.
		s.State, s.How, s.Heir = Left, m.How, m.Heir
	}
}

// isRaised tells whether a record by another's word counts too many lives of a member.
func (v *View) isRaised(s *seat, m *Member) bool {
	known := uint64(0)
	if s != nil && s.Incarnation.Join == m.Incarnation.Join {
		known = s.Incarnation.Rejoin
	}
	return v.settled && m.Incarnation.Rejoin > known+RaiseMax
}

// mergeSelf hears what others believe of this peer. When they hold this life
// gone, it takes another.
func (v *View) mergeSelf(now time.Duration, m *Member) {
	if v.client {
		return
	}
	if v.self.State == 0 {
		if m.Incarnation.Compare(v.former) > 0 {
			v.former = m.Incarnation
		}
		return
	}
	if m.Incarnation.Rejoin > v.self.Incarnation.Rejoin+RaiseMax {
		return // and nobody else believes it
	}
	c := m.Incarnation.Compare(v.self.Incarnation)
	if c > 0 || c == 0 && !m.State.Present() {
		v.comeBack(now, m.Incarnation)
	}
}

// follow puts a newer life of a member in the place of the one that is known. When the newer one
// goes on from that, nothing is lost. Otherwise its loans with this peer died with a life that came
// before, and it must hear so: it believes that all live.
func (v *View) follow(now time.Duration, s *seat, m *Member) {
	was, goesOn := s.Incarnation, s.State.Present() && m.Was == s.Incarnation && m.State.Present() && !v.IsBarred(m.ID)
	if s.State.Present() && !goesOn {
		v.lose(now, s, Dead, Renewed)
	}
	v.renew(now, s, m)
	switch {
	case goesOn:
		v.out[len(v.out)-1] = LivesOn{Member: s.Member, Was: was}
	case !m.Was.IsZero() && s.State.Present() && !v.client:
		v.out = append(v.out, Send{To: s.ID, Body: Refused{Incarnation: m.Was, Void: true}})
	}
}

// disputes doubts another's word that a member is dead of whom this peer has just heard:
// they are on this side of a cut that has healed. The member hears that it is held dead, and
// takes another life, in which it goes on. When it does not, it is at one end of a link that
// works one way, and dead.
//
// A client stands between the sides of a cut, which hold each other dead for as long as it lasts.
func (v *View) disputes(now time.Duration, s *seat) bool {
	if v.client {
		return now-s.heard < SilenceMaxFar
	}
	if now-s.heard >= SilenceMin || s.disputed > 0 && now-s.disputed >= disputeMax {
		return false
	}
	if s.disputed == 0 {
		s.disputed = now
	}
	if now-s.refused >= refuseEvery {
		s.refused = now
		v.out = append(v.out, Send{To: s.ID, Body: Refused{Incarnation: s.Incarnation}})
	}
	return true
}

// comeBack takes an incarnation above old. It is rationed, since everybody must hear of each one.
func (v *View) comeBack(now time.Duration, old Incarnation) {
	if now < v.rejoin || !v.self.State.Present() {
		return
	}
	v.rejoin = now + rejoinEvery
	i := &v.self.Incarnation
	v.self.Was = *i
	i.Join, i.Rejoin, i.Random = max(i.Join, old.Join), max(i.Rejoin, old.Rejoin)+1, v.rng.Uint64()
	v.out = append(v.out, Rejoined{*i})
	v.greet()
}
