package scenario

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// plot is what is drawn of a table: a panel for each measure.
type plot struct {
	about  string
	along  string   // the swept field whose values go from left to right; "": there is none
	places []string // its values; or, where there is none, the rows from top to bottom
	lines  []plotted
	panels []panel
	course progression // below them
}

// plotted is what belongs together: rows that differ in the field along which they are drawn.
type plotted struct {
	name string
	rows []*Summed // by place; nil: there is none
}

// panel is one measure.
type panel struct {
	measure
	ticks []float64 // from the lowest to the highest
}

// alongLeast is of how many values a swept field is drawn from left to right. Fewer are told apart
// better side by side.
const alongLeast = 3

// ticksMost are about as many parts as an axis is parted in.
const ticksMost = 6

// drawnElse are the measures that are drawn where the scenario names none.
var drawnElse = []string{"efficiency"}

// plotOf has the rows of a table where they are drawn.
func (r *Tabulation) plotOf() *plot {
	p := &plot{about: r.About, course: r.progressionOf()}
	at := -1
	for n, most := 0, alongLeast-1; len(r.Rows) > 0 && n < len(r.Rows[0].Set); n++ {
		if values := r.valuesOf(n); len(values) > most {
			at, most = n, len(values)
			p.along, p.places = r.Rows[0].Set[n].Field, values
		}
	}
	for n := range r.Rows {
		p.enter(&r.Rows[n], at)
	}
	for _, m := range measures {
		if slices.Contains(r.Plots, m.name) {
			p.panels = append(p.panels, panel{m, p.ticksOf(m)})
		}
	}
	return p
}

// valuesOf are the values of a swept field, in their order.
func (r *Tabulation) valuesOf(n int) (all []string) {
	for k := range r.Rows {
		if v := r.Rows[k].Set[n].Value; !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	return all
}

// enter puts a row where it belongs: at its value of the field along which they are drawn, or below
// the others.
func (p *plot) enter(row *Summed, at int) {
	name, place := "", len(p.places)
	if at < 0 {
		p.places = append(p.places, row.Name())
	} else {
		other := Summed{Case: row.Case, Set: slices.Delete(slices.Clone(row.Set), at, at+1)}
		name, place = other.Name(), slices.Index(p.places, row.Set[at].Value)
	}
	n := slices.IndexFunc(p.lines, func(l plotted) bool { return l.name == name })
	if n < 0 {
		n = len(p.lines)
		p.lines = append(p.lines, plotted{name: name})
	}
	l := &p.lines[n]
	for len(l.rows) <= place {
		l.rows = append(l.rows, nil)
	}
	l.rows[place] = row
}

// ticksOf are round values that embrace all of a measure, with what they may be off. They begin at
// 0 unless that would leave no room to tell them apart.
func (p *plot) ticksOf(m measure) []float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for _, l := range p.lines {
		for _, row := range l.rows {
			if row != nil && row.Ended > 0 {
				from, to := m.of(row).span()
				low, high = min(low, from*m.scale), max(high, to*m.scale)
			}
		}
	}
	if low > high { // there is none
		low, high = 0, 1
	}
	return ticksBetween(low, high)
}

// ticksBetween are round values that embrace two.
func ticksBetween(low, high float64) []float64 {
	if low < high/2 {
		low = min(low, 0)
	}
	if low == high {
		low, high = low-1, high+1
	}
	step := math.Pow(10, math.Floor(math.Log10(high-low)))
	for _, times := range []float64{0.2, 0.5, 1, 2} {
		if (high-low)/(times*step) <= ticksMost {
			step *= times
			break
		}
	}
	var ticks []float64
	for n := math.Floor(low/step + 1e-9); ; n++ {
		if ticks = append(ticks, n*step); n*step >= high-step*1e-9 {
			return ticks
		}
	}
}

// span is between what a mean is, or the mean alone where that is not known.
func (m Average) span() (low, high float64) {
	if m.Low == nil || m.High == nil {
		return m.Value, m.Value
	}
	return *m.Low, *m.High
}

// WritePlot draws the measures that the scenario names, as SVG: one dot for each row, and through
// it a stroke between what its mean is. A swept field that has three values or more goes from left
// to right; else each row has a line of its own. Below is what it names of the series of each
// row's first run, by time. style is for texts and for what is of class axis.
func (r *Tabulation) WritePlot(to io.Writer, style string) error {
	p := r.plotOf()
	var b strings.Builder
	if p.along == "" {
		p.drawRows(&b, style)
	} else {
		p.drawLines(&b, style)
	}
	_, err := io.WriteString(to, b.String())
	return err
}

// named says of a tick as few digits as tell it from its neighbours.
func named(ticks []float64, n int) string {
	step := ticks[1] - ticks[0]
	return fmt.Sprintf("%.*f", max(0, -int(math.Floor(math.Log10(step)+1e-9))), ticks[n])
}
