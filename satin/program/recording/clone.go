package recording

import (
	"maps"
	"slices"
)

// Clone is a summary that goes its own way from here: who goes back in a recording goes on from
// one. What never changes once it is made, looks above all, both have.
func (s *Summary) Clone() *Summary {
	c := *s
	c.was.SingleLoans = SingleLoans{} // which nobody looks at again
	c.report.Lost = maps.Clone(s.report.Lost)
	c.report.Happened, c.report.Warnings = slices.Clone(s.report.Happened), slices.Clone(s.report.Warnings)
	c.told, c.names, c.homes, c.lost, c.fresh = maps.Clone(s.told), maps.Clone(s.names), maps.Clone(s.homes), maps.Clone(s.lost), maps.Clone(s.fresh)
	c.sites, c.runs, c.warned, c.between = clones(s.sites), clones(s.runs), clones(s.warned), clones(s.between)
	c.strips = clones(s.strips)
	for _, strip := range c.strips {
		strip.Workers, strip.Busy = slices.Clone(strip.Workers), slices.Clone(strip.Busy)
	}
	c.bills = s.bills.clone()
	c.hints.stints, c.hints.endings = clones(s.hints.stints), clones(s.hints.endings)
	return &c
}

// clones is a map with copies of what it leads to.
func clones[K comparable, V any](of map[K]*V) map[K]*V {
	all := make(map[K]*V, len(of))
	for k, v := range of {
		is := *v
		all[k] = &is
	}
	return all
}

// What a summary takes of memory for each thing in it, about, in bytes.
const (
	incidentBytes = 200
	entryBytes    = 150
)

// Bytes is about how much memory a summary takes beside the looks.
func (s *Summary) Bytes() (n int) {
	for _, strip := range s.strips {
		n += 8 * (cap(strip.Workers) + cap(strip.Busy))
	}
	n += incidentBytes * (len(s.report.Happened) + len(s.report.Warnings) + len(s.bills.all) + len(s.runs) + len(s.warned))
	return n + entryBytes*(len(s.names)+len(s.homes)+len(s.fresh)+len(s.between)+len(s.hints.stints)+len(s.hints.endings)+len(s.bills.gone))
}
