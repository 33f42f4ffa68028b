package program

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"

	"satingrid/satin/program/node"
	"satingrid/satin/program/recording"
)

// curve is how the best and the bound of a search came together.
type curve struct {
	began  time.Time
	points []curvePoint
	last   time.Duration // when it was asked last
	every  time.Duration // of two points that are nearer the later is dropped
}

type curvePoint struct {
	at          time.Duration
	best, bound float64
}

// curveMax bounds its points: then every other one is dropped.
const curveMax = 600

// add notes both at a moment.
func (c *curve) add(now time.Time, best, bound float64) {
	if c.began.IsZero() {
		c.began = now
	}
	at := now.Sub(c.began)
	c.last = at
	n := len(c.points)
	if n > 0 && c.points[n-1].best == best && c.points[n-1].bound == bound {
		return
	}
	if n > 1 && at-c.points[n-2].at < c.every {
		c.points[n-1] = curvePoint{at, best, bound} // what is so now is always there
		return
	}
	if c.points = append(c.points, curvePoint{at, best, bound}); len(c.points) < curveMax {
		return
	}
	newest := c.points[n]
	for i := 1; 2*i < len(c.points); i++ {
		c.points[i] = c.points[2*i]
	}
	c.points = c.points[:len(c.points)/2]
	c.points[len(c.points)-1] = newest
	c.every = 2 * c.last / curveMax
}

// The size of its picture, and of the part that the curves have.
const (
	curveWide, curveHigh  = 640, 290
	curveLeft, curveRight = 8, 632
	curveTop, curveBottom = 16, 268
	curveLine             = 18 // from one line of text to the next

	// the part of its time at the beginning in which values may be cut off: they may be far
	// from all that follow
	curveBegins = 0.1

	bestColor, boundColor = "#2b8fd0", "#d55e00"
)

// FigureStyle is what an SVG that is a figure has in its style element, so that it is read on light
// and on dark pages, and on narrow ones: its texts, and what is of class axis.
const FigureStyle = `text{fill:#1d2530}.axis{fill:none;stroke:#5d6875}` +
	`@media(max-width:30rem){text{font-size:18px}}` + // where it is small
	`@media(prefers-color-scheme:dark){text{fill:#e4e8ed}.axis{stroke:#98a3af}}`

// figure draws it; ok is false while there is nothing to be drawn.
func (c *curve) figure() (f node.Exhibit, ok bool) {
	if len(c.points) == 0 || c.last == 0 {
		return f, false
	}
	low, high := c.span()
	x := func(at time.Duration) float64 {
		return curveLeft + (curveRight-curveLeft)*float64(at)/float64(c.last)
	}
	y := func(v float64) float64 {
		return curveBottom - (curveBottom-curveTop)*(v-low)/(high-low)
	}
	path := func(value func(curvePoint) float64) string {
		var b strings.Builder
		for i, p := range c.points {
			if i == 0 {
				fmt.Fprintf(&b, "M%.1f %.1f", x(p.at), y(value(p)))
			} else {
				fmt.Fprintf(&b, "H%.1fV%.1f", x(p.at), y(value(p)))
			}
		}
		fmt.Fprintf(&b, "H%d", curveRight)
		return b.String()
	}
	best := func(p curvePoint) float64 { return p.best }
	bound := func(p curvePoint) float64 { return p.bound }
	is := c.points[len(c.points)-1]
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="sans-serif" font-size="13">
<style>%s.line{fill:none;stroke-width:2}</style>
<clipPath id="in"><rect x="0" y="%d" width="%d" height="%d"/></clipPath>
`, curveWide, curveHigh, curveWide, curveHigh, FigureStyle, curveTop-2, curveRight, curveBottom-curveTop+4)
	fmt.Fprintf(&b, `<path class="axis" d="M%d %dV%dH%d"/>`+"\n", curveLeft, curveTop, curveBottom, curveRight)
	fmt.Fprintf(&b, `<g clip-path="url(#in)"><path class="line" stroke="%s" d="%s"/><path class="line" stroke="%s" d="%s"/></g>`+"\n",
		boundColor, path(bound), bestColor, path(best))
	for _, t := range []struct {
		x, y         int
		anchor, text string
	}{
		{curveLeft + curveLine/4, curveTop + curveLine/4, "start", valueOf(high)}, {curveLeft + curveLine/4, curveBottom - curveLine/4, "start", valueOf(low)},
		{curveLeft, curveBottom + curveLine, "start", "0:00"}, {curveRight, curveBottom + curveLine, "end", recording.Clock(c.last.Seconds())},
	} {
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="%s">%s</text>`+"\n", t.x, t.y, t.anchor, t.text)
	}
	b.WriteString("</svg>\n")
	keys := []node.Legend{{Name: "best so far, " + valueOf(is.best), Color: bestColor}, {Name: "no answer is better than " + valueOf(is.bound), Color: boundColor}}
	return node.Exhibit{Image: b.Bytes(), Says: "best against bound, over time", Keys: keys}, true
}

// valueOf is a value as people read it.
func valueOf(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// span is the least and the greatest value that is drawn.
func (c *curve) span() (low, high float64) {
	from := 0
	for i, p := range c.points {
		if p.at <= time.Duration(curveBegins*float64(c.last)) {
			from = i // what was so then
		}
	}
	low, high = c.points[from].best, c.points[from].best
	for _, p := range c.points[from:] {
		low, high = min(low, p.best, p.bound), max(high, p.best, p.bound)
	}
	if low == high {
		low, high = low-1, high+1
	}
	return low, high
}
