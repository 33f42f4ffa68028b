package control

import (
	"fmt"
	"time"

	"satingrid/membership"
	"satingrid/satin/control/driver"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// ofDriver is the loop as its driver sees it.
type ofDriver struct{ l *Loop }

var _ driver.Owner = ofDriver{}

func (o ofDriver) Now() time.Duration { return o.l.now() }
func (o ofDriver) Entered()           { close(o.l.joining.in) }
func (o ofDriver) Done()              {}

func (o ofDriver) Read(n steal.Nonce, answer steal.Result, over func()) {
	o.l.submissions.reads(n, answer, over)
}
func (o ofDriver) Ended(n steal.Nonce, e driver.End) { o.l.submissions.ended(n, e) }
func (o ofDriver) Followed(e peer.OrderDone)         { o.l.followed(e) }

// Ends ends the loop.
func (o ofDriver) Ends(why peer.Effect) { o.l.cancel(o.l.joining.why(why)) }

// Tell is for people: as events to who wants them, or for the log.
func (o ofDriver) Tell(news peer.Effect) {
	l := o.l
	switch e := news.(type) {
	case peer.Started:
		l.tellJoined(e.Member)
	case membership.Joined:
		l.far.met(e.Member)
		l.tellJoined(e.Member)
	case peer.Admitted:
		l.submissions.admitted(e)
	case driver.Rooted:
		l.submissions.rooted(e)
	case peer.CommandDone:
		l.commandDone(e)
	case driver.MemberLost:
		l.far.lost(e.Member.ID)
		l.tell(Event{
			Kind: EventLost, Peer: e.Member.Name, ID: string(e.Member.ID),
			Site: string(e.Member.Site), How: e.How.String(), Noticed: e.Noticed, Late: e.Late,
		})
	case peer.Resumed:
		l.tell(Event{
			Kind: EventResumed, Peer: l.conf.Name, Run: l.runs.idOf(e.Run), Results: e.Results, Saved: e.Saved,
		})
	case peer.RunOver:
		l.tell(Event{Kind: EventEnded, Run: e.ID, How: e.How.String()})
	case driver.Master:
		l.tell(Event{Kind: EventMaster, Peer: e.Name, ID: string(e.ID)})
	case peer.Contradiction: // an answer contradicts an earlier one
		l.conf.log().Error(e.Text)
		l.tell(Event{Kind: EventFault})
	case peer.WentOn:
		l.conf.log().Warn("nobody of the grid answers at the addresses that this peer knows; "+
			"it goes on alone as the same grid, and keeps looking",
			"grid", l.conf.Ticket.Grid, "hosts", l.machine.Sight().Book().Len())
	case peer.Ordered:
		text := fmt.Sprintf("%s tells this peer to leave within %v", e.By.Name, e.Order.Within)
		l.conf.log().Warn(text)
	case peer.Stayed:
		l.conf.log().Warn("nobody is any more at the site that was to take over: this peer stays")
	}
}

func (l *Loop) tellJoined(m membership.Member) {
	l.tell(Event{Kind: EventJoined, Peer: m.Name, ID: string(m.ID), Site: string(m.Site)})
}
