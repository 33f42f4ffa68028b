package gridsim

import (
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// Statistics counts what a world with asides has seen of what peers tell submitters.
type Statistics struct {
	Heard  int           // by submitters
	Last   int           // of these, their senders' last
	Whole  int           // answers that did not have to wait as long as they may
	Waited time.Duration // the longest that one did
	Jobs   uint64        // that are in the statistics of all answers
}

// statsPatience is how long an answer may wait for statistics, as package peer says, and a little:
// the loop may have other things in hand.
const statsPatience = 310 * time.Millisecond

// answer is what a submitter has of one of its submissions, in a world with asides.
type answer struct {
	at   time.Duration // it was delivered; 0: it was not
	over bool          // its statistics are said to be whole
	cost time.Duration // of the answer, when it has a value
	late bool          // the run was on before: nobody tells of who had gone by then
	jobs map[membership.PeerID]uint64
}

// teller is a process, as what it tells of a run is found again.
type teller struct {
	id  membership.PeerID
	run steal.Instance
}

// sums carries out what is about statistics.
func (h *host) sums(e peer.Effect) {
	switch e := e.(type) {
	case peer.Reported:
		h.isTold(e)
	case peer.AllReported:
		h.hasAll(e)
	}
}

// isTold hears what another has done for a submission of this host.
func (h *host) isTold(e peer.Reported) {
	w, a := h.w, h.answers[e.Nonce]
	if !w.opts.Asides {
		return // a hostile host has made it up
	}
	w.report.Statistics.Heard++
	if e.Report.Final {
		w.report.Statistics.Last++
	}
	jobs := uint64(e.Report.Stats.Jobs)
	switch did, ok := w.worked[teller{e.From, e.Report.Run}]; {
	case a == nil || a.over:
		w.fail("statistics", "%s is told of a submission that is over, or none", h.id)
	case !ok || jobs > did:
		w.fail("statistics", "%s is told that %s has done %d jobs, it said %d", h.id, e.From, jobs, did)
	default:
		a.jobs[e.From] = jobs
		a.late = a.late || e.Report.Run.First != steal.Submission{Submitter: h.id, Nonce: e.Nonce}
	}
}

// hearOut plays while answers that were delivered wait for their statistics: links may lose the
// last of them as they may lose all else.
func (w *World) hearOut() {
	if w.who.hears() {
		w.play(w.now+statsPatience, func() bool { return !w.who.hears() })
	}
}

// hasAll hears that the statistics of an answer are as whole as they will be.
func (h *host) hasAll(e peer.AllReported) {
	w, a := h.w, h.answers[e.Nonce]
	if !w.opts.Asides {
		return
	}
	if a == nil || a.at == 0 || a.over {
		w.fail("statistics", "of a submission of %s that was not delivered, or twice, all is reported", h.id)
		return
	}
	a.over = true
	waited := w.now - max(a.at, h.away)
	if waited > statsPatience {
		w.fail("statistics", "an answer to %s has waited %v for statistics", h.id, waited)
	}
	s := &w.report.Statistics
	if s.Waited = max(s.Waited, waited); waited < statsPatience-10*time.Millisecond {
		s.Whole++
	}
	for _, jobs := range a.jobs {
		s.Jobs += jobs
	}
}
