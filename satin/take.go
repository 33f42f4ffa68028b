package satin

import (
	"slices"
	"sync"
	"time"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// What the machine asks the workers for. Jobs are taken and keys are made by their runs' lenders:
// both encode fields.

// WantParts has all parts listed once what came of loans so far is among them.
func (d *plane) WantParts(peer.WantParts) { d.afterHands(d.answerParts) }

// WantKeys has the keys of a run's unfinished jobs listed.
func (d *plane) WantKeys(e peer.WantKeys) { d.loop.Post(func() { d.answerKeys(e.Run) }) }

// WantJobs has jobs taken, after the effects that go with it.
func (d *plane) WantJobs(e steal.WantJobs) {
	d.want, d.short = &e, false
	d.pool.many.Store(int32(e.N))
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
	g.lender.Give(d.loop, func() {
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

// packPatience is how long others wait for a run whose jobs are being packed: longer than what may
// travel takes, unless the program's own code is slow.
const packPatience = 200 * time.Millisecond

// answerJobs hands over the oldest jobs, if the machine has asked and there are any, or never will
// be.
func (d *plane) answerJobs() {
	if d.want == nil {
		return
	}
	if d.looksAgain = d.looking != 0; d.looksAgain {
		return
	}
	if d.want.Of == nil && !d.short && d.pool.askForMany(d.want.N) {
		d.short = true // the next who publishes says Published
		time.AfterFunc(publishPatience, func() { d.loop.Post(d.answerJobs) })
		return
	}
	d.look(d.runsOf(d.want.Of), nil)
}

// publishPatience is how long one that asks for many jobs waits for fibers to publish more than lie
// open: of a tree whose jobs do not last they do so within microseconds.
const publishPatience = time.Millisecond

// look looks for a run that has jobs, except some and those whose jobs are being packed.
func (d *plane) look(of, but []*run) {
	d.looks++
	d.looking = d.looks
	busy := slices.Clone(but)
	for _, g := range d.runs {
		if g.packing {
			busy = append(busy, g.run)
		}
	}
	d.finder.Give(d.loop, func() {
		r := d.pool.giver(of, busy)
		d.loop.Post(func() { d.lendOf(r, of, but) })
	})
}

// lendOf has jobs of a run taken and packed; nil: there is none that has any. When that takes long
// it is looked for other runs.
func (d *plane) lendOf(r *run, of, but []*run) {
	if r == nil {
		d.answerTaken(nil, of)
		return
	}
	others := append(slices.Clone(but), r)
	g, look, want := d.runs[r.no], d.looking, *d.want
	if g == nil { // it has just ended
		d.look(of, others)
		return
	}
	g.packing = true
	late := time.AfterFunc(packPatience, func() {
		d.loop.Post(func() {
			if d.looking == look {
				d.look(of, others)
			}
		})
	})
	g.lender.Give(d.loop, func() {
		taken := d.pool.lend(want.N, want.Bytes, r)
		d.loop.Post(func() {
			g.packing = false
			late.Stop()
			switch {
			case d.looking != look:
				d.tookLong(r, taken)
			case len(taken) == 0: // somebody was faster, or they cannot travel
				d.look(of, others)
			default:
				d.answerTaken(taken, of)
			}
		})
	})
}

// tookLong hands over jobs for which nobody has waited, if any are wanted now. Else they go back,
// packed.
func (d *plane) tookLong(r *run, taken []lentJob) {
	if d.want != nil && d.looking == 0 && len(taken) > 0 {
		if of := d.runsOf(d.want.Of); of == nil || slices.Contains(of, r) {
			n := min(len(taken), d.want.N) // others asked for them
			d.putBackPacked(taken[n:])
			d.answerTaken(taken[:n], of)
			return
		}
	}
	d.putBackPacked(taken)
	d.answerJobs()
}

// putBackPacked gives jobs back that were taken in vain.
func (d *plane) putBackPacked(taken []lentJob) {
	for _, x := range slices.Backward(taken) { // each becomes the first
		d.pool.putBackPacked(x)
	}
}

// answerTaken answers with what was taken.
func (d *plane) answerTaken(taken []lentJob, of []*run) {
	d.looking = 0
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
	d.pool.many.Store(0)
	d.loop.Flush() // what the jobs may have seen of a best has been said before they are
	jobs := make([]peer.Job, 0, len(taken))
	for _, x := range taken {
		h := d.pool.loans.get(x.Ref)
		if h == nil {
			continue // withdrawn meanwhile, of which the machine need not hear
		}
		if d.runs[x.Run.no] != nil {
			d.reported[x.Ref] = h
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
