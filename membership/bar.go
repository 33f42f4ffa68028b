package membership

import "time"

// Bar keeps a peer out of the grid, or lets it in again. The highest counter for an id wins. As an
// effect it tells of one that is new here.
//
// Counters count all bars of the grid, so they are the ages of bars, too: with the ids they are one
// order for everybody. When there are BarsMax, the oldest of those that were lifted is forgotten,
// and the oldest of all only when every one holds: however many somebody lifts, nobody comes back
// who was not let in. None that would be the first to go is learned, so two peers that have told
// each other all have the same.
//
// Whoever has forgotten that a bar was lifted believes the next that still has the bar.
type Bar struct {
	ID      PeerID
	Counter uint64
	Barred  bool
}

// Unbarred tells that the bar of a peer is forgotten, for younger ones. Who was kept out by it is
// not any more.
type Unbarred struct{ ID PeerID }

// Bar declares a peer dead and keeps it out, or lets it in again, as a person asked here.
func (v *View) Bar(now time.Duration, id PeerID, barred bool) []Effect {
	b := Bar{ID: id, Counter: v.bars.newest + 1, Barred: barred}
	v.mergeBar(now, b)
	v.do(Publish{Barred{Bars: []Bar{b}}})
	return v.flush()
}

// MergeBars takes bars that others know of.
func (v *View) MergeBars(now time.Duration, bars []Bar) []Effect {
	for _, b := range bars[:min(len(bars), BarsMax)] {
		if v.beliefs.admitBar(now, b.Counter) {
			v.mergeBar(now, b)
		}
	}
	return v.flush()
}

func (v *View) mergeBar(now time.Duration, b Bar) {
	effects, news := v.bars.learn(b)
	v.pass(effects)
	switch s := v.seats.byID[b.ID]; {
	case !news:
	case b.ID == v.self.ID && b.Barred:
		v.do(Banned{})
	case b.ID == v.self.ID:
	default:
		if b.Barred && s != nil && s.State.Present() {
			v.lose(now, s, Dead, Kicked)
		}
		v.do(b)
	}
}

// IsBarred tells whether a peer is kept out.
func (v *View) IsBarred(id PeerID) bool { return v.bars.holds(id) }

// Bars are all that is known of who is kept out, to be kept for the next start.
func (v *View) Bars() []Bar { return append([]Bar(nil), v.bars.all...) }
