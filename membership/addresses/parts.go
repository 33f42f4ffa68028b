package addresses

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"satingrid/membership"
)

const (
	// together is within what time those are reached last that are cut off together: sessions
	// through which nothing passes end within some seconds.
	together = 10 * time.Second

	// lossesMax is how many groups of hosts that were lost together are parts of their own, of
	// those of one site with one answer: the last, and of the others the largest. A cut takes
	// many at once, where machines die one by one.
	lossesMax = 4
)

// part is hosts that may have been lost together.
type part struct {
	site   membership.Site
	answer answer
	first  *entry        // the one that is due first, if any is to be dialled …
	due    time.Duration // … then
	dialed time.Duration // the latest that any was …
	seen   time.Duration // … and any of the site
}

// next is the lost host to be dialled next, and when.
func (b *Book) next() (*entry, time.Duration) {
	if b.client && b.hasPresent() {
		return nil, Never
	}
	parts := b.parts()
	var next *part
	for n := range parts {
		p := &parts[n]
		if p.first == nil {
			continue
		}
		if p.answer != denied && p.dialed != never {
			p.due = min(p.due, p.dialed+PartEvery)
		}
		p.seen = p.dialed
		for _, o := range parts {
			if o.site == p.site {
				p.seen = max(p.seen, o.dialed)
			}
		}
		if next == nil || b.before(p, next) {
			next = p
		}
	}
	if next == nil {
		return nil, Never
	}
	return next.first, next.due
}

// parts are those that are looked for, or dialled.
func (b *Book) parts() (parts []part) {
	var few [32]*entry
	all := few[:0]
	for _, e := range b.entries {
		if e.dialing || b.isLost(e) {
			all = append(all, e)
		}
	}
	slices.SortFunc(all, func(x, y *entry) int {
		return cmp.Or(strings.Compare(string(x.site), string(y.site)), cmp.Compare(x.answer, y.answer),
			cmp.Compare(y.reached, x.reached), strings.Compare(string(x.id), string(y.id)))
	})
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].site == all[0].site && all[n].answer == all[0].answer {
			n++
		}
		parts = b.split(parts, all[:n])
		all = all[n:]
	}
	return parts
}

// split makes parts of those of a site with one answer, the latest lost first.
func (b *Book) split(parts []part, lost []*entry) []part {
	groups, alone := lostTogether(lost)
	for _, group := range append(groups, alone) {
		if len(group) > 0 {
			p := part{site: group[0].site, answer: group[0].answer, due: Never, dialed: never}
			for _, e := range group {
				p.add(b, e)
			}
			parts = append(parts, p)
		}
	}
	return parts
}

// lostTogether finds the groups that are parts of their own, and all others, which are one part:
// who was lost alone, however many have been, keeps nobody waiting who was cut off with others or
// is the last that was lost.
func lostTogether(lost []*entry) (groups [][]*entry, alone []*entry) {
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
	return groups, alone
}

// add counts one among a part.
func (p *part) add(b *Book, e *entry) {
	p.dialed = max(p.dialed, e.dialed)
	if !b.isLost(e) {
		return
	}
	if due := b.due(e); p.first == nil || due < p.due || due == p.due && e.reached > p.first.reached {
		p.first, p.due = e, due
	}
}

// before tells which of two parts comes first. Of those that are due it is that of the site longest
// not dialled, and of one site the part: where many are lost, and are due again sooner than all
// were dialled, they keep no other waiting.
func (b *Book) before(x, y *part) bool {
	turn := 0
	if x.due <= b.now && y.due <= b.now {
		turn = cmp.Or(cmp.Compare(x.seen, y.seen), cmp.Compare(x.dialed, y.dialed))
	}
	return cmp.Or(turn, cmp.Compare(x.due, y.due), cmp.Compare(x.dialed, y.dialed), strings.Compare(string(x.first.id), string(y.first.id))) < 0
}
