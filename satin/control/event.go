package control

import (
	"time"

	"satingrid/steal"
)

// Event is something that happened on the grid, for a person or a script to see.
type Event struct {
	Kind    EventKind
	Peer    string // its name …
	ID      string // … and its id
	Site    string
	How     string        // of a loss: kill, silent, leave, kick, rejoin; of a run below
	Noticed time.Duration // of a loss: since the peer was last heard; 0 where another noticed
	Late    bool          // of a leave, where this is a peer: not everything was handed over

	// of a run that has ended: which, and How: answered; failed; cancelled; withdrawn,
	// when nobody waits for it any more; expired, when its answer was kept for long
	// enough, or displaced, when others needed the place of that. Of one that goes on from
	// what this peer had stored of it: also so many results, of so much work of one core
	Run     steal.Key
	Results int
	Saved   time.Duration

	// of a root that waits, as RunStats has it; and for how long it does at least, unless
	// somebody comes
	Ends int
	Wait time.Duration
}

// EventKind tells events apart.
type EventKind uint8

// The kinds of events.
const (
	EventJoined  EventKind = iota + 1 // a peer joined: this one, or another
	EventLost                         // a peer is gone
	EventMaster                       // a run has a new master
	EventFault                        // a job is not a function of its fields
	EventResumed                      // a run goes on from what this peer had stored of it
	EventEnded                        // a run is on no more
	// the root of a run waits while nobody else is here: it may be what has ended this peer's
	// last lives
	EventHeld
)
