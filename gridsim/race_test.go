//go:build race

package gridsim

// slower is by how much fewer seeds are played under the race detector: a
// simulation is one goroutine.
const slower = 5
