package membership

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// seats are the other members that are known, the gone included. Whoever changes whether one of
// them is present, or how, or in which life, says so by changed.
type seats struct {
	sorted   []*seat // by id
	byID     map[PeerID]*seat
	roll     roll
	suspects suspects
	// nobody is gone for GoneKeptFor before this; the zero value says nothing
	forgetAt time.Duration
	checked  int // the seat that is checked next
}

// find is where id stands, or would stand.
func (s *seats) find(id PeerID) (int, bool) {
	return slices.BinarySearchFunc(s.sorted, id, func(t *seat, id PeerID) int {
		return strings.Compare(string(t.ID), string(id))
	})
}

// add gives a member that has none a seat, which is to be filled; nil when there is no room.
func (s *seats) add(id PeerID) *seat {
	if len(s.sorted) >= MembersMax && !s.evict() {
		return nil
	}
	t := &seat{line: rollLine{place: ringPlace(id)}}
	at, _ := s.find(id)
	s.sorted = slices.Insert(s.sorted, at, t)
	s.byID[id] = t
	return t
}

// evict makes room by forgetting the one that is gone for longest.
func (s *seats) evict() bool {
	var first *seat
	for _, t := range s.roll.gone {
		if first == nil || t.gone < first.gone {
			first = t
		}
	}
	if first != nil {
		s.remove(func(t *seat) bool { return t == first })
	}
	return first != nil
}

// remove forgets some of those that are gone.
func (s *seats) remove(some func(*seat) bool) {
	var all []*seat
	for _, t := range s.roll.gone {
		if some(t) {
			all = append(all, t)
		}
	}
	for _, t := range all {
		s.roll.strike(t)
		delete(s.byID, t.ID)
		at, _ := s.find(t.ID)
		s.sorted = slices.Delete(s.sorted, at, at+1)
	}
}

// takesBack tells whether a client takes the word of one that it has held dead, whom no member
// hears: see giveUp. Where there is nobody else, that one may be in a life before the one that was
// known: of two processes with one identity the other is gone, and nobody could tell this one so.
func (s *seats) takesBack(t *seat, i Incarnation) bool {
	others := slices.ContainsFunc(s.present(), func(o *seat) bool { return o != t })
	return t.State == Dead && i == t.Incarnation || i.Compare(t.Incarnation) < 0 && !others
}

// clear forgets all of them.
func (s *seats) clear() { *s = seats{byID: map[PeerID]*seat{}} }

// isGone notes since when a member is gone.
func (s *seats) isGone(t *seat, since time.Duration) {
	t.gone = since
	s.forgetAt = min(s.forgetAt, since+GoneKeptFor)
	s.changed(t)
}

// forget drops those that are gone for long.
func (s *seats) forget(now time.Duration) {
	if now <= s.forgetAt {
		return
	}
	s.remove(func(t *seat) bool { return now-t.gone > GoneKeptFor })
	s.forgetAt = math.MaxInt64
	for _, t := range s.roll.gone {
		s.forgetAt = min(s.forgetAt, t.gone+GoneKeptFor)
	}
}

// changed says that one has come or gone, or is leaving now, or has another life.
func (s *seats) changed(t *seat) { s.roll.note(t) }

// doubt suspects one.
func (s *seats) doubt(now time.Duration, t *seat, near bool) {
	t.doubt(now, near)
	s.suspects.add(t)
}

// present are those that are present. The slice stays as it is when that changes.
func (s *seats) present() []*seat { return s.roll.present() }

// digest is a sum over those that are present.
func (s *seats) digest() uint64 { return s.roll.sum }

// digestOf is what a record adds to the digest of a view.
func digestOf(id PeerID, i Incarnation, s State) uint64 {
	if s == Suspected {
		s = Here
	}
	h := fnv.New64a()
	h.Write([]byte(id))
	var b [25]byte
	binary.LittleEndian.PutUint64(b[:], i.Join)
	binary.LittleEndian.PutUint64(b[8:], i.Rejoin)
	binary.LittleEndian.PutUint64(b[16:], i.Random)
	b[24] = byte(s)
	h.Write(b[:])
	return h.Sum64()
}

// draw is one drawn at random; a suspected one only when there is no other.
func (s *seats) draw(rng *rand.Rand) (got *seat) {
	suspects := s.suspects.now()
	if len(suspects) == len(s.roll.here) {
		suspects = nil
	}
	n := 0
	for _, t := range s.roll.here {
		if len(suspects) > 0 && suspects[0] == t { // both are in the order of ids
			suspects = suspects[1:]
			continue
		}
		n++
		if rng.IntN(n) == 0 {
			got = t
		}
	}
	return got
}

// drawDead is one drawn at random of the dead that some choose.
func (s *seats) drawDead(rng *rand.Rand, some func(*seat) bool) (got *seat) {
	n := 0
	for _, t := range s.roll.gone {
		if t.State == Dead && some(t) {
			if n++; rng.IntN(n) == 0 {
				got = t
			}
		}
	}
	return got
}

// oldest is the oldest that is not leaving, or the oldest when all are; with another, if that is
// not nil.
func (s *seats) oldest(other *Member) *Member {
	elder := s.roll.oldest()
	if elder == nil {
		return other
	}
	return older(other, elder)
}

// older is the older of two, of whom one that is not leaving comes first. The former may be nil.
func older(a, b *Member) *Member {
	if a == nil {
		return b
	}
	stays, leaves := a.State != Leaving, b.State == Leaving
	if stays && leaves || stays != leaves && a.OlderThan(b) {
		return a
	}
	return b
}

// unheardMax is how long a client believes in a member that it does not hear itself, and of which
// other members do not know; and in a bar that they do not have.
const unheardMax = time.Minute

// unknown are those that a member's records do not have in that life: they are gone for so long
// that the others have forgotten them, or never were. A client watches nobody, so it would believe
// in them for ever.
func (s *seats) unknown(now time.Duration, to []Member) (all []*seat) {
	for _, t := range s.present() {
		known := slices.ContainsFunc(to, func(m Member) bool { return m.ID == t.ID && m.Incarnation.Compare(t.Incarnation) >= 0 })
		if !known && now-t.heard > unheardMax {
			all = append(all, t)
		}
	}
	return all
}

// checkMost is how many seats are checked at a time: of more, others each time.
const checkMost = 64

// check says what is wrong with the seats of a peer.
func (s *seats) check(self PeerID) error {
	here, gone := len(s.roll.here), len(s.roll.gone)
	if len(s.sorted) != len(s.byID) || len(s.sorted) != here+gone || len(s.sorted) > MembersMax {
		return fmt.Errorf("membership: %d seats, %d by id, %d present, %d gone", len(s.sorted), len(s.byID), here, gone)
	}
	for range min(len(s.sorted), checkMost) {
		n := s.checked % len(s.sorted)
		s.checked = n + 1
		t := s.sorted[n]
		if s.byID[t.ID] != t || n > 0 && s.sorted[n-1].ID >= t.ID || t.ID == self {
			return fmt.Errorf("membership: seat %q is out of place", t.ID)
		}
	}
	return nil
}
