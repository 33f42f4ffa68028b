package satin

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"satingrid/membership"
	"satingrid/satin/p2p"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// loop is the control plane of a peer. One goroutine, run, owns the machine and all other fields without a
// lock: it takes events from the carrier, the workers, the application and the clock one at a time, hands
// them to the machine, and carries out the effects.
type loop struct {
	conf    Config
	app     *registry
	machine *peer.Peer
	plane   *pool
	carrier p2p.Carrier
	start   time.Time
	self    membership.PeerID

	runs     map[peer.RunNo]*gridRun
	borrows  map[uint64]borrowed
	subs     map[uint64]*gridSub
	want     *steal.WantJobs // open
	told     int             // the number of idle workers that the machine was last told
	masters  map[peer.RunNo]membership.PeerID
	unnamed  map[membership.PeerID]peer.RunNo // masters that are no members yet, as far as is known here
	redone   []*redone                        // the latest losses
	again    *redone                          // the loss that the effects in hand are about
	joined   chan struct{}                    // closed when the grid has let this peer in
	inside   bool
	dialing  map[membership.PeerID]*attempt
	underway underway // bulk messages

	leaving bool                       // this peer is
	debt    *LateError                 // what this peer has left undone; nil: nothing
	parted  map[membership.PeerID]bool // members whose latest session ended with a goodbye
	late    map[membership.PeerID]bool // members that are about to leave, and not in order

	bars     map[membership.PeerID]membership.Bar // that the machine has told of …
	barsKept bool                                 // … and whether they are about to be kept
	sharesAt time.Duration                        // when owners are told how far their loans are
	keptBars []membership.Bar                     // that the state folder had at the start
	ctx      context.Context                      // ends with the loop
	cancel   context.CancelCauseFunc
	wake     chan struct{} // something is in posted
	frames   chan arrival  // messages that came in, bounded: a full one holds up the carrier
	rations  rations       // of what members say beside their jobs
	crew     sync.WaitGroup
	warned   atomic.Int64 // by the loop's clock, until when nothing is said of messages that cannot be read

	mu     sync.Mutex // protects what follows
	posted []func()   // news of the workers and the application, in order
}

// borrowed is a job that the machine told the workers to execute.
type borrowed struct {
	run *gridRun
	job *shared
}

// arrival is a message that came in.
type arrival struct {
	from    membership.PeerID
	message peer.Message
}

// framesMax bounds the messages that wait for the loop. Beyond, the carrier's readers wait, each for its own
// peer.
const framesMax = 256

func (l *loop) now() time.Duration { return time.Since(l.start) }

// post queues something to be done by the loop. It never blocks: workers call it. What is queued is bounded
// by the workers, the loans and the application's calls that are under way.
func (l *loop) post(do func()) {
	l.mu.Lock()
	l.posted = append(l.posted, do)
	l.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// run is the loop. It returns when its context ends.
func (l *loop) run() {
	defer l.crew.Done()
	defer l.endSubs()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for l.ctx.Err() == nil {
		timer.Reset(max(l.deadline()-l.now(), 0))
		select {
		case <-l.ctx.Done():
		case <-l.wake:
			l.doPosted()
		case a := <-l.frames:
			l.arrived(a)
		case <-timer.C:
		}
		if now := l.now(); now >= l.machine.Deadline() {
			l.do(l.machine.Tick(now))
		}
		l.reports()
		l.tickSubs()
	}
}

// deadline is when the loop must look again though nothing happens.
func (l *loop) deadline() time.Duration {
	at := min(l.machine.Deadline(), l.now()+time.Hour)
	for _, g := range l.runs {
		at = min(at, g.reportAt)
	}
	if len(l.borrows) > 0 {
		at = min(at, l.sharesAt)
	}
	for _, sub := range l.subs {
		if sub.until > 0 {
			at = min(at, sub.until)
		}
	}
	return at
}

// doPosted does all that was queued, in order. It may be called by what it does: then the inner call goes on
// where the outer one was.
func (l *loop) doPosted() {
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

// arrived hands a message to the machine, or to whom it is for.
func (l *loop) arrived(a arrival) {
	if r, ok := a.message.Body.(report); ok {
		l.reported(a.from, r)
		return
	}
	if s, ok := a.message.Body.(shares); ok {
		l.toldShares(a.from, s)
		return
	}
	if o, ok := a.message.Body.(order); ok {
		l.ordered(a, o)
		return
	}
	if _, ok := a.message.Body.(late); ok {
		l.leavesLate(a)
		return
	}
	l.do(l.machine.Received(l.now(), a.from, a.message))
	if l.conf.Client && !l.inside && !l.machine.Joining() {
		l.enter()
	}
}

// enter notes that the grid has let this peer, or client, in.
func (l *loop) enter() {
	if !l.inside {
		l.inside = true
		close(l.joined)
	}
}

// do carries out effects.
func (l *loop) do(effects []peer.Effect) {
	outer := l.again
	defer func() { l.again = outer }()
	l.owe(effects)
	// The effects are valid until the next event, and carrying one out may be one.
	for _, e := range append([]peer.Effect(nil), effects...) {
		l.effect(e)
	}
}

func (l *loop) effect(e peer.Effect) {
	switch e := e.(type) {
	case peer.Send:
		l.send(e.To, e.Message)
	case peer.Publish:
		l.publish(e.Message)
	case membership.Dial:
		l.redial(e)
	case peer.StartRun:
		l.startRun(e)
	case peer.EndRun:
		l.endRun(e.Run)
	case peer.Execute:
		l.execute(e)
	case peer.Withdraw:
		l.withdraw(e)
	case peer.WantParts:
		l.post(l.gathered)
	case peer.WantKeys:
		l.post(func() { l.unfinished(e.Run) })
	case peer.Hear:
		if g := l.runs[e.Run]; g != nil {
			g.plane.facts.add(e.Fact, elsewhereBy)
		}
	case peer.Use:
		l.use(e)
	case steal.WantJobs:
		l.want = &e
		l.plane.wanted.Store(true)
		l.post(l.answerWant) // after the effects that go with this one
	case peer.PutBack:
		l.putBack(e)
	case peer.Settle:
		l.settle(e)
	case peer.Improve:
		l.improve(e)
	case peer.Deliver:
		l.deliver(e)
	case peer.Fault:
		l.fault(e)
	case peer.Started:
		l.enter()
		l.tell(Event{Kind: EventJoined, Peer: e.Member.Name, ID: string(e.Member.ID), Site: string(e.Member.Site)})
	case peer.Mastered:
		l.mastered(e)
	case membership.Joined:
		l.memberJoined(e.Member)
	case membership.Lost:
		l.memberLost(e)
	case membership.Banned:
		l.cancel(ErrBarred)
	case peer.Left:
		l.left()
	case membership.Bar:
		l.barChanged(e)
	case membership.Rejoined:
	}
}

// nameOf is a member's name, or its id when it is not known.
func (l *loop) nameOf(id membership.PeerID) string {
	if id == l.self {
		return l.conf.Name
	}
	for _, m := range l.machine.Members() {
		if m.ID == id {
			return m.Name
		}
	}
	return string(id)
}

// newSource is a random source for the machine. Only in the simulator must it give the same twice.
func newSource() *rand.Rand { return rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())) }
