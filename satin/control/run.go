package control

import (
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/satin/peer/workers"
)

// run is the loop. It returns when its context ends.
func (l *Loop) run() {
	defer l.goroutines.Done()
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
		l.do(l.howFar())
		l.reports()
		l.tickSubs()
	}
}

// deadline is when the loop must look again though nothing happens.
func (l *Loop) deadline() time.Duration {
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

// arrived hands a message to the machine, or to whom it is for.
func (l *Loop) arrived(a arrival) {
	if a.client {
		l.machine.Proved(a.from, true)
	}
	if r, ok := a.message.Body.(report); ok {
		if !a.client { // they are members' alone
			l.reported(a.from, r)
		}
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
func (l *Loop) enter() {
	if !l.inside {
		l.inside = true
		close(l.joined)
	}
}

// do carries out effects.
func (l *Loop) do(effects []peer.Effect) {
	outer := l.again
	defer func() { l.again = outer }()
	// The effects are valid until the next event, and carrying one out may be one.
	for _, e := range append([]peer.Effect(nil), effects...) {
		l.effect(e)
	}
}

func (l *Loop) effect(e peer.Effect) {
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
		if !l.carry(e) {
			l.happened(e)
		}
	}
}

// carry has the workers carry an effect out if it is an order, and notes what people are told of
// it.
func (l *Loop) carry(e peer.Effect) bool {
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
	case peer.Progressed:
		l.plane.Progressed(e.Ref, e.Done)
	default:
		return workers.Carry(l.plane, e)
	}
	return true
}

// happened carries out what is about members and runs as people see them.
func (l *Loop) happened(e peer.Effect) {
	switch e := e.(type) {
	case peer.Fault:
		l.fault(e)
	case peer.Started:
		l.enter()
		m := e.Member
		l.tell(Event{Kind: EventJoined, Peer: m.Name, ID: string(m.ID), Site: string(m.Site)})
	case peer.Mastered:
		l.mastered(e)
	default:
		l.comesOrGoes(e)
	}
}

// comesOrGoes carries out what is about members and this peer's own end.
func (l *Loop) comesOrGoes(e peer.Effect) {
	switch e := e.(type) {
	case membership.Joined:
		l.memberJoined(e.Member)
	case membership.Lost:
		l.memberLost(e)
	case membership.Banned:
		l.cancel(ErrBarred)
	case peer.Ordered, peer.OrderDone, peer.Stayed, peer.LeavesLate, peer.Left:
		l.leaves(e)
	case membership.Bar:
		l.barChanged(e)
	case membership.Unbarred:
		l.barForgotten(e.ID)
	}
}
