package picture

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// SVG writes the picture as SVG.
func (p *Picture) SVG(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f">
<title>%s</title>
<rect width="100%%" height="100%%" fill="%s"/>
<polygon fill="none" stroke="%s" stroke-width="%.1f" stroke-linejoin="round" points="`,
		p.width, p.height, p.width, p.height, escape(p.Title), hex(paper), hex(ink), p.dot*strokeShare)
	for _, c := range p.tour {
		fmt.Fprintf(out, "%.1f,%.1f ", p.points[c].X, p.points[c].Y)
	}
	fmt.Fprint(out, "\"/>\n<g fill=\""+hex(city)+"\">\n")
	for c, q := range p.points {
		fmt.Fprintf(out, `<circle cx="%.1f" cy="%.1f" r="%.1f"><title>%s</title></circle>`+"\n", q.X, q.Y, p.dot, escape(p.name(c)))
	}
	fmt.Fprint(out, "</g>\n")
	if p.names != nil {
		fmt.Fprint(out, `<g font-family="sans-serif" font-size="13" fill="#333">`+"\n")
		for c, q := range p.points {
			// Names at the right edge would run out of the picture.
			anchor, dx := "start", p.dot+3
			if q.X > p.width-3*margin {
				anchor, dx = "end", -p.dot-3
			}
			fmt.Fprintf(out, `<text x="%.1f" y="%.1f" text-anchor="%s">%s</text>`+"\n", q.X+dx, q.Y-4, anchor, escape(p.names[c]))
		}
		fmt.Fprint(out, "</g>\n")
	}
	fmt.Fprint(out, "</svg>\n")
	return out.Flush()
}

func (p *Picture) name(c int) string {
	if p.names != nil {
		return p.names[c]
	}
	return fmt.Sprint(c + 1)
}

func escape(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text)) // a strings.Builder takes everything
	return b.String()
}
