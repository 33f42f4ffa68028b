package membership

import (
	"cmp"
	"hash/fnv"
	"slices"
	"time"
)

// AllPairsMax is the size of a grid up to which everybody watches everybody. At 8 peers that is 35
// heartbeats a second sent by each; beyond, six neighbours send 30.
const AllPairsMax = 8

// arrange makes the ring and the neighbours anew after a change of the view.
func (v *View) arrange() {
	v.dirty = false
	v.ring = v.ring[:0]
	for _, s := range v.seats {
		if s.State.Present() {
			v.ring = append(v.ring, s)
		}
	}
	v.watched = v.watched[:0]
	if v.self.State == 0 {
		return
	}
	if len(v.ring)+1 <= AllPairsMax {
		v.watched = append(v.watched, v.ring...)
		return
	}
	slices.SortFunc(v.ring, func(a, b *seat) int { return cmp.Compare(ringPlace(a.ID), ringPlace(b.ID)) })
	own := ringPlace(v.self.ID)
	at, _ := slices.BinarySearchFunc(v.ring, own, func(s *seat, own uint64) int {
		return cmp.Compare(ringPlace(s.ID), own)
	})
	n := len(v.ring) + 1 // with this peer, which stands before v.ring[at]
	for _, d := range []int{1, 2, n / 3, n - n/3, n - 2, n - 1} {
		s := v.ring[(at+d-1)%len(v.ring)]
		if !slices.Contains(v.watched, s) {
			v.watched = append(v.watched, s)
		}
	}
}

// ringPlace scatters ids round the ring, so that a site that dies whole does not leave
// a gap of neighbours.
func ringPlace(id PeerID) uint64 {
	h := fnv.New64a()
	h.Write([]byte(id))
	x := h.Sum64()
	return (x ^ x>>29) * 0xbf58476d1ce4e5b9
}

// Deadline is when Tick wants to be called.
func (v *View) Deadline() time.Duration { return v.next }

// Tick lets time pass: heartbeats go out, silences are noticed.
func (v *View) Tick(now time.Duration) []Effect {
	if now < v.next {
		return nil
	}
	// What is late by little each time adds up: a peer that gets a third of the time that it
	// needs hears late, too.
	v.lag = v.lag/2 + now - v.next
	late := v.lag > lateMin
	v.next = now + tickEvery
	v.forget(now)
	if v.dirty {
		fresh := append([]*seat(nil), v.watched...)
		v.arrange()
		v.startWatching(now, fresh)
	}
	if late {
		v.forgive(now)
	}
	for _, s := range v.watched {
		if now-s.sent >= HeartbeatEvery-tickEvery/2 {
			s.sent = now
			v.out = append(v.out, Send{To: s.ID, Incarnation: s.Incarnation, Body: Heartbeat{}})
		}
	}
	v.judge(now)
	return v.flush()
}

// startWatching gives those that were not watched until now the time to send their first heartbeat.
func (v *View) startWatching(now time.Duration, before []*seat) {
	for _, s := range v.watched {
		if !slices.Contains(before, s) && !s.doubted {
			s.heard = now
		}
	}
}

// forgive treats everybody as heard just now, because this peer was not there to listen.
func (v *View) forgive(now time.Duration) {
	for _, s := range v.seats {
		if s.State.Present() {
			s.heard = now
			v.clear(s)
		}
	}
}

// hear notes a sign of life.
func (v *View) hear(now time.Duration, s *seat) {
	s.gaps.heard(now - s.heard)
	s.heard = now
	v.clear(s)
}

// clear ends a suspicion.
func (v *View) clear(s *seat) {
	s.redialed, s.doubted = false, false
	if s.State == Suspected {
		s.State = Here
	}
}
