package membership

import (
	"cmp"
	"slices"
	"strings"
)

// roll is who of the seats is present and who is gone, each in the order of ids, with what follows
// from it: the ring, the oldest, and the digest. It is told of each seat that changes, and looks at
// the others only when the oldest goes.
type roll struct {
	here  []*seat
	shown bool    // somebody was given that slice, which stays as it is
	gone  []*seat // those that are not forgotten
	ring  []*seat // those that are present, by their places
	elder *seat   // the oldest of them; see older
	sum   uint64  // their digest
}

// rollLine is what the roll has of a seat.
type rollLine struct {
	place uint64 // on the ring
	adds  uint64 // to the digest
	in    rollPart
}

// rollPart is in which list of the roll a seat stands.
type rollPart uint8

const (
	inNone rollPart = iota
	inHere
	inGone
)

// note takes a seat as it is now.
func (r *roll) note(t *seat) {
	to := inGone
	r.sum -= t.line.adds
	if t.line.adds = 0; t.State.Present() {
		to, t.line.adds = inHere, digestOf(t.ID, t.Incarnation, t.State)
		r.sum += t.line.adds
	}
	if from := t.line.in; from != to {
		r.strike(t)
		r.enter(t, to)
	}
	switch {
	case r.elder == t || r.elder == nil:
		r.elder = eldest(r.here)
	case to == inHere && older(&r.elder.Member, &t.Member) == &t.Member:
		r.elder = t
	}
}

// enter writes a seat into a list.
func (r *roll) enter(t *seat, to rollPart) {
	switch t.line.in = to; to {
	case inHere:
		r.own()
		r.here = insert(r.here, t, byID)
		r.ring = insert(r.ring, t, byPlace)
	case inGone:
		r.gone = insert(r.gone, t, byID)
	}
}

// strike takes a seat out of the list in which it stands.
func (r *roll) strike(t *seat) {
	switch t.line.in {
	case inHere:
		r.own()
		r.here = remove(r.here, t, byID)
		r.ring = remove(r.ring, t, byPlace)
	case inGone:
		r.gone = remove(r.gone, t, byID)
	}
	t.line.in = inNone
}

// own makes those that are present a slice that nobody else has.
func (r *roll) own() {
	if r.shown {
		r.here, r.shown = append(make([]*seat, 0, len(r.here)+1), r.here...), false
	}
}

// present are those that are present. The slice stays as it is when that changes.
func (r *roll) present() []*seat {
	r.shown = true
	return r.here
}

// oldest is the oldest of those that are present; nil: nobody is.
func (r *roll) oldest() *Member {
	if r.elder == nil {
		return nil
	}
	return &r.elder.Member
}

// eldest finds it among some.
func eldest(all []*seat) (found *seat) {
	for _, t := range all {
		if found == nil || older(&found.Member, &t.Member) == &t.Member {
			found = t
		}
	}
	return found
}

func byID(a, b *seat) int { return strings.Compare(string(a.ID), string(b.ID)) }

// byPlace orders seats round the ring.
func byPlace(a, b *seat) int {
	return cmp.Or(cmp.Compare(a.line.place, b.line.place), byID(a, b))
}

func insert(all []*seat, t *seat, order func(a, b *seat) int) []*seat {
	at, _ := slices.BinarySearchFunc(all, t, order)
	return slices.Insert(all, at, t)
}

func remove(all []*seat, t *seat, order func(a, b *seat) int) []*seat {
	at, is := slices.BinarySearchFunc(all, t, order)
	if !is || all[at] != t {
		panic("membership: BUG: a seat is not where the roll has it")
	}
	return slices.Delete(all, at, at+1)
}
