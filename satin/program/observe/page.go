package observe

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"satingrid/satin/program/console"
	"satingrid/satin/program/wording"
)

const (
	pageWidth = 79 // columns
	pageRows  = 24 // of one table: more is for lists
)

// Title is a grid in a line.
func (v View) Title() string {
	all := v.Whole()
	busy := ""
	if all.Busy != nil {
		busy = ", " + Percent(*all.Busy) + " busy"
	}
	return fmt.Sprintf("grid %s: %s at %s with %s%s", cmp.Or(v.Grid, "?"),
		wording.Count(all.Peers, "peer"), wording.Count(len(v.Sites), "site"), wording.Count(all.Workers, "worker"), busy)
}

// LossesLine is what was lost and put back, as far as hosts know; "": nothing.
func (v View) LossesLine() string {
	if sum(v.Lost) == 0 && v.Again == 0 && v.Reused == 0 {
		return ""
	}
	var hows []string
	for _, how := range slices.Sorted(maps.Keys(v.Lost)) {
		hows = append(hows, fmt.Sprintf("%d %s", v.Lost[how], how))
	}
	line := wording.Count(sum(v.Lost), "peer") + " gone"
	if len(hows) > 0 {
		line += " (" + wording.List(hows) + ")"
	}
	return fmt.Sprintf("%s; %s put back, %s used again", line, wording.Count(int(v.Again), "job"), wording.Count(int(v.Reused), "result"))
}

// Print prints a view as a page of 79 columns.
func (v View) Print(p *console.Printer) {
	p.Line("%s", Cut(v.Title(), pageWidth))
	print := func(t Sheet, none, what string) {
		if len(t.Lines) == 0 {
			p.Line("%s", none)
			return
		}
		t = t.Fit(pageWidth)
		p.Line("%s", t.Head())
		for _, l := range t.Lines[:min(len(t.Lines), pageRows)] {
			p.Line("%s", t.Row(l.Cells))
		}
		if more := len(t.Lines) - pageRows; more > 0 {
			p.Line("and %s", wording.Count(more, "more "+what))
		}
	}
	print(v.SitesTable(), "there is no peer", "site")
	print(v.RunsTable(), "no run is on, and no answer is kept", "run")
	if line := v.LossesLine(); line != "" {
		p.Line("%s", line)
		for _, gone := range v.GoneLines() {
			p.Line("  %s", Cut(gone, pageWidth-2))
		}
	}
	for _, w := range v.Warnings {
		p.Line("! %s", w)
	}
}
