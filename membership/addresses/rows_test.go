package addresses

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"satingrid/membership"
)

// leastDear is whose loss costs least, found by looking through all entries.
func leastDear(b *Book) (id membership.PeerID) {
	var least *addressee
	for _, e := range b.entries {
		switch {
		case e.up || e.dialing:
		case least == nil, b.rank(e) < b.rank(least), b.rank(e) == b.rank(least) && e.reached < least.reached:
			least = e
		}
	}
	if least != nil {
		id = least.id
	}
	return id
}

// misplaced says which row does not hold what is found when all entries are looked through.
func misplaced(b *Book) string {
	dials := 0
	for _, e := range b.entries {
		dials += count(e.dialing) + count(e.beside)
	}
	if dials != b.rows.dials {
		return fmt.Sprintf("%d dials are under way, and %d are counted", dials, b.rows.dials)
	}
	for _, row := range []struct {
		name string
		has  []*addressee
		on   func(*addressee) bool
	}{
		{"up", b.rows.up, func(e *addressee) bool { return e.up }},
		{"sought", b.rows.sought, func(e *addressee) bool { return e.dialing || b.isLost(e) }},
		{"unreached", b.rows.unreached, func(e *addressee) bool { return e.reached == never && !e.ticket }},
		{"named", b.rows.named, func(e *addressee) bool { return e.reached == never && e.ticket }},
	} {
		var want []*addressee
		for _, e := range b.entries {
			if row.on(e) {
				want = append(want, e)
			}
		}
		if row.name == "sought" {
			slices.SortFunc(want, func(x, y *addressee) int {
				return cmp.Or(strings.Compare(string(x.site), string(y.site)), cmp.Compare(x.answer, y.answer),
					cmp.Compare(y.reached, x.reached), strings.Compare(string(x.id), string(y.id)))
			})
		}
		if !slices.Equal(row.has, want) {
			return fmt.Sprintf("%d entries are %s, and %d stand there", len(want), row.name, len(row.has))
		}
	}
	return ""
}
