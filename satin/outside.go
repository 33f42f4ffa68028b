package satin

import (
	"log/slog"
	"time"

	"satingrid/steal"
)

// poolConfig is what a pool is told.
type poolConfig struct {
	fiberCap  int // how many fibers there may be; 0 is fibersMax
	workers   int
	name      string // of the peer, in errors
	app       *registry
	strict    bool // Testing.Strict
	staysHere bool // Config.StaysHere
	recording bool // marked jobs keep the keys and the results of their children
	outside   outside
	log       *slog.Logger
	period    time.Duration // of the ticks; 0 is tickPeriod
	worth     time.Duration // from which on a part is kept; 0 is partWorth
}

// outside is the control loop as the workers see it. Its methods are called by
// workers and return at once.
type outside interface {
	// Idle says that the number of workers without a job has changed.
	Idle()
	// Lacks says of which runs workers execute less than their part, though
	// nothing of them waits here.
	Lacks(all []*run)
	// Published says that jobs lie open while the loop wants some.
	Published()
	// Withdrawn says that a lent job is not wanted any more; orphaned, when what
	// is finished of it is.
	Withdrawn(ref steal.Ref, orphaned bool)
	// Salvaged gives out parts of jobs that were withdrawn with salvage.
	Salvaged(parts []runPart)
	// Told says that a job told a fact.
	Told(r *run, fact []byte)
	// Offered says that a better best is about to be put.
	Offered(r *run, best any)
	// Failed says why a run fails, everywhere.
	Failed(r *run, why error)
}

// nobody is outside of a peer that computes alone.
type nobody struct{}

func (nobody) Idle()                     {}
func (nobody) Lacks([]*run)              {}
func (nobody) Published()                {}
func (nobody) Withdrawn(steal.Ref, bool) {}
func (nobody) Salvaged([]runPart)        {}
func (nobody) Told(*run, []byte)         {}
func (nobody) Offered(*run, any)         {}
func (nobody) Failed(*run, error)        {}
