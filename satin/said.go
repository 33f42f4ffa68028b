package satin

import (
	"satingrid/satin/peer"
	"satingrid/steal"
)

// All below is called by workers, and told to the machine on its loop.

func (d *plane) Idle() {
	d.loop.Post(func() {
		if n := d.pool.idleWorkers(); n != d.idleTold {
			d.idleTold = n
			d.loop.Do(d.hears.Idle(d.loop.Now(), n))
		}
		d.answerJobs()
	})
}

func (d *plane) Lacks(all []*run) {
	d.loop.Post(func() { d.loop.Do(d.hears.Lacks(d.loop.Now(), lackedBy(all))) })
}

func (d *plane) Published() { d.loop.Post(d.answerJobs) }

func (d *plane) Withdrawn(ref steal.Ref, orphaned bool) {
	d.loop.Post(func() {
		if d.reported[ref] != nil {
			delete(d.reported, ref)
			d.loop.Do(d.hears.Abandoned(d.loop.Now(), []steal.Ref{ref}, orphaned))
		}
	})
}

func (d *plane) Salvaged(parts []runPart) {
	d.loop.Post(func() { d.loop.Do(d.hears.Salvaged(d.loop.Now(), toParts(parts))) })
}

func (d *plane) Told(r *run, fact []byte) {
	d.loop.Post(func() {
		d.loop.Do(d.hears.Told(d.loop.Now(), r.no, fact))
	})
}

func (d *plane) Offered(r *run, best any) {
	stamp := steal.StampOf(mustArrive(best, false))
	d.loop.Post(func() {
		d.loop.Do(d.hears.Offered(d.loop.Now(), r.no, stamp))
	})
}

func (d *plane) Failed(r *run, why error) {
	result := packFatal(why)
	d.loop.Post(func() {
		d.loop.Do(d.hears.Panicked(d.loop.Now(), r.no, result))
		d.endHere(r, why) // the caller is about to
	})
}

// lackedBy are the numbers of runs as the machine knows them.
func lackedBy(all []*run) []peer.RunNo {
	var out []peer.RunNo
	for _, r := range all {
		out = append(out, r.no)
	}
	return out
}
