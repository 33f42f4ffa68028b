package recording

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"satingrid/satin/program/console"
	"satingrid/satin/program/observe"
)

const (
	flowsMax    = 1024 // pairs of sites
	flowsShown  = 20   // in a table, the largest
	sitesDrawn  = 12   // as a picture, those with most between them
	recentLeast = 0.05
	recentHalf  = 10.0 // seconds after which a loan counts half of what is recent
)

// Flow are jobs that the peers of one site had from those of another, or from each other, as far as
// single loans were told of.
type Flow struct {
	From  string  `json:"from"`
	To    string  `json:"to"`
	Loans int     `json:"loans"`
	Took  float64 `json:"took_seconds"` // to execute them

	recent float64 // loans of late
}

// flow is between which sites.
type flow struct{ from, to string }

// flows adds the loans that have ended since the look before.
func (s *Summary) flows(before, now Look) {
	s.report.Missed += now.Missed
	fade := math.Exp2(-(now.At - before.At).Seconds() / recentHalf)
	for _, f := range s.between {
		f.recent *= fade
	}
	for _, d := range now.Peers {
		for _, is := range now.Of[d.ID] {
			if is.From == "" {
				continue // a root is nobody else's
			}
			way := flow{s.siteOf(is.From), d.Site}
			f := s.between[way]
			if f == nil {
				if len(s.between) == flowsMax {
					s.report.Missed++
					continue
				}
				f = &Flow{From: way.from, To: way.to}
				s.between[way] = f
			}
			f.Loans++
			f.Took += max(is.Took, 0)
			f.recent++
		}
	}
}

// siteOf is where the peer of a name is. One that nobody has seen is held to be called as those are
// whom nobody gave another name.
func (s *Summary) siteOf(name string) string {
	if site, ok := s.homes[name]; ok {
		return site
	}
	return name[:max(strings.LastIndexByte(name, '/'), 0)]
}

// allFlows are all of them, that of most work first.
func (s *Summary) allFlows() []Flow {
	all := []Flow{}
	for _, f := range s.between {
		is := *f
		is.Took = console.Round(is.Took)
		all = append(all, is)
	}
	slices.SortFunc(all, func(a, b Flow) int {
		return cmp.Or(-cmp.Compare(a.Took, b.Took), strings.Compare(a.From, b.From), strings.Compare(a.To, b.To))
	})
	return all
}

// FlowsTable are the loans between sites.
func (r *Report) FlowsTable() observe.Sheet {
	t := observe.Sheet{Columns: []observe.Column{
		{Title: "FROM", Width: 16, Most: 30}, {Title: "TO", Width: 16, Most: 30}, right("LOANS", 8), right("TOOK", 9), right("EACH", 9),
	}}
	for _, f := range r.Flows[:min(len(r.Flows), flowsShown)] {
		t.Lines = append(t.Lines, observe.SheetRow{Key: f.From + ">" + f.To, Cells: cells(f.From, f.To, observe.Amount(float64(f.Loans)),
			console.Brief(f.Took), short(f.Took/float64(f.Loans)))})
	}
	return t
}

// short is a duration that may be less than a second.
func short(seconds float64) string {
	if seconds < 1 {
		return fmt.Sprintf("%.0f ms", 1000*seconds)
	}
	return console.Brief(seconds)
}

// drawnSite is a site in the picture, drawnFlow an arrow there.
type (
	drawnSite struct {
		Name string
		X, Y float64
	}
	drawnFlow struct {
		Path  string
		Wide  float64
		Title string
	}
)

// The picture's size: sites stand on an ellipse in it.
const flowsWide, flowsHigh = 640.0, 240.0

// drawFlows draws what went from site to site, by the work in it, or by what went there of late.
func (r *Report) drawFlows(live bool) (sites []drawnSite, flows []drawnFlow) {
	weight := func(f Flow) float64 {
		if live {
			return f.recent
		}
		return f.Took
	}
	var all []Flow
	most := 0.0
	for _, f := range r.Flows {
		if f.From != f.To && weight(f) > 0 && (!live || f.recent > recentLeast) {
			all = append(all, f)
			most = max(most, weight(f))
		}
	}
	slices.SortStableFunc(all, func(a, b Flow) int { return -cmp.Compare(weight(a), weight(b)) })
	names := map[string]bool{}
	all = slices.DeleteFunc(all, func(f Flow) bool {
		fresh := map[string]bool{f.From: !names[f.From], f.To: !names[f.To]}
		n := 0
		for _, is := range fresh {
			if is {
				n++
			}
		}
		if len(names)+n > sitesDrawn {
			return true
		}
		names[f.From], names[f.To] = true, true
		return false
	})
	at := map[string]drawnSite{}
	for _, p := range r.Sites { // all of them, so that none jumps while others begin
		if names[p.Site] || len(r.Sites) <= sitesDrawn {
			sites = append(sites, drawnSite{Name: p.Site})
		}
	}
	for i := range sites {
		angle := 2*math.Pi*float64(i)/float64(len(sites)) - math.Pi
		sites[i].X, sites[i].Y = math.Round(flowsWide*(0.5+0.38*math.Cos(angle))), math.Round(flowsHigh*(0.5+0.36*math.Sin(angle)))
		at[sites[i].Name] = sites[i]
	}
	for _, f := range all {
		a, from := at[f.From]
		b, to := at[f.To]
		if !from || !to {
			continue // it has left no trace but its loans
		}
		flows = append(flows, arrow(a, b, 1.5+6.5*weight(f)/most, fmt.Sprintf("%s to %s: %d loans, %s", f.From, f.To, f.Loans, console.Brief(f.Took))))
	}
	if len(flows) == 0 && !live || len(sites) < 2 {
		return nil, nil
	}
	return sites, flows // live what stands below does not jump when there are none
}

// arrow is a bow from a site to another, so that there is one beside it for the way back.
func arrow(a, b drawnSite, wide float64, title string) drawnFlow {
	dx, dy := b.X-a.X, b.Y-a.Y
	long := max(math.Hypot(dx, dy), 1)
	const gap, bow = 16, 0.14
	ux, uy := dx/long, dy/long
	mx, my := (a.X+b.X)/2+bow*long*uy, (a.Y+b.Y)/2-bow*long*ux
	return drawnFlow{
		Path: fmt.Sprintf("M%.0f %.0fQ%.0f %.0f %.0f %.0f", a.X+gap*ux, a.Y+gap*uy, mx, my, b.X-gap*ux, b.Y-gap*uy),
		Wide: math.Round(wide*10) / 10, Title: title,
	}
}
