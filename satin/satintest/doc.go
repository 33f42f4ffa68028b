// Package satintest runs whole grids in one test process, for those who write applications.
//
// [Check] is the test to begin with: it computes a task alone, then on a grid where peers are
// killed, leave and join, are paused, and where sites are cut off, and compares the answers:
//
//	func TestOnAGrid(t *testing.T) {
//		c := satintest.Config{App: myapp.App(), Strict: true}
//		same := func(alone, grid int) bool { return alone == grid }
//		for seed := range uint64(3) {
//			storm := satintest.Storm{Seed: seed}
//			satintest.Check(t, c, storm, myapp.Task{N: 30}, time.Minute, same)
//		}
//	}
//
// [Start] makes a [Grid] to do with as a test needs: sites of one-worker peers and a client, over a
// [Network] in memory. Submit to Grid.Client and let things happen while it computes: [Grid.Add],
// [Grid.Kill], [Grid.Leave], [Grid.Pause] and [Grid.Resume], [Grid.Cut] and [Grid.Heal], or
// [Grid.Strike], which draws them from a seed. When the test ends, Start looks for goroutines that
// the grid has left. [Open] is Start without a test.
//
// # What Strict finds
//
// A program that breaks the contract of [satin.Task] gives wrong answers only when something is
// redone, and then seldom. With Config.Strict the peers look for it: each job's fields are hashed
// at Spawn and before and after Run, Local state is made anew at random moments, Better is tried
// on the solutions that are offered, and whatever could travel is encoded, decoded and compared,
// though it stays where it is. Jobs are given their fields, and parents their results, as if they
// had travelled: a program that writes to memory that it shares with another job answers otherwise
// than alone without Strict, which Check compares. satin.Config.Verify, to be set by Config.Peer,
// finds jobs that are no function of their fields.
//
// # Costs
//
// A grid of three peers starts and ends in some milliseconds. A run on it that takes less than
// about a second is over before much can happen: give tasks leaves of a millisecond, and a thousand
// of them. With Strict a spawn costs some microseconds.
//
// # Limitations
//
// All peers share this process's memory, cores and clock, so it shows that answers are right, and
// nothing about speed. A killed peer's workers are told to stop, and do so at their next Spawn or
// Wait. A paused peer goes on computing, and finds all others silent; a stopped process does not.
// The network neither doubles nor reorders messages: that is tried in the simulator, see package
// gridsim. A seed says what happens, not exactly when.
package satintest
