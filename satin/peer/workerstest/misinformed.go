package workerstest

import (
	"time"

	"satingrid/satin/peer"
	"satingrid/satin/peer/workers"
	"satingrid/steal"
)

// An answer is what stands between the workers and who asks them: fields that are set answer
// instead of them.
type answer struct {
	workers.Plane
	run       func(no peer.RunNo, at workers.Run) workers.Run
	executing func(n int) int
	shares    func(each func(steal.Borrow, float64)) func(steal.Borrow, float64)
	deaf      bool // to what thieves tell
}

func (a answer) Run(no peer.RunNo) workers.Run {
	at := a.Plane.Run(no)
	if a.run == nil {
		return at
	}
	return a.run(no, at)
}

func (a answer) Executing() int {
	if a.executing == nil {
		return a.Plane.Executing()
	}
	return a.executing(a.Plane.Executing())
}

func (a answer) Shares(each func(steal.Borrow, float64)) {
	if a.shares != nil {
		each = a.shares(each)
	}
	a.Plane.Shares(each)
}

func (a answer) Progressed(ref steal.Ref, done float64) {
	if !a.deaf {
		a.Plane.Progressed(ref, done)
	}
}

// counted is a run of which something else is told.
type counted struct {
	workers.Run
	counts func(c workers.Performed) workers.Performed
	redone func(all []peer.Redone) []peer.Redone
}

func (c counted) Counts() workers.Performed {
	if c.counts == nil {
		return c.Run.Counts()
	}
	return c.counts(c.Run.Counts())
}

func (c counted) Redone() []peer.Redone {
	if c.redone == nil {
		return c.Run.Redone()
	}
	return c.redone(c.Run.Redone())
}

// answering makes a plant of what stands between the workers and who asks them.
func answering(name string, breaks Rule, script string, a answer) Plant {
	return Plant{Name: name, Breaks: breaks, Script: script, asked: func(to workers.Plane) workers.Plane {
		a.Plane = to
		return a
	}}
}

// telling makes a plant of what is told of a run.
func telling(name string, breaks Rule, script string, c counted) Plant {
	return answering(name, breaks, script, answer{run: func(_ peer.RunNo, at workers.Run) workers.Run {
		if at == nil {
			return nil
		}
		c.Run = at
		return c
	}})
}

// plantedAnswers are wrong answers to what workers are asked.
func plantedAnswers() []Plant { return append(toldOfRuns(), toldOfJobs()...) }

func toldOfRuns() []Plant {
	var first workers.Run
	return []Plant{
		answering("nothing is told of runs", RuleRun, "runs are told of", answer{
			run: func(peer.RunNo, workers.Run) workers.Run { return nil },
		}),
		answering("a run is told of that has ended", RuleRun, "runs are told of", answer{
			run: func(no peer.RunNo, at workers.Run) workers.Run {
				if no == 1 && at == nil {
					return first
				}
				if no == 1 {
					first = at
				}
				return at
			},
		}),
		telling("a job is not counted", RuleCounts, "work is counted", counted{
			counts: func(c workers.Performed) workers.Performed { c.Jobs = max(0, c.Jobs-1); return c },
		}),
		telling("time is counted that did not pass", RuleCounts, "work is counted", counted{
			counts: func(c workers.Performed) workers.Performed { c.Busy += time.Hour; return c },
		}),
		telling("what was done again is not told", RuleRedone, "losses are charged", counted{
			redone: func([]peer.Redone) []peer.Redone { return nil },
		}),
	}
}

func toldOfJobs() []Plant {
	return []Plant{
		answering("a job is executed that is none", RuleExecuting, "what is begun is told", answer{
			executing: func(n int) int { return n + 1 },
		}),
		answering("what is begun is not told", RuleShares, "what is begun is told", answer{
			shares: func(func(steal.Borrow, float64)) func(steal.Borrow, float64) {
				return func(steal.Borrow, float64) {}
			},
		}),
		answering("what is begun is said to be done", RuleShares, "what is begun is told", answer{
			shares: func(each func(steal.Borrow, float64)) func(steal.Borrow, float64) {
				return func(b steal.Borrow, _ float64) { each(b, 1) }
			},
		}),
		answering("what thieves tell is not heard", RuleRedone, "losses are charged", answer{deaf: true}),
	}
}
