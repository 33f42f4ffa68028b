package control

import "satingrid/satin/peer"

// reports has those who have submitted runs told what is done for them here, where that is due.
func (l *Loop) reports() {
	for _, g := range l.runs {
		if l.now() >= g.reportAt {
			g.reportAt = l.now() + peer.ReportEvery
			if g.hasRoot {
				g.reportAt = l.now() + ProgressEvery
			}
			l.did(g)
		}
	}
}

// did tells the machine what was done for a run here.
func (l *Loop) did(g *runHere) {
	counts := g.at.Counts()
	l.do(l.machine.Did(l.now(), g.no, peer.Work{
		Jobs: counts.Jobs, Aborted: counts.Aborted, Busy: counts.Busy,
		BytesFar: l.farBytes() - g.bytesFar,
		Root:     g.hasRoot, Progress: g.at.Progress(),
		Redone: l.redoneIn(g.no),
	}))
}

// allReported has an answer handed on, whose statistics are as whole as they will be.
func (l *Loop) allReported(e peer.AllReported) {
	if sub := l.subs[e.Nonce]; sub != nil {
		sub.isWhole = true
		l.handOn(sub)
	}
}

// reported takes what a peer has told of a run of this process.
func (l *Loop) reported(e peer.Reported) {
	if sub := l.subs[e.Nonce]; sub != nil {
		sub.runStats.take(e.From, e.Report)
	}
}
