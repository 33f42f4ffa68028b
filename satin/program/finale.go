package program

import (
	"satingrid/satin"
	"satingrid/satin/program/console"
	"satingrid/satin/program/recording"
)

// tellEnd has the recording of a run tell how that ended, and what each loss has cost it: nobody
// else knows.
func (p *openTarget) tellEnd(con *console.Console, a *Application, ready *Prepared, r Running, o runEnd) {
	if p.recording == nil {
		return
	}
	f := recording.Finale{App: a.Name, Input: ready.Input, How: o.how, Seconds: console.Round(o.seconds)}
	if h, ok := r.(hold); ok {
		f.Run = h.id()
	}
	if o.err != nil {
		f.Why = con.Words(o.err)
	}
	f.Losses = billsOf(r.Stats(), o, func(peer string, n int) *float64 {
		at, known := p.feed.lossAt(peer, n)
		if !known {
			return nil
		}
		seconds := p.recording.At(at)
		return &seconds
	})
	p.recording.End(f)
}

// billsOf are the losses of a run as a recording has them. when is when a peer was lost the nth
// time, as far as that was heard here.
func billsOf(s satin.Stats, o runEnd, when func(peer string, n int) *float64) (all []recording.Bill) {
	turn := map[string]int{}
	for i, row := range lossRows(s, o) {
		restarted, reused := uint64(max(row.Restarted, 0)), uint64(max(row.Reused, 0))
		bill := recording.Bill{
			Peer: row.Peer, Site: s.Losses[i].Site, How: row.How, Noticed: row.Noticed,
			Restarted: &restarted, Reused: &reused, Redone: &row.Redone, Saved: &row.Saved,
		}
		if !s.Losses[i].Elsewhere {
			bill.At = when(row.Peer, turn[row.Peer])
			turn[row.Peer]++
		}
		all = append(all, bill)
	}
	return all
}
