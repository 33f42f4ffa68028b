package cli

import (
	"bufio"
	"fmt"
	"image/color"
	"io"
	"math"
	"time"

	"satingrid/apps/uts"
	"satingrid/satin/program"
)

// walkFor is how long is walked for each figure: who draws one that took so long waits a hundred
// times as long.
const walkFor = 10 * time.Millisecond

// shaped is a run that draws the shape of its tree, and at which depths subtrees went to whom.
type shaped struct {
	program.Running
	tree  *uts.Tree
	shape *uts.Silhouette
}

// DrawCredits draws both.
func (r *shaped) DrawCredits(w io.Writer, of program.Attributions) (says string, err error) {
	if r.shape == nil {
		r.shape = r.tree.Silhouette()
	}
	for end := time.Now().Add(walkFor); time.Now().Before(end); {
		r.shape.Walk()
	}
	f := figure{levels: r.shape.Levels(), lent: map[int]map[color.RGBA]int{}}
	f.count(of)
	return "nodes by depth, as walks down the tree estimate them, and below them how many subtrees went from peer to peer, by who had them",
		f.draw(w)
}

// figure is a bar for each depth, or for some depths together.
type figure struct {
	levels []uts.Width
	each   int // depths of a bar
	lent   map[int]map[color.RGBA]int
	colors []color.RGBA // in the order of their first
	most   int          // subtrees of a bar
}

const (
	barsMax                 = 64
	figureWide, figureHigh  = 640.0, 340.0
	figureLeft, figureRight = 66.0, 632.0
	nodesTop, nodesBottom   = 10.0, 200.0
	lentTop, lentBottom     = 226.0, 296.0
	textLine                = 20.0
)

// count counts subtrees by bar and colour.
func (f *figure) count(of program.Attributions) {
	depths := len(f.levels)
	for _, j := range of.Jobs {
		if d, ok := uts.DepthOf(j.What); ok {
			depths = max(depths, d+1)
		}
	}
	f.each = (depths + barsMax - 1) / barsMax
	for len(f.levels) < depths {
		f.levels = append(f.levels, uts.Width{}) // no walk came there
	}
	for _, j := range of.Jobs {
		d, ok := uts.DepthOf(j.What)
		if !ok {
			continue
		}
		bar, is := f.lent[d/f.each], of.Color(j.Peer)
		if bar == nil {
			bar = map[color.RGBA]int{}
			f.lent[d/f.each] = bar
		}
		known := false
		for _, c := range f.colors {
			known = known || c == is
		}
		if !known {
			f.colors = append(f.colors, is)
		}
		bar[is]++
		n := 0
		for _, some := range bar {
			n += some
		}
		f.most = max(f.most, n)
	}
}

// draw draws it as SVG: how many nodes there are by their logarithm.
func (f *figure) draw(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" width="%g" height="%g" font-family="sans-serif" font-size="13">
<style>%s.nodes{fill:#8a97a5}.off{stroke:#1d2530;stroke-width:1.5}@media(prefers-color-scheme:dark){.off{stroke:#e4e8ed}}</style>
`, figureWide, figureHigh, figureWide, figureHigh, program.FigureStyle)
	bars := (len(f.levels) + f.each - 1) / f.each
	wide := (figureRight - figureLeft) / float64(bars)
	top := 1.0
	for _, l := range f.bars() {
		top = max(top, math.Ceil(math.Log10(max(l.Nodes+l.Off, 1))))
	}
	y := func(nodes float64) float64 {
		return nodesBottom - (nodesBottom-nodesTop)*min(math.Log10(max(nodes, 1))/top, 1)
	}
	step := max(1, math.Ceil(top/4))
	for p := 0.0; p <= top; p += step {
		fmt.Fprintf(out, `<text x="%g" y="%.0f" text-anchor="end">%s</text>`+"\n", figureLeft-6, y(math.Pow(10, p))+4, power(p))
	}
	for i, l := range f.bars() {
		x := figureLeft + wide*float64(i)
		fmt.Fprintf(out, `<rect class="nodes" x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>`+"\n", x+wide*.1, y(l.Nodes)-2, wide*.8, nodesBottom-y(l.Nodes)+2)
		if l.Off > 0 {
			fmt.Fprintf(out, `<path class="off" d="M%.1f %.1fV%.1f"/>`+"\n", x+wide/2, y(l.Nodes-l.Off), y(l.Nodes+l.Off))
		}
		from := lentBottom
		for _, c := range f.colors {
			high := (lentBottom - lentTop) * float64(f.lent[i][c]) / float64(max(f.most, 1))
			if from -= high; high > 0 {
				fmt.Fprintf(out, `<rect fill="#%02x%02x%02x" x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>`+"\n", c.R, c.G, c.B, x+wide*.1, from, wide*.8, high)
			}
		}
		if every := max(1, bars/12); i%every == 0 {
			fmt.Fprintf(out, `<text x="%.1f" y="%g" text-anchor="middle">%d</text>`+"\n", x+wide/2, lentBottom+textLine, i*f.each)
		}
	}
	fmt.Fprintf(out, `<path class="axis" d="M%g %gH%gM%g %gH%g"/>`+"\n", figureLeft, nodesBottom, figureRight, figureLeft, lentBottom, figureRight)
	fmt.Fprintf(out, `<text x="%g" y="%g">nodes</text><text x="%g" y="%g">subtrees lent: up to %d at a depth</text><text x="%g" y="%g" text-anchor="end">depth</text></svg>`+"\n",
		figureLeft+4, nodesTop+4, figureLeft+4, lentTop-8, f.most, figureRight, lentBottom+2*textLine-2)
	return out.Flush()
}

// bars are the levels of each bar together.
func (f *figure) bars() (all []uts.Width) {
	for i, l := range f.levels {
		if i%f.each == 0 {
			all = append(all, uts.Width{})
		}
		last := &all[len(all)-1]
		last.Nodes += l.Nodes
		last.Off += l.Off
	}
	return all
}

// power is a power of ten, as people write it.
func power(p float64) string {
	switch {
	case p < 3:
		return fmt.Sprintf("%.0f", math.Pow(10, p))
	case p < 6:
		return fmt.Sprintf("%.0f k", math.Pow(10, p-3))
	case p < 9:
		return fmt.Sprintf("%.0f M", math.Pow(10, p-6))
	}
	return fmt.Sprintf("%.0f G", math.Pow(10, p-9))
}
