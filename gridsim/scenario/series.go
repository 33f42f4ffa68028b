package scenario

import (
	"encoding/csv"
	"io"
	"strconv"
	"time"

	"satingrid/gridsim"
	"satingrid/satin/program/console"
)

// pointsMax bounds the intervals of a run. Where there would be more, two become one, and all that
// follow are twice as long.
const pointsMax = 1000

// Point is what happened in an interval of a run. Workers are means.
type Point struct {
	At       float64 `json:"seconds"` // its end, since the run was submitted
	Peers    float64 `json:"peers"`   // that were there at its end
	Busy     float64 `json:"busy"`    // workers that had a job
	Idle     float64 `json:"idle"`    // and that had none
	Losses   float64 `json:"losses"`
	Leaves   float64 `json:"leaves"`
	BytesFar float64 `json:"bytes_far"`
}

// facet is one thing that is told of each interval.
type facet struct {
	name  string  // as a column of CSV
	title string  // in a plot, which shows its values times scale
	scale float64 // …
	each  bool    // … and by the second
	of    func(*Point) float64
}

var facets = []facet{
	{"peers", "peers", 1, false, func(p *Point) float64 { return p.Peers }},
	{"busy", "workers with a job", 1, false, func(p *Point) float64 { return p.Busy }},
	{"idle", "workers without a job", 1, false, func(p *Point) float64 { return p.Idle }},
	{"losses", "peers lost, in a second", 1, true, func(p *Point) float64 { return p.Losses }},
	{"leaves", "peers left, in a second", 1, true, func(p *Point) float64 { return p.Leaves }},
	{"bytes_far", "between sites, MB/s", 1e-6, true, func(p *Point) float64 { return p.BytesFar }},
}

// ofSeries is how plot names a facet.
const ofSeries = "series."

// intervals takes down what happens, interval by interval.
type intervals struct {
	every time.Duration // 0: nothing is taken down
	next  time.Duration
	was   gridsim.Course
	at    time.Duration
	all   []Point
}

// look takes down what has happened since the last time, if it is time to.
func (s *intervals) look(r *gridsim.Rehearsal) {
	if s.every > 0 && r.Now() > 0 && r.Now() >= s.next {
		s.take(r)
	}
}

// take takes down what has happened since the last time.
func (s *intervals) take(r *gridsim.Rehearsal) {
	now, is := r.Now(), r.Course()
	took := float64(now - s.at)
	if took <= 0 {
		return
	}
	there, busy := float64(is.There-s.was.There), float64(is.Busy-s.was.Busy)
	s.all = append(s.all, Point{
		At: now.Seconds(), Peers: float64(is.Peers), Busy: console.Round(busy / took), Idle: console.Round(max(there-busy, 0) / took),
		Losses: float64(is.Died - s.was.Died), Leaves: float64(is.Left - s.was.Left), BytesFar: float64(is.BytesFar - s.was.BytesFar),
	})
	if len(s.all) == pointsMax {
		s.halve()
	}
	s.at, s.was, s.next = now, is, now.Truncate(s.every)+s.every
}

// halve makes one of two intervals.
func (s *intervals) halve() {
	s.every *= 2
	from := 0.0
	for n := 0; n+1 < len(s.all); n += 2 {
		s.all[n/2] = joined(s.all[n], s.all[n+1], from)
		from = s.all[n/2].At
	}
	s.all = s.all[:len(s.all)/2]
}

// joined is what happened in two intervals, of which the first has begun at some time.
func joined(a, b Point, from float64) Point {
	whole := b.At - from
	mean := func(x, y float64) float64 { return console.Round((x*(a.At-from) + y*(b.At-a.At)) / whole) }
	return Point{
		At: b.At, Peers: b.Peers, Busy: mean(a.Busy, b.Busy), Idle: mean(a.Idle, b.Idle),
		Losses: a.Losses + b.Losses, Leaves: a.Leaves + b.Leaves, BytesFar: a.BytesFar + b.BytesFar,
	}
}

// HasSeries tells whether the scenario wants to know the course of each run.
func (r *Tabulation) HasSeries() bool {
	for n := range r.Rows {
		for k := range r.Rows[n].Runs {
			if len(r.Rows[n].Runs[k].Series) > 0 {
				return true
			}
		}
	}
	return false
}

// WriteSeries writes, as comma-separated values, a line for each interval of each run.
func (r *Tabulation) WriteSeries(to io.Writer) error {
	w := csv.NewWriter(to)
	head := append(r.fields(), "seed", "seconds")
	for _, f := range facets {
		head = append(head, f.name)
	}
	w.Write(head)
	for n := range r.Rows {
		row := &r.Rows[n]
		cells := row.where()
		of := len(cells)
		for k := range row.Runs {
			run := &row.Runs[k]
			for i := range run.Series {
				p := &run.Series[i]
				cells = append(cells[:of], strconv.FormatUint(run.Seed, 10), number(&p.At))
				for _, f := range facets {
					x := f.of(p)
					cells = append(cells, number(&x))
				}
				w.Write(cells)
			}
		}
	}
	w.Flush()
	return w.Error()
}
