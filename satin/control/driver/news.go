package driver

import (
	"time"

	"satingrid/membership"
	"satingrid/satin/control/statistics"
	"satingrid/satin/peer"
)

// MemberLost is the news that a member is gone.
type MemberLost struct {
	Member  membership.Member
	How     membership.How // as far as it is known here, which may be more than Member says
	Noticed time.Duration  // since it was last heard; 0 where another noticed
	Late    bool           // of a leave: it had not handed over everything
}

// Master is the news that a run has a new master, once its name is known.
type Master struct {
	Run  peer.RunNo
	ID   membership.PeerID
	Name string
}

// Twin is why a process ends whose identity another has, too.
type Twin struct{}

// End is what a submission has come to.
type End struct {
	How        EndHow
	Lost       membership.Member // because of which it is Bereft
	Task       string            // because of which it is OtherTask
	Statistics statistics.Stats
	Progress   float64 // as its master has told
}

// EndHow is how a submission ends.
type EndHow int

// The ways to end.
const (
	// Answered: its answer was read, and its statistics are as whole as they will be.
	Answered  EndHow = iota + 1
	Withdrawn        // by who has submitted it
	Released         // so too, and what it keeps goes on
	Bereft           // a member was lost, and fault tolerance is off
	NotOn            // there is no such run
	OtherTask        // the root of that is of another
)
