package driver

import (
	"math"
	"slices"
	"time"

	"satingrid/satin/peer"
	"satingrid/satin/peer/workers"
	"satingrid/steal"
)

// telling is when others are told of what is done here: those who have submitted runs of what was
// done for them, and owners of how far their loans are.
type telling struct {
	runs     []toldOf // in the order in which they began
	sharesAt time.Duration
}

// toldOf is a run that is on.
type toldOf struct {
	no       peer.RunNo
	instance steal.Instance
	at       time.Duration // when its submitters are told next
	rooted   bool          // its root was executed here
	bytesFar int64         // what had been sent to other sites when it began
}

// begins hears of a run, of which its submitters are told at once.
func (t *telling) begins(now time.Duration, no peer.RunNo, i steal.Instance, bytesFar int64) {
	t.runs = append(t.runs, toldOf{no: no, instance: i, at: now, bytesFar: bytesFar})
}

// of is what is to be told of a run, or nil.
func (t *telling) of(no peer.RunNo) *toldOf {
	for n := range t.runs {
		if t.runs[n].no == no {
			return &t.runs[n]
		}
	}
	return nil
}

// rooted hears that a run's root is executed here.
func (t *telling) rooted(no peer.RunNo) {
	if r := t.of(no); r != nil {
		r.rooted = true
	}
}

// ends hears that a run has ended.
func (t *telling) ends(no peer.RunNo) {
	t.runs = slices.DeleteFunc(t.runs, func(r toldOf) bool { return r.no == no })
}

// due are the runs whose submitters are to be told now.
func (t *telling) due(now time.Duration) (all []peer.RunNo) {
	for n := range t.runs {
		r := &t.runs[n]
		if now < r.at {
			continue
		}
		r.at = now + peer.ReportEvery
		if r.rooted {
			r.at = now + peer.ProgressEvery
		}
		all = append(all, r.no)
	}
	return all
}

// sharesDue tells whether owners are to be told now.
func (t *telling) sharesDue(now time.Duration) bool {
	due := now >= t.sharesAt
	if due {
		t.sharesAt = now + peer.ProgressEvery
	}
	return due
}

// deadline is when somebody is to be told something.
func (t *telling) deadline(executing int) time.Duration {
	at := time.Duration(math.MaxInt64)
	for _, r := range t.runs {
		at = min(at, r.at)
	}
	if executing > 0 {
		at = min(at, t.sharesAt)
	}
	return at
}

// ordered carries out an order that is of interest for what is told.
func (d *Driver) ordered(e peer.Effect) {
	now := d.owner.Now()
	switch e := e.(type) {
	case peer.StartRun:
		workers.Carry(d.plane, e)
		if d.plane.Run(e.Run) != nil {
			d.telling.begins(now, e.Run, e.Instance, d.carrier.BytesFar())
		}
	case peer.Execute:
		if e.IsRoot {
			d.telling.rooted(e.Run)
		}
		workers.Carry(d.plane, e)
	case peer.EndRun:
		d.did(now, e.Run) // the last
		d.telling.ends(e.Run)
		d.masters.ended(e.Run)
		workers.Carry(d.plane, e)
	}
}

// did tells the machine what was done for a run here, if there is anything to tell of it.
func (d *Driver) did(now time.Duration, no peer.RunNo) {
	t, r := d.telling.of(no), d.plane.Run(no)
	if t == nil || r == nil {
		return
	}
	d.Do(d.machine.Did(now, no, t.work(r, d.carrier.BytesFar())))
}

// work is what was done for a run here.
func (t *toldOf) work(r workers.Run, bytesFar int64) peer.Work {
	counts := r.Counts()
	return peer.Work{
		Jobs: counts.Jobs, Aborted: counts.Aborted, Busy: counts.Busy,
		BytesFar: bytesFar - t.bytesFar,
		Root:     t.rooted, Progress: r.Progress(), Redone: r.Redone(),
	}
}

// howFar has owners told how far their loans are.
func (d *Driver) howFar(now time.Duration) {
	var all []peer.Begun
	d.plane.Shares(func(borrow steal.Borrow, done float64) {
		all = append(all, peer.Begun{Borrow: borrow, Done: done})
	})
	d.Do(d.machine.HowFar(now, all))
}

// Deadline is when Tick has something to do, unless something happens before.
func (d *Driver) Deadline() time.Duration {
	return min(d.machine.Deadline(), d.keeping.deadline(), d.telling.deadline(d.plane.Executing()))
}

// Tick hears that time has passed: that the machine's deadline has come, that somebody is to be
// told what is done here, or that something is to be written again.
func (d *Driver) Tick() {
	now := d.owner.Now()
	if now >= d.machine.Deadline() {
		d.Do(d.machine.Tick(now))
	}
	d.keeping.writes(d.entry.in)
	if d.plane.Executing() > 0 && d.telling.sharesDue(now) {
		d.howFar(now)
	}
	for _, no := range d.telling.due(now) {
		d.did(now, no)
	}
}
