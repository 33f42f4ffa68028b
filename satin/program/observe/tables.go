package observe

import (
	"cmp"
	"math"
	"strings"
	"time"

	"satingrid/satin/forecast"
	"satingrid/satin/program/across"
)

// SitesTable are the sites of a view.
func (v View) SitesTable() Sheet {
	t := Sheet{Columns: []Column{
		{"SITE", 16, false, 0, 30, false, false},
		{"PEERS", 5, true, 2, 0, false, false},
		{"WORKERS", 7, true, 3, 0, false, false},
		{"BUSY", 6, true, 1, 0, false, false},
		{"JOBS/S", 8, true, 1, 0, false, false},
		{"NEAR/S", 7, true, 6, 0, false, false},
		{"FAR/S", 7, true, 4, 0, false, false},
		{"FAR B/S", 8, true, 5, 0, false, false},
		{"ASKS", 6, true, 7, 0, false, true},
		{"AGAIN", 6, true, 8, 0, false, true},
		{"TRIP", 7, true, 9, 0, false, true},
		{"FAR TRIP", 8, true, 10, 0, false, true},
		{"NEAR B/S", 8, true, 11, 0, false, true},
	}}
	for _, s := range v.Sites {
		t.Lines = append(t.Lines, SheetRow{s.Site, []Cell{
			word(s.Site), count(s.Peers), count(s.Workers), maybe(s.Busy, Percent), maybe(s.Jobs, Amount),
			maybe(s.LentNear, Amount), maybe(s.LentFar, Amount), maybe(s.BytesFar, Bytes),
			maybe(s.Asking, Percent), maybe(s.Repairing, Percent), maybe(s.TripNear, trip), maybe(s.TripFar, trip), maybe(s.BytesNear, Bytes),
		}})
	}
	return t
}

// PeersTable are its peers. Of one that does not answer there is what the others see.
func (v View) PeersTable() Sheet {
	t := Sheet{Columns: []Column{
		{"PEER", 15, false, 0, 30, true, false},
		{"STATE", 9, false, 1, 0, false, false},
		{"WORKERS", 7, true, 4, 0, false, false},
		{"BUSY", 6, true, 1, 0, false, false},
		{"JOBS/S", 8, true, 2, 0, false, false},
		{"NEAR/S", 7, true, 9, 0, false, false},
		{"FAR/S", 7, true, 8, 0, false, false},
		{"MEMORY", 8, true, 5, 0, false, false},
		{"LOAD", 6, true, 6, 0, false, false},
		{"UP", 8, true, 10, 0, false, false},
		{"LEFT", 8, true, 11, 0, false, false},
		{"DOES", 16, false, 3, 40, false, false},
		{"ASKS", 6, true, 12, 0, false, true},
		{"AGAIN", 6, true, 13, 0, false, true},
		{"TRIP", 7, true, 14, 0, false, true},
		{"FAR TRIP", 8, true, 15, 0, false, true},
		{"FAR B/S", 8, true, 16, 0, false, true},
		{"NEAR B/S", 8, true, 17, 0, false, true},
	}}
	for _, p := range v.Peers {
		var memory, up *float64
		state := p.State
		if p.Answers {
			m := float64(p.Memory)
			memory, up = &m, &p.Uptime
		} else if state == "here" && (p.untold == nil || !p.untold.Refuses) {
			state = "no answer"
		}
		t.Lines = append(t.Lines, SheetRow{p.ID, []Cell{
			word(p.Name), word(state), count(p.Workers), maybe(p.Busy, Percent), maybe(p.Jobs, Amount),
			maybe(p.LentNear, Amount), maybe(p.LentFar, Amount), maybe(memory, Bytes), maybe(p.Load, load),
			maybe(up, duration), maybe(p.Left, duration), word(Does(p.Doing)),
			maybe(p.Asking, Percent), maybe(p.Repairing, Percent), maybe(p.TripNear, trip), maybe(p.TripFar, trip), maybe(p.BytesFar, Bytes), maybe(p.BytesNear, Bytes),
		}})
	}
	return t
}

// RunsTable are its runs.
func (v View) RunsTable() Sheet {
	t := Sheet{Columns: []Column{
		{"RUN", 8, false, 0, 0, false, false},
		{"STATE", 9, false, 1, 0, false, false},
		{"APP", 7, false, 2, 12, false, false},
		{"INPUT", 8, false, 5, 30, false, false},
		{"WHO", 8, false, 7, 20, false, false},
		{"AGE", 8, true, 8, 0, false, false},
		{"DONE", 5, true, 1, 0, false, false},
		{"LEFT", 10, true, 6, 0, false, false},
		{"SHARE", 5, true, 6, 0, false, false},
		{"WORKERS", 7, true, 3, 0, false, false},
		{"MASTER", 12, false, 4, 24, true, false},
	}}
	for _, r := range v.Runs {
		var done *float64
		if r.Progress > 0 || r.State == "answered" {
			done = &r.Progress
		}
		t.Lines = append(t.Lines, SheetRow{r.ID, []Cell{
			word(short(r.ID)), word(r.State), word(r.App), word(r.Input), word(r.Who), {duration(r.Age), r.Age},
			maybe(done, Percent), left(r.Left), count(r.Share), maybe(r.Workers, Amount), word(r.Master),
		}})
	}
	return t
}

// left is how long a run will take yet; "-": it is not known.
func left(ends []float64) Cell {
	if len(ends) != 2 {
		return Cell{"-", 0}
	}
	seconds := func(s float64) time.Duration {
		return time.Duration(min(max(s, 0), math.MaxInt32) * float64(time.Second))
	}
	return Cell{forecast.Interval{Least: seconds(ends[0]), Most: seconds(ends[1])}.Brief(), ends[1]}
}

// Does is what a peer does: the app of each run, and of one the beginning of its id, too; "-": it
// does nothing, or does not tell.
func Does(d across.Doing) string {
	var words []string
	last := ""
	for _, r := range d.Runs {
		if r.Root || r.Busy > 0 {
			words, last = append(words, cmp.Or(r.App, short(r.ID))), r.ID
		}
	}
	switch len(words) {
	case 0:
		return "-"
	case 1:
		return words[0] + " " + short(last)
	}
	return strings.Join(words, ", ")
}
