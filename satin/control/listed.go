package control

import (
	"slices"
	"time"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// RunState is what a run of the grid is doing.
type RunState string

// The states of a run.
const (
	RunComputing RunState = "computing"
	RunWaiting   RunState = "waiting"  // for a master: the one that it had is gone
	RunAnswered  RunState = "answered" // its answer is there
	RunFailed    RunState = "failed"   // so is the error that it came to
)

// HasAnswer tells whether what it came to is there: a value, or an error.
func (s RunState) HasAnswer() bool { return s == RunAnswered || s == RunFailed }

// RunStats is one run of the grid, as this peer sees it.
type RunStats struct {
	ID    steal.Key // of this run; Attach, CancelRun and ShareRun take it
	Key   steal.Key // of what it computes: another run of the same has the same
	Task  string    // the root task's name
	State RunState

	// what was said when it was submitted: by whom, when by that one's clock, and what it is
	By    string
	At    time.Time
	Label string

	Age    time.Duration // since it was submitted, by the grid's clocks
	Keep   time.Duration // how long its answer is to be kept; 0: while somebody waits for it
	Kept   time.Duration // for how long it will still be there, once it is
	Share  int           // of the workers, beside other runs
	Waits  int           // those who wait for its answer
	Master string        // the name of the peer that owns the root

	Mine bool // it was submitted here
	Here bool // the root executes here
	// how far it is, as its master has told last, every two seconds: it never falls. 0 also
	// when nothing was told
	Progress float64
	// the digest of the best that this peer holds: another is of a better one. Zero: it holds
	// none; [BestOf] has the best itself
	Best steal.Key
	// how many lives of this peer have ended, one after the other, while the run was on
	// and nothing of it was finished, where its root waits for that: nobody else is here
	Ends int
	Jobs int64   // spawned here
	Busy float64 // worker seconds spent here
}

// Runs are the runs that the grid computes now, and those whose answers it keeps, the oldest first.
func (l *Loop) Runs() (list []RunStats) {
	l.ask(func() {
		for _, r := range l.machine.Sight().Runs() {
			list = append(list, l.listed(r))
		}
	})
	slices.SortStableFunc(list, func(a, b RunStats) int { return int(b.Age.Seconds() - a.Age.Seconds()) })
	return list
}

// listed is a run as people see it.
func (l *Loop) listed(r peer.RunStatus) RunStats {
	s := RunStats{
		ID: r.ID, Key: r.Instance.Run, Task: r.Task, State: stateOf(r.State),
		By: r.Asked.By, Label: r.Asked.Label, Age: r.Age, Keep: time.Duration(r.Terms.Keep) * time.Second, Kept: r.Kept,
		Share: int(r.Terms.Share), Waits: r.Waits, Master: l.nameOf(r.Master),
		Mine: l.driver.Waits(r.Run), Progress: r.Progress, Best: r.Best,
	}
	if r.Asked.At > 0 {
		s.At = time.Unix(r.Asked.At, 0)
	}
	if here := l.runs.on[r.Run]; here != nil {
		counts := here.at.Counts()
		s.Jobs, s.Busy = counts.Jobs, counts.Busy.Seconds()
		if here.hasRoot && r.Master == l.self && !s.State.HasAnswer() {
			s.Here = true
		}
	}
	if n := l.held[r.ID]; n > 0 && r.Master == l.self && !s.Here && !s.State.HasAnswer() {
		s.State, s.Ends = RunWaiting, n
	}
	return s
}

// BestOf is what is known here of a run whose root is of some task: that, encoded, and its best,
// which is the program's own. It is nil where there is none, or no such run.
func (l *Loop) BestOf(id steal.Key, task string) (root []byte, best any) {
	l.ask(func() {
		r, known := l.machine.Sight().Root(id)
		if !known || r.Task != task || r.Args == nil {
			return
		}
		for _, here := range l.runs.on {
			if here.instance.ID() == id {
				root, best = r.Args, here.at.Best()
			}
		}
	})
	return root, best
}

func stateOf(s peer.RunState) RunState {
	switch s {
	case peer.Waiting:
		return RunWaiting
	case peer.Answered:
		return RunAnswered
	case peer.Failed:
		return RunFailed
	}
	return RunComputing
}
