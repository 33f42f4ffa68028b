package satin

import (
	"satingrid/satin/peer"
	"satingrid/steal"
)

// What the machine asks the workers for. Jobs are taken and keys are made by hands of their own: both encode fields.

// WantParts has all parts listed once what came of loans so far is among them.
func (l *loop) WantParts(peer.WantParts) { l.afterHands(l.gathered) }

// WantKeys has the keys of a run's unfinished jobs listed.
func (l *loop) WantKeys(e peer.WantKeys) { l.post(func() { l.unfinished(e.Run) }) }

// WantJobs has jobs taken, after the effects that go with it.
func (l *loop) WantJobs(e steal.WantJobs) {
	l.want = &e
	l.plane.wanted.Store(true)
	l.post(l.answerWant)
}

// gathered answers WantParts.
func (l *loop) gathered() {
	parts := toParts(l.plane.parts())
	l.doPosted() // what the parts may have seen of a best has been said before they are
	for no, g := range l.runs {
		if g.plane.unkept.Load() {
			l.do(l.hears.Unkept(l.now(), no))
		}
	}
	l.do(l.hears.Gathered(l.now(), parts))
}

// unfinished answers WantKeys.
func (l *loop) unfinished(no peer.RunNo) {
	g := l.runs[no]
	if g == nil {
		l.do(l.hears.Unfinished(l.now(), no, nil))
		return
	}
	l.lender.give(&l.crew, func() {
		keys := l.plane.keys(g.plane)
		l.post(func() { l.do(l.hears.Unfinished(l.now(), no, keys)) })
	})
}

// toParts are parts as the machine knows them.
func toParts(all []runPart) []peer.Part {
	out := make([]peer.Part, 0, len(all))
	for _, x := range all {
		if x.run.grid != nil {
			out = append(out, peer.Part{Run: x.run.grid.no, Key: x.key, Result: steal.Result{
				Choosing: x.run.choosing.Load(), Cost: milliseconds(x.cost), Bytes: x.result,
			}})
		}
	}
	return out
}

// answerWant hands over the oldest jobs, if the machine has asked and there are any, or never will be.
func (l *loop) answerWant() {
	if l.want == nil {
		return
	}
	if l.looksAgain = l.lending; l.lending {
		return
	}
	l.lending = true
	want, of := *l.want, l.planesOf(l.want.Of)
	l.lender.give(&l.crew, func() {
		taken := l.plane.lend(want.N, want.Bytes, of)
		l.post(func() { l.took(taken, of) })
	})
}

// took answers with what was taken.
func (l *loop) took(taken []lentJob, of []*run) {
	l.lending = false
	if len(taken) == 0 && of == nil {
		if l.looksAgain {
			l.answerWant()
			return
		}
		if l.plane.idleWorkers() < l.plane.workers {
			return // Published will say when to look again
		}
	}
	l.want = nil
	l.plane.wanted.Store(false)
	l.doPosted() // what the jobs may have seen of a best has been said before they are
	jobs := make([]peer.Job, 0, len(taken))
	for _, x := range taken {
		if l.plane.loans.get(x.Ref) == nil {
			continue // withdrawn meanwhile, of which the machine need not hear
		}
		if g := x.Run.grid; l.runs[g.no] == g {
			l.handed[x.Ref] = g
		}
		jobs = append(jobs, peer.Job{
			Ref: x.Ref, Run: x.Run.grid.no, Key: x.Key, Task: x.Task, Args: x.Fields, Verifies: x.Verifies, PassedOn: x.PassedOn,
		})
	}
	l.do(l.hears.Taken(l.now(), jobs))
}

// planesOf are the runs of these instances that are on here; nil: no matter which.
func (l *loop) planesOf(all []steal.Instance) []*run {
	if all == nil {
		return nil
	}
	out := []*run{}
	for _, i := range all {
		for _, g := range l.runs {
			if g.instance == i {
				out = append(out, g.plane)
			}
		}
	}
	return out
}
