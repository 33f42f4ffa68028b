package control

import (
	"time"

	"satingrid/membership"
	"satingrid/satin/control/driver"
	"satingrid/satin/peer"
)

// run is the loop. It returns when its context ends.
func (l *Loop) run() {
	defer l.goroutines.Done()
	defer l.driver.Close()
	defer func() { l.submissions.end(l.Err()) }()
	timer := l.conf.Clock.AfterFunc(0, l.posted.look)
	defer timer.Stop()
	for l.ctx.Err() == nil {
		timer.Reset(min(max(l.driver.Deadline()-l.now(), 0), time.Hour))
		select {
		case <-l.ctx.Done():
		case <-l.posted.wake:
			l.posted.doAll()
		case a := <-l.incoming.frames:
			l.arrived(a)
		}
		if now := l.now(); now >= l.driver.Deadline() {
			l.driver.Tick()
			l.incoming.promised.Store(int64(l.machine.Sight().Promised()))
		}
		l.submissions.find(l.runs.on)
	}
}

// arrived hands a message to the machine.
func (l *Loop) arrived(a arrival) {
	if a.client {
		l.machine.Proved(a.from, true)
	}
	l.driver.Received(a.from, a.message)
	if n := peer.Size(a.message.Body); n > driver.BulkBig {
		l.giveBack.came(n, len(l.runs.on))
	}
}

// ofDriver is the loop as its driver sees it.
type ofDriver struct{ l *Loop }

func (o ofDriver) Now() time.Duration { return o.l.now() }
func (o ofDriver) Entered()           { close(o.l.joining.in) }
func (o ofDriver) Done()              { o.l.losses.over() }

// Else carries out what is about members and runs as people and programs see them.
func (o ofDriver) Else(e peer.Effect) {
	l := o.l
	switch e := e.(type) {
	case peer.Deliver:
		l.submissions.deliver(e)
	case peer.Reported:
		l.submissions.reported(e)
	case peer.AllReported:
		l.submissions.allReported(e)
	case peer.Contradiction: // an answer contradicts an earlier one
		l.conf.log().Error(e.Text)
		l.tell(Event{Kind: EventFault})
	case peer.Started:
		m := e.Member
		l.tell(Event{Kind: EventJoined, Peer: m.Name, ID: string(m.ID), Site: string(m.Site)})
	case peer.Mastered:
		l.mastered(e)
	case peer.Stranded:
		l.cancel(l.joining.stranded(e))
	case peer.WentOn:
		l.joining.alone = true
		l.conf.log().Warn("nobody of the grid answers at the addresses that this peer knows; "+
			"it goes on alone as the same grid, and keeps looking",
			"grid", l.conf.Ticket.Grid, "hosts", l.machine.Sight().Book().Len())
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
	}
}
