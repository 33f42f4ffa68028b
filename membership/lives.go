package membership

import "time"

// merge takes a record of a member, by its own word or another's. How often it came back is up to
// itself: from others no number is taken that is far above the known one, or nobody would believe
// the member's own any more.
func (v *View) merge(now time.Duration, m *Member, own bool) {
	s := v.seats.byID[m.ID]
	if s != nil && !s.isNews(m) || !m.sound() || !v.beliefs.admitJoin(now, m.Incarnation.Join) {
		return
	}
	if m.ID == v.self.ID {
		if v.self.heldFor(now, m) {
			v.rejoined()
		}
		return
	}
	if !own && !v.beliefs.admitLives(s, m) {
		return
	}
	if s == nil {
		v.seat(now, m)
		return
	}
	switch {
	case m.Incarnation != s.Incarnation:
		v.follow(now, s, m)
	case m.State == Dead && m.How == Silent && s.State.Present() && s.disputes(now, v.self.client):
		if !v.self.client && s.mayRefuse(now) {
			v.do(Send{To: s.ID, Body: Refused{Incarnation: s.Incarnation}})
		}
	case s.State.Present():
		s.Grace, s.Heir = m.Grace, m.Heir
		if m.State.Present() {
			s.State = m.State
			v.seats.changed(s)
		} else {
			v.lose(now-m.ago(), s, m.State, m.How)
		}
	default:
		// Its connection was refused before its last word came. It is that which
		// tells who its heir is.
		s.State, s.How, s.Heir = Left, m.How, m.Heir
	}
}

// seat gives a member that was never heard of a place.
func (v *View) seat(now time.Duration, m *Member) {
	if !m.State.Present() && m.ago() > GoneKeptFor-goneLate {
		return // it is over everywhere else
	}
	if s := v.seats.add(m.ID); s != nil {
		v.renew(now, s, m)
	}
}

// renew fills a seat with a new life.
func (v *View) renew(now time.Duration, s *seat, m *Member) {
	*s = seat{Member: *m, line: s.line, heard: now, sent: now - HeartbeatEvery, refused: now - refuseEvery}
	if s.State.Present() && v.IsBarred(m.ID) {
		s.State, s.How = Dead, Kicked
	}
	v.watch.stale = true
	if !s.State.Present() {
		v.seats.isGone(s, now-s.ago())
		return
	}
	v.seats.changed(s)
	v.do(Joined{s.Member})
}

// lose ends an incarnation.
func (v *View) lose(at time.Duration, s *seat, state State, how How) {
	if !s.State.Present() {
		panic("membership: BUG: lost twice")
	}
	s.State, s.How, s.suspected = state, how, false
	v.seats.isGone(s, at)
	v.errands.lost(s.ID)
	v.watch.stale = true
	v.do(Lost{Member: s.Member})
}

// bury declares a member dead, here and to everybody.
func (v *View) bury(now time.Duration, s *seat, how How) {
	silence := now - s.heard
	v.lose(now, s, Dead, how)
	v.out[len(v.out)-1] = Lost{Member: s.Member, Noticed: silence}
	v.do(Publish{Gone{s.Member}})
	v.do(Send{To: s.ID, Body: Refused{Incarnation: s.Incarnation}})
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
	case !m.Was.IsZero() && s.State.Present() && !v.self.client:
		v.do(Send{To: s.ID, Body: Refused{Incarnation: m.Was, Void: true}})
	}
}

// rejoined tells everybody that this peer has taken another life.
func (v *View) rejoined() {
	v.do(Rejoined{v.self.Incarnation})
	v.greet()
}
