package orphan

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// Limits of what is kept. What is above them goes, the cheapest first.
const (
	ItemsMax = EntriesMax
	BytesMax = 256 << 20
)

// Purpose says for what a result is kept for another peer.
type Purpose uint8

// The reasons: the owner sent it as a copy; this peer returned it and the owner's copies do not
// cover it yet; a leaver handed on what it kept for the owner.
const (
	ForCopy Purpose = iota + 1
	ForReturn
	ForWill
)

// KeptFor is a peer for which a result is kept in case it dies.
type KeptFor struct {
	Owner       membership.PeerID
	Incarnation membership.Incarnation
	Why         Purpose
	Loan        steal.LoanNo // ForReturn: the owner's number
}

// Item is a result that is kept: as an orphan's, advertised, or for others.
type Item struct {
	Run    steal.Instance
	Key    steal.Key
	Result steal.Result
	Orphan bool
	Owners []KeptFor
}

// Results are those that a peer keeps. It advertises those that are orphans.
type Results struct {
	table *Table
	runs  []*itemsOf // by run
	cheap []*Item    // all, the cheapest first
	bytes int
}

// itemsOf has the items of one run.
type itemsOf struct {
	run   steal.Instance
	items []*Item // by key
}

// NewResults are none yet, and advertise in the table.
func NewResults(t *Table) *Results { return &Results{table: t} }

func (s *Results) itemsOf(run steal.Instance) (int, bool) {
	return slices.BinarySearchFunc(s.runs, run, func(h *itemsOf, run steal.Instance) int { return h.run.Compare(run) })
}

func (h *itemsOf) find(key steal.Key) (int, bool) {
	return slices.BinarySearchFunc(h.items, key, func(i *Item, key steal.Key) int { return bytes.Compare(i.Key[:], key[:]) })
}

func (s *Results) item(run steal.Instance, key steal.Key) *Item {
	if n, ok := s.itemsOf(run); ok {
		if at, ok := s.runs[n].find(key); ok {
			return s.runs[n].items[at]
		}
	}
	return nil
}

func cheaper(a, b *Item) int {
	return cmp.Or(cmp.Compare(a.Result.Cost, b.Result.Cost), a.Run.Compare(b.Run), bytes.Compare(a.Key[:], b.Key[:]))
}

// Get is a result that this peer keeps, for whatever reason.
func (s *Results) Get(run steal.Instance, key steal.Key) (steal.Result, bool) {
	if i := s.item(run, key); i != nil {
		return i.Result, true
	}
	return steal.Result{}, false
}

// Orphan keeps a result that somebody may be about to compute again, and advertises it.
func (s *Results) Orphan(now time.Duration, run steal.Instance, key steal.Key, r steal.Result) {
	if i := s.put(now, run, key, r); i != nil {
		s.orphan(now, i)
	}
}

func (s *Results) orphan(now time.Duration, i *Item) {
	i.Orphan = true
	s.table.Advertise(now, i.Run, Entry{Key: i.Key, Cost: i.Result.Cost})
}

// KeepFor keeps a result for a peer, and tells whether there was room.
func (s *Results) KeepFor(now time.Duration, run steal.Instance, key steal.Key, r steal.Result, c KeptFor) bool {
	i := s.put(now, run, key, r)
	if i == nil {
		return false
	}
	if !slices.Contains(i.Owners, c) && len(i.Owners) < OwnersMax {
		i.Owners = append(i.Owners, c)
	}
	return true
}

// put makes room for a result and enters it. It is nil when all else is worth more.
func (s *Results) put(now time.Duration, run steal.Instance, key steal.Key, r steal.Result) *Item {
	if i := s.item(run, key); i != nil {
		return i
	}
	i := &Item{Run: run, Key: key, Result: r}
	for len(s.cheap) >= ItemsMax || len(s.cheap) > 0 && s.bytes+len(r.Bytes) > BytesMax {
		if cheaper(s.cheap[0], i) > 0 {
			return nil
		}
		s.remove(now, s.cheap[0])
	}
	n, ok := s.itemsOf(run)
	if !ok {
		s.runs = slices.Insert(s.runs, n, &itemsOf{run: run})
	}
	at, _ := s.runs[n].find(key)
	s.runs[n].items = slices.Insert(s.runs[n].items, at, i)
	at, _ = slices.BinarySearchFunc(s.cheap, i, cheaper)
	s.cheap = slices.Insert(s.cheap, at, i)
	s.bytes += len(r.Bytes)
	return i
}

// remove drops a result, and what was advertised of it.
func (s *Results) remove(now time.Duration, i *Item) {
	s.take(i)
	if i.Orphan {
		s.table.Retract(now, i.Run, i.Key)
	}
}

