package control

import (
	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/satin/peer/workers"
	"satingrid/steal"
)

// runHere is a run of the grid on this peer, as people are told of it.
type runHere struct {
	no       peer.RunNo
	instance steal.Instance
	at       workers.Run
	hasRoot  bool // the root was given to the workers

	bytesFar  int64   // what had been sent to other sites when the run began here
	restarts  *redone // the loss because of which the root is done again here
	rootBytes int
}

// runs are those that the workers compute. It is the workers as the driver has them, and notes what
// people are told of what they are ordered. The loop has it.
type runs struct {
	workers.Plane
	on     map[peer.RunNo]*runHere
	losses *losses
	far    *farSites
	// begun and ended hear of each run
	begun func(r *runHere, promised uint32)
	ended func(no peer.RunNo, rootBytes int)
}

// StartRun notes a run, unless the workers cannot compute it.
func (s *runs) StartRun(e peer.StartRun) {
	s.Plane.StartRun(e)
	at := s.Plane.Run(e.Run)
	if at == nil {
		return
	}
	r := &runHere{
		no: e.Run, instance: e.Instance, at: at,
		bytesFar: s.far.bytes(), rootBytes: len(e.Root),
	}
	s.on[e.Run] = r
	s.begun(r, e.Terms.ResultMax)
}

// EndRun forgets a run, before the workers do.
func (s *runs) EndRun(e peer.EndRun) {
	rootBytes := 0
	if r := s.on[e.Run]; r != nil {
		rootBytes = r.rootBytes
	}
	delete(s.on, e.Run)
	s.losses.ended(e.Run)
	s.ended(e.Run, rootBytes)
	s.Plane.EndRun(e)
}

// Execute notes that a root is executed here, and because of which loss again.
func (s *runs) Execute(e peer.Execute) {
	if r := s.on[e.Run]; r != nil && e.IsRoot {
		r.hasRoot = true
		if r.restarts != nil {
			r.restarts.of(e.Run).root = true
		}
	}
	s.Plane.Execute(e)
}

// PutBack is Redo where that is because of a loss.
func (s *runs) PutBack(e peer.PutBack) {
	if e.Again && s.losses.now != nil {
		s.Redo(e.Ref, s.losses.now)
	} else {
		s.Plane.PutBack(e)
	}
}

// succeeds notes that this peer has become the master of a run that another was the master of.
func (s *runs) succeeds(no peer.RunNo, before membership.PeerID) {
	if r := s.on[no]; r != nil {
		r.restarts = s.losses.of(before)
	}
}

// Work is what was done for a run here.
func (s *runs) Work(no peer.RunNo) (w peer.Work, ok bool) {
	r := s.on[no]
	if r == nil {
		return w, false
	}
	counts := r.at.Counts()
	return peer.Work{
		Jobs: counts.Jobs, Aborted: counts.Aborted, Busy: counts.Busy,
		BytesFar: s.far.bytes() - r.bytesFar,
		Root:     r.hasRoot, Progress: r.at.Progress(),
		Redone: s.losses.in(no),
	}, true
}

// RunStats is one run of the grid, as this peer sees it.
type RunStats struct {
	ID       steal.Key // of this run; CancelRun takes it
	Key      steal.Key // of what it computes: another run of the same has the same
	Task     string    // the root task's name
	Mine     bool      // it was submitted here
	Here     bool      // the root executes here …
	Progress float64   // … and is done to this extent, as Submission.Progress guesses
	Jobs     int64     // started here
	Busy     float64   // worker seconds spent here
}

// stats is the run as people see it. isMaster: this peer is its master.
func (r *runHere) stats(mine, isMaster bool) RunStats {
	counts := r.at.Counts()
	s := RunStats{
		ID: r.instance.ID(), Key: r.instance.Run, Task: r.at.Task(), Mine: mine,
		Jobs: counts.Jobs, Busy: counts.Busy.Seconds(),
	}
	if r.hasRoot && isMaster {
		s.Here, s.Progress = true, r.at.Progress()
	}
	return s
}
