package observe

import (
	"strings"

	"satingrid/satin/program/across"
)

// SitesTable are the sites of a view.
func (v View) SitesTable() Sheet {
	t := Sheet{Columns: []Column{
		{"SITE", 16, false, 0, 30},
		{"PEERS", 5, true, 2, 0},
		{"WORKERS", 7, true, 3, 0},
		{"BUSY", 6, true, 1, 0},
		{"JOBS/S", 8, true, 1, 0},
		{"NEAR/S", 7, true, 6, 0},
		{"FAR/S", 7, true, 4, 0},
		{"FAR B/S", 8, true, 5, 0},
	}}
	for _, s := range v.Sites {
		t.Lines = append(t.Lines, SheetRow{s.Site, []Cell{
			word(s.Site), count(s.Peers), count(s.Workers), maybe(s.Busy, Percent), maybe(s.Jobs, Amount),
			maybe(s.LentNear, Amount), maybe(s.LentFar, Amount), maybe(s.BytesFar, Bytes),
		}})
	}
	return t
}

// PeersTable are its peers. Of one that does not answer there is what the others see.
func (v View) PeersTable() Sheet {
	t := Sheet{Columns: []Column{
		{"PEER", 15, false, 0, 30},
		{"STATE", 9, false, 1, 0},
		{"WORKERS", 7, true, 4, 0},
		{"BUSY", 6, true, 1, 0},
		{"JOBS/S", 8, true, 2, 0},
		{"NEAR/S", 7, true, 9, 0},
		{"FAR/S", 7, true, 8, 0},
		{"MEMORY", 8, true, 5, 0},
		{"LOAD", 6, true, 6, 0},
		{"UP", 8, true, 10, 0},
		{"LEFT", 8, true, 11, 0},
		{"DOES", 16, false, 3, 40},
	}}
	for _, p := range v.Peers {
		var memory, up *float64
		state := p.State
		if p.Answers {
			m := float64(p.Memory)
			memory, up = &m, &p.Uptime
		} else if state == "here" {
			state = "no answer"
		}
		t.Lines = append(t.Lines, SheetRow{p.ID, []Cell{
			word(p.Name), word(state), count(p.Workers), maybe(p.Busy, Percent), maybe(p.Jobs, Amount),
			maybe(p.LentNear, Amount), maybe(p.LentFar, Amount), maybe(memory, Bytes), maybe(p.Load, load),
			maybe(up, duration), maybe(p.Left, duration), word(Does(p.Doing)),
		}})
	}
	return t
}

// RunsTable are its runs.
func (v View) RunsTable() Sheet {
	t := Sheet{Columns: []Column{
		{"RUN", 8, false, 0, 0},
		{"STATE", 9, false, 1, 0},
		{"APP", 8, false, 2, 12},
		{"INPUT", 8, false, 5, 30},
		{"WHO", 8, false, 7, 20},
		{"AGE", 8, true, 8, 0},
		{"DONE", 5, true, 1, 0},
		{"SHARE", 5, true, 6, 0},
		{"WORKERS", 7, true, 3, 0},
		{"MASTER", 13, false, 4, 24},
	}}
	for _, r := range v.Runs {
		var done *float64
		if r.Progress > 0 || r.State == "answered" {
			done = &r.Progress
		}
		t.Lines = append(t.Lines, SheetRow{r.ID, []Cell{
			word(short(r.ID)), word(r.State), word(r.App), word(r.Input), word(r.Who), {duration(r.Age), r.Age},
			maybe(done, Percent), count(r.Share), maybe(r.Workers, Amount), word(r.Master),
		}})
	}
	return t
}

// Does is what a peer does, in a word for each run: the app, and the beginning of its id; "-": it
// does nothing, or does not tell.
func Does(d across.Doing) string {
	var words []string
	for _, r := range d.Runs {
		if r.Root || r.Busy > 0 {
			words = append(words, strings.TrimSpace(r.App+" "+short(r.ID)))
		}
	}
	if len(words) == 0 {
		return "-"
	}
	return strings.Join(words, ", ")
}
