package control

import (
	"errors"
	"fmt"

	"satingrid/membership"
)

var (
	// ErrTwin is why a peer ends that a member has met in two places.
	ErrTwin = errors.New("satin: two hosts have this peer's identity, and both were told: " +
		"their state folders are copies of each other; " +
		"remove identity.key from one of them, or give it another folder with --state")

	// ErrBarred is why a peer ends that the grid has barred.
	ErrBarred = errors.New("satin: the grid has barred this peer; " +
		"`satin kick --undo` on a member lets it in again")

	// ErrGridFull is why a peer ends for which the grid has no seat.
	ErrGridFull = fmt.Errorf("satin: the grid is full: it has its %d peers; "+
		"join again when one has left", membership.MembersMax)

	// ErrNoRun says that a run is not on, and not kept.
	ErrNoRun = errors.New("satin: there is no such run; it may have ended")

	// ErrReleased is what Wait returns once a submission was released.
	ErrReleased = errors.New("satin: the submission was released; the grid goes on with the run")

	errNotDone = errors.New("satin: nobody of the grid has done that yet; is a peer there?")

	// ErrLeft is why a peer ends that has left the grid in order; LateError, if it was not.
	ErrLeft = errors.New("satin: the peer has left the grid")

	// ErrDeserted says that nobody is at the site to which a member was to move.
	ErrDeserted = errors.New("satin: nobody is at the site that was to take over")
)

// LateError is why a peer ends that has left the grid, but not in order: its deadline came, or
// nobody was there, before it had handed over everything. That is lost as in a crash: the others do
// it again, unless this peer comes back with what it has stored.
type LateError struct {
	Results int // finished, and acknowledged by nobody
	Jobs    int // borrowed or lent, and not settled
	Runs    int // that are to be kept, and of which nobody has said that it holds them
}

func (e *LateError) Error() string {
	runs := ""
	if e.Runs > 0 {
		runs = fmt.Sprintf("%d runs that are to be kept, ", e.Runs)
	}
	return fmt.Sprintf("satin: left before everything was handed over: %s%d finished results and "+
		"%d unsettled jobs are lost, as in a crash, but for what is in its store", runs, e.Results, e.Jobs)
}

// StrandedError is the error of an Open that nobody of the grid has let in.
type StrandedError struct{ err error }

// Error says where it failed.
func (s *StrandedError) Error() string { return s.err.Error() }

// Unwrap is what was in the way: a *p2p.DeniedError when somebody has refused.
func (s *StrandedError) Unwrap() error { return s.err }
