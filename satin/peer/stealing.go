package peer

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// stealing has jobs lent, borrowed and returned: what crosses the border between this peer's
// workers and others'.
type stealing struct {
	outbox
	self      membership.PeerID
	site      membership.Site // this peer's
	workers   int
	members   members
	runs      *runs
	ledger    *steal.Ledger
	thief     *steal.Thief
	victim    *steal.Victim
	verifier  *verifier
	copier    *copier
	postponed *postponing
	// whether the sender of jobs has lost its run to another master
	fences func(*run, membership.Member, membership.Epoch) bool
	leaves func() bool // whether this peer is leaving

	idle int // workers without a job
	// of which runs the workers say that they execute less than their part
	lacking  []RunNo
	lentNear uint64 // jobs lent within the site, …
	lentFar  uint64 // … and outside it
	borrowed uint64 // jobs that arrived
}

// idled hears how many workers have no job.
func (s *stealing) idled(now time.Duration, workers int) []membership.Effect {
	s.idle = workers
	s.also(s.works(now))
	s.also(s.thief.Idle(now, workers))
	return s.flush()
}

// works tells the victim whether there may be jobs here to give.
func (s *stealing) works(now time.Duration) []membership.Effect {
	return s.victim.Working(now, s.idle < s.workers && !s.leaves())
}

// opened tells the thief whether there may be jobs elsewhere, and of which runs.
func (s *stealing) opened(now time.Duration) []membership.Effect {
	s.also(s.thief.Open(now, s.members.Self().State != 0 && s.runs.compute() && !s.leaves()))
	s.also(s.lack(now))
	return s.flush()
}

// lacked hears of which runs the workers execute less than their part.
func (s *stealing) lacked(now time.Duration, runs []RunNo) []membership.Effect {
	s.lacking = slices.Clone(runs[:min(len(runs), RunsMax)])
	return s.lack(now)
}

// lack tells the thief which of these runs somebody may have jobs of. The workers know of no
// answer, so a run that is kept lacks, to them, for as long as that is.
func (s *stealing) lack(now time.Duration) []membership.Effect {
	var all []steal.Lack
	for _, no := range s.lacking {
		if r := s.runs.numbered(no); r != nil && r.answer == nil && r.computes() {
			all = append(all, steal.Lack{Run: r.instance, Likely: r.master})
		}
	}
	return s.thief.Lacks(now, all)
}

// hearAsk hears that a peer asks for jobs.
func (s *stealing) hearAsk(now time.Duration, a *arrival, b steal.Ask) []membership.Effect {
	room := s.ledger.Room(a.peer)
	if s.leaves() {
		room = 0
	}
	s.also(s.victim.HearAsk(now, *a.member, a.member.Site == s.site, b, room))
	s.also(s.thief.Asked(now))
	return s.flush()
}

// spares says that what is known of somebody has changed, who may lend nothing any more.
type spares struct{ who membership.PeerID }

// spares keeps the thief from asking one that lends nothing any more.
func (s *stealing) spares(now time.Duration, id membership.PeerID) []membership.Effect {
	if m, ok := s.members.Member(id); ok && m.State == membership.Leaving && id != s.self {
		return s.thief.Lost(now, m)
	}
	return nil
}

// taken hears which jobs the workers gave. Each is entered in the ledger before it is sent.
func (s *stealing) taken(now time.Duration, jobs []Job) []membership.Effect {
	sizes := make([]int, len(jobs))
	for n := range jobs {
		sizes[n] = len(jobs[n].Args)
	}
	gifts, effects := s.victim.Taken(now, sizes)
	given := 0
	for _, g := range gifts {
		given = g.First + g.Count
		s.give(now, g, jobs[g.First:given])
	}
	s.giveBack(jobs[given:])
	if given > 0 {
		s.thief.Gave()
	}
	s.also(effects)
	return s.flush()
}

// giveBack gives the workers jobs back that nobody gets.
func (s *stealing) giveBack(jobs []Job) {
	for _, j := range jobs {
		s.do(PutBack{Ref: j.Ref})
	}
}

// give lends jobs to a thief, in one message for each run.
func (s *stealing) give(now time.Duration, g steal.Gift, jobs []Job) {
	thief, ok := s.members.Member(g.To)
	if !ok || thief.Incarnation != g.Incarnation || s.ledger.Room(g.To) < len(jobs) || s.verifier.doubts(g.To, jobs) || s.leaves() {
		s.giveBack(jobs)
		return
	}
	for len(jobs) > 0 {
		n := 1
		for n < len(jobs) && jobs[n].Run == jobs[0].Run {
			n++
		}
		if r := s.runs.numbered(jobs[0].Run); r != nil {
			s.lend(now, r, thief, g.Answer, jobs[:n])
		} else { // the run has ended, and the workers have dropped its jobs
			s.send(life{thief.ID, thief.Incarnation}, steal.Nothing{Number: g.Answer})
		}
		jobs = jobs[n:]
	}
}

func (s *stealing) lend(now time.Duration, r *run, thief membership.Member, answer steal.AskNo, jobs []Job) {
	l := steal.Lend{Run: r.instance, Epoch: r.epoch, Best: r.best.stamp(thief.ID, thief.Incarnation), Answer: answer}
	for _, j := range jobs {
		number := s.ledger.Lend(now, thief.ID, thief.Incarnation, r.instance, j.Key, j.Ref)
		l.Jobs = append(l.Jobs, steal.Lent{Number: number, Key: j.Key, Task: j.Task, Args: j.Args, Verifies: j.Verifies})
	}
	if thief.Site == s.site {
		s.lentNear += uint64(len(jobs))
	} else {
		s.lentFar += uint64(len(jobs))
	}
	s.verifier.lent(r.terms.Verify, jobs)
	s.send(life{thief.ID, thief.Incarnation}, l)
}
