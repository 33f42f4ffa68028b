package membership

import (
	"slices"
	"strings"
	"time"
)

// Bar declares a peer dead and keeps it out, or lets it in again, as a person asked here.
func (v *View) Bar(now time.Duration, id PeerID, barred bool) []Effect {
	old, _ := v.bar(id)
	v.mergeBar(now, Bar{ID: id, Counter: old.Counter + 1, Barred: barred})
	v.out = append(v.out, Publish{Barred{Bars: []Bar{{ID: id, Counter: old.Counter + 1, Barred: barred}}}})
	return v.flush()
}

// MergeBars takes bars that others know of.
func (v *View) MergeBars(now time.Duration, bars []Bar) []Effect {
	for _, b := range bars {
		v.mergeBar(now, b)
	}
	return v.flush()
}

func (v *View) mergeBar(now time.Duration, b Bar) {
	if b.ID == "" || len(b.ID) > IDBytesMax {
		return
	}
	at, known := slices.BinarySearchFunc(v.bars, b.ID, func(b Bar, id PeerID) int {
		return strings.Compare(string(b.ID), string(id))
	})
	switch {
	case known && v.bars[at].Counter >= b.Counter:
		return
	case known:
		v.bars[at] = b
	case len(v.bars) >= BarsMax:
		return
	default:
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

func (v *View) bar(id PeerID) (Bar, bool) {
	at, ok := slices.BinarySearchFunc(v.bars, id, func(b Bar, id PeerID) int {
		return strings.Compare(string(b.ID), string(id))
	})
	if !ok {
		return Bar{}, false
	}
	return v.bars[at], true
}
