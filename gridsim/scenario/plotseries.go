package scenario

import (
	"fmt"
	"html"
	"slices"
	"strings"
)

// progression is what is drawn of the course of runs: a panel for each facet, in which time goes
// from left to right, and a line for the first run of each row.
type progression struct {
	rows   []*Summed
	facets []facet
	values []panel // of the facets, in their order
	times  panel
}

// progressionOf has the first runs of a table where they are drawn.
func (r *Tabulation) progressionOf() (s progression) {
	for _, f := range facets {
		if slices.Contains(r.Plots, ofSeries+f.name) {
			s.facets = append(s.facets, f)
		}
	}
	end, most := 0.0, make([]float64, len(s.facets))
	for n := range r.Rows {
		row := &r.Rows[n]
		if len(s.facets) == 0 || len(row.Runs) == 0 || len(row.Runs[0].Series) == 0 {
			continue
		}
		s.rows = append(s.rows, row)
		from := 0.0
		for k := range row.Runs[0].Series {
			p := &row.Runs[0].Series[k]
			for n, f := range s.facets {
				most[n] = max(most[n], f.shown(p, from))
			}
			from = p.At
		}
		end = max(end, from)
	}
	s.times.ticks = ticksBetween(0, end)
	for n, f := range s.facets {
		s.values = append(s.values, panel{measure: measure{title: f.title}, ticks: ticksBetween(0, most[n])})
	}
	return s
}

// shown is what a plot shows of an interval that began at some time.
func (f *facet) shown(p *Point, from float64) float64 {
	x := f.of(p) * f.scale
	if f.each {
		return x / (p.At - from)
	}
	return x
}

// high is how much room it takes.
func (s *progression) high() int {
	if len(s.rows) == 0 {
		return 0
	}
	return len(s.facets)*(panelHigh+4*plotLine) + len(s.rows)*plotLine
}

// draw draws it below what is there already.
func (s *progression) draw(b *strings.Builder, top float64) {
	if len(s.rows) == 0 {
		return
	}
	left, right := float64(scaleWide), float64(plotWide-plotMargin)
	for n := range s.facets {
		var bottom float64
		top, bottom = s.values[n].drawScale(b, top)
		for k, v := range s.times.ticks {
			write(b, s.times.along(v, left, right), bottom+plotLine, "middle", named(s.times.ticks, k))
		}
		write(b, (left+right)/2, bottom+2*plotLine, "middle", "seconds since the run was submitted")
		for k, row := range s.rows {
			s.drawRun(b, n, row.Runs[0].Series, k, row.Name(), bottom, top)
		}
		top += panelHigh + 3*plotLine - 4
	}
	for n, row := range s.rows {
		y := top + float64(n*plotLine)
		fmt.Fprintf(b, `<path class="line" stroke="%s"%s d="M%d %.1fh24"/>`+"\n", hue(n), dashes(n), scaleWide, y)
		write(b, scaleWide+32, y+4, "start", row.Name())
	}
}

// drawRun draws a facet of a run: a step for each interval.
func (s *progression) drawRun(b *strings.Builder, n int, all []Point, row int, name string, bottom, top float64) {
	var path strings.Builder
	left, right := float64(scaleWide), float64(plotWide-plotMargin)
	from := 0.0
	for k := range all {
		y := s.values[n].along(s.facets[n].shown(&all[k], from), bottom, top)
		if k == 0 {
			fmt.Fprintf(&path, "M%.1f %.1f", left, y)
		} else {
			fmt.Fprintf(&path, "V%.1f", y)
		}
		fmt.Fprintf(&path, "H%.1f", s.times.along(all[k].At, left, right))
		from = all[k].At
	}
	fmt.Fprintf(b, `<path class="line" stroke="%s"%s d="%s"><title>%s</title></path>`+"\n", hue(row), dashes(row), path.String(), html.EscapeString(name))
}
