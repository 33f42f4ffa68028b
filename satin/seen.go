package satin

import (
	"satingrid/satin/control"
	"satingrid/satin/control/driver"
	"satingrid/satin/control/statistics"
	"satingrid/steal"
)

// What a peer of a grid sees and says is made in package control and those below it, whose
// documentation tells the fields.
type (
	// Event is something that happened on the grid, for a person or a script to see.
	Event = control.Event
	// EventKind tells events apart.
	EventKind = control.EventKind

	// Member is one peer of the grid, as this one sees it.
	Member = control.Member
	// RunStats is one run of the grid, as this peer sees it.
	RunStats = control.RunStats
	// Totals is what a peer has done on its grid since it was opened.
	Totals = control.Totals
	// RunID names a run of the grid.
	RunID = steal.Key
	// RunState is what a run of the grid is doing.
	RunState = control.RunState

	// Stats is what a run has done so far.
	Stats = statistics.Stats
	// PeerStats is one peer's share of a run.
	PeerStats = statistics.PeerStats
	// Loss is a peer that went away during a run.
	Loss = statistics.Loss

	// Begin is what a peer does where nobody of its grid answers.
	WhenAlone = control.WhenAlone
	// Beginning is how a peer came to be in its grid.
	Beginning = driver.Beginning

	// LateError is why a peer ends that has left the grid, but not in order.
	LateError = control.LateError
	// StrandedError is the error of an Open that nobody of the grid has let in.
	StrandedError = control.StrandedError
)

// The states of a run.
const (
	RunComputing = control.RunComputing
	RunWaiting   = control.RunWaiting  // for a master: the one that it had is gone
	RunAnswered  = control.RunAnswered // its answer is there
	RunFailed    = control.RunFailed   // so is the error that it came to
)

// The kinds of events.
const (
	EventJoined = control.EventJoined // a peer joined: this one, or another
	EventLost   = control.EventLost   // a peer is gone
	EventMaster = control.EventMaster // a run has a new master
	EventFault  = control.EventFault  // a job is not a function of its fields
	// a run goes on from what this peer had stored of it
	EventResumed = control.EventResumed
	EventEnded   = control.EventEnded // a run is on no more: Event.How tells how it has ended
	// the root of a run waits while nobody else is here: it may be what has ended this peer's
	// last lives
	EventHeld = control.EventHeld
)

// What a peer does where nobody answers: by default one whose ticket names nobody founds, one that
// has been in the grid before goes on, and any other fails.
const (
	AloneDefault = control.AloneDefault
	AloneFails   = control.AloneFails  // it fails; others are there who begin
	AloneGoesOn  = control.AloneGoesOn // it goes on as the grid of its ticket: nobody else does
	// whoever its state folder knows is of another build, and not tried: it joins whom its
	// ticket names, and founds the grid of its build where that names nobody
	AloneFoundsAnew = control.AloneFoundsAnew
)

// The ways to begin.
const (
	Founded = driver.Founded // the grid is new
	Joined  = driver.Joined  // somebody of the grid has let it in
	// it was in the grid before, nobody answered, and it goes on alone
	WentOn = driver.WentOn
)

// AddressesFile is where a peer or client keeps, in its state folder, where the hosts of its grid
// were reached: a line of JSON each.
const AddressesFile = control.AddressesFile

var (
	// ErrTwin is why a peer ends that a member has met in two places.
	ErrTwin = control.ErrTwin
	// ErrBarred is why a peer ends that the grid has barred.
	ErrBarred = control.ErrBarred
	// ErrGridFull is why a peer ends for which the grid has no seat.
	ErrGridFull = control.ErrGridFull
	// ErrNoRun says that a run is not on, and its answer not kept: it may have ended.
	ErrNoRun = control.ErrNoRun
	// ErrReleased is what Wait returns for a submission that was released.
	ErrReleased = control.ErrReleased
	// ErrLeft is why a peer ends that has left the grid in order; LateError, if it was not.
	ErrLeft = control.ErrLeft
	// ErrDeserted says that nobody is at the site to which a member was to move.
	ErrDeserted = control.ErrDeserted
)
