package control

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"satingrid/membership"
	"satingrid/membership/addresses"
	"satingrid/satin/control/driver"
	"satingrid/satin/p2p"
	"satingrid/satin/peer"
	"satingrid/satin/peer/workers"
	"satingrid/steal"
)

// Loop is the control plane of a peer. One goroutine, run, owns the machine and all other fields
// without a lock: it takes events from the carrier, the workers, the application and the clock one
// at a time, hands them to the machine, and has its driver carry out the effects. Nothing slow is
// done there, and none of the program's code: roots, results and bests are read, written and
// compared by hands and workers, and long messages where they are sent and received.
type Loop struct {
	conf    Config
	machine *peer.Peer
	driver  *driver.Driver
	plane   workers.Plane
	carrier p2p.Carrier
	self    membership.PeerID

	runs         map[peer.RunNo]*runHere
	subs         map[steal.Nonce]*Submission
	disk         Hands // writes what follows
	barsDiary    diary
	addressDiary diary
	freed        int  // bytes of roots that have ended, and big messages; see giveBack
	freeing      bool // what was counted before is about to be given back
	masters      map[peer.RunNo]membership.PeerID
	unnamed      map[membership.PeerID]peer.RunNo // masters that are not known as members yet
	redone       []*redone                        // the latest losses
	again        *redone                          // the loss that the effects in hand are about
	joined       chan struct{}                    // closed when the grid has let this peer in
	inside       bool
	barrier      error             // why this peer is not let in, as far as is known
	known        []addresses.Known // where hosts are, as folder and ticket said at the start
	past         bool              // the state folder knew some
	founds       bool              // nobody is known to this peer: it is the first
	onAlone      bool              // nobody of the grid answered
	far          farSites          // who is at another site, and what is sent there

	parted map[membership.PeerID]bool    // members whose latest session ended with a goodbye
	late   map[membership.PeerID]bool    // members that are about to leave, and not in order
	orders map[peer.OrderNo]chan<- error // who waits for an order to be followed; bounded there

	bars map[membership.PeerID]membership.Bar // that the machine has told of
	// when owners are told how far their loans are
	sharesAt   time.Duration
	keptBars   []membership.Bar // that the state folder had at the start
	ctx        context.Context  // ends with the loop
	cancel     context.CancelCauseFunc
	wake       chan struct{} // something is in posted
	frames     chan arrival  // messages that came in, bounded: a full one holds up the carrier
	rateLimits rateLimits    // of what members say beside their jobs
	clients    sync.Map      // of the hosts with a session: those that are clients
	promised   atomic.Int64  // bytes of a result of the runs that are known
	goroutines sync.WaitGroup
	warned     atomic.Int64 // until when nothing is said of messages that cannot be read

	mu     sync.Mutex // protects what follows
	posted []func()   // news of the workers and the application, in order
}

// arrival is a message that came in.
type arrival struct {
	from    membership.PeerID
	message peer.Message
	client  bool // it has proved to be one, at the handshake of its session
}

// framesMax bounds the messages that wait for the loop. Beyond, the carrier's readers wait, each
// for its own peer.
const framesMax = 256

func (l *Loop) now() time.Duration { return l.conf.Clock.Now() }

// post queues something to be done by the loop. It never blocks: workers call it. What is queued is
// bounded by the workers, the loans and the application's calls that are under way.
func (l *Loop) post(do func()) {
	l.mu.Lock()
	l.posted = append(l.posted, do)
	l.mu.Unlock()
	l.look()
}

// look has the loop look for what there is to do.
func (l *Loop) look() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// doPosted does all that was queued, in order. It may be called by what it does: then the inner
// call goes on where the outer one was.
func (l *Loop) doPosted() {
	for {
		l.mu.Lock()
		if len(l.posted) == 0 {
			l.mu.Unlock()
			return
		}
		do := l.posted[0]
		l.posted[0] = nil
		l.posted = l.posted[1:]
		l.mu.Unlock()
		do()
	}
}

// tell hands an event to who wants it.
func (l *Loop) tell(e Event) {
	if l.conf.Events != nil {
		l.conf.Events(e)
	}
}

// diary is a file of the state folder that is written beside the loop, whose heartbeats must not
// wait for a disk. What changes while it is written is written after that, once.
type diary struct {
	content func() (write func() error) // takes what there is to write, on the loop
	lost    string                      // what to say when it cannot be written
	due     bool                        // there is news
	writing bool
}

// farSites knows who is at another site, and counts what is sent there. The loop has it.
type farSites struct {
	sites map[membership.PeerID]membership.Site // of members; a client has none, and is near
	sent  int64
}

// met notes where a member is.
func (f *farSites) met(m membership.Member) {
	if f.sites == nil {
		f.sites = map[membership.PeerID]membership.Site{}
	}
	f.sites[m.ID] = m.Site
}

// runHere is a run of the grid on this peer, as people are told of it.
type runHere struct {
	no       peer.RunNo
	instance steal.Instance
	at       workers.Run
	hasRoot  bool // the root was given to the workers
	reportAt time.Duration

	bytesFar  int64   // what the carrier had sent when the run began here
	restarts  *redone // the loss because of which the root is done again here
	rootBytes int
}

func newLoop(c Config) *Loop {
	l := &Loop{
		conf:       c,
		runs:       map[peer.RunNo]*runHere{},
		masters:    map[peer.RunNo]membership.PeerID{},
		unnamed:    map[membership.PeerID]peer.RunNo{},
		subs:       map[steal.Nonce]*Submission{},
		joined:     make(chan struct{}),
		parted:     map[membership.PeerID]bool{},
		late:       map[membership.PeerID]bool{},
		orders:     map[peer.OrderNo]chan<- error{},
		bars:       map[membership.PeerID]membership.Bar{},
		wake:       make(chan struct{}, 1),
		frames:     make(chan arrival, framesMax),
		rateLimits: rateLimits{of: map[string]*rate.Limiter{}},
	}
	l.ctx, l.cancel = context.WithCancelCause(context.Background())
	l.openDiaries()
	return l
}
