package membership

import (
	"slices"
	"time"
)

// Adopt takes the snapshot of a member. The first one settles what a view without any knowledge
// believes of counters: whom it had heard of before, and who is far above all that the snapshot
// knows, is forgotten. When another member's then knows nothing near what the first one said, that
// was a lie, and the view starts over with this one.
func (v *View) Adopt(now time.Duration, members []Member, bars []Bar) []Effect {
	says := newestOf(members, bars)
	astray := v.settled && len(members) > 0 && v.trusted.isFarAbove(says)
	if astray {
		v.startOver(now)
	}
	if !v.settled || astray {
		v.trusted = says
		v.settle(says.join, max(says.bar, v.newestBar()))
		v.dropAbove(now)
	}
	v.out = append(v.MergeBars(now, bars), v.Merge(now, members)...)
	if astray && v.self.State.Present() {
		v.enterAnew(says.join)
	}
	if v.client && len(members) > 0 {
		v.dropUnknown(now, members)
	}
	return v.flush()
}

// newest is the greatest join number and the greatest counter of a bar of what somebody knows.
type newest struct{ join, bar uint64 }

func newestOf(members []Member, bars []Bar) (n newest) {
	for _, m := range members {
		n.join = max(n.join, min(m.Incarnation.Join, CounterMax))
	}
	for _, b := range bars {
		n.bar = max(n.bar, min(b.Counter, CounterMax))
	}
	return n
}

// isFarAbove tells whether who knows m refuses to believe n.
func (n newest) isFarAbove(m newest) bool {
	return n.join > m.join+RaiseMax || n.bar > m.bar+RaiseMax
}

// startOver forgets everybody, and every bar.
func (v *View) startOver(now time.Duration) {
	for _, s := range v.seats {
		if s.State.Present() {
			v.lose(now, s, Dead, Silent)
		}
	}
	v.seats, v.bars, v.former = nil, nil, Incarnation{}
	clear(v.byID)
}

// enterAnew takes a life that those believe who know that join number. Nobody has
// believed the one before.
func (v *View) enterAnew(join uint64) {
	v.self.Was = v.self.Incarnation
	v.self.Incarnation = Incarnation{Join: join + 1, Random: v.rng.Uint64()}
	v.out = append(v.out, Rejoined{v.self.Incarnation})
	v.greet()
}

// unheardMax is how long a client believes in a member that it does not hear itself, and of which
// other members do not know.
const unheardMax = time.Minute

// dropUnknown forgets the members that a member's snapshot does not have in that life: they are
// gone for so long that the others have forgotten them, or never were. A client watches nobody, so
// it would believe in them for ever.
func (v *View) dropUnknown(now time.Duration, members []Member) {
	var gone []*seat
	for _, s := range v.seats {
		known := slices.ContainsFunc(members, func(m Member) bool { return m.ID == s.ID && m.Incarnation.Compare(s.Incarnation) >= 0 })
		if s.State.Present() && !known && now-s.heard > unheardMax {
			gone = append(gone, s)
		}
	}
	for _, s := range gone {
		v.lose(now, s, Dead, Silent)
		at, _ := v.find(s.ID)
		v.seats = slices.Delete(v.seats, at, at+1)
		delete(v.byID, s.ID)
	}
}

// Above makes this peer enter as one that is younger than all with that join number or less, whom
// it does not know.
func (v *View) Above(join uint64) { v.former.Join = max(v.former.Join, join) }

// settle sets the ceilings over what is known.
func (v *View) settle(join, bar uint64) {
	v.settled = true
	v.joins.Over(join)
	v.barsTop.Over(bar)
}

// dropAbove forgets those whose join numbers are not to be believed.
func (v *View) dropAbove(now time.Duration) {
	for _, s := range v.seats {
		if s.Incarnation.Join > v.joins.top && s.State.Present() {
			v.lose(now, s, Dead, Silent)
		}
	}
	v.seats = slices.DeleteFunc(v.seats, func(s *seat) bool {
		if s.Incarnation.Join <= v.joins.top {
			return false
		}
		delete(v.byID, s.ID)
		return true
	})
	if v.former.Join > v.joins.top {
		v.former = Incarnation{}
	}
}

// admits tells whether a counter from outside is to be believed.
func (v *View) admits(now time.Duration, c *Ceiling, n uint64) bool {
	return !v.settled && n <= CounterMax || v.settled && c.Admits(now, n)
}

// ago is for how long one that is gone was gone when its record was sent.
func (v *View) ago(m *Member) time.Duration {
	if m.State.Present() {
		return 0
	}
	return min(time.Duration(m.Ago)*time.Second, GoneKeptFor)
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
