package membership

import (
	"iter"
	"time"
)

// heirsMax is how far a row of heirs, each of which has left, is followed.
const heirsMax = 8

// Has tells whether the peer is present in that incarnation; this peer itself included.
func (v *View) Has(id PeerID, i Incarnation) bool {
	if id == v.self.ID {
		return v.self.State.Present() && v.self.Incarnation == i
	}
	s := v.seats.byID[id]
	return s != nil && s.State.Present() && s.Incarnation == i
}

// Known is what is known of another peer, be it present or gone; nil: nothing. It is the view's
// own, and only to be read.
func (v *View) Known(id PeerID) *Member {
	if s := v.seats.byID[id]; s != nil {
		return &s.Member
	}
	return nil
}

// Buried tells whether that incarnation of a peer is known to be over, which is more
// than not being known.
func (v *View) Buried(id PeerID, i Incarnation) bool {
	if id == v.self.ID {
		return i != v.self.Incarnation
	}
	s := v.seats.byID[id]
	return s != nil && (s.Incarnation.Compare(i) > 0 || s.Incarnation == i && !s.State.Present())
}

// Lives tells whether the process that had that incarnation is present, in it or in one that it
// took when it was held dead. A process that has started again has a greater join number.
func (v *View) Lives(id PeerID, i Incarnation) bool {
	m, ok := v.Member(id)
	return ok && (m.Incarnation == i || m.Incarnation.Join == i.Join && m.Incarnation.Rejoin > i.Rejoin)
}

// Fate is how and when that incarnation of another peer ended, as far as this peer knows.
func (v *View) Fate(id PeerID, i Incarnation) (how How, at time.Duration, ok bool) {
	s := v.seats.byID[id]
	switch {
	case s == nil || s.Incarnation.Compare(i) < 0 || s.Incarnation == i && s.State.Present():
		return 0, 0, false
	case s.Incarnation == i:
		return s.How, s.gone, true
	}
	return Renewed, 0, true
}

// Successor is who follows a member that is gone: the heir that it named on leaving, or that one's,
// else the oldest. One that is leaving itself comes last.
func (v *View) Successor(id PeerID, i Incarnation) (Member, bool) {
	var leaving *Member
	for range heirsMax {
		s := v.seats.byID[id]
		if s == nil || s.State != Left || s.Heir == "" || !i.IsZero() && s.Incarnation != i {
			break
		}
		if m, ok := v.Member(s.Heir); ok && m.State != Leaving {
			return m, true
		} else if ok {
			leaving = &m
			break
		}
		id, i = s.Heir, Incarnation{}
	}
	oldest, ok := v.Oldest()
	if leaving != nil && (!ok || oldest.State == Leaving) {
		return *leaving, true
	}
	return oldest, ok
}

// Member is what is known of a peer that is present; this peer itself included.
func (v *View) Member(id PeerID) (Member, bool) {
	if id == v.self.ID {
		return v.self.Member, v.self.State.Present()
	}
	if s := v.seats.byID[id]; s != nil && s.State.Present() {
		return s.Member, true
	}
	return Member{}, false
}

// Len is how many members are present, without this peer.
func (v *View) Len() int { return len(v.seats.roll.here) }

// Present goes through the members present, without this peer, in the order of their ids. They are
// the view's own, and only to be read.
func (v *View) Present() iter.Seq[*Member] {
	return func(yield func(*Member) bool) {
		for _, s := range v.seats.present() {
			if !yield(&s.Member) {
				return
			}
		}
	}
}

// Draw is a member drawn at random, other than this peer; a suspected one only
// when there is no other.
func (v *View) Draw() (Member, bool) { return memberOf(v.seats.draw(v.self.rng)) }

// DrawDead is a member, drawn at random, that was given up because it was silent: it may
// live behind a cut that has healed. With killed set, it may also be one whose machine
// refused a connection: a wrong address, or a relay that was not ready, refuses too. With
// among, it is one of those.
func (v *View) DrawDead(killed bool, among func(PeerID) bool) (Member, bool) {
	return memberOf(v.seats.drawDead(v.self.rng, func(s *seat) bool {
		return (s.How == Silent || killed && s.How == Killed) && (among == nil || among(s.ID))
	}))
}

func memberOf(s *seat) (Member, bool) {
	if s == nil {
		return Member{}, false
	}
	return s.Member, true
}

// Oldest is the member to which new runs go, and which succeeds a lost master: the oldest that is
// not leaving, or the oldest when all are. This peer counts when it has entered.
func (v *View) Oldest() (Member, bool) {
	if !v.self.State.Present() {
		return v.OldestOther()
	}
	return *v.seats.oldest(&v.self.Member), true
}

// OldestOther is the one that would be Oldest without this peer.
func (v *View) OldestOther() (Member, bool) {
	m := v.seats.oldest(nil)
	if m == nil {
		return Member{}, false
	}
	return *m, true
}

// Snapshot is what this peer knows of all members, itself and the gone included, as it travels to a
// peer that joins or whose view differs.
func (v *View) Snapshot(now time.Duration) ([]Member, []Bar) {
	all := make([]Member, 0, len(v.seats.sorted)+1)
	if v.self.State != 0 {
		all = append(all, v.self.Member)
	}
	for _, s := range v.seats.sorted {
		all = append(all, s.record(now))
	}
	return all, v.Bars()
}
