package addresses

import (
	"slices"
	"strings"
	"time"

	"satingrid/membership"
)

// Learn takes what is said of where a host is: by itself, through its session, or by another.
func (b *Book) Learn(now time.Duration, k Known, itself bool) {
	if itself {
		b.learn(now, k, itsOwn)
	} else {
		b.learn(now, k, hearsay)
	}
}

// learn is Learn, for a host that has grounds for room.
func (b *Book) learn(now time.Duration, k Known, why grounds) {
	itself := why == itsOwn
	b.now = max(b.now, now)
	addrs := k.Addrs[:min(len(k.Addrs), membership.AddrsMax)]
	if unsound := func(a string) bool { return !isSound(a, k.ID) }; slices.ContainsFunc(addrs, unsound) {
		addrs = slices.DeleteFunc(slices.Clone(addrs), unsound)
	}
	addrs = addrs[:min(len(addrs), ownWordMax)]
	if k.ID == "" || k.ID == b.self || len(k.ID) > membership.IDBytesMax || len(addrs) == 0 && b.byID[k.ID] == nil {
		return
	}
	e := b.entry(k.ID, why)
	if e == nil {
		return
	}
	site, isClient := e.site, e.client && !itself || k.Client
	if k.Site != "" && (itself || e.site == "") && len(k.Site) <= membership.NameBytesMax {
		site = k.Site
	}
	defer b.put(e)
	// it belongs to another group now
	b.dirty = b.dirty || site != e.site || isClient != e.client
	if e.up {
		b.members += count(e.client) - count(isClient)
	}
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
	beside := e.addrs
	if itself {
		beside = nil // a host's own word replaces them
	}
	all, news := gather(e.addrs, nil, membership.AddrsMax, addrs, e.led, beside)
	if news {
		e.addrs, b.changed, b.dirty = all, true, true
	}
}

// isTold takes what others say of a host that has spoken: it may have moved since, to where they
// have met it.
func (b *Book) isTold(e *addressee, addrs []string) {
	if all, news := gather(e.told, e.addrs, toldMax, addrs, e.told); news {
		e.told, b.dirty = all, true
	}
}

// Called hears from another that a host is there and looks for members, of whom this one may be. It
// is looked for like the lost until it is reached, a client, too: it may not be able to dial this
// host.
func (b *Book) Called(now time.Duration, k Known) {
	b.Learn(now, k, false)
	if e := b.byID[k.ID]; e != nil && !e.up {
		b.dirty = b.dirty || !e.called || e.dialed == never
		e.called, e.since = true, b.now
		b.put(e)
	}
}

// gather puts addresses together, each once, without those in not, and up to so many of them. There
// is no news when that is what there was before, as it most often is.
func gather(before, not []string, most int, from ...[]string) (all []string, news bool) {
	same := 0 // until there is news, so many of those before have come
	for _, f := range from {
		for _, a := range f {
			have := all
			if !news {
				have = before[:same]
			}
			switch {
			case slices.Contains(not, a) || slices.Contains(have, a) || len(have) == most:
			case news:
				all = append(all, a)
			case same < len(before) && before[same] == a:
				same++
			default:
				all, news = append(slices.Clone(have), a), true
			}
		}
	}
	if !news {
		return before[:same], same < len(before)
	}
	return all, true
}

// isSound tells whether an address may be dialled to reach a host.
func isSound(addr string, id membership.PeerID) bool {
	return len(addr) <= membership.AddrBytesMax && strings.HasPrefix(addr, "/") && isOf(addr, id)
}

// isOf tells whether an address ends in a host's id. It makes no string of both.
func isOf(addr string, id membership.PeerID) bool {
	at, ok := strings.CutSuffix(addr, string(id))
	return ok && strings.HasSuffix(at, idMark)
}