// take takes a result out of the books.
func (s *Results) take(i *Item) {
	n, _ := s.itemsOf(i.Run)
	at, _ := s.runs[n].find(i.Key)
	s.runs[n].items = slices.Delete(s.runs[n].items, at, at+1)
	if len(s.runs[n].items) == 0 {
		s.runs = slices.Delete(s.runs, n, n+1)
	}
	at, _ = slices.BinarySearchFunc(s.cheap, i, cheaper)
	s.cheap = slices.Delete(s.cheap, at, at+1)
	s.bytes -= len(i.Result.Bytes)
}

// Release has results kept no more for those that are so, and drops the results that nothing holds
// any more.
func (s *Results) Release(now time.Duration, run steal.Instance, so func(steal.Key, KeptFor) bool) {
	n, ok := s.itemsOf(run)
	if !ok {
		return
	}
	for _, i := range slices.Clone(s.runs[n].items) {
		s.release(now, i, func(c KeptFor) bool { return so(i.Key, c) })
	}
}

func (s *Results) release(now time.Duration, i *Item, so func(KeptFor) bool) {
	i.Owners = slices.DeleteFunc(i.Owners, so)
	if len(i.Owners) == 0 && !i.Orphan {
		s.remove(now, i)
	}
}

// ReleaseKeys has each of these results kept no more for one.
func (s *Results) ReleaseKeys(now time.Duration, run steal.Instance, keys []steal.Key, c KeptFor) {
	for _, k := range keys {
		if i := s.item(run, k); i != nil {
			s.release(now, i, func(o KeptFor) bool { return o == c })
		}
	}
}

// OwnerLost makes orphans of what was kept for a peer that is gone, and tells how
// many results those are.
func (s *Results) OwnerLost(now time.Duration, owner membership.PeerID) (count int) {
	for _, h := range s.runs {
		for _, i := range h.items {
			if slices.ContainsFunc(i.Owners, func(c KeptFor) bool { return c.Owner == owner }) {
				i.Owners = slices.DeleteFunc(i.Owners, func(c KeptFor) bool { return c.Owner == owner })
				s.orphan(now, i)
				count++
			}
		}
	}
	return count
}

// LivesOn hears that an owner goes on under another incarnation.
func (s *Results) LivesOn(owner membership.PeerID, was, is membership.Incarnation) {
	for _, i := range s.cheap {
		for n := range i.Owners {
			if c := &i.Owners[n]; c.Owner == owner && c.Incarnation == was {
				c.Incarnation = is
			}
		}
	}
}

// Drop forgets a run that has ended. Its adverts go with the table's entries.
func (s *Results) Drop(run steal.Instance) {
	n, ok := s.itemsOf(run)
	if !ok {
		return
	}
	for _, i := range s.runs[n].items {
		s.bytes -= len(i.Result.Bytes)
	}
	s.runs = slices.Delete(s.runs, n, n+1)
	s.cheap = slices.DeleteFunc(s.cheap, func(i *Item) bool { return i.Run == run })
}

// All lists what is kept, the dearest first.
func (s *Results) All() []*Item {
	all := slices.Clone(s.cheap)
	slices.Reverse(all)
	return all
}

// Items lists what is kept of a run, by key; it is not to be changed.
func (s *Results) Items(run steal.Instance) []*Item {
	if n, ok := s.itemsOf(run); ok {
		return s.runs[n].items
	}
	return nil
}

// Len is how many results are kept.
func (s *Results) Len() int { return len(s.cheap) }

// Bytes is the size of all results that are kept.
func (s *Results) Bytes() int { return s.bytes }

// Check says what is wrong with them, for tests and the simulator.
func (s *Results) Check() error {
	count, size, orphans := 0, 0, 0
	for n, h := range s.runs {
		if n > 0 && s.runs[n-1].run.Compare(h.run) >= 0 || len(h.items) == 0 {
			return fmt.Errorf("orphan: the items of run %s is out of place or empty", h.run.Run.Short())
		}
		for _, i := range h.items {
			count++
			size += len(i.Result.Bytes)
			if i.Orphan {
				orphans++
			}
			if _, ok := slices.BinarySearchFunc(s.cheap, i, cheaper); !ok || len(i.Owners) == 0 && !i.Orphan {
				return fmt.Errorf("orphan: result %s is kept for nobody, or not in order", i.Key.Short())
			}
			if _, listed := s.table.self.entry(i.Run, i.Key); listed != i.Orphan {
				return fmt.Errorf("orphan: result %s is advertised: %v, an orphan's: %v", i.Key.Short(), listed, i.Orphan)
			}
		}
	}
	if count != len(s.cheap) || size != s.bytes || count > ItemsMax {
		return fmt.Errorf("orphan: %d results in %d bytes, counted %d in %d", count, size, len(s.cheap), s.bytes)
	}
	if s.table.self.count != orphans {
		return fmt.Errorf("orphan: %d results are advertised, %d are kept for that", s.table.self.count, orphans)
	}
	return nil
}
