package program

import (
	"fmt"
	"image/color"

	"satingrid/satin/program/node"
)

// Attribution is a part of a run that one peer has computed for another: a job that was lent, and
// has ended.
type Attribution = node.Attribution

// Attributions are who has computed which parts of a run, as far as is known: of jobs that were
// lent while somebody looked, and only of tasks that are a [satin.Labelled].
type Attributions struct {
	Jobs []Attribution // in the order of being told; some have parts that others had
	Rest Attribution   // who has had the rest, without a What: the run's master

	colors map[string]color.RGBA // of peers
	keys   []node.Legend
}

// colors are told apart by those, too, who do not see all of them; after Okabe and Ito, Color
// Universal Design, 2008. otherColor is for those for whom there is none.
var (
	colors = []color.RGBA{
		{0x00, 0x72, 0xb2, 255}, {0xe6, 0x9f, 0x00, 255}, {0x00, 0x9e, 0x73, 255}, {0xcc, 0x79, 0xa7, 255},
		{0x56, 0xb4, 0xe9, 255}, {0xd5, 0x5e, 0x00, 255}, {0xf0, 0xe4, 0x42, 255},
	}
	otherColor = color.RGBA{0x99, 0x99, 0x99, 255}
)

// Color is what a peer's parts are to be drawn in. A page says which is whose: where there are more
// peers than colours, which site's.
func (c Attributions) Color(peer string) color.RGBA {
	if is, ok := c.colors[peer]; ok {
		return is
	}
	return otherColor
}

// creditsOf gives each peer a colour, in the order in which they are told of.
func creditsOf(jobs []Attribution, rest Attribution) Attributions {
	c := Attributions{Jobs: jobs, Rest: rest, colors: map[string]color.RGBA{}}
	all := append([]Attribution{rest}, jobs...)
	peers := map[string]bool{}
	for _, j := range all {
		peers[j.Peer] = true
	}
	named := func(j Attribution) string { return j.Peer }
	delete(peers, "")
	if len(peers) > len(colors) {
		named = func(j Attribution) string { return j.Site }
	}
	by := map[string]color.RGBA{}
	for _, j := range all {
		name := named(j)
		if j.Peer == "" || name == "" {
			continue
		}
		is, has := by[name]
		if !has && len(by) < len(colors) {
			is, has = colors[len(by)], true
			by[name] = is
			c.keys = append(c.keys, node.Legend{Name: name, Color: hexOf(is)})
		}
		if has {
			c.colors[j.Peer] = is
		} else if len(c.keys) == len(colors) {
			c.keys = append(c.keys, node.Legend{Name: "others", Color: hexOf(otherColor)})
		}
	}
	return c
}

func hexOf(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
