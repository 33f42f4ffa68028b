package membership

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Bar keeps a peer out of the grid, or lets it in again. The highest counter for an id wins. As an
// effect it tells of one that is new here.
//
// Counters count all bars of the grid, so they are the ages of bars, too: with the ids they are one
// order for everybody. When there are BarsMax, the oldest is forgotten, and none that is older is
// learned: who has forgotten a bar has those that came after it, and so has whoever hears of these.
// Two peers that have told each other all have the same.
type Bar struct {
	ID      PeerID
	Counter uint64
	Barred  bool
}

// Unbarred tells that the bar of a peer is so old that it is forgotten. Who was kept out by it is
// not any more.
type Unbarred struct{ ID PeerID }

// Bar declares a peer dead and keeps it out, or lets it in again, as a person asked here.
func (v *View) Bar(now time.Duration, id PeerID, barred bool) []Effect {
	b := Bar{ID: id, Counter: v.newestBar() + 1, Barred: barred}
	v.mergeBar(now, b)
	v.out = append(v.out, Publish{Barred{Bars: []Bar{b}}})
	return v.flush()
}

// newestBar is the greatest counter that is known.
func (v *View) newestBar() (newest uint64) {
	for _, b := range v.bars {
		newest = max(newest, b.Counter)
	}
	return newest
}

// MergeBars takes bars that others know of.
func (v *View) MergeBars(now time.Duration, bars []Bar) []Effect {
	for _, b := range bars[:min(len(bars), BarsMax)] {
		if v.admits(now, &v.barsTop, b.Counter) {
			v.mergeBar(now, b)
		}
	}
	return v.flush()
}

func (v *View) mergeBar(now time.Duration, b Bar) {
	if !b.ID.sound() {
		return
	}
	at, known := v.findBar(b.ID)
	switch {
	case known && (v.bars[at].Counter > b.Counter || v.bars[at].Counter == b.Counter && (v.bars[at].Barred || !b.Barred)):
		return // of two that people said at the same time, it is the bar that holds
	case known:
		v.bars[at] = b
	case len(v.bars) >= BarsMax && !v.forgetBar(b):
		return
	default:
		at, _ = v.findBar(b.ID)
		v.bars = slices.Insert(v.bars, at, b)
	}
	if b.ID == v.self.ID {
		if b.Barred {
			v.out = append(v.out, Banned{})
		}
		return
	}
	if s := v.byID[b.ID]; b.Barred && s != nil && s.State.Present() {
		v.lose(now, s, Dead, Kicked)
	}
	v.out = append(v.out, b)
}

// forgetBar makes room for a bar by forgetting the oldest, unless that is the one that comes.
func (v *View) forgetBar(b Bar) bool {
	oldest := slices.MinFunc(v.bars, Bar.compareAge)
	if b.compareAge(oldest) < 0 {
		return false
	}
	at, _ := v.findBar(oldest.ID)
	v.bars = slices.Delete(v.bars, at, at+1)
	v.out = append(v.out, Unbarred{oldest.ID})
	return true
}

// compareAge orders bars by age, the oldest first.
func (b Bar) compareAge(o Bar) int {
	return cmp.Or(cmp.Compare(b.Counter, o.Counter), strings.Compare(string(b.ID), string(o.ID)))
}

func (v *View) findBar(id PeerID) (int, bool) {
	return slices.BinarySearchFunc(v.bars, id, func(b Bar, id PeerID) int { return strings.Compare(string(b.ID), string(id)) })
}

func (v *View) bar(id PeerID) (Bar, bool) {
	at, ok := v.findBar(id)
	if !ok {
		return Bar{}, false
	}
	return v.bars[at], true
}
