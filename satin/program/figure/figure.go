// Package figure says what measurements came to: how much, between what, and whether that is what
// it is to be.
//
// A [Figure] is made of what several rounds gave, and held to a [Aim]. It is "ok" or "short" where
// all of its interval is on one side of the mark, and else "undecided": another measurement may say
// otherwise. So is one of fewer than [RoundsLeast] rounds, and one that is better than can be: then
// the machine was not the same throughout. [Print] shows figures, those of all measurements alike.
package figure

import (
	"fmt"
	"math"
	"slices"
)

// RoundsLeast is how many rounds an interval takes: of five, all are on one side of the median of
// all that there could be in 1 of 16 measurements.
const RoundsLeast = 6

// doubt is how often an interval may be wrong.
const doubt = 0.05

// Aim is what a figure is to be.
type Aim struct {
	value float64
	least bool // or else the most
	best  float64
}

// AtMost is the mark of a figure that is to be no larger.
func AtMost(value float64) Aim { return Aim{value: value, best: math.Inf(-1)} }

// AtLeast is the mark of a figure that is to be no smaller.
func AtLeast(value float64) Aim { return Aim{value: value, least: true, best: math.Inf(1)} }

// Best is the same mark of a figure that cannot be better than this: the ratio to the time of an
// ideal machine is never below 1.
func (a Aim) Best(best float64) Aim {
	a.best = best
	return a
}

// Figure is what some rounds gave.
type Figure struct {
	Value float64 `json:"value"` // the median of the rounds, or their mean
	// it is between these in 95 of 100 measurements; nil: there were too few rounds to tell
	Low     *float64 `json:"low"`
	High    *float64 `json:"high"`
	Mark    float64  `json:"to_reach"`
	Least   bool     `json:"at_least"` // whether Mark is the least, and not the most
	Verdict string   `json:"verdict"`  // "ok", "short" or "undecided"
}

// Of is the median of what some rounds gave, between two of them so far from it that nothing is
// assumed of how they lie: the interval of the sign test (Conover, Practical Nonparametric
// Statistics, 3.2). It is 0 of no rounds.
func Of(all []float64, a Aim) Figure {
	all = slices.Sorted(slices.Values(all))
	n := len(all)
	if n < RoundsLeast {
		return a.judge(Figure{Value: Median(all)})
	}
	out := 0 // figures below the interval, and above it
	for chance := 2 * exactly(n, 0); out+1 < (n+1)/2 && chance+2*exactly(n, out+1) < doubt; out++ {
		chance += 2 * exactly(n, out+1)
	}
	return a.judge(Figure{Value: Median(all), Low: &all[out], High: &all[n-1-out]})
}

// Mean is the mean of what some rounds gave, between what Student's t says of it. It is 0 of no
// rounds.
func Mean(all []float64, a Aim) Figure {
	n := float64(len(all))
	sum, squares := 0.0, 0.0
	for _, x := range all {
		sum += x
	}
	mean := sum / max(n, 1)
	if len(all) < RoundsLeast {
		return a.judge(Figure{Value: mean})
	}
	for _, x := range all {
		squares += (x - mean) * (x - mean)
	}
	off := student(len(all)-1) * math.Sqrt(squares/(n-1)/n)
	low, high := mean-off, mean+off
	return a.judge(Figure{Value: mean, Low: &low, High: &high})
}

// judge holds a figure to a mark.
func (a Aim) judge(f Figure) Figure {
	f.Mark, f.Least, f.Verdict = a.value, a.least, "undecided"
	side := 1.0 // so that less is better
	if a.least {
		side = -1
	}
	if f.Low == nil || side*f.Value < side*a.best {
		return f
	}
	good, bad := side**f.Low, side**f.High
	if a.least {
		good, bad = bad, good
	}
	switch {
	case bad <= side*a.value:
		f.Verdict = "ok"
	case good > side*a.value:
		f.Verdict = "short"
	}
	return f
}

// Median is the middle of some numbers, which it sorts; 0 of none.
func Median(all []float64) float64 {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return (all[(len(all)-1)/2] + all[len(all)/2]) / 2
}

// exactly is the chance that of n figures k are below the median of all that there could be.
func exactly(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return math.Exp(a - b - c - float64(n)*math.Ln2)
}

// student is how many standard errors the mean is off in 1 of 20 measurements, with so many degrees
// of freedom, at least 5: the expansion of Student's t about the normal deviate 1.96 (Abramowitz
// and Stegun, 26.7.5), which is right to 0.01.
func student(freedom int) float64 {
	const x = 1.959964
	v := float64(freedom)
	x3, x5, x7 := math.Pow(x, 3), math.Pow(x, 5), math.Pow(x, 7)
	return x + (x3+x)/(4*v) + (5*x5+16*x3+3*x)/(96*v*v) + (3*x7+19*x5+17*x3-15*x)/(384*v*v*v)
}

// Tabled is a figure with what it was made of.
type Tabled struct {
	What     string
	Beside   string // the baseline that it was measured beside; "": none
	Measured string // the same of what is measured; "": the figure is all
	Figure   Figure
	Unit     func(float64) string // how the figure is written; nil: with two decimals
}

// Print prints a table of figures, by a function that prints a line.
func Print(line func(format string, args ...any), title, beside, measured string, rows []Tabled) {
	const layout = "%-46s %12s %12s %9s %9s %9s %9s %s"
	line(layout, title, beside, measured, "figure", "from", "to", "to reach", "")
	for _, r := range rows {
		unit := r.Unit
		if unit == nil {
			unit = func(x float64) string { return fmt.Sprintf("%.2f", x) }
		}
		from, to, sign := "-", "-", "≤ "
		if f := r.Figure; f.Low != nil {
			from, to = unit(*f.Low), unit(*f.High)
		}
		if r.Figure.Least {
			sign = "≥ "
		}
		line(layout, r.What, r.Beside, r.Measured, unit(r.Figure.Value), from, to, sign+unit(r.Figure.Mark), r.Figure.Verdict)
	}
}

// Legend says what the columns of that table are.
const Legend = `Figure: the median of the rounds, where nothing else is said. From, to: where it is in 95 of 100
measurements; - of fewer than six rounds. Undecided: the mark is inside, there were too few rounds, or the figure is better than can be.`
