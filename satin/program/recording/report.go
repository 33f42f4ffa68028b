package recording

import (
	"errors"
	"io"
	"time"

	"satingrid/satin/program/console"
)

// Report is what happened on a grid, summed up. Seconds are of the recording, or of workers.
type Report struct {
	Schema  int       `json:"schema"`
	Grid    string    `json:"grid"`
	Began   time.Time `json:"began"`
	Seconds float64   `json:"seconds"`
	Looks   int       `json:"looks"`
	Unseen  float64   `json:"unseen_seconds"` // in which nobody answered
	Whole   bool      `json:"whole"`          // the recorder has ended it
	// when it did, or as far as it is there; 0: not read so far
	Ends float64 `json:"ends"`

	Grids    SiteSummary      `json:"all"`
	Sites    []SiteSummary    `json:"sites"`
	Runs     []RunSummary     `json:"runs"`
	Flows    []Flow           `json:"loans"`
	Missed   uint64           `json:"loans_missed"` // that have ended, too
	Lost     map[string]int   `json:"lost"`         // peers, by how; as one host saw
	Again    uint64           `json:"put_back"`
	Reused   uint64           `json:"reused"`
	Bills    []Bill           `json:"losses"` // each loss, with what it has cost
	Happened []Incident       `json:"happened"`
	More     int              `json:"more_happened"` // than there is room for
	Warnings []WarnedOf       `json:"warnings"`
	Hints    []string         `json:"would_help"` // what was slow, and what may help
	Strips   map[string]Strip `json:"strips"`     // of each site
}

// SiteSummary is what a site did, or all of them.
type SiteSummary struct {
	Site    string  `json:"site"`
	Peers   int     `json:"peers"` // at most at once
	Workers float64 `json:"worker_seconds"`
	Busy    float64 `json:"busy_seconds"` // of them
	// of these, on what others had done that were lost, about
	Repairing float64 `json:"repairing_seconds"`
	// of peers, in which they had asked others for jobs
	Asking    float64 `json:"asking_seconds"`
	Jobs      int64   `json:"jobs"`
	Near      uint64  `json:"lent_near"`
	Far       uint64  `json:"lent_far"`
	BytesNear int64   `json:"bytes_near"`
	Bytes     int64   `json:"bytes_far"`
}

// round rounds what was measured: more digits would be noise.
func (p *SiteSummary) round() {
	for _, seconds := range []*float64{&p.Workers, &p.Busy, &p.Repairing, &p.Asking} {
		*seconds = console.Round(*seconds)
	}
}

// add adds what another site did.
func (p *SiteSummary) add(o *SiteSummary) {
	p.Workers, p.Busy, p.Repairing, p.Asking = p.Workers+o.Workers, p.Busy+o.Busy, p.Repairing+o.Repairing, p.Asking+o.Asking
	p.Jobs, p.Near, p.Far = p.Jobs+o.Jobs, p.Near+o.Near, p.Far+o.Far
	p.BytesNear, p.Bytes = p.BytesNear+o.BytesNear, p.Bytes+o.Bytes
}

// RunSummary is what was done for a run.
type RunSummary struct {
	ID    string  `json:"id"`
	App   string  `json:"app"`
	Input string  `json:"input"`
	State string  `json:"state"` // as it was seen last, or how it has ended
	Why   string  `json:"why,omitempty"`
	Took  float64 `json:"took_seconds,omitempty"` // as who has waited for it says
	// when it was seen to be on no more
	Gone float64 `json:"gone,omitempty"`
	// as it was seen last, from 0 to 1
	Progress float64 `json:"progress"`
	From     float64 `json:"from"`
	To       float64 `json:"to"` // it was on, as far as was seen
	Workers  float64 `json:"worker_seconds"`
	Jobs     int64   `json:"jobs"`
}

// Incident is what happened at some second.
type Incident struct {
	At   float64  `json:"t"`
	What string   `json:"what"`
	Lost []string `json:"lost_at,omitempty"` // the sites where peers were lost
}

// WarnedOf is what was wrong, from when to when.
type WarnedOf struct {
	From float64 `json:"from"`
	To   float64 `json:"to"`
	What string  `json:"what"`
}

// Tell reads a recording to its end, and sums it up.
func Tell(r *Playback) (*Report, error) {
	s := NewSummary(r.Preamble)
	for {
		l, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			all := s.Report()
			all.Close(r.Closing())
			return all, nil
		case err != nil:
			return nil, err
		}
		s.Add(l)
	}
}
