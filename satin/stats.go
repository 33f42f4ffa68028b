package satin

import "time"

// Stats is what a run has done so far.
type Stats struct {
	Peers   []PeerStats // by name; also of peers that are gone
	Losses  []Loss      // in the order in which they were noticed
	Masters []string    // the names of the run's masters, one after another
}

// PeerStats is one peer's share of a run.
type PeerStats struct {
	Name    string
	Site    string
	State   string // here, suspected, leaving, left, dead
	Workers int

	Jobs     int64   // jobs started
	Aborted  int64   // jobs given up by Abort, First or an error
	Busy     float64 // worker seconds spent in the run
	LentNear int64   // jobs lent within the site
	LentFar  int64   // jobs lent to other sites
	Again    int64   // jobs put back after a loss
}

// Loss is a peer that went away during a run.
type Loss struct {
	Peer    string
	Site    string
	How     string        // kill, silent, leave, kick, rejoin
	Noticed time.Duration // since it was last heard; 0 where that is not known
}
