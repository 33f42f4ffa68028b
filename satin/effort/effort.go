// Package effort is how much tests do.
//
// A test that draws what it looks at finds more, the more it draws, and soon not much more. So
// there are three sizes of it. A short one is for each commit, and a shorter one for the race
// detector, which is ten times slower and looks for something else. The long one is for where
// SATIN_SLOW is set, as `.ci/run slow` does; [Long] is also for known answers that take seconds.
//
// # Limitations
//
// A size changes nothing of what a test demands: what is so of few must be so of many.
package effort

import "os"

// Long tells whether tests do all that they can.
func Long() bool { return os.Getenv("SATIN_SLOW") != "" }

// Raced tells whether the race detector is on, which has nothing to do for one goroutine.
func Raced() bool { return raced }

// Of is how often a test does something: under the race detector, usually, and when it does all.
func Of(race, usual, long int) int {
	switch {
	case raced:
		return race
	case Long():
		return long
	}
	return usual
}
