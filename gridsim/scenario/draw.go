package scenario

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"
)

// The size of a plot, in pixels.
const (
	plotWide   = 760
	plotMargin = 16
	plotLine   = 18 // from one line of text to the next
	panelHigh  = 220
	scaleWide  = 56 // what stands left of a panel
	rowHigh    = 24
	letterWide = 7.2 // about, at the size of the text
	dotRadius  = 4
	// letters of a row's name that are shown: the picture names it whole where one points at it
	nameMost = 48
)

// hues are told apart by most who do not tell all colours apart (Okabe and Ito, Color Universal
// Design, 2008), on light and on dark.
var hues = []string{"#2b8fd0", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#8c6bb1", "#7f7f7f", "#44aa99"}

func hue(n int) string { return hues[n%len(hues)] }

// dashes tell those apart that have one hue.
func dashes(n int) string {
	if n < len(hues) {
		return ""
	}
	return fmt.Sprintf(` stroke-dasharray="%d 3"`, 2+3*(n/len(hues)))
}

// begin begins a picture with room of that height below what it is about, and returns where that
// room begins.
func (p *plot) begin(b *strings.Builder, high int, style string) (top float64) {
	top = plotMargin
	if p.about != "" {
		top += 2 * plotLine
	}
	high += int(top) + p.course.high()
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="sans-serif" font-size="13">`+"\n", plotWide, high, plotWide, high)
	fmt.Fprintf(b, `<style>%s.grid{stroke:#98a3af;stroke-opacity:.35}.line{fill:none;stroke-width:2}</style>`+"\n", style)
	fmt.Fprintf(b, "<title>%s</title>\n", html.EscapeString(p.about))
	if p.about != "" {
		fmt.Fprintf(b, `<g font-weight="bold">`)
		write(b, plotMargin, plotMargin+4, "start", p.about)
		b.WriteString("</g>\n")
	}
	return top
}

// write writes a text at a place; anchor is start, middle or end.
func write(b *strings.Builder, x, y float64, anchor, text string) {
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="%s">%s</text>`+"\n", x, y, anchor, html.EscapeString(text))
}

// along is where a value is between two ends, of which the first tick is at from.
func (q *panel) along(v, from, to float64) float64 {
	low, high := q.ticks[0], q.ticks[len(q.ticks)-1]
	return from + (to-from)*(v-low)/(high-low)
}

// drawLines draws each line from left to right, a panel for each measure, and names them below.
func (p *plot) drawLines(b *strings.Builder, style string) {
	legend := 0
	if len(p.lines) > 1 {
		legend = len(p.lines) * plotLine
	}
	each := panelHigh + 4*plotLine
	top := p.begin(b, each*len(p.panels)+legend, style)
	for n := range p.panels {
		p.drawPanel(b, &p.panels[n], top)
		top += float64(each)
	}
	for n, l := range p.lines[:legend/plotLine] {
		y := top + float64(n*plotLine)
		fmt.Fprintf(b, `<path class="line" stroke="%s"%s d="M%d %.1fh24"/><circle cx="%d" cy="%.1f" r="%d" fill="%s"/>`+"\n",
			hue(n), dashes(n), scaleWide, y, scaleWide+12, y, dotRadius, hue(n))
		write(b, scaleWide+32, y+4, "start", l.name)
	}
	p.course.draw(b, top+float64(legend))
	b.WriteString("</svg>\n")
}

// drawScale draws the title of a panel, and a line for each tick, and is between what it lies.
func (q *panel) drawScale(b *strings.Builder, at float64) (top, bottom float64) {
	left, right := float64(scaleWide), float64(plotWide-plotMargin)
	write(b, left, at+plotLine-4, "start", q.title)
	top = at + plotLine + 4
	bottom = top + panelHigh
	for n, v := range q.ticks {
		y := q.along(v, bottom, top)
		fmt.Fprintf(b, `<path class="grid" d="M%.1f %.1fH%.1f"/>`+"\n", left, y, right)
		write(b, left-8, y+4, "end", named(q.ticks, n))
	}
	return top, bottom
}

func (p *plot) drawPanel(b *strings.Builder, q *panel, top float64) {
	left, right := float64(scaleWide), float64(plotWide-plotMargin)
	top, bottom := q.drawScale(b, top)
	x := func(place int) float64 {
		return left + (right-left)*(float64(place)+0.5)/float64(len(p.places))
	}
	for n, name := range p.places {
		write(b, x(n), bottom+plotLine, "middle", name)
	}
	write(b, (left+right)/2, bottom+2*plotLine, "middle", p.along)
	for n, l := range p.lines {
		var path, dots strings.Builder
		for place, row := range l.rows {
			if row == nil || row.Ended == 0 {
				continue
			}
			// side by side, so that none hides another's stroke
			at := x(place) + 3*(float64(n)-float64(len(p.lines)-1)/2)
			m := q.of(row)
			low, high := m.span()
			to := "L"
			if path.Len() == 0 {
				to = "M"
			}
			fmt.Fprintf(&path, "%s%.1f %.1f", to, at, q.along(m.Value*q.scale, bottom, top))
			fmt.Fprintf(&dots, `<path class="line" stroke="%s" d="M%.1f %.1fV%.1f"/><circle cx="%.1f" cy="%.1f" r="%d" fill="%s"><title>%s</title></circle>`+"\n",
				hue(n), at, q.along(low*q.scale, bottom, top), q.along(high*q.scale, bottom, top), at, q.along(m.Value*q.scale, bottom, top), dotRadius, hue(n), html.EscapeString(row.Name()))
		}
		fmt.Fprintf(b, `<path class="line" stroke="%s"%s d="%s"/>`+"\n", hue(n), dashes(n), path.String())
		b.WriteString(dots.String())
	}
}

// drawRows draws each row as a dot in a line of its own.
func (p *plot) drawRows(b *strings.Builder, style string) {
	letters := 0
	for _, name := range p.places {
		letters = max(letters, min(utf8.RuneCountInString(name), nameMost))
	}
	left, right := plotMargin+letterWide*float64(letters)+plotMargin, float64(plotWide-2*plotMargin)
	each := len(p.places)*rowHigh + 4*plotLine
	top := p.begin(b, each*len(p.panels), style)
	for k := range p.panels {
		q := &p.panels[k]
		write(b, left, top+plotLine-4, "start", q.title)
		first := top + plotLine + 4
		bottom := first + float64(len(p.places)*rowHigh)
		for n, v := range q.ticks {
			x := q.along(v, left, right)
			fmt.Fprintf(b, `<path class="grid" d="M%.1f %.1fV%.1f"/>`+"\n", x, first, bottom)
			write(b, x, bottom+plotLine, "middle", named(q.ticks, n))
		}
		for n, row := range p.lines[0].rows {
			y := first + (float64(n)+0.5)*rowHigh
			name := []rune(p.places[n])
			if len(name) > nameMost {
				name = append(name[:nameMost-1:nameMost-1], '…')
			}
			write(b, left-12, y+4, "end", string(name))
			if row.Ended == 0 {
				write(b, left+4, y+4, "start", "never ended")
				continue
			}
			m := q.of(row)
			low, high := m.span()
			fmt.Fprintf(b, `<path class="line" stroke="%s" d="M%.1f %.1fH%.1f"/><circle cx="%.1f" cy="%.1f" r="%d" fill="%s"><title>%s</title></circle>`+"\n",
				hue(0), q.along(low*q.scale, left, right), y, q.along(high*q.scale, left, right), q.along(m.Value*q.scale, left, right), y, dotRadius, hue(0), html.EscapeString(row.Name()))
		}
		top += float64(each)
	}
	p.course.draw(b, top)
	b.WriteString("</svg>\n")
}
