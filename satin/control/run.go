package control

import (
	"time"

	"satingrid/membership"
	"satingrid/satin/control/driver"
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
			l.promised.Store(int64(l.machine.Sight().Promised()))
		}
		l.do(l.howFar())
		l.reports()
		l.findRuns()
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
	return at
}

// arrived hands a message to the machine, or to whom it is for.
func (l *Loop) arrived(a arrival) {
	if a.client {
		l.machine.Proved(a.from, true)
	}
	l.driver.Received(a.from, a.message)
	if n := peer.Size(a.message.Body); n > driver.BulkBig {
		l.cameBig(n)
	}
	if l.conf.Client && !l.inside && !l.machine.Sight().Joining() {
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

// do carries out the effects of an event.
func (l *Loop) do(effects []peer.Effect) { l.driver.Do(effects) }

// ofDriver is the loop as its driver sees it.
type ofDriver struct{ l *Loop }

func (o ofDriver) Now() time.Duration { return o.l.now() }
func (o ofDriver) Else(e peer.Effect) { o.l.happened(e) }
func (o ofDriver) Done()              { o.l.again = nil }

// noted is the workers, and notes what people are told of what they are ordered.
type noted struct {
	workers.Plane
	l *Loop
}

func (n noted) StartRun(e peer.StartRun) {
	n.Plane.StartRun(e)
	n.l.runStarts(e)
}

func (n noted) EndRun(e peer.EndRun) {
	n.l.runEnds(e)
	n.Plane.EndRun(e)
}

func (n noted) Execute(e peer.Execute) {
	if e.IsRoot {
		n.l.rootStarts(e)
	}
	n.Plane.Execute(e)
}

// PutBack is Redo where that is because of a loss.
func (n noted) PutBack(e peer.PutBack) {
	if e.Again && n.l.again != nil {
		n.Redo(e.Ref, n.l.again)
	} else {
		n.Plane.PutBack(e)
	}
}

// answers carries out what is about an answer and its statistics.
func (l *Loop) answers(e peer.Effect) {
	switch e := e.(type) {
	case peer.Deliver:
		l.deliver(e)
	case peer.Reported:
		l.reported(e)
	case peer.AllReported:
		l.allReported(e)
	}
}

// happened carries out what is about members and runs as people and programs see them.
func (l *Loop) happened(e peer.Effect) {
	switch e := e.(type) {
	case peer.Deliver, peer.Reported, peer.AllReported:
		l.answers(e)
	case peer.Fault:
		l.fault(e)
	case peer.Started:
		l.enter()
		m := e.Member
		l.tell(Event{Kind: EventJoined, Peer: m.Name, ID: string(m.ID), Site: string(m.Site)})
	case peer.Mastered:
		l.mastered(e)
	case peer.Progressed:
		l.plane.Progressed(e.Ref, e.Done)
	case peer.KeepAddresses, peer.Stranded, peer.WentOn:
		l.finds(e)
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
