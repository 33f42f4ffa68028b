package observe

import (
	"cmp"
	"fmt"
	"slices"

	"satingrid/satin/program/across"
	"satingrid/satin/program/console"
)

const (
	goneShown = 5 // peers that are gone, in a list for people

	// sameGone is how many seconds apart two hosts may have seen the same one go: a cut is
	// noticed within some, and their clocks are known to a look's length.
	sameGone = 15.0

	// goneHosts bounds the hosts whose word on who is gone is taken: one of each site is asked.
	goneHosts = 64
)

// Absence is that a peer has gone, and how many seconds ago.
type Absence struct {
	Peer string  `json:"peer"`
	ID   string  `json:"id"`
	Site string  `json:"site"`
	How  string  `json:"how"`
	Late bool    `json:"late,omitempty"` // it left before it had handed over everything
	Ago  float64 `json:"ago_seconds"`
	// after it was heard last; nil: who has noticed has not told
	Noticed *float64 `json:"noticed_seconds"`
}

// Gone are the last that have gone, as hosts tell that have seen it, the latest first. What several
// have seen is told once. since is how many seconds ago the first of these hosts came: what was
// before nobody knows.
func (s Sample) Gone() (all []Absence, since float64) {
	up := map[string]float64{}
	for _, d := range s.Peers {
		if d.Answers {
			up[d.Name] = d.Uptime
		}
	}
	for _, h := range s.Hosts[:min(len(s.Hosts), goneHosts)] {
		now, known := up[h.By]
		if !known {
			continue
		}
		since = max(since, now)
		for _, d := range h.Gone {
			all = withGone(all, goneOf(d, now))
		}
	}
	slices.SortStableFunc(all, func(a, b Absence) int { return cmp.Or(cmp.Compare(a.Ago, b.Ago), cmp.Compare(a.Peer, b.Peer)) })
	return all, since
}

func goneOf(d across.Absentee, now float64) Absence {
	g := Absence{Peer: d.Peer, ID: d.ID, Site: d.Site, How: d.How, Late: d.Late, Ago: console.Round(max(now-d.At, 0))}
	if d.Noticed > 0 {
		g.Noticed = &d.Noticed
	}
	return g
}

// withGone adds one that has gone, unless another host has told of it. Who saw it first knows best
// when it was, and who has noticed it by itself how.
func withGone(all []Absence, g Absence) []Absence {
	i := slices.IndexFunc(all, func(o Absence) bool {
		return o.ID == g.ID && max(o.Ago-g.Ago, g.Ago-o.Ago) < sameGone
	})
	if i < 0 {
		return append(all, g)
	}
	o := &all[i]
	o.Ago, o.Late = max(o.Ago, g.Ago), o.Late || g.Late
	if g.Noticed != nil && (o.Noticed == nil || *g.Noticed < *o.Noticed) {
		o.Noticed, o.How = g.Noticed, g.How
	}
	return all
}

// Went is how a peer has gone, in words that follow its name.
func Went(how string, late bool) string {
	switch {
	case late:
		return "left before it had handed over everything"
	case how == "leave":
		return "left"
	case how == "kill":
		return "was killed"
	case how == "silent":
		return "fell silent"
	case how == "cut":
		return "was cut off"
	case how == "kick":
		return "was kicked"
	case how == "":
		return "is gone, how is unknown"
	}
	return fmt.Sprintf("is gone (%s)", how)
}

// String is one of them in a line.
func (g Absence) String() string {
	text := fmt.Sprintf("%s of site %s %s, %s ago", g.Peer, g.Site, Went(g.How, g.Late), console.Brief(g.Ago))
	if g.Noticed != nil {
		text += fmt.Sprintf(", noticed after %s", console.Brief(*g.Noticed))
	}
	return text
}

// GoneLines say who is gone, the latest first, and how much of that nobody knows.
func (v View) GoneLines() (lines []string) {
	all := sum(v.Lost)
	if all == 0 && len(v.Gone) == 0 {
		return nil
	}
	for _, g := range v.Gone[:min(len(v.Gone), goneShown)] {
		lines = append(lines, g.String())
	}
	more := max(all, len(v.Gone)) - len(lines)
	switch {
	case len(lines) == 0:
		lines = append(lines, "who they were, the hosts that were asked do not tell")
	case more > 0:
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	if len(v.Gone) > 0 {
		lines = append(lines, fmt.Sprintf("of what was before %s ago no host that was asked knows", console.Brief(v.seen)))
	}
	return lines
}
