package control

import (
	"context"
	"sync"
	"time"

	"satingrid/membership"
	"satingrid/satin/control/driver"
	"satingrid/satin/p2p"
	"satingrid/satin/peer"
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
	carrier p2p.Carrier
	self    membership.PeerID

	// what people are told of, a component each
	joining     joining
	far         farSites
	asking      requests
	runs        runs
	submissions submissions
	orders      map[peer.OrderNo]chan<- error   // who waits for them to be followed
	commands    map[peer.CommandNo]chan<- error // who waits for them to be done
	giveBack    giveBack

	voice      *voice            // what the program is told by
	disk       *disk             // of runs; nil: there is none
	held       map[steal.Key]int // roots that waited at the start, by run: see RunStats.Ends
	bars       []membership.Bar  // that the state folder had at the start
	posted     posted            // by the workers and the application
	incoming   *incoming         // from the carrier
	goroutines sync.WaitGroup
	disks      disks
	disksEnd   sync.Once       // they were waited for
	over       chan struct{}   // closed when run has returned
	ctx        context.Context // ends with the loop
	cancel     context.CancelCauseFunc
}

func newLoop(c Config) *Loop {
	l := &Loop{conf: c, posted: newPosted(), over: make(chan struct{}), voice: newVoice(c.log(), c.Clock)}
	l.conf.Log = l.voice.logger()
	l.ctx, l.cancel = context.WithCancelCause(context.Background())
	l.joining.in = make(chan struct{})
	l.far = farSites{
		site: c.Site, sites: map[membership.PeerID]membership.Site{}, emulated: c.Wan != nil,
	}
	l.asking = requests{far: &l.far}
	l.runs = runs{
		on: map[peer.RunNo]*runHere{}, begun: l.runBegins, ended: func(rootBytes int) { l.giveBack.gone(rootBytes) },
	}
	l.submissions = submissions{
		all: map[steal.Nonce]*Submission{}, post: l.post, by: &l.goroutines,
	}
	l.orders = map[peer.OrderNo]chan<- error{}
	l.commands = map[peer.CommandNo]chan<- error{}
	l.giveBack = giveBack{clock: c.Clock, post: l.post, by: &l.goroutines}
	l.incoming = newIncoming(l.ctx, &l.conf)
	return l
}

func (l *Loop) now() time.Duration { return l.conf.Clock.Now() }

// post queues something to be done by the loop. It never waits: workers call it.
func (l *Loop) post(do func()) { l.posted.post(do) }

// do carries out the effects of an event.
func (l *Loop) do(effects []peer.Effect) { l.driver.Do(effects) }

// tell has an event handed to who wants it.
func (l *Loop) tell(e Event) {
	if l.conf.Events != nil {
		l.voice.say(func() { l.conf.Events(e) })
	}
}
