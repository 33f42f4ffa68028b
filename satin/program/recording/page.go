package recording

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strings"

	"satingrid/satin/program/observe"
)

//go:embed page.html
var pageText string

var pageOf = template.Must(template.New("page").Parse(pageText))

// What a strip is drawn in: a page gives it the width that there is.
const (
	drawnWide = 1000.0
	drawnHigh = 60.0
)

// outline is a strip as two areas of SVG paths.
type outline struct {
	Site, Busy, Workers string
	Most                string // workers
	Losses              []float64
}

// titled is a table below its title.
type titled struct {
	Title string
	observe.Sheet
}

// Page writes a report as one page of HTML that needs nothing else.
func (r *Report) Page(w io.Writer) error {
	data := struct {
		*Report
		Title  string
		Told   []string
		Tables []titled
		Strips []outline
		Length string
		High   float64
		Clock  func(float64) string
		Lasted func(WarnedOf) string
	}{
		Report: r, Title: r.Title(), Told: r.Told(), Length: clock(r.Seconds), High: drawnHigh, Clock: clock,
		Lasted: func(o WarnedOf) string { return amount(o.To - o.From) },
	}
	for _, t := range []titled{{"Sites", r.SitesTable()}, {"Runs", r.RunsTable()}} {
		if len(t.Lines) > 0 {
			data.Tables = append(data.Tables, t)
		}
	}
	for _, site := range r.stripSites() {
		data.Strips = append(data.Strips, r.draw(site))
	}
	return pageOf.Execute(w, data)
}

// draw draws what a site did.
func (r *Report) draw(site string) outline {
	s := r.Strips[site]
	most := max(s.Most(), 1)
	wide := drawnWide / max(r.Seconds, 1e-9)
	area := func(heights []float64) string {
		var b strings.Builder
		fmt.Fprintf(&b, "M0 %.1f", drawnHigh)
		for i, h := range heights {
			y := drawnHigh * (1 - h/most)
			fmt.Fprintf(&b, "L%.1f %.1fL%.1f %.1f", float64(i)*s.Length*wide, y, min(float64(i+1)*s.Length*wide, drawnWide), y)
		}
		fmt.Fprintf(&b, "L%.1f %.1fZ", min(float64(len(heights))*s.Length*wide, drawnWide), drawnHigh)
		return b.String()
	}
	d := outline{Site: site, Busy: area(s.Busy), Workers: area(s.Workers), Most: fmt.Sprintf("%.0f", math.Ceil(s.Most()-0.1))}
	for _, h := range r.Happened {
		if slices.Contains(h.Lost, site) {
			d.Losses = append(d.Losses, h.At*wide)
		}
	}
	return d
}
