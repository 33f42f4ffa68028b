package recording

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"satingrid/satin/program/console"
	"satingrid/satin/program/observe"
	"satingrid/satin/program/wording"
)

// linesMax is how much of a list is printed, the latest: a page has more of it.
const linesMax = 40

// Title is what was recorded, in a line.
func (r *Report) Title() string {
	return fmt.Sprintf("grid %s, %s from %s on: %s at %s", cmp.Or(r.Grid, "?"), console.Brief(r.Seconds),
		r.Began.Local().Format("2006-01-02 15:04:05"), wording.Count(r.Grids.Peers, "peer"), wording.Count(len(r.Sites), "site"))
}

// Told are the sentences that sum it up, what matters most first.
func (r *Report) Told() (told []string) {
	say := func(format string, args ...any) { told = append(told, fmt.Sprintf(format, args...)) }
	told = append(told, r.Endings()...)
	if len(r.Runs) == 1 && r.Runs[0].State == Answered {
		say("%s %s.", runName(r.Runs[0].line()), r.Runs[0].ended())
	}
	if all := r.Grids; all.Workers > 0 {
		say("Of %s of workers %s went into jobs (%s), and %s were without work.", console.Brief(all.Workers), console.Brief(all.Busy),
			observe.Percent(all.Busy/all.Workers), console.Brief(all.Workers-all.Busy))
	}
	if line := r.losses(); line != "" {
		say("%s.", line)
		if sites := r.lostAt(); len(sites) > 0 {
			say("Lost were peers of %s.", wording.List(sites))
		}
	} else {
		say("Nobody was lost.")
	}
	if again := r.redone(); again > 0 {
		say("%s of that work was done again.", console.Brief(again))
	}
	if all := r.Grids; all.Near+all.Far > 0 {
		say("Jobs lent within their site: %s, and to another: %s. Sent within sites: %s, and to others: %s.",
			observe.Amount(float64(all.Near)), observe.Amount(float64(all.Far)),
			observe.Bytes(float64(all.BytesNear)), observe.Bytes(float64(all.Bytes)))
	}
	if worst, ok := r.idlest(); ok {
		say("Site %s was idle most: %s of its workers computed, and %s of all.", worst.Site, observe.Percent(worst.Busy/worst.Workers),
			observe.Percent(r.Grids.Busy/r.Grids.Workers))
	}
	told = append(told, r.Hints...)
	if r.Unseen > 0 {
		say("For %s nobody answered: what happened then is told as of its end.", console.Brief(r.Unseen))
	}
	return told
}

// redone is how much work was done again: as who waited for a run says, where somebody has.
func (r *Report) redone() float64 {
	all, told := 0.0, false
	for _, b := range r.Bills {
		if b.By == byRun {
			all, told = all+of(b.Redone), true
		}
	}
	if told {
		return all
	}
	return r.Grids.Repairing
}

// lostAt are the sites where peers were lost, in order.
func (r *Report) lostAt() []string {
	at := map[string]bool{}
	for _, h := range r.Happened {
		for _, site := range h.Lost {
			at[site] = true
		}
	}
	return slices.Sorted(maps.Keys(at))
}

// losses are what was lost and put back; "": nothing.
func (r *Report) losses() string {
	return observe.View{Lost: r.Lost, Again: r.Again, Reused: r.Reused}.LossesLine()
}

// idlest is the site that used least of its workers, where there are several and it stands out.
func (r *Report) idlest() (worst SiteSummary, ok bool) {
	if len(r.Sites) < 2 || r.Grids.Workers == 0 {
		return worst, false
	}
	used := func(p SiteSummary) float64 { return p.Busy / max(p.Workers, 1e-9) }
	worst = slices.MinFunc(r.Sites, func(a, b SiteSummary) int { return cmp.Compare(used(a), used(b)) })
	return worst, worst.Workers > 0 && used(worst) < 0.9*r.Grids.Busy/r.Grids.Workers
}

