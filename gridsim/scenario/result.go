package scenario

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"satingrid/satin/program/console"
	"satingrid/satin/program/figure"
)

// Tabulation is what a scenario came to.
type Tabulation struct {
	About       string   `json:"about,omitempty"`
	Look        string   `json:"look,omitempty"`
	Seed        uint64   `json:"seed"`
	Repetitions int      `json:"repetitions"`
	Plots       []string `json:"-"` // measures that are to be drawn
	Rows        []Summed `json:"rows"`
}

// Summed is what a variant came to: means of the runs that have ended.
type Summed struct {
	Case       string   `json:"case,omitempty"`
	Set        []Varied `json:"set,omitempty"`
	Ended      int      `json:"ended"` // runs that have, with an answer
	Time       Average  `json:"time_seconds"`
	Ideal      Average  `json:"ideal_seconds"`
	Efficiency Average  `json:"efficiency"`
	Redone     Average  `json:"redone_seconds"`
	Near       Average  `json:"loans_near"`
	Far        Average  `json:"loans_far"`
	BytesFar   Average  `json:"bytes_far"`
	Losses     Average  `json:"losses"`
	Leaves     Average  `json:"leaves"`
	Mistaken   Average  `json:"mistaken"`
	Messages   Average  `json:"messages"`
	Runs       []Played `json:"runs"`
}

