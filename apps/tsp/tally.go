package tsp

import "io"

// Tally is written one byte for each node that a job of this process begins to explore, whatever
// becomes of its result; nil, the default, counts nothing. It is set before any job runs, and is
// used by all workers at once. A file that several processes append to counts for all of them,
// those that are killed too: what its size is above the answer's Nodes was done twice or in vain.
// No answer depends on it.
var Tally io.Writer

var oneNode = []byte{'.'}

func count() {
	if Tally != nil {
		Tally.Write(oneNode) // a count that cannot be kept is no reason to stop
	}
}
