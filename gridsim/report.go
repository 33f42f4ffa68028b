package gridsim

import (
	"fmt"
	"time"
)

// Report is what a simulation came to.
type Report struct {
	Hash   [16]byte      // of every event and message
	Events uint64        //
	Took   time.Duration // virtual time from the submission to the last answer
	Busy   time.Duration // worker time spent in jobs
	// worker time spent in jobs, beyond what one core needs; less where work was pruned
	Redone   time.Duration
	Workers  int    // of all peers that were ever there
	Jobs     uint64 // jobs executed, wherever
	Spawned  uint64 // jobs spawned, wherever
	Messages uint64
	Dropped  uint64 // messages that were lost,
	Stopped  uint64 // that a cut or a dead link stopped,
	Doubled  uint64 // that arrived twice
	Late     uint64 // that came when much had happened
	HeldUp   uint64 // that were, since their sender had said too much
	Full     uint64 // that found the queue of their session full, and were dropped
	BytesFar uint64 // between sites
	LentNear uint64
	LentFar  uint64
	Again    uint64
	Written  int           // results that were written to disks; …
	Torn     int           // … files of which a batch went with the power; …
	Recalled int           // … results that were read there,
	Stored   uint64        // and jobs that got their value from one of these
	LostAll  int           // times that all peers died at once
	Used     uint64        // jobs that got their value from elsewhere
	Saved    time.Duration // what those had cost elsewhere
	// jobs put back because their thief did not answer for the time of a lease and its probes
	Expired   uint64
	Cancelled int    // submissions that were withdrawn
	Bereft    int    // that failed with a member, where fault tolerance is off
	Heard     uint64 // facts that came from another peer
	Joined    int    // times that a peer learned of another
	Lost      int    // times that a peer learned of a loss
	// of these, in schedules that have no excuse for holding a living peer dead
	Judged int
	// of these, of one that lives, whatever the excuse
	Mistaken int
	Left     int // peers that have left as they were told
	// processes that crashed; those that left in order and those that were barred are not among
	// them
	Killed     int
	Beheaded   int // of these, masters
	Rejoined   int
	Epochs     int // the greatest epoch
	TwoMasters int // times that a root was started while another peer executed it
	Panics     int // jobs that panicked, wherever
	Unmasked   int // runs that failed because a job is no function of its fields
	Compared   int // bests from outside that were compared
	Spoilt     int // of these, those on which the order panicked
	Poisoned   int // runs that failed because a job seemed to kill its process
	Dials      int // hosts that were dialled,
	Sessions   int // sessions that this led to,
	Broken     int // those that broke, …
	Silenced   int // … because nothing passed
	Stranded   int // hosts that nobody let in,
	WentOn     int // and those that went on alone
	Fired      [Kinds]int
	Last       []string
	Orders     Orders
	Statistics Statistics
	Progressed int // times that an owner heard how far a job is that it has lent
}

// struck counts a fault that has had an effect.
func (r *Report) struck(k FaultKind) { r.Fired[k]++ }

// Finding is the error that a simulation ends with when a checker found something.
type Finding struct {
	Seed    uint64
	At      time.Duration
	Checker string // see the package documentation
	Text    string
}

func (f *Finding) Error() string {
	return fmt.Sprintf("gridsim: seed %d at %v: %s: %s", f.Seed, f.At, f.Checker, f.Text)
}

// rooted notes that a host is given a root.
func (w *World) rooted(by *host) {
	for _, h := range w.who.hosts {
		if h != by && h.up && h.plane.roots() > 0 {
			w.report.TwoMasters++
			return
		}
	}
}

// finish sums up.
func (w *World) finish() Report {
	r := w.report
	r.Events, r.Last, r.Hash = w.events, w.last, w.log.sum()
	for _, h := range w.who.hosts {
		s := h.peer.Sight().Stats()
		r.LentNear += s.LentNear
		r.LentFar += s.LentFar
		r.Again += s.Again
		r.Expired += h.peer.Sight().Ledger().Expired()
		r.Busy += h.plane.busy
		r.Workers += int(h.peer.Sight().Self().Workers)
	}
	return r
}
