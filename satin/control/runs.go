package control

import (
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

	rootBytes int
}

// runs are those that the workers compute. It is the workers as the driver has them, and notes what
// people are told of what they are ordered. The loop has it.
type runs struct {
	workers.Plane
	on   map[peer.RunNo]*runHere
	over Totals // of those that have ended
	// begun and ended hear of each run
	begun func(r *runHere, promised uint32)
	ended func(rootBytes int)
}

// idOf is the id of a run; zero: the workers do not compute it.
func (s *runs) idOf(no peer.RunNo) (id steal.Key) {
	if r := s.on[no]; r != nil {
		id = r.instance.ID()
	}
	return id
}

// StartRun notes a run, unless the workers cannot compute it.
func (s *runs) StartRun(e peer.StartRun) {
	s.Plane.StartRun(e)
	at := s.Plane.Run(e.Run)
	if at == nil {
		return
	}
	r := &runHere{no: e.Run, instance: e.Instance, at: at, rootBytes: len(e.Root)}
	s.on[e.Run] = r
	s.begun(r, e.Terms.ResultMax)
}

// EndRun forgets a run, before the workers do.
func (s *runs) EndRun(e peer.EndRun) {
	rootBytes := 0
	if r := s.on[e.Run]; r != nil {
		rootBytes = r.rootBytes
		s.over.count(r.at)
	}
	delete(s.on, e.Run)
	s.ended(rootBytes)
	s.Plane.EndRun(e)
}

// Execute notes that a root is executed here.
func (s *runs) Execute(e peer.Execute) {
	if r := s.on[e.Run]; r != nil && e.IsRoot {
		r.hasRoot = true
	}
	s.Plane.Execute(e)
}
