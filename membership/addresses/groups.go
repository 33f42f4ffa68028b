package addresses

import (
	"cmp"
	"strings"
	"time"

	"satingrid/membership"
)

const (
	// together is within what time those are reached last that are cut off together: sessions
	// through which nothing passes end within some seconds.
	together = 10 * time.Second

	// lossesMax is how often hosts that were lost together are a group of their own, of
	// those of one site with one answer: the last, and of the others the largest. A cut takes
	// many at once, where machines die one by one.
	lossesMax = 4
)

// lostGroup is hosts that may have been lost together.
type lostGroup struct {
	site   membership.Site
	answer lastDial
	first  *addressee    // the one that is due first, if any is to be dialled …
	due    time.Duration // … then
	dialed time.Duration // the latest that any was …
	seen   time.Duration // … and any of the site
}

// next is the lost host to be dialled next, and when.
func (b *Book) next() (*addressee, time.Duration) {
	if b.client && b.hasPresent() {
		return nil, Never
	}
	var few [16]lostGroup
	groups := b.lostGroups(few[:0])
	var next *lostGroup
	for n := range groups {
		g := &groups[n]
		if g.first == nil {
			continue
		}
		if g.answer != denied && g.dialed != never {
			g.due = min(g.due, g.dialed+GroupEvery)
		}
		g.seen = g.dialed
		for _, o := range groups {
			if o.site == g.site {
				g.seen = max(g.seen, o.dialed)
			}
		}
		if next == nil || b.before(g, next) {
			next = g
		}
	}
	if next == nil {
		return nil, Never
	}
	return next.first, next.due
}

// lostGroups adds those that are looked for, or dialled.
func (b *Book) lostGroups(groups []lostGroup) []lostGroup {
	all := b.rows.sought
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].site == all[0].site && all[n].answer == all[0].answer {
			n++
		}
		groups = b.split(groups, all[:n])
		all = all[n:]
	}
	return groups
}

// groupKey is what hosts that are lost are grouped by.
type groupKey struct {
	site    membership.Site
	answer  lastDial
	reached time.Duration
}

// compare orders an entry, as it stands in its row, and a host of that group: by site and answer,
// the latest lost first.
func (l groupKey) compare(e *addressee, id membership.PeerID) int {
	o := &e.at.group
	if o.site != l.site {
		return strings.Compare(string(o.site), string(l.site))
	}
	if c := cmp.Or(cmp.Compare(o.answer, l.answer), cmp.Compare(l.reached, o.reached)); c != 0 {
		return c
	}
	return strings.Compare(string(e.id), string(id))
}

// split makes groups of those of a site with one answer, the latest lost first.
func (b *Book) split(groups []lostGroup, lost []*addressee) []lostGroup {
	var room [lossesMax + 1][]*addressee
	for _, hosts := range lostTogether(room[:0], lost) {
		if len(hosts) > 0 {
			g := lostGroup{site: hosts[0].site, answer: hosts[0].answer, due: Never, dialed: never}
			for _, e := range hosts {
				g.add(b, e)
			}
			groups = append(groups, g)
		}
	}
	return groups
}

// lostTogether adds who is a group of its own, and at last all others, which are one group, maybe
// of nobody: who was lost alone, however many have been, keeps nobody waiting who was cut off with
// others or is the last that was lost.
func lostTogether(groups [][]*addressee, lost []*addressee) [][]*addressee {
	var alone []*addressee
	for len(lost) > 0 {
		n := 1
		for n < len(lost) && lost[0].reached-lost[n].reached <= together {
			n++
		}
		group := lost[:n]
		lost = lost[n:]
		if len(groups) < lossesMax && (len(groups) == 0 || n > 1) {
			groups = append(groups, group)
			continue
		}
		for k := len(groups) - 1; k > 0; k-- { // the smallest is left
			if len(group) > len(groups[k]) {
				group, groups[k] = groups[k], group
			}
		}
		alone = append(alone, group...)
	}
	return append(groups, alone)
}

// add counts one among a group.
func (g *lostGroup) add(b *Book, e *addressee) {
	g.dialed = max(g.dialed, e.dialed)
	if e.dialing { // the others are looked for
		return
	}
	due := b.due(e)
	if g.first == nil || sooner(e, due, g.first, g.due) {
		g.first = e
	}
	g.due = min(g.due, due)
}

// sooner tells which of two of a group is dialled first: who is due first. Of those not dialled yet
// it is who was last said to be there: whoever says so may not know yet that others are dead.
func sooner(x *addressee, due time.Duration, y *addressee, other time.Duration) bool {
	if x.dialed == never && y.dialed == never && x.since != y.since {
		return x.since > y.since
	}
	return due < other || due == other && x.reached > y.reached
}

// before tells which of two groups comes first. Of those that are due it is that of the site
// longest not dialled, and of one site the group: where many are lost, and are due again sooner
// than all were dialled, they keep no other waiting. One that is alone and knows many dials all
// once before it dials any again.
func (b *Book) before(x, y *lostGroup) bool {
	turn := 0
	if x.due <= b.now && y.due <= b.now {
		turn = cmp.Or(cmp.Compare(x.seen, y.seen), cmp.Compare(x.dialed, y.dialed))
	}
	if b.members == 0 && len(b.entries) > LostMany {
		turn = cmp.Or(cmp.Compare(count(y.first.dialed == never), count(x.first.dialed == never)), turn)
	}
	return cmp.Or(turn, cmp.Compare(x.due, y.due), cmp.Compare(x.dialed, y.dialed), strings.Compare(string(x.first.id), string(y.first.id))) < 0
}
