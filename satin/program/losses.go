package program

import (
	"fmt"
	"strings"

	"satingrid/satin"
	"satingrid/satin/program/console"
	"satingrid/satin/program/local"
	"satingrid/satin/program/wording"
)

// LossRow tells of a peer that went away. Noticed is null where the moment of the loss is not
// known.
type LossRow struct {
	Peer      string   `json:"peer"`
	How       string   `json:"how"`
	Noticed   *float64 `json:"noticed_seconds"`
	Restarted int64    `json:"restarted"`
	Reused    int64    `json:"reused"`
	Redone    float64  `json:"redone_seconds"`
	Saved     float64  `json:"saved_seconds"`
}

// lossRows are the losses of a run, in the order in which they were noticed.
func lossRows(s satin.Stats, o runEnd) []LossRow {
	rows := []LossRow{}
	turn := map[string]int{}
	for _, l := range s.Losses {
		row := LossRow{
			Peer: l.Peer, How: local.Ended(l.How), Restarted: int64(l.Restarted), Reused: int64(l.Reused),
			Redone: console.Round(l.RedoneSeconds), Saved: console.Round(l.SavedSeconds),
		}
		// since it was last heard, which is all that is known of a peer elsewhere
		noticed := l.Noticed
		if known := o.losses(l.Peer); !l.Elsewhere {
			if n := turn[l.Peer]; n < len(known) {
				row.How = known[n].How
				if known[n].Known {
					noticed = known[n].Noticed
				}
			}
			turn[l.Peer]++
		}
		if noticed > 0 {
			seconds := console.Round(noticed.Seconds())
			row.Noticed = &seconds
		}
		rows = append(rows, row)
	}
	return rows
}

// String is the line of a loss: "b/1 lost (kill): noticed in 0.1 s, 2 jobs restarted, 14 results
// reused, 0.4 s redone", and what the results have saved, if that is anything.
func (l LossRow) String() string {
	parts := []string{
		wording.Count(int(l.Restarted), "job") + " restarted", wording.Count(int(l.Reused), "result") + " reused", console.Brief(l.Redone) + " redone",
	}
	if saved := console.Brief(l.Saved); saved != console.Brief(0) {
		parts = append(parts, saved+" saved")
	}
	if l.Noticed != nil {
		parts = append([]string{"noticed in " + console.Brief(*l.Noticed)}, parts...)
	}
	if l.How == "leave" {
		return fmt.Sprintf("%s left: %s", l.Peer, strings.Join(parts, ", "))
	}
	return fmt.Sprintf("%s lost (%s): %s", l.Peer, l.How, strings.Join(parts, ", "))
}

// explain says, once a run has ended, what its losses cost.
func explain(con *console.Console, s satin.Stats, o runEnd) {
	for _, row := range lossRows(s, o) {
		con.Say("%s", row)
	}
}
