package recording

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strings"

	"satingrid/satin/program/console"
	"satingrid/satin/program/observe"
)

//go:embed *.html style.css
var files embed.FS

var pages = template.Must(template.ParseFS(files, "*.html"))

// Style is what pages look like, light and dark.
func Style() template.CSS {
	text, err := files.ReadFile("style.css")
	if err != nil {
		panic("recording: BUG: " + err.Error())
	}
	return template.CSS(text)
}

const (
	// what a strip is drawn in: a page gives it the width that there is
	drawnWide, drawnHigh = 1000.0, 60.0

	drawnMax = 1000 // moments of a strip

	liveMax = 100 // of what has happened, the latest
)

// outline is a strip as two areas of SVG paths.
type outline struct {
	Site, Busy, Workers string
	Most                int // workers
	Losses              []float64
}

// titled is a table below its title.
type titled struct {
	Title string
	observe.Sheet
}

// content is what pages are made of.
type content struct {
	*Report
	Style  template.CSS
	Title  string
	Told   []string
	Now    []string // what is wrong now
	Tables []titled
	Strips []outline
	At     []drawnSite
	Flows  []drawnFlow
	First  bool // what happened first is told first
	Length string
	High   float64
	Clock  func(float64) string
	Lasted func(WarnedOf) string
}

func (r *Report) content(title string, tables ...titled) content {
	c := content{
		Report: r, Style: Style(), Title: title, Length: Clock(r.Seconds), High: drawnHigh, Clock: Clock,
		Lasted: func(o WarnedOf) string { return console.Brief(o.To - o.From) },
	}
	for _, t := range tables {
		if len(t.Lines) > 0 {
			c.Tables = append(c.Tables, t)
		}
	}
	for _, site := range slices.Sorted(maps.Keys(r.Strips)) {
		c.Strips = append(c.Strips, r.draw(site))
	}
	return c
}

// Page writes a report as one page of HTML that needs nothing else.
func (r *Report) Page(w io.Writer) error {
	c := r.content(r.Title(), titled{"Sites", r.SitesTable()}, titled{"Runs", r.RunsTable()}, titled{"Losses and leaves, and what each has cost", r.BillsTable()}, titled{"Loans between sites", r.FlowsTable()})
	c.Told, c.First = r.Told(), true
	c.At, c.Flows = r.drawFlows(false)
	return pages.ExecuteTemplate(w, "page.html", c)
}

// Live writes what a grid does, and what it did since it was looked at first, as a piece of such a
// page: what happened last comes first.
func (r *Report) Live(w io.Writer, now observe.View) error {
	c := r.content(now.Title(), titled{"Sites", now.SitesTable()}, titled{"Runs", now.RunsTable()}, titled{"Peers", now.PeersTable()})
	c.Now = now.Warnings
	c.At, c.Flows = r.drawFlows(true)
	latest := *r
	latest.Happened = slices.Clone(r.Happened[max(len(r.Happened)-liveMax, 0):])
	latest.More += len(r.Happened) - len(latest.Happened)
	slices.Reverse(latest.Happened)
	c.Report = &latest
	return pages.ExecuteTemplate(w, "live.html", c)
}

// draw draws what a site did.
func (r *Report) draw(site string) outline {
	s := r.Strips[site]
	for len(s.Workers) > drawnMax {
		s = s.halved()
	}
	most := max(float64(s.Most), 1)
	wide := drawnWide / max(r.Seconds, 1e-9)
	area := func(heights []float64) string {
		var b strings.Builder
		fmt.Fprintf(&b, "M0 %.1f", drawnHigh)
		for i, h := range heights {
			// clocks are not so exact that there never seemed to be more
			y := drawnHigh * (1 - min(h/most, 1))
			fmt.Fprintf(&b, "L%.1f %.1fL%.1f %.1f", float64(i)*s.Length*wide, y, min(float64(i+1)*s.Length*wide, drawnWide), y)
		}
		fmt.Fprintf(&b, "L%.1f %.1fZ", min(float64(len(heights))*s.Length*wide, drawnWide), drawnHigh)
		return b.String()
	}
	d := outline{Site: site, Busy: area(s.Busy), Workers: area(s.Workers), Most: s.Most}
	for _, b := range r.Bills { // when it was, and not at which look it was seen
		if b.Site == site && !b.inOrder() && b.At != nil {
			d.Losses = append(d.Losses, *b.At*wide)
		}
	}
	return d
}
