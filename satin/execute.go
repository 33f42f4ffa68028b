package satin

import (
	"errors"
	"time"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// Execute gives the workers a job.
func (d *plane) Execute(e peer.Execute) {
	g := d.runs[e.Run]
	if g == nil {
		return
	}
	h, err := d.pool.borrow(g.run, e.Task, e.Args, func(h *shared) { d.finished(g, e.Borrow, h) })
	if err != nil {
		result := packText(err.Error())
		d.loop.Post(func() { d.loop.Do(d.hears.Finished(d.loop.Now(), e.Borrow, result)) })
		return
	}
	h.key, h.keyed, h.verifies, h.stays = e.Key, true, e.Verifies, e.Ref != 0
	if first := d.pool.loans.get(e.Ref); first != nil {
		h.job, h.unread = first.job.twin(), first.unread // lent: nobody begins it meanwhile
	}
	if e.IsRoot {
		g.root, h.isRoot = h, true
	}
	d.executions[e.Borrow] = execution{g, h, d.ownerOf(e)}
	if g.ready {
		d.pool.enqueue(h)
	} else {
		g.waiting = append(g.waiting, h)
	}
}

// finished is called by a worker when a borrowed job or a root has ended.
func (d *plane) finished(g *gridRun, borrow steal.Borrow, h *shared) {
	out := h.outcome()
	if out == nil && !h.isOrphan() {
		return // withdrawn, and nobody wants to hear of it
	}
	var result steal.Result
	var what string
	began, ended := time.Duration(h.begunHere.Load()), time.Since(d.pool.start)
	if out != nil {
		var ok bool
		if result, ok = g.run.pack(h.job, out); !ok {
			return // the run has failed
		}
		result.Cost = milliseconds(h.partNow().cost)
		what = labelOf(h.job)
	}
	d.loop.Post(func() {
		// one that no worker had begun was given a result
		if e, ok := d.executions[borrow]; ok && out != nil && began > 0 {
			d.pool.executed.add(LoanStats{Run: g.instance.ID(), From: e.from, What: what, Took: ended - began, Ago: ended})
		}
		delete(d.executions, borrow)
		if out == nil {
			d.loop.Do(d.hears.Stopped(d.loop.Now(), borrow))
			return
		}
		d.loop.Do(d.hears.Finished(d.loop.Now(), borrow, result))
	})
}

// pack encodes what a job came to, for another process. What cannot travel fails the run at once.
func (r *run) pack(j slot, out result) (steal.Result, bool) {
	if err := out.failure(); err != nil {
		result := packError(err)
		result.Choosing = r.choosing.Load()
		return result, true
	}
	data, err := out.encode(r.pool.strict)
	if err != nil {
		r.unfit(j, "result", err)
		return steal.Result{}, false
	}
	if !r.fits(j, len(data)) {
		return steal.Result{}, false
	}
	return steal.Result{Outcome: steal.Value, Choosing: r.choosing.Load(), Bytes: data}, true
}

// Withdraw ends a borrowed job or a root. With salvage it is heard of once more, by finished.
func (d *plane) Withdraw(e peer.Withdraw) {
	b, ok := d.executions[e.Borrow]
	if !ok {
		return
	}
	if !e.Salvage {
		delete(d.executions, e.Borrow)
	}
	b.job.withdraw(e.Salvage)
}

// Use gives a value to the jobs with its key: those that others wait for, then all others.
func (d *plane) Use(e peer.Use) {
	g := d.runs[e.Run]
	if g == nil {
		return
	}
	var borrowed []*shared
	for _, b := range d.executions {
		if b.run == g && b.job.hasKey(e.Key) {
			borrowed = append(borrowed, b.job)
		}
	}
	g.hands.Give(d.loop, func() {
		err := error(nil)
		for _, h := range borrowed {
			err = errors.Join(err, h.give(e.Result))
		}
		if err = errors.Join(err, d.pool.use(g.run, e.Key, e.Result)); err != nil {
			d.unreadable(g.run, "a result cannot be read; its job goes on", err)
		}
	})
}

// PutBack gives the workers back a job.
func (d *plane) PutBack(e peer.PutBack) {
	delete(d.reported, e.Ref)
	d.pool.putBack(e.Ref, e.Loss)
}

// Settle gives a waiting job its result.
func (d *plane) Settle(e peer.Settle) {
	h := d.reported[e.Ref]
	delete(d.reported, e.Ref)
	if h == nil || d.runs[h.run.no] == nil {
		return // withdrawn, of which the machine has heard
	}
	d.runs[h.run.no].hands.Give(d.loop, func() {
		if err := d.pool.settle(e.Ref, e.Result); err != nil {
			d.unreadable(h.run, "a result cannot be read; its job is done again", err)
			d.pool.putBack(e.Ref, 0)
			return
		}
		d.pool.salvageLate(h, e.Result)
	})
}

// Hear takes a fact for the run's jobs.
func (d *plane) Hear(e peer.Hear) {
	if g := d.runs[e.Run]; g != nil {
		g.run.facts.add(e.Fact, elsewhereBy, d.loop.NameOf(e.From))
	}
}
