package control

import (
	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/satin/wire"
)

// reports sends the reports that are due.
func (l *Loop) reports() {
	for _, g := range l.runs {
		if l.now() >= g.reportAt {
			g.reportAt = l.now() + reportEvery
			if g.hasRoot {
				g.reportAt = l.now() + ProgressEvery
			}
			l.sendReport(g, false)
		}
	}
}

// sendReport tells the run's submitters: one that has gone may have come back under another id.
func (l *Loop) sendReport(g *runHere, final bool) {
	if l.conf.Client {
		return
	}
	s, b, counts := l.machine.Stats(), g.before, g.at.Counts()
	again := 0
	for _, x := range l.lossesOf(g) {
		again += x.Restarted
	}
	r := report{Run: g.instance, Final: final, Losses: l.lossShares(g), Stats: PeerStats{
		Name: l.conf.Name, Site: l.conf.Site,
		State: l.machine.Self().State.String(), Workers: l.conf.Workers,
		Jobs: counts.Jobs, Aborted: counts.Aborted, Busy: counts.Busy.Seconds(),
		LentNear: int64(s.LentNear - b.LentNear), LentFar: int64(s.LentFar - b.LentFar),
		Again:      int64(again),
		Advertised: int64(s.Advertised - b.Advertised), Fetched: int64(s.Fetched - b.Fetched),
		CopiesSent: int64(s.CopiesSent - b.CopiesSent),
		CopiesUsed: int64(s.CopiesUsed - b.CopiesUsed),
		BytesFar:   l.farBytes() - g.bytesFar,
	}}
	if l.reigns(g) {
		r.Master, r.Progress = true, g.at.Progress()
	}
	if all := l.machine.Submitters(g.no); len(all) > 0 {
		g.submitters = all // or else the run has ended, and they are those of the last report
	}
	data, err := wire.Encode(peer.Message{Body: r})
	if err != nil {
		panic("control: BUG: " + err.Error())
	}
	for _, to := range g.submitters {
		if to == l.self {
			l.reported(to, r)
		} else {
			l.driver.SendEncoded(to, nil, data)
		}
	}
}

// reported takes a report about a run of this process.
func (l *Loop) reported(from membership.PeerID, r report) {
	for _, sub := range l.subs {
		if sub.root.Run == r.Run.Run {
			sub.runStats.take(from, r)
		}
	}
}
