package membership

import "time"

// Adopt takes the snapshot of a member. The first one settles what a view without any knowledge
// believes of counters: what it had heard of before, and is far above all that the snapshot knows,
// is forgotten, be it a member or a bar. When another member's then knows nothing near what the
// first one said, that was a lie, and the view starts over with this one.
func (v *View) Adopt(now time.Duration, members []Member, bars []Bar) []Effect {
	says := newestOf(members, bars)
	astray := len(members) > 0 && v.beliefs.areBelied(says)
	if astray {
		v.startOver(now)
	}
	if !v.beliefs.settled || astray {
		v.beliefs.trusted = says
		v.beliefs.settle(says)
		v.dropAbove(now, v.beliefs.joins.top)
		v.pass(v.bars.dropAbove(v.beliefs.bars.top))
	}
	v.out = append(v.MergeBars(now, bars), v.Merge(now, members)...)
	if astray && v.self.State.Present() {
		v.self.enterAnew(says.join)
		v.rejoined()
	}
	if v.self.client && len(members) > 0 {
		v.pass(v.bars.dropLacked(now, bars))
		for _, t := range v.seats.unknown(now, members) {
			v.lose(now, t, Dead, Silent)
			v.seats.remove(func(o *seat) bool { return o == t })
		}
	}
	return v.flush()
}

// startOver forgets everybody, and every bar.
func (v *View) startOver(now time.Duration) {
	for _, s := range v.seats.present() {
		v.lose(now, s, Dead, Silent)
	}
	v.seats.clear()
	v.pass(v.bars.drop(func(Bar) bool { return true }))
	v.bars, v.self.former = bars{}, Incarnation{}
}

// dropAbove forgets those whose join numbers are not to be believed.
func (v *View) dropAbove(now time.Duration, top uint64) {
	isAbove := func(s *seat) bool { return s.Incarnation.Join > top }
	for _, s := range v.seats.present() {
		if isAbove(s) {
			v.lose(now, s, Dead, Silent)
		}
	}
	v.seats.remove(isAbove)
	if v.self.former.Join > top {
		v.self.former = Incarnation{}
	}
}

// Above makes this peer enter as one that is younger than all with that join number or less, whom
// it does not know: it may have had it in a former life.
func (v *View) Above(join uint64) { v.self.above(join) }
