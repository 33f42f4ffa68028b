package program

import (
	"fmt"
	"time"

	"satingrid/satin/program/node"
	"satingrid/satin/program/runs"
	"satingrid/satin/program/wording"
)

// acceptMax is how long the grid may take to accept a run that is left to it. A second interrupt
// does not wait so long.
const acceptMax = 10 * time.Second

// onGrid is how a run is left to the grid that it is on, and found again there.
type onGrid struct {
	hold
	where  *node.Where
	keep   time.Duration // 0: it ends with this process
	label  string
	joined bool // it was found there, and not submitted by this process
	noted  bool
}

// accepted is closed when the grid has a run that is to be remembered; nil: there is none, or it
// is.
func (g *onGrid) accepted() <-chan struct{} {
	if g == nil || g.noted || g.joined {
		return nil
	}
	return g.Accepted()
}

// note remembers the run in the state folder, once.
func (g *onGrid) note() {
	if !g.noted {
		g.noted = true
		g.where.Note(runs.One{ID: g.id(), Label: g.label, At: time.Now()})
	}
}

// outlives tells whether the run goes on when this process ends.
func (g *onGrid) outlives() bool { return g.isJoined() || g != nil && g.keep > 0 }

// isJoined tells whether the run was found on its grid.
func (g *onGrid) isJoined() bool { return g != nil && g.joined }

// leave leaves the run to the grid, and says what becomes of it.
func (g *onGrid) leave() string {
	if g.joined {
		g.Release()
		return "the run goes on"
	}
	select {
	case <-g.Accepted():
	case <-time.After(acceptMax):
		return "the grid has not accepted the run yet: it goes on if that was only not heard here"
	}
	g.note()
	g.Release()
	return fmt.Sprintf("run %.8s goes on, and its answer is kept for %s: %s", g.id(), wording.Duration(g.keep), g.where.Back("watch", g.id()))
}