// Average is a mean, and between what it is in 95 of 100 scenarios; nil of too few runs. It is 0 of
// none.
type Average struct {
	Value float64  `json:"mean"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
}

// measure is one thing that is told of each run.
type measure struct {
	name  string // as a column of CSV
	title string // in a plot, which shows its values times scale
	scale float64
	of    func(*Summed) *Average
	run   func(*Played) float64
}

var measures = []measure{
	{"time_seconds", "time, s", 1, func(r *Summed) *Average { return &r.Time }, func(p *Played) float64 { return p.Time }},
	{"ideal_seconds", "ideal time, s", 1, func(r *Summed) *Average { return &r.Ideal }, func(p *Played) float64 { return p.Ideal }},
	{"efficiency", "efficiency", 1, func(r *Summed) *Average { return &r.Efficiency }, func(p *Played) float64 { return p.Efficiency }},
	{"redone_seconds", "done again, s of a worker", 1, func(r *Summed) *Average { return &r.Redone }, func(p *Played) float64 { return p.Redone }},
	{"loans_near", "loans within sites", 1, func(r *Summed) *Average { return &r.Near }, func(p *Played) float64 { return p.Near }},
	{"loans_far", "loans between sites", 1, func(r *Summed) *Average { return &r.Far }, func(p *Played) float64 { return p.Far }},
	{"bytes_far", "between sites, MB", 1e-6, func(r *Summed) *Average { return &r.BytesFar }, func(p *Played) float64 { return p.BytesFar }},
	{"losses", "peers lost", 1, func(r *Summed) *Average { return &r.Losses }, func(p *Played) float64 { return p.Losses }},
	{"leaves", "peers left", 1, func(r *Summed) *Average { return &r.Leaves }, func(p *Played) float64 { return p.Leaves }},
	{"mistaken", "times that one was held dead that lived", 1, func(r *Summed) *Average { return &r.Mistaken }, func(p *Played) float64 { return p.Mistaken }},
	{"messages", "messages", 1, func(r *Summed) *Average { return &r.Messages }, func(p *Played) float64 { return p.Messages }},
}

// sum makes the means.
func (r *Summed) sum() {
	for n := range r.Runs {
		if r.Runs[n].Ended {
			r.Ended++
		}
	}
	for _, m := range measures {
		var all []float64
		for n := range r.Runs {
			if r.Runs[n].Ended {
				all = append(all, m.run(&r.Runs[n]))
			}
		}
		f := figure.Mean(all, figure.AtMost(0))
		*m.of(r) = Average{console.Round(f.Value), rounded(f.Low), rounded(f.High)}
	}
}

// rounded leaves out digits in which machines may differ that add and multiply in one step.
func rounded(x *float64) *float64 {
	if x == nil {
		return nil
	}
	y := console.Round(*x)
	return &y
}

// text is a mean with what it may be off.
func (m Average) text(format string) string {
	s := fmt.Sprintf(format, m.Value)
	if m.High != nil {
		s += " ±" + fmt.Sprintf(format, *m.High-m.Value)
	}
	return s
}

// Print prints the table, by a function that prints a line.
func (r *Tabulation) Print(line func(format string, args ...any)) {
	wide := len("scenario")
	for n := range r.Rows {
		wide = max(wide, utf8.RuneCountInString(r.Rows[n].Name()))
	}
	layout := fmt.Sprintf("%%-%ds %%15s %%8s %%13s %%14s %%7s %%13s %%12s %%6s %%6s", wide)
	line(layout, "scenario", "time s", "ideal s", "efficiency", "redone s", "near", "far", "far MB", "losses", "left")
	for n := range r.Rows {
		row := &r.Rows[n]
		if row.Ended == 0 {
			line(layout, row.Name(), "never ended", "-", "-", "-", "-", "-", "-", "-", "-")
			continue
		}
		far := row.BytesFar
		line(layout, row.Name(), row.Time.text("%.2f"), fmt.Sprintf("%.2f", row.Ideal.Value), row.Efficiency.text("%.3f"), row.Redone.text("%.1f"),
			fmt.Sprintf("%.0f", row.Near.Value), row.Far.text("%.0f"), fmt.Sprintf("%.2f", far.Value/1e6),
			fmt.Sprintf("%.1f", row.Losses.Value), fmt.Sprintf("%.1f", row.Leaves.Value))
	}
	for n := range r.Rows {
		row := &r.Rows[n]
		if row.Ended < len(row.Runs) {
			line("%s: %d of %d runs have ended with an answer; the means are theirs", row.Name(), row.Ended, len(row.Runs))
		}
		if row.Mistaken.Value > 0 {
			line("%s: %.1f times in a run a peer has held one dead that lived", row.Name(), row.Mistaken.Value)
		}
		for k := range row.Runs {
			if missed := row.Runs[k].Missed; len(missed) > 0 {
				line("%s: %s has not happened in the run with seed %d: it was over before, or there was nobody to whom it could", row.Name(), missed[0], row.Runs[k].Seed)
				break
			}
		}
	}
}

// WriteCSV writes a line for each row: what it is of, how many runs have ended, and of each measure
// the mean and between what it is, which is empty of too few runs.
func (r *Tabulation) WriteCSV(to io.Writer) error {
	w := csv.NewWriter(to)
	head := append(r.fields(), "runs", "ended")
	for _, m := range measures {
		head = append(head, m.name, m.name+"_low", m.name+"_high")
	}
	w.Write(head)
	for n := range r.Rows {
		row := &r.Rows[n]
		cells := append(row.where(), strconv.Itoa(len(row.Runs)), strconv.Itoa(row.Ended))
		for _, m := range measures {
			mean := m.of(row)
			if row.Ended == 0 {
				cells = append(cells, "", "", "")
				continue
			}
			cells = append(cells, number(&mean.Value), number(mean.Low), number(mean.High))
		}
		w.Write(cells)
	}
	w.Flush()
	return w.Error()
}

// fields are the names of what tells rows apart, and where what one row has of that.
func (r *Tabulation) fields() []string {
	head := []string{"scenario", "case"}
	if len(r.Rows) > 0 {
		for _, set := range r.Rows[0].Set {
			head = append(head, set.Field)
		}
	}
	return head
}

func (r *Summed) where() []string {
	cells := []string{r.Name(), r.Case}
	for _, set := range r.Set {
		cells = append(cells, set.Value)
	}
	return cells
}

func number(x *float64) string {
	if x == nil {
		return ""
	}
	return strconv.FormatFloat(*x, 'g', -1, 64)
}
