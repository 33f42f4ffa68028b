package orphan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// Limits and times of a table. A worker leaves 3 to 7 parts when its peer dies, and holds
// as many for another; but a job with ten thousand children has as many parts. The whole
// takes 14 MB at most.
const (
	EntriesMax = 1 << 14 // of one holder
	TableMax   = 1 << 17
	ageAfter   = 250 * time.Millisecond // an advert that has not arrived by then is lost
	// a loss brings dozens of entries in a few milliseconds: they go out together
	AdvertAfter   = 10 * time.Millisecond
	wantListEvery = time.Second
)

// Never is the deadline of a machine that waits for nothing.
const Never = steal.Never

// Table is what a peer knows of the results that all peers hold, itself included.
type Table struct {
	self    *list
	lists   []*list                      // by holder, with self
	runs    map[steal.Instance]*holdings // those with entries
	count   int
	pending []Change // of self that are not published yet …
	pendRun []steal.Instance
	due     time.Duration // … until then
	agedAt  time.Duration
}

// holdings are the entries of one run.
type holdings struct {
	byKey map[steal.Key][]*list
	count int
}

// Holder is a peer that holds a result.
type Holder struct {
	Peer        membership.PeerID
	Incarnation membership.Incarnation
	Cost        uint32
}

// NewTable makes the empty table of a peer.
func NewTable(self membership.PeerID) *Table {
	t := &Table{self: &list{holder: self}, runs: map[steal.Instance]*holdings{}, due: Never}
	t.lists = []*list{t.self}
	return t
}

func (t *Table) find(holder membership.PeerID) (int, bool) {
	return slices.BinarySearchFunc(t.lists, holder, func(l *list, id membership.PeerID) int {
		return strings.Compare(string(l.holder), string(id))
	})
}

// list is that of a holder in that incarnation; an older one makes room for it. It is nil when
// there is a newer one.
func (t *Table) list(holder membership.PeerID, i membership.Incarnation) *list {
	at, ok := t.find(holder)
	switch {
	case !ok:
		t.lists = slices.Insert(t.lists, at, &list{holder: holder, incarnation: i})
	case t.lists[at] == t.self:
		return t.self // nobody else changes it
	case t.lists[at].incarnation.Compare(i) > 0:
		return nil
	case t.lists[at].incarnation != i:
		t.clear(t.lists[at])
		*t.lists[at] = list{holder: holder, incarnation: i}
	}
	return t.lists[at]
}

// enter notes that a list has a result, unless a limit is reached.
func (t *Table) enter(l *list, run steal.Instance, e Entry) {
	if _, known := l.entry(run, e.Key); !known && l != t.self && (l.count >= EntriesMax || t.count-t.self.count >= TableMax) {
		return
	}
	if !l.add(run, e) {
		return
	}
	h := t.runs[run]
	if h == nil {
		h = &holdings{byKey: map[steal.Key][]*list{}}
		t.runs[run] = h
	}
	all := h.byKey[e.Key]
	at, _ := slices.BinarySearchFunc(all, l.holder, func(o *list, id membership.PeerID) int { return cmp.Compare(o.holder, id) })
	h.byKey[e.Key] = slices.Insert(all, at, l)
	h.count++
	t.count++
}

// remove notes that a list has a result no more.
func (t *Table) remove(l *list, run steal.Instance, key steal.Key) bool {
	if !l.remove(run, key) {
		return false
	}
	t.unindex(l, run, key)
	return true
}

func (t *Table) unindex(l *list, run steal.Instance, key steal.Key) {
	h := t.runs[run]
	h.byKey[key] = slices.DeleteFunc(h.byKey[key], func(o *list) bool { return o == l })
	if len(h.byKey[key]) == 0 {
		delete(h.byKey, key)
	}
	if h.count--; h.count == 0 {
		delete(t.runs, run)
	}
	t.count--
}

// clear drops all entries of a list.
func (t *Table) clear(l *list) {
	for _, p := range l.runs {
		for _, e := range p.entries {
			t.unindex(l, p.run, e.Key)
		}
	}
	l.runs, l.count = nil, 0
}

// Has tells whether there are entries of a run.
func (t *Table) Has(run steal.Instance) bool { return t.runs[run] != nil }

// Holders appends to buf who holds a result, this peer left out, in the order of their ids.
func (t *Table) Holders(buf []Holder, run steal.Instance, key steal.Key) []Holder {
	h := t.runs[run]
	if h == nil {
		return buf
	}
	for _, l := range h.byKey[key] {
		if l != t.self {
			e, _ := l.entry(run, key)
			buf = append(buf, Holder{Peer: l.holder, Incarnation: l.incarnation, Cost: e.Cost})
		}
	}
	return buf
}

// Lost drops the list of a holder that is gone.
func (t *Table) Lost(holder membership.PeerID) {
	if at, ok := t.find(holder); ok && t.lists[at] != t.self {
		t.clear(t.lists[at])
		t.lists = slices.Delete(t.lists, at, at+1)
	}
}

// Drop forgets the entries of a run that has ended.
func (t *Table) Drop(run steal.Instance) {
	if t.runs[run] == nil {
		return
	}
	for _, l := range t.lists {
		if n, ok := l.section(run); ok {
			t.count -= len(l.runs[n].entries)
			l.count -= len(l.runs[n].entries)
			l.runs = slices.Delete(l.runs, n, n+1)
		}
	}
	delete(t.runs, run)
}

// Sweep forgets the entries of runs that are over. They come from peers that have
// not heard of the end.
func (t *Table) Sweep(over func(steal.Instance) bool) {
	for _, l := range t.lists {
		for n := len(l.runs) - 1; n >= 0; n-- {
			if n < len(l.runs) && over(l.runs[n].run) {
				t.Drop(l.runs[n].run)
			}
		}
	}
}

// Stray is a run with entries here that is not known, and who advertised one: another one of
// those for each turn.
func (t *Table) Stray(turn int, known func(steal.Instance) bool) (run steal.Instance, holder membership.PeerID, ok bool) {
	type stray struct {
		run    steal.Instance
		holder membership.PeerID
	}
	var all []stray
	for _, l := range t.lists {
		for _, p := range l.runs {
			if l != t.self && !known(p.run) {
				all = append(all, stray{p.run, l.holder})
			}
		}
	}
	if len(all) == 0 {
		return run, "", false
	}
	s := all[turn%len(all)]
	return s.run, s.holder, true
}

// Len is how many entries there are.
func (t *Table) Len() int { return t.count }

// Check says what is wrong with the table, for tests and the simulator.
func (t *Table) Check() error {
	count := 0
	for n, l := range t.lists {
		if n > 0 && t.lists[n-1].holder >= l.holder {
			return fmt.Errorf("orphan: the list of %q is out of place", l.holder)
		}
		own := 0
		for _, p := range l.runs {
			own += len(p.entries)
			h := t.runs[p.run]
			for _, e := range p.entries {
				if h == nil || !slices.Contains(h.byKey[e.Key], l) {
					return fmt.Errorf("orphan: an entry of %q is not in the index", l.holder)
				}
			}
		}
		if own != l.count || own > EntriesMax {
			return fmt.Errorf("orphan: %q has %d entries, counted %d", l.holder, own, l.count)
		}
		count += own
	}
	if count != t.count || count-t.self.count > TableMax {
		return fmt.Errorf("orphan: %d entries, counted %d", count, t.count)
	}
	return nil
}
