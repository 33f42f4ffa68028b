package control

import (
	"time"

	"satingrid/satin/peer"
)

// Stats is what a run has done so far.
type Stats struct {
	Seconds float64     // from the submission to the answer, or until now
	Peers   []PeerStats // by name; also of peers that are gone
	Losses  []Loss      // in the order in which they were noticed
	Masters []string    // the names of the run's masters, one after another
}

// PeerStats is one peer's share of a run.
type PeerStats = peer.PeerStats

// Loss is a peer that went away during a run.
type Loss struct {
	Peer string
	Site string
	How  string // kill, silent, leave, kick, rejoin
	// since it was last heard, by whoever noticed; 0 where that is not known
	Noticed time.Duration

	Elsewhere bool // only others have lost it: this process has heard it all the time

	Restarted     int     // jobs that it had and that were put back
	Reused        int     // finished parts that were found, and spared their work
	RedoneSeconds float64 // of workers, on what had been done before; an estimate, see below
	SavedSeconds  float64 // worker seconds that the reused parts had cost
}

// RedoneSeconds is an estimate: what the jobs that were put back have cost, times how far they were
// when they were lost. Of that
//
//   - it is no more than what the lost peer had spent in the run, or, when the root was put back,
//     all that everybody had spent and had not lost before;
//   - SavedSeconds are taken off, and what they are more off the losses before;
//   - all losses together are no more than what the workers spent and is not in the answer.
//
// Up to there it reads high where a thief told last that a job was further than it was, which an
// estimate of how far each job is may. It leaves out what a lost peer had lent to another lost one.
