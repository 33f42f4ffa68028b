package satin

import (
	"sync"
	"time"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// What the machine asks the workers for. Jobs are taken and keys are made by hands of their own:
// both encode fields.

// WantParts has all parts listed once what came of loans so far is among them.
func (d *plane) WantParts(peer.WantParts) { d.afterHands(d.answerParts) }

// WantKeys has the keys of a run's unfinished jobs listed.
func (d *plane) WantKeys(e peer.WantKeys) { d.loop.Post(func() { d.answerKeys(e.Run) }) }

// WantJobs has jobs taken, after the effects that go with it.
func (d *plane) WantJobs(e steal.WantJobs) {
	d.want = &e
	d.pool.wanted.Store(true)
	d.loop.Post(d.answerJobs)
}

// answerParts answers WantParts.
func (d *plane) answerParts() {
	parts := toParts(d.pool.fibers.parts())
	d.loop.Flush() // what the parts may have seen of a best has been said before they are
	for no, g := range d.runs {
		if g.run.unkept.Load() {
			d.loop.Do(d.hears.Unkept(d.loop.Now(), no))
		}
	}
	d.loop.Do(d.hears.Gathered(d.loop.Now(), parts))
}

// answerKeys answers WantKeys.
func (d *plane) answerKeys(no peer.RunNo) {
	g := d.runs[no]
	if g == nil {
		d.loop.Do(d.hears.Unfinished(d.loop.Now(), no, nil))
		return
	}
	d.lender.Give(d.loop, func() {
		keys := d.pool.keys(g.run)
		d.loop.Post(func() { d.loop.Do(d.hears.Unfinished(d.loop.Now(), no, keys)) })
	})
}

// toParts are parts as the machine knows them.
func toParts(all []runPart) []peer.Part {
	out := make([]peer.Part, 0, len(all))
	for _, x := range all {
		out = append(out, peer.Part{Run: x.run.no, Key: x.key, Result: steal.Result{
			Choosing: x.run.choosing.Load(), Cost: milliseconds(x.cost), Bytes: x.result,
		}})
	}
	return out
}

// answerJobs hands over the oldest jobs, if the machine has asked and there are any, or never will
// be.
func (d *plane) answerJobs() {
	if d.want == nil {
		return
	}
	if d.looksAgain = d.lending; d.lending {
		return
	}
	d.lending = true
	want, of := *d.want, d.runsOf(d.want.Of)
	d.lender.Give(d.loop, func() {
		taken := d.pool.lend(want.N, want.Bytes, of)
		d.loop.Post(func() { d.answerTaken(taken, of) })
	})
}

// answerTaken answers with what was taken.
func (d *plane) answerTaken(taken []lentJob, of []*run) {
	d.lending = false
	if len(taken) == 0 && of == nil {
		if d.looksAgain {
			d.answerJobs()
			return
		}
		if d.pool.idleWorkers() < d.pool.workers {
			return // Published will say when to look again
		}
	}
	d.want = nil
	d.pool.wanted.Store(false)
	d.loop.Flush() // what the jobs may have seen of a best has been said before they are
	jobs := make([]peer.Job, 0, len(taken))
	for _, x := range taken {
		if d.pool.loans.get(x.Ref) == nil {
			continue // withdrawn meanwhile, of which the machine need not hear
		}
		if g := d.runs[x.Run.no]; g != nil {
			d.reported[x.Ref] = g
		}
		jobs = append(jobs, peer.Job{
			Ref: x.Ref, Run: x.Run.no, Key: x.Key, Task: x.Task, Args: x.Fields,
			Verifies: x.Verifies, PassedOn: x.PassedOn,
		})
	}
	d.loop.Do(d.hears.Taken(d.loop.Now(), jobs))
}

// runsOf are the runs of these instances that are on here; nil: no matter which.
func (d *plane) runsOf(all []steal.Instance) []*run {
	if all == nil {
		return nil
	}
	out := []*run{}
	for _, i := range all {
		for _, g := range d.runs {
			if g.instance == i {
				out = append(out, g.run)
			}
		}
	}
	return out
}

// handsPatience is how long is waited for hands in all: a program's code that never returns holds
// up its own run only.
const handsPatience = 10 * time.Second

// afterHands lets the loop do something when all is done that the runs' hands were given so far.
func (d *plane) afterHands(do func()) {
	once := sync.OnceFunc(do)
	waits, late := 1, time.AfterFunc(handsPatience, func() { d.loop.Post(once) })
	done := func() {
		if waits--; waits == 0 {
			late.Stop()
			once()
		}
	}
	for _, g := range d.runs {
		if g.hands.IsBusy() {
			waits++
			g.hands.Give(d.loop, func() { d.loop.Post(done) })
		}
	}
	d.loop.Post(done)
}
