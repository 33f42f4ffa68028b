package gridsim

import (
	"fmt"
	"strings"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// Options are everything that decides a simulation, beside the machines.
type Options struct {
	Seed      uint64
	Sites     []Site
	Near, Far Link // within a site and between sites, where there is no Net
	Net       *Net // nil: links know nothing of each other
	Policy    steal.Policy
	Workload  Workload
	CopyEvery time.Duration // see peer.Config
	CopyOnce  bool          // see peer.Config
	Verify    float64       // see peer.Config
	Submitted int           // how often the root is submitted at once …
	Kept      bool          // … each time as a run that is to be kept
	Beside    []uint16      // the shares of further runs of it
	ByPeer    bool          // by a peer, else by a client
	Gap       time.Duration // between the starts of two hosts
	Faults    []Fault
	Jobs      int           // in the workload, as far as somebody has counted them
	Work      time.Duration // what one worker would take, and
	// as many as you like: they bound the time in which the run must end after its faults have
	Span   time.Duration
	Settle time.Duration // and nothing be left of it by so much later
	Redone time.Duration // so much work may be done twice; 0: as much as you like
	// what is advertised, and lists of it, come by so much later at least, and by four
	// times as much at most
	Late  time.Duration
	Heavy time.Duration // about how long a peer takes to decode the root
	Event time.Duration // how long the loop takes for an event; 0: as long as here
	// who is to leave is ordered to by another, in a message, who leaves late says so, thieves
	// tell how far their loans are, and all tell submitters what they have done. Left out
	// where few messages are wanted, and where a seed stands for what once failed: there peers
	// are told directly to leave.
	Asides   bool
	Disks    bool // peers have some, on which their runs outlive them …
	Sound    bool // … and of which none fails, strays or is fickle
	NoFT     bool // a run fails when a peer is lost
	Natted   int  // every so many-th host cannot be dialled; 0: none
	Queue    int  // frames that may wait at one end of a session; 0: queueFrames
	CheckAll bool // check every invariant at every event
	Trace    bool // keep the latest events as text
	All      bool // keep all of them

	spoil func(*peer.Message) bool // see World

	atOnce bool // what a loop does takes no time
}

// Site is peers of one site, present from the start.
type Site struct {
	Name    membership.Site
	Peers   int
	Workers int // of each
	Speed   int // of each worker, in thousandths of what jobs' costs are of; 0: 1,000
}

// speedOfOne is a speed at which jobs take as long as they cost.
const speedOfOne = 1000

// Fault is something that happens to the grid, good or bad.
type Fault struct {
	Kind FaultKind
	At   time.Duration
	For  time.Duration // how long it lasts
	// counts the peers from 1, in the order of their start; 0: drawn when it happens
	Host int
	N    int             // of how many
	Site membership.Site // of joiners; empty: drawn when it happens
	// of a cut: bit n: host number n, counted from 0 with the client, stands on the one side
	Side uint64
}

// FaultKind is what kind of a fault it is.
type FaultKind uint8

// The kinds of faults. What is promised then is in docs/faults.md.
const (
	Crash          FaultKind = iota // a process dies; the others see their connections reset
	PowerLoss                       // a machine dies: nobody hears of it
	CrashMaster                     // a master's process dies
	CrashSeveral                    // N processes die at once
	CrashSite                       // all of a site
	CrashAllButOne                  //
	CrashAll                        // a joiner comes when For has passed
	// a process dies, and starts again under its id when For has passed
	Restart
	CrashHolder // a process dies that keeps copies for others
	CrashHeir   // a peer leaves, and the one that it gives its results to dies
	Leave       // a peer is told to leave within For
	LeaveMaster // a master is
	// a second one while the first is leaving: N milliseconds later, or a quarter of For
	LeaveTwo
	LeaveSite    // all of a site
	LeaveAll     // all; a joiner comes when For has passed
	Migrate      // all of a site, while as many come in another
	Pause        // a process stops, and goes on with all that has arrived meanwhile
	PauseMaster  // a master's does
	CutTwoWay    // nothing passes between some hosts and the others
	CutOneWay    // nothing passes from some hosts to the others
	DeadLink     // nothing passes between two peers
	DeadAnswer   // nothing passes between the master and the submitter
	LostGossip   // what is published is lost, most of it
	Join         // a peer comes
	JoinMany     // N come at once
	AskerAway    // the submitter's process stops and goes on
	AskAgain     // it submits the same root once more
	AskElsewhere // another client submits the same root
	AskTwice     // a submission reaches the grid by two ways
	Kick         // a peer is barred
	// nothing passes between an owner and its thief, for longer than a lease and its probes
	DeadLoan
	// the submitter withdraws a submission: before it submits the same root again (N is 0), or
	// after (1), and For lies between
	AskCancel
	// a master's process dies, and within For somebody takes over; that one dies, too, N events
	// later
	CrashSuccessor
	// all of a site while others come in another, who die: their processes, or for N
	// above 0 their machines
	MigrateLost
	// a peer comes that can dial and cannot be dialled; counts when somebody has tried
	JoinNatted
	// all peers die at once: their processes, or, N is odd, their machines. When For has
	// passed, all start again, or half of them, or one, or one with another's folder, as the
	// other bits of N say
	LoseAll
	// a peer has another address (N is 0), or is behind a NAT; one that comes takes the old
	// address when For has passed
	Moves
	// a client submits a run to be kept and goes, and another comes for its answer when For has
	// passed; how, the bits of N say
	Deposit
	// a second process starts with a copy of a peer's folder, while the first lives
	Twin
	// one comes whose ticket names N/4 hosts of which the machines are gone; a member, too, if
	// N is odd; and it is a client if the next bit is set
	OldTicket
	Kinds // how many there are
)

var kindNames = [Kinds]string{
	"crash", "power loss", "crash of the master", "crash of several", "crash of a site", "crash of all but one", "crash of all", "restart",
	"crash of a copies' holder", "crash of an heir", "leave", "leave of the master", "leave during a leave", "leave of a site", "leave of all", "migration",
	"pause", "pause of the master", "cut", "one-way cut", "dead link", "dead link to the submitter", "lost gossip", "join", "many joins",
	"submitter away", "submitted again", "submitted by another", "submitted by two ways", "kick", "dead link below a loan", "submission cancelled",
	"crash of a new master", "migration to nobody", "join behind a NAT", "loss of all", "change of address", "run left to the grid", "twin", "old ticket",
}

func (k FaultKind) String() string { return kindNames[k] }

// String is what was drawn, for a person.
func (o Options) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "sites %v\nnear %+v\nfar %+v\npolicy %d, submitted %d times by a peer: %v, beside runs with shares %v, starts %v apart, queues of %d, copies every %v, verify %v, roots of %v\nworkload %T%+v\n",
		o.Sites, o.Near, o.Far, o.Policy, o.Submitted, o.ByPeer, o.Beside, o.Gap, o.Queue, o.CopyEvery, o.Verify, o.Heavy, o.Workload, o.Workload)
	for _, f := range o.Faults {
		fmt.Fprintf(&b, "%v %v", f.At, f.Kind)
		if f.For > 0 {
			fmt.Fprintf(&b, ", for %v", f.For)
		}
		if f.Host > 0 {
			fmt.Fprintf(&b, ", host %d", f.Host)
		}
		if f.N > 0 {
			fmt.Fprintf(&b, ", %d of them", f.N)
		}
		if f.Side > 0 {
			fmt.Fprintf(&b, ", side %b", f.Side)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// peers is how many peers are there from the start.
func (o *Options) peers() (n int) {
	for _, s := range o.Sites {
		n += s.Peers
	}
	return n
}

// begin is when the root is submitted.
func (o *Options) begin() time.Duration { return time.Duration(o.peers()+1)*o.Gap + submitAfter }

// heal is when the last fault has ended.
func (o *Options) heal() (at time.Duration) {
	for _, f := range o.Faults {
		at = max(at, f.At+f.For)
	}
	return at
}

// carries tells whether a message is carried at all: schedules without asides know nothing of what
// a late leaver says.
func (o *Options) carries(kind uint8) bool { return kind != peer.KindLate || o.Asides }

// submitAfter is how long after the last start the root is submitted.
const submitAfter = time.Second
