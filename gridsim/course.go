package gridsim

import "time"

// Course is what a grid has done since the run was submitted.
type Course struct {
	Peers    int           // that live now
	There    time.Duration // of workers, while their peers lived
	Busy     time.Duration // of workers that had a job
	Died     int
	Left     int
	BytesFar uint64
}

// Course is what the grid has done so far. A worker whose process stands still has the job that it
// had.
func (r *Rehearsal) Course() (c Course) {
	w := r.w
	c.Died, c.Left, c.BytesFar = w.report.Killed, w.report.Left, w.report.BytesFar
	for _, h := range w.who.hosts {
		if h.client {
			continue
		}
		until := h.endedAt
		if h.up {
			until = w.now
			c.Peers++
		}
		l := h.plane
		if from := max(h.came, r.began); until > from {
			c.There += time.Duration(l.workers()) * (until - from)
		}
		c.Busy += l.worked + time.Duration(l.atWork)*(until-l.workedAt)
	}
	return c
}
