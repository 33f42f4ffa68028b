package satin

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"satingrid/membership"
	"satingrid/membership/addresses"
	"satingrid/satin/p2p"
	"satingrid/satin/peer"
	"satingrid/satin/peer/workers"
	"satingrid/steal"
)

// loop is the control plane of a peer. One goroutine, run, owns the machine and all other fields without a
// lock: it takes events from the carrier, the workers, the application and the clock one at a time, hands
// them to the machine, and carries out the effects. Nothing slow is done there, and none of the program's code: roots, results
// and bests are read, written and compared by hands and workers, and long messages where they are sent and received.
type loop struct {
	conf    loopConfig
	machine *peer.Peer
	plane   workers.Plane
	carrier p2p.Carrier
	self    membership.PeerID

	runs         map[peer.RunNo]*runHere
	subs         map[steal.Nonce]*gridSub
	disk         hands // writes what follows
	barsDiary    diary
	addressDiary diary
	freed        int  // bytes of roots of runs that have ended, and of big messages, not given back yet …
	freeing      bool // … and whether they are about to be
	masters      map[peer.RunNo]membership.PeerID
	unnamed      map[membership.PeerID]peer.RunNo // masters that are no members yet, as far as is known here
	redone       []*redone                        // the latest losses
	again        *redone                          // the loss that the effects in hand are about
	joined       chan struct{}                    // closed when the grid has let this peer in
	inside       bool
	dialing      map[membership.PeerID]*attempt
	underway     underway          // bulk messages
	barrier      error             // why this peer is not let in, as far as is known
	known        []addresses.Known // where hosts are, as the state folder and the ticket said at the start
	past         bool              // the state folder knew some
	founds       bool              // nobody is known to this peer: it is the first
	onAlone      bool              // nobody of the grid answered
	far          farSites          // who is at another site, and what is sent there

	leaving bool                       // this peer is
	debt    *LateError                 // what this peer has left undone; nil: nothing
	parted  map[membership.PeerID]bool // members whose latest session ended with a goodbye
	late    map[membership.PeerID]bool // members that are about to leave, and not in order

	bars     map[membership.PeerID]membership.Bar // that the machine has told of
	sharesAt time.Duration                        // when owners are told how far their loans are
	keptBars []membership.Bar                     // that the state folder had at the start
	ctx      context.Context                      // ends with the loop
	cancel   context.CancelCauseFunc
	wake     chan struct{} // something is in posted
	frames   chan arrival  // messages that came in, bounded: a full one holds up the carrier
	rations  rations       // of what members say beside their jobs
	clients  sync.Map      // of the hosts with a session: those that are clients
	promised atomic.Int64  // bytes of a result of the runs that are known
	crew     sync.WaitGroup
	warned   atomic.Int64 // by the loop's clock, until when nothing is said of messages that cannot be read

	mu     sync.Mutex // protects what follows
	posted []func()   // news of the workers and the application, in order
}

// arrival is a message that came in.
type arrival struct {
	from    membership.PeerID
	message peer.Message
	client  bool // it has proved to be one, at the door of its session
}

// framesMax bounds the messages that wait for the loop. Beyond, the carrier's readers wait, each for its own
// peer.
const framesMax = 256

func (l *loop) now() time.Duration { return l.conf.Clock.Now() }

// forWorkers is the loop as the workers see it.
type forWorkers struct{ l *loop }

func (f forWorkers) Now() time.Duration                 { return f.l.now() }
func (f forWorkers) Post(do func())                     { f.l.post(do) }
func (f forWorkers) Go(do func())                       { f.l.crew.Go(do) }
func (f forWorkers) Do(effects []peer.Effect)           { f.l.do(effects) }
func (f forWorkers) Flush()                             { f.l.doPosted() }
func (f forWorkers) NameOf(id membership.PeerID) string { return f.l.nameOf(id) }

// post queues something to be done by the loop. It never blocks: workers call it. What is queued is bounded
// by the workers, the loans and the application's calls that are under way.
func (l *loop) post(do func()) {
	l.mu.Lock()
	l.posted = append(l.posted, do)
	l.mu.Unlock()
	l.look()
}

// look has the loop look for what there is to do.
func (l *loop) look() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// run is the loop. It returns when its context ends.
func (l *loop) run() {
	defer l.crew.Done()
	defer l.closeDiaries()
	defer l.endSubs()
	timer := l.conf.Clock.AfterFunc(0, l.look)
	defer timer.Stop()
	for l.ctx.Err() == nil {
		timer.Reset(max(l.deadline()-l.now(), 0))
		select {
		case <-l.ctx.Done():
		case <-l.wake:
			l.doPosted()
		case a := <-l.frames:
			l.arrived(a)
		}
		if now := l.now(); now >= l.machine.Deadline() {
			l.do(l.machine.Tick(now))
			l.promised.Store(int64(l.machine.Promised()))
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
	if l.plane.Executing() > 0 {
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
	if a.client {
		l.machine.Proved(a.from, true)
		if a.message.Body.Kind() >= kindsPast {
			return // they are members' alone
		}
	}
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
	if n := peer.Size(a.message.Body); n > bulkBig {
		l.cameBig(n)
	}
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
	case membership.Dial, peer.KeepAddresses, peer.Stranded, peer.WentOn:
		l.finds(e)
	case peer.Deliver:
		l.deliver(e)
	default:
		if !l.order(e) {
			l.happened(e)
		}
	}
}

// order has the workers carry an effect out if it is an order, and notes what people are told of it.
func (l *loop) order(e peer.Effect) bool {
	switch e := e.(type) {
	case peer.StartRun:
		l.plane.StartRun(e)
		l.runStarts(e)
	case peer.EndRun:
		l.runEnds(e)
		l.plane.EndRun(e)
	case peer.Execute:
		if e.IsRoot {
			l.rootStarts(e)
		}
		l.plane.Execute(e)
	case peer.PutBack:
		if e.Again && l.again != nil {
			l.plane.Redo(e.Ref, l.again)
		} else {
			l.plane.PutBack(e)
		}
	default:
		return workers.Carry(l.plane, e)
	}
	return true
}

// happened carries out what is about members and runs as people see them.
func (l *loop) happened(e peer.Effect) {
	switch e := e.(type) {
	case peer.Fault:
		l.fault(e)
	case peer.Started:
		l.enter()
		l.tell(Event{Kind: EventJoined, Peer: e.Member.Name, ID: string(e.Member.ID), Site: string(e.Member.Site)})
	case peer.Mastered:
		l.mastered(e)
	default:
		l.comesOrGoes(e)
	}
}

// comesOrGoes carries out what is about members and this peer's own end.
func (l *loop) comesOrGoes(e peer.Effect) {
	switch e := e.(type) {
	case membership.Joined:
		l.memberJoined(e.Member)
	case membership.Lost:
		l.memberLost(e)
	case membership.Banned:
		l.cancel(ErrBarred)
	case peer.Stayed:
		l.stayed()
	case peer.Left:
		l.left()
	case membership.Bar:
		l.barChanged(e)
	case membership.Unbarred:
		l.barForgotten(e.ID)
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
