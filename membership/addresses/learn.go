package addresses

import (
	"slices"
	"strings"
	"time"

	"satingrid/membership"
)

// Learn takes what is said of where a host is: by itself, through its session, or by another.
func (b *Book) Learn(now time.Duration, k Known, itself bool) {
	b.now = max(b.now, now)
	var addrs []string
	for _, a := range k.Addrs[:min(len(k.Addrs), membership.AddrsMax)] {
		if isSound(a, k.ID) && len(addrs) < ownWordMax {
			addrs = append(addrs, a)
		}
	}
	if k.ID == "" || k.ID == b.self || len(k.ID) > membership.IDBytesMax || len(addrs) == 0 && b.byID[k.ID] == nil {
		return
	}
	e := b.entry(k.ID, itself)
	if e == nil {
		return
	}
	site, isClient := e.site, e.client && !itself || k.Client
	if k.Site != "" && (itself || e.site == "") && len(k.Site) <= membership.NameBytesMax {
		site = k.Site
	}
	// it belongs to another part now
	b.dirty = b.dirty || site != e.site || isClient != e.client
	e.site, e.client = site, isClient
	switch {
	case len(addrs) == 0:
		return
	case e.spoke && !itself:
		b.isTold(e, addrs)
		return
	case itself:
		e.spoke = true
	}
	before := e.addrs
	e.addrs = nil
	for _, a := range slices.Concat(addrs, e.led, before[:min(len(before), heardBeside(itself, len(before)))]) {
		if !slices.Contains(e.addrs, a) && len(e.addrs) < membership.AddrsMax {
			e.addrs = append(e.addrs, a)
		}
	}
	if !slices.Equal(before, e.addrs) {
		b.changed, b.dirty = true, true
	}
}

// isTold takes what others say of a host that has spoken: it may have moved since, to where they
// have met it.
func (b *Book) isTold(e *entry, addrs []string) {
	before := e.told
	e.told = nil
	for _, a := range slices.Concat(addrs, before) {
		if !slices.Contains(e.addrs, a) && !slices.Contains(e.told, a) && len(e.told) < toldMax {
			e.told = append(e.told, a)
		}
	}
	b.dirty = b.dirty || len(before) != len(e.told)
}

// Called hears from another that a host looks for members, of whom this one may be. It is looked
// for like the lost until it is reached, a client, too: it may not be able to dial this host.
func (b *Book) Called(now time.Duration, k Known) {
	b.Learn(now, k, false)
	if e := b.byID[k.ID]; e != nil && !e.up && !e.called {
		e.called, b.dirty = true, true
	}
}

// heardBeside is how many of the former addresses stay: none that a host's own word has replaced.
func heardBeside(itself bool, n int) int {
	if itself {
		return 0
	}
	return n
}

// isSound tells whether an address may be dialled to reach a host.
func isSound(addr string, id membership.PeerID) bool {
	return len(addr) <= membership.AddrBytesMax && strings.HasPrefix(addr, "/") && strings.HasSuffix(addr, idMark+string(id))
}
