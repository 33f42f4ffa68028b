// Package trial compares what was foretold of runs with what came.
//
// A [Series] is a run as it was seen, and comes from a file of [Read] or from what the run said of
// itself, by [ReadEvents]. [Replay] has a forecast see it again, and [Judge] makes a [Judged] of
// what that says: the same whether a run was recorded or has just ended. [FindingsOf] are those of
// many runs.
//
// In testdata are runs of all applications, on two busy cores: those that the constants of package
// forecast are fitted to, and others that were held out. A name ends in -1 or -4 for a run with so
// many workers, in place of two, in -g for one of two processes, and in -b for a second series.
//
// What counts is the share of the work, not how often was looked: what is said holds until
// something else is.
package trial

import (
	"math"
	"time"

	"satingrid/satin/forecast"
	"satingrid/satin/program/figure"
)

// Said is what was foretold at one time: the ends of an interval, and what is likely in it.
type Said struct {
	Least, Likely, Most float64
	Known               bool
}

// Of is what of a run is foretold.
type Of int

const (
	Time Of = iota // seconds
	Work           // seconds of workers, which who else has the machine does not decide
)

func (of Of) String() string { return [...]string{"time", "work"}[of] }

// Replay is what a forecast says of a run that was recorded.
func Replay(s Series, of Of) (said []Said) {
	var f forecast.Forecast
	for _, x := range s.Seen {
		f.See(time.Duration(x.At*float64(time.Second)), x.Share, x.Work)
		left, ok := f.Left()
		if of == Work {
			left, ok = f.Work()
		}
		said = append(said, Said{left.Least.Seconds(), left.Likely.Seconds(), left.Most.Seconds(), ok})
	}
	return said
}

// At are the shares of a run's work at which it is looked at, and From where that begins.
var At = [3]float64{0.25, 0.5, 0.75}

// From is the share of a run's work before which nothing is asked.
const From = 0.1

// Judged is how well one run was foretold.
type Judged struct {
	Run     string  `json:"run"`
	Seconds float64 `json:"seconds"`
	Samples int     `json:"samples"` // after the first tenth
	// what was likely over what came, and the upper over the lower end of the interval, at 25,
	// 50 and 75 % of the work; null: nothing was said there
	Ratio [3]*float64 `json:"eta_to_truth"`
	Width [3]*float64 `json:"upper_to_lower"`
	// of the work after the first tenth: the part in which nothing was said, and of the rest
	// the part in which the truth was in the interval
	Inside  float64 `json:"inside"`
	Unknown float64 `json:"unknown"`
}

// Judge compares what was said of a run, at each time that it was seen, with its end.
func Judge(s Series, said []Said, of Of) Judged {
	row := Judged{Run: s.Name, Seconds: s.End.At, Unknown: 1}
	all, known, inside := 0.0, 0.0, 0.0
	for n, x := range said {
		from, to := max(From, s.done(n)), s.done(n+1)
		if to <= from {
			continue
		}
		row.Samples++
		all += to - from
		if !x.Known {
			continue
		}
		known += to - from
		if truth := s.left(n, of); x.Least <= truth && truth <= x.Most {
			inside += to - from
		}
	}
	if all > 0 {
		row.Unknown = max(0, all-known) / all
	}
	if known > 0 {
		row.Inside = inside / known
	}
	for k, at := range At {
		// the last time that it was looked at by then
		n := len(said) - 1
		for n >= 0 && s.done(n) > at {
			n--
		}
		if n >= 0 && said[n].Known {
			ratio, width := said[n].Likely/s.left(n, of), said[n].Most/said[n].Least
			if !math.IsInf(width, 0) && !math.IsNaN(width) {
				row.Ratio[k], row.Width[k] = &ratio, &width
			}
		}
	}
	return row
}

// done is which share of the work was done when the run was seen.
func (s Series) done(n int) float64 {
	if n >= len(s.Seen) {
		return 1
	}
	return s.Seen[n].Work / s.End.Work
}

// left is what was left then.
func (s Series) left(n int, of Of) float64 {
	if of == Work {
		return s.End.Work - s.Seen[n].Work
	}
	return s.End.At - s.Seen[n].At
}

// The marks that forecasts are held to.
const (
	InsideLeast      = 0.8 // of what is said, after the first tenth
	UnknownMost      = 0.2 // of all, after that
	WidthQuarterMost = 4.0 // upper over lower end at a quarter, in the median of the runs …
	WidthHalfMost    = 2.0 // … and at half
)

// Findings is how well some runs were foretold: the means of Inside and Unknown over them, and the
// medians of the widths.
type Findings struct {
	Rows         []Judged      `json:"rows"`
	Inside       figure.Figure `json:"inside"`
	Unknown      figure.Figure `json:"unknown"`
	WidthQuarter figure.Figure `json:"width_quarter"`
	WidthHalf    figure.Figure `json:"width_half"`
}

// FindingsOf is that of some runs. One of which nothing was said counts as such alone.
func FindingsOf(rows []Judged) Findings {
	var inside, unknown, quarter, half []float64
	for _, row := range rows {
		unknown = append(unknown, row.Unknown)
		if row.Unknown < 1 {
			inside = append(inside, row.Inside)
		}
		for k, to := range []*[]float64{&quarter, &half} {
			if w := row.Width[k]; w != nil {
				*to = append(*to, *w)
			}
		}
	}
	return Findings{
		rows, figure.Mean(inside, figure.AtLeast(InsideLeast)), figure.Mean(unknown, figure.AtMost(UnknownMost)),
		figure.Of(quarter, figure.AtMost(WidthQuarterMost)), figure.Of(half, figure.AtMost(WidthHalfMost)),
	}
}