// SitesTable are the sites, and what each did.
func (r *Report) SitesTable() observe.Sheet {
	t := observe.Sheet{Columns: []observe.Column{
		{Title: "SITE", Width: 16, Most: 30}, right("PEERS", 5), right("WORKERS", 9), right("COMPUTED", 9), right("BUSY", 6), right("JOBS", 8),
		right("NEAR", 7), right("FAR", 7), right("FAR B", 8), right("ASKED", 8), right("AGAIN", 8), right("NEAR B", 8),
	}}
	for _, p := range r.Sites {
		busy := observe.Cell{Text: "-"}
		if p.Workers > 0 {
			busy = observe.Cell{Text: observe.Percent(p.Busy / p.Workers)}
		}
		t.Lines = append(t.Lines, observe.SheetRow{Key: p.Site, Cells: cells(p.Site, p.Peers, console.Brief(p.Workers), console.Brief(p.Busy), busy.Text,
			observe.Amount(float64(p.Jobs)), observe.Amount(float64(p.Near)), observe.Amount(float64(p.Far)), observe.Bytes(float64(p.Bytes)),
			console.Brief(p.Asking), console.Brief(p.Repairing), observe.Bytes(float64(p.BytesNear)))})
	}
	return t
}

// RunsTable are the runs, and what was done for each.
func (r *Report) RunsTable() observe.Sheet {
	t := observe.Sheet{Columns: []observe.Column{
		{Title: "RUN", Width: 8}, {Title: "APP", Width: 8, Most: 14}, {Title: "INPUT", Width: 10, Most: 30}, {Title: "STATE", Width: 11},
		right("FROM", 8), right("TO", 8), right("COMPUTED", 9), right("JOBS", 8),
	}}
	for _, p := range r.Runs {
		t.Lines = append(t.Lines, observe.SheetRow{Key: p.ID, Cells: cells(fmt.Sprintf("%.8s", p.ID), p.App, p.Input, p.State,
			Clock(p.From), Clock(p.To), console.Brief(p.Workers), observe.Amount(float64(p.Jobs)))})
	}
	return t
}

func right(title string, width int) observe.Column {
	return observe.Column{Title: title, Width: width, Right: true}
}

func cells(words ...any) (all []observe.Cell) {
	for _, w := range words {
		all = append(all, observe.Cell{Text: fmt.Sprint(w)})
	}
	return all
}

// Clock is a moment of a recording: 1:02:03.
func Clock(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second)).Truncate(time.Second)
	if h := d / time.Hour; h > 0 {
		return fmt.Sprintf("%d:%02d:%02d", h, d/time.Minute%60, d/time.Second%60)
	}
	return fmt.Sprintf("%d:%02d", d/time.Minute, d/time.Second%60)
}

// Print prints a report as a text of at most 99 columns.
func (r *Report) Print(p *console.Printer) {
	p.Line("%s", r.Title())
	for _, s := range r.Told() {
		p.Line("%s", s)
	}
	for _, t := range []observe.Sheet{r.SitesTable(), r.RunsTable(), r.BillsTable(), r.FlowsTable()} {
		if len(t.Lines) == 0 {
			continue
		}
		p.Line("")
		t = t.Fit(99)
		p.Line("%s", t.Head())
		for _, l := range t.Lines {
			p.Line("%s", t.Row(l.Cells))
		}
	}
	list := func(title string, n, more int, line func(int) string) {
		if n == 0 {
			return
		}
		p.Line("\n%s", title)
		if more += max(n-linesMax, 0); more > 0 {
			p.Line("          %s before", wording.Count(more, "line"))
		}
		for i := max(n-linesMax, 0); i < n; i++ {
			p.Line("%s", line(i))
		}
	}
	list("WHAT HAPPENED", len(r.Happened), r.More, func(i int) string { return fmt.Sprintf("%8s  %s", Clock(r.Happened[i].At), r.Happened[i].What) })
	list("WHAT WAS WRONG", len(r.Warnings), 0, func(i int) string {
		w := r.Warnings[i]
		return fmt.Sprintf("%8s  for %s: %s", Clock(w.From), console.Brief(w.To-w.From), w.What)
	})
}
