package orphan

import (
	"bytes"
	"hash/fnv"
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// list is what is known of one holder's results.
type list struct {
	holder      membership.PeerID
	incarnation membership.Incarnation
	version     uint64 // the number of the last change
	recent      uint64 // … at the last Age,
	settled     uint64 // … and at the one before
	runs        []*section
	count       int           // of entries
	wantAt      time.Duration // no second request for the whole list before this
}

// section is the part of a list that belongs to one run.
type section struct {
	run     steal.Instance
	entries []Entry // by key
}

func (l *list) section(run steal.Instance) (int, bool) {
	return slices.BinarySearchFunc(l.runs, run, func(p *section, run steal.Instance) int { return p.run.Compare(run) })
}

func (p *section) find(key steal.Key) (int, bool) {
	return slices.BinarySearchFunc(p.entries, key, func(e Entry, key steal.Key) int { return bytes.Compare(e.Key[:], key[:]) })
}

// entry is what the list says of a result.
func (l *list) entry(run steal.Instance, key steal.Key) (Entry, bool) {
	if n, ok := l.section(run); ok {
		if at, ok := l.runs[n].find(key); ok {
			return l.runs[n].entries[at], true
		}
	}
	return Entry{}, false
}

// add enters a result, and tells whether it is new.
func (l *list) add(run steal.Instance, e Entry) bool {
	n, ok := l.section(run)
	if !ok {
		l.runs = slices.Insert(l.runs, n, &section{run: run})
	}
	p := l.runs[n]
	at, ok := p.find(e.Key)
	if ok {
		p.entries[at] = e
		return false
	}
	p.entries = slices.Insert(p.entries, at, e)
	l.count++
	return true
}

// remove takes a result out, and tells whether it was there.
func (l *list) remove(run steal.Instance, key steal.Key) bool {
	n, ok := l.section(run)
	if !ok {
		return false
	}
	p := l.runs[n]
	at, ok := p.find(key)
	if !ok {
		return false
	}
	p.entries = slices.Delete(p.entries, at, at+1)
	if len(p.entries) == 0 {
		l.runs = slices.Delete(l.runs, n, n+1)
	}
	l.count--
	return true
}

func (l *list) state() Version {
	return Version{Holder: l.holder, Incarnation: l.incarnation, Number: l.version}
}

// hash tells two states of a list apart.
func (v *Version) hash() uint64 {
	h := fnv.New64a()
	h.Write([]byte(v.Holder))
	sum := h.Sum64()
	for _, n := range []uint64{uint64(v.Incarnation.Join), uint64(v.Incarnation.Rejoin), v.Incarnation.Random, v.Number} {
		sum = (sum ^ n ^ n>>31) * 0x9e3779b97f4a7c15
	}
	return sum ^ sum>>29
}
