package workerstest

import (
	"fmt"
	"time"

	"satingrid/satin/peer"
	"satingrid/satin/peer/workers"
)

// Bench is a data plane on the bench, with a loop that stands for its owner's.
type Bench interface {
	Codec
	// Turn lets the loop take a turn: do is called where events are said, and what it returns
	// is carried out before another is. It returns when that has been done.
	Turn(do func() []peer.Effect)
	// Pass lets things happen until something is said, for so long at most.
	Pass(most time.Duration)
	Now() time.Duration
	// Plane is the data plane itself, which is asked in a turn.
	Plane() workers.Plane
	// TickEvery is the longest time between two ticks of the workers.
	TickEvery() time.Duration
	// Close ends it, and tells what it found itself.
	Close() error
}

// Open puts a data plane on the bench that says to whom what happens, with so many workers. Its
// ticks find unfinished jobs, and each finished child of such a job is a part, however little it
// cost.
type Open func(workers int, to workers.Events) Bench

// moment is how long nothing is said that must not be.
const moment = 50 * time.Millisecond

// patience is how long anything may take that must come. Where a violation is planted it need not
// be as long.
const (
	patience      = 20 * time.Second
	plantPatience = 3 * time.Second
)

// Rule names a rule of the contract.
type Rule string

// The rules. Each has at least one planted violation; see Plants.
const (
	RuleIdle       Rule = "Idle is said whenever it changes"
	RuleLacks      Rule = "Lacks is said whenever it changes, and only then"
	RuleOnce       Rule = "a question is answered exactly once"
	RuleAtOnce     Rule = "WantJobs with Of is answered at once"
	RuleTaken      Rule = "only jobs that wait to be started are Taken, each under a new Ref"
	RuleHalf       Rule = "not more than half is Taken, nor more than was wanted"
	RuleBytes      Rule = "no more bytes are Taken than were wanted"
	RuleTurn       Rule = "Taken jobs are of one run, the one whose turn it is"
	RulePassedOn   Rule = "what is Taken says whether it was borrowed, and what it verifies"
	RuleFinished   Rule = "an executed job Finishes once, and one that is withdrawn never"
	RuleRight      Rule = "every result is the value of its key"
	RuleSettled    Rule = "a Settled job's waiter goes on with its result"
	RulePutBack    Rule = "a job that was PutBack is executed here or Taken again"
	RuleAbandoned  Rule = "what is Taken and waited for no more is Abandoned, once"
	RuleOrphaned   Rule = "Abandoned says orphaned when that was with Salvage, and only then"
	RuleOneEnd     Rule = "a job withdrawn with Salvage has exactly one of Finished and Stopped"
	RuleFirst      Rule = "the salvage of a job's stack is said before it is Stopped"
	RuleParts      Rule = "parts are finished children of unfinished jobs"
	RuleComplete   Rule = "the parts are complete"
	RuleKeys       Rule = "the keys are those of unfinished jobs, all that ticks have found"
	RuleUsed       Rule = "a value that is used is the result of the jobs with its key"
	RulePanicked   Rule = "a panic is Panicked, and nothing of that run goes on"
	RuleEnded      Rule = "nothing of a run that has ended goes on"
	RuleOffered    Rule = "what is Offered is better than all that the workers knew"
	RuleSaidBefore Rule = "Offered is said before Taken and Finished of jobs that may have seen it"
	RuleCompared   Rule = "Compared says what the comparison with the workers' best comes to"
	RuleDiffered   Rule = "Differed says whether one answer is better than the other"
	RuleTold       Rule = "Told facts are those of jobs, and of FactMax bytes at most"
	RuleUnkept     Rule = "Unkept is said of a run, before the parts that are incomplete"
	RuleShare      Rule = "runs have the workers by their shares"
	RuleRun        Rule = "a run is told of while it is on"
	RuleCounts     Rule = "what was done for a run is counted"
	RuleExecuting  Rule = "Executing is how many borrowed jobs and roots the workers have"
	RuleShares     Rule = "Shares are those of jobs that somebody has begun and nobody has ended"
	RuleRedone     Rule = "what a loss has put back is put down to it when it is done again"
)

// Broken says which rule a data plane broke, and how.
type Broken struct {
	Rule Rule
	Why  string
}

func (b *Broken) Error() string { return fmt.Sprintf("%s: %s", b.Rule, b.Why) }

// Rules are all of them.
func Rules() []Rule {
	return []Rule{
		RuleIdle, RuleLacks, RuleOnce, RuleAtOnce, RuleTaken, RuleHalf, RuleBytes, RuleTurn, RulePassedOn, RuleFinished,
		RuleRight, RuleSettled, RulePutBack, RuleAbandoned, RuleOrphaned, RuleOneEnd, RuleFirst, RuleParts, RuleComplete,
		RuleKeys, RuleUsed, RulePanicked, RuleEnded, RuleOffered, RuleSaidBefore, RuleCompared, RuleDiffered, RuleTold,
		RuleUnkept, RuleShare, RuleRun, RuleCounts, RuleExecuting, RuleShares, RuleRedone,
	}
}
