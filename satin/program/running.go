package program

import (
	"io"
	"time"

	"satingrid/satin"
)

// Running is a run under way. It may be a Follower and a Forecaster, too.
type Running interface {
	Done() <-chan struct{}
	Progress() float64
	Stats() satin.Stats
	Answer() (Answer, error) // once Done is closed
	Partial() (Answer, bool) // the best so far, or what to show when there is none
}

// Follower is a run that shows what it has so far in a way of its own. Follow is called a few times
// a second.
type Follower interface{ Follow() }

// Forecaster is a run that tells how long it will take yet; ok is false while it does not know. It
// is called a few times a second.
type Forecaster interface {
	Remaining() (left satin.Remaining, ok bool)
}

// Answer is what a run has found, ready to be shown. It may be a Briefer, a Measured, a Timed, a
// FileKeeper, a Coder, a Drawer, a Credited and a Bracketed, too.
type Answer interface {
	Text(w io.Writer) error // for a person
	JSON() any              // for --json
}

// Briefer is an answer that says in a few words how good it is, while the run goes on: "best 7542,
// bound 7500, gap 0.56 %".
type Briefer interface{ Brief() string }

// Measured is an answer so far that can say how much of all it is.
type Measured interface{ Extent() string }

// Timed is an answer that tells how fast it was found. In is the same answer, found in that time.
type Timed interface {
	In(took time.Duration) Answer
}

// FileKeeper is an answer that is a file too. Keep writes it, whole or not at all.
type FileKeeper interface{ Keep() error }

// Coder is an answer that the exit code may tell too: 0, or one from 10 to 99, of which none means
// anything to the command.
type Coder interface{ Code() int }

// hold is what this process has of a run on a grid, beside its answer.
type hold interface {
	Accepted() <-chan struct{} // closed when the grid has the run, and it has an id
	id() string
	Release() error // the grid goes on, and nobody waits here
}

// shownRun is a run as its view has it, and this process's hold on it.
type shownRun struct {
	Running
	hold
}

// Follow is Follower's, where the view has something to follow.
func (h shownRun) Follow() {
	if f, ok := h.Running.(Follower); ok {
		f.Follow()
	}
}

// Remaining is Forecaster's, where the view is one; else it is the submission's.
func (h shownRun) Remaining() (left satin.Remaining, ok bool) {
	f, is := h.Running.(Forecaster)
	if !is {
		f, is = h.hold.(Forecaster)
	}
	if !is {
		return left, false
	}
	return f.Remaining()
}

// submission shows the answers of a typed run.
type submission[R any] struct {
	*satin.Submission[R]
	show func(R) Answer
}

func (s *submission[R]) Answer() (Answer, error) {
	r, err := s.Wait()
	if err != nil {
		return nil, err
	}
	return s.show(r), nil
}

func (s *submission[R]) Partial() (Answer, bool) {
	r, ok := s.Best()
	if !ok {
		return nil, false
	}
	return s.show(r), true
}

// id is the run's on its grid, once that is known.
func (s *submission[R]) id() string { return s.ID().String() }
