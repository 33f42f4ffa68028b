package program

import (
	"bytes"
	"fmt"

	"satingrid/satin"
	"satingrid/satin/program/console"
)

// here is the name of the peer of a run on this machine alone, which is the
// master, and of its site.
const here = "here"

// Document is what run --json prints.
type Document struct {
	Schema   int    `json:"schema"`
	App      string `json:"app"`
	Input    string `json:"input"`
	Answer   any    `json:"answer"`
	Complete bool   `json:"complete"`
	// what is said on stderr when the exit code is not 0
	Error   string    `json:"error,omitempty"`
	Seconds float64   `json:"seconds"`
	Peers   []PeerRow `json:"peers"`
	Jobs    struct {
		Executed int64 `json:"executed"`
		LentNear int64 `json:"lent_near"`
		LentFar  int64 `json:"lent_far"`
		Again    int64 `json:"again"`
		Aborted  int64 `json:"aborted"`
	} `json:"jobs"`
	Orphans struct {
		Advertised int64 `json:"advertised"`
		Fetched    int64 `json:"fetched"`
		CopiesSent int64 `json:"copies_sent"`
		CopiesUsed int64 `json:"copies_used"`
	} `json:"orphans"`
	Losses []LossRow `json:"losses"`
	Chaos  struct {
		Fired  int      `json:"fired"`
		Missed []string `json:"missed"`
	} `json:"chaos"`
	Masters  []string `json:"masters"`
	BytesFar int64    `json:"bytes_far"`
}

// PeerRow is a peer of a run.
type PeerRow struct {
	Name    string  `json:"name"`
	Site    string  `json:"site"`
	State   string  `json:"state"`
	Workers int     `json:"workers"`
	Jobs    int64   `json:"jobs"`
	Busy    float64 `json:"busy_seconds"`
}

// newDocument describes a run. Lists are present and empty where there is nothing in them.
func newDocument(con *console.Console, app, input string, s satin.Stats, o runEnd) *Document {
	d := &Document{Schema: console.Schema, App: app, Input: input, Complete: o.complete, Seconds: console.Round(o.seconds)}
	if o.answer != nil {
		d.Answer = o.answer.JSON()
	}
	if o.err != nil {
		d.Error = con.Words(o.err)
	}
	d.Peers = peerRows(s)
	for _, p := range s.Peers {
		d.Jobs.Executed += p.Jobs
		d.Jobs.Aborted += p.Aborted
		d.Jobs.LentNear += p.LentNear
		d.Jobs.LentFar += p.LentFar
		d.Jobs.Again += p.Again
		d.Orphans.Advertised += p.Advertised
		d.Orphans.Fetched += p.Fetched
		d.Orphans.CopiesSent += p.CopiesSent
		d.Orphans.CopiesUsed += p.CopiesUsed
		d.BytesFar += p.BytesFar
	}
	d.Losses = lossRows(s, o)
	d.Chaos.Fired, d.Chaos.Missed = o.fired, append([]string{}, o.missed...)
	d.Masters = append([]string{}, s.Masters...)
	if o.losses == nil {
		d.Masters = []string{here}
	}
	return d
}

// peerRows are the peers of a run.
func peerRows(s satin.Stats) []PeerRow {
	rows := make([]PeerRow, len(s.Peers))
	for i, p := range s.Peers {
		rows[i] = PeerRow{p.Name, p.Site, p.State, p.Workers, p.Jobs, console.Round(p.Busy)}
		if p.Site == "" {
			rows[i].Site = here
		}
		if p.State == "" {
			rows[i].State = "here"
		}
	}
	return rows
}

// show prints what a run has found, keeps its file, and returns the error that
// the command ends with.
func show(con *console.Console, app, input string, asJSON bool, s satin.Stats, o runEnd) error {
	if k, ok := o.answer.(FileKeeper); ok {
		if err := k.Keep(); err != nil {
			return fmt.Errorf("the answer could not be kept: %w", err)
		}
	}
	explain(con, s, o)
	var text bytes.Buffer
	var err error
	switch {
	case asJSON:
		err = console.PrintJSON(&text, newDocument(con, app, input, s, o))
	case o.answer != nil:
		err = o.answer.Text(&text)
	}
	if err != nil {
		return err
	}
	if _, err := con.Out.Write(text.Bytes()); err != nil {
		return fmt.Errorf("the answer could not be printed: %w", err)
	}
	if c, ok := o.answer.(Coder); ok && o.err == nil && c.Code() != console.ExitOK {
		return &console.Error{Code: c.Code()}
	}
	return o.err
}
