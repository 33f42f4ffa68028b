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
	no     peer.RunNo
	at     time.Duration // when its submitters are told next
	rooted bool          // its root was executed here
}

// begins hears of a run. Of that its submitters are told at once.
func (t *telling) begins(now time.Duration, no peer.RunNo) {
	t.runs = append(t.runs, toldOf{no: no, at: now})
}

// rooted hears that a run's root is executed here.
func (t *telling) rooted(no peer.RunNo) {
	for n := range t.runs {
		t.runs[n].rooted = t.runs[n].rooted || t.runs[n].no == no
	}
}

// ends hears that a run has ended, and says whether anything was to be told of it.
func (t *telling) ends(no peer.RunNo) (told bool) {
	had := len(t.runs)
	t.runs = slices.DeleteFunc(t.runs, func(r toldOf) bool { return r.no == no })
	return len(t.runs) < had
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
		if _, ok := d.plane.Work(e.Run); ok {
			d.telling.begins(now, e.Run)
		}
	case peer.Execute:
		if e.IsRoot {
			d.telling.rooted(e.Run)
		}
		workers.Carry(d.plane, e)
	case peer.EndRun:
		if d.telling.ends(e.Run) {
			d.did(now, e.Run) // the last
		}
		workers.Carry(d.plane, e)
	}
}

// did tells the machine what was done for a run here.
func (d *Driver) did(now time.Duration, no peer.RunNo) {
	if w, ok := d.plane.Work(no); ok {
		d.Do(d.machine.Did(now, no, w))
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
	return min(d.machine.Deadline(), d.telling.deadline(d.plane.Executing()))
}

// Tick hears that time has passed: that the machine's deadline has come, or that somebody is to be
// told what is done here.
func (d *Driver) Tick() {
	now := d.owner.Now()
	if now >= d.machine.Deadline() {
		d.Do(d.machine.Tick(now))
	}
	if d.plane.Executing() > 0 && d.telling.sharesDue(now) {
		d.howFar(now)
	}
	for _, no := range d.telling.due(now) {
		d.did(now, no)
	}
}
