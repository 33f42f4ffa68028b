package statistics

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
	// which share of what it will cost was spent, from 0 to 1, as its master has guessed last:
	// that may fall
	Done float64
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
	RedoneSeconds float64 // of workers, on what had been done before; an estimate
	SavedSeconds  float64 // worker seconds that the reused parts had cost
}
