package moments

import (
	"slices"
	"sort"

	"satingrid/satin/program/recording"
)

const (
	// placesMax bounds the places of a tape: to go back is to read a 64th of it at most.
	placesMax = 64

	// placesBytes bounds the memory that they take, about; when it is more there are half as
	// many.
	placesBytes = 64 << 20
)

// foothold is a state in which a tape was, so that it can be there again.
type foothold struct {
	looks       int
	mark        recording.Bookmark
	sum         *recording.Summary
	before, now recording.Look
	bytes       int
}

// keep remembers where the tape is, if that is a place to be remembered.
func (t *Tape) keep() {
	if t.seen%t.every != 0 {
		return
	}
	i := sort.Search(len(t.places), func(i int) bool { return t.places[i].looks >= t.seen })
	if i < len(t.places) && t.places[i].looks == t.seen {
		return
	}
	mark, ok := t.read.Bookmark()
	if !ok {
		return
	}
	p := foothold{t.seen, mark, t.sum.Clone(), t.before, t.now, mark.Bytes() + t.sum.Bytes()}
	t.places, t.kept = slices.Insert(t.places, i, p), t.kept+p.bytes
	for t.kept > placesBytes && len(t.places) > 1 {
		t.every *= 2
		t.places = slices.DeleteFunc(t.places, func(p foothold) bool {
			gone := p.looks%t.every != 0
			if gone {
				t.kept -= p.bytes
			}
			return gone
		})
	}
}

// jump goes to the last place before so many looks, or to the beginning, unless it is read from
// where it is.
func (t *Tape) jump(looks int) error {
	i := sort.Search(len(t.places), func(i int) bool { return t.places[i].looks > looks }) - 1
	back := looks < t.seen
	if i < 0 || !back && t.places[i].looks <= t.seen {
		if back {
			return t.rewind()
		}
		return nil
	}
	p := t.places[i]
	read, err := recording.OpenAt(t.from, p.mark)
	if err != nil {
		return err
	}
	t.read, t.sum, t.before, t.now = read, p.sum.Clone(), p.before, p.now
	t.seen, t.broken, t.resumed = p.looks, nil, true
	return nil
}

// forget forgets all places, and goes to the beginning.
func (t *Tape) forget() error {
	t.places, t.kept = nil, 0
	return t.rewind()
}
