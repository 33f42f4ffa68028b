package gridsim

import (
	"time"

	"satingrid/satin/peer"
)

// Loaned is a job of another peer, or a root, that was done to its end.
type Loaned struct {
	No   uint64        // one more than the one that ended before it
	From string        // the name of the peer whose it is; "": it is a root
	At   time.Duration // since its peer was started
	Took time.Duration
}

// loansKept is of how many of them a peer can tell.
const loansKept = 128

// works notes that so many workers more have a job.
func (l *plane) works(more int) {
	now := l.h.w.now
	l.worked += time.Duration(l.atWork) * (now - l.workedAt)
	l.workedAt = now
	l.atWork += more
}

// lentIsDone notes that a job of another has ended, where somebody may ask for it.
func (l *plane) lentIsDone(n *planeJob) {
	w := l.h.w
	if w.rehearsal == nil {
		return
	}
	l.loansDone++
	from := ""
	if o := w.who.byID[n.owner]; o != nil {
		from = w.rehearsal.name(o.no)
	}
	if len(l.loans) == loansKept {
		l.loans = l.loans[1:]
	}
	l.loans = append(l.loans, Loaned{l.loansDone, from, w.now - l.h.came, w.now - n.begun})
}

// Did is what a peer has done since it was started.
type Did struct {
	For      time.Duration
	Workers  int
	Jobs     uint64        // that it has spawned
	Busy     time.Duration // of its workers
	BytesFar int64
	Master   bool
	Has      int // jobs of others, and roots
	Crossed  peer.Crossed
	Loans    []Loaned // the last
}

// Did is what a peer that lives has done.
func (r *Rehearsal) Did(name string) (d Did) {
	h := r.living(name)
	if h == nil {
		return d
	}
	h.plane.works(0)
	d = Did{
		For: r.w.now - h.came, Workers: h.plane.workers(), Busy: h.plane.worked, BytesFar: h.bytesFar, Master: h.plane.roots() > 0,
		Has: h.plane.Executing(), Crossed: h.peer.Sight().Stats(), Loans: h.plane.loans,
	}
	for _, n := range h.plane.runs {
		d.Jobs += n.jobs
	}
	return d
}

// Gone is how many peers have died, and how many have left, so far.
func (r *Rehearsal) Gone() (died, left int) { return r.w.report.Killed, r.w.report.Left }
