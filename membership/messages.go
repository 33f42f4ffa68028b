package membership

import "time"

// Body is what a message says. Kind is its number on the wire: membership's are 1 to 31.
type Body interface{ Kind() uint8 }

// The kinds of membership's messages.
const (
	KindHeartbeat uint8 = iota + 1
	KindHello
	KindGone
	KindPing
	KindPong
	KindPingFor
	KindAlive
	KindRefused
	KindWho
	KindBarred
)

// Heartbeat says nothing but: here.
type Heartbeat struct{}

// Hello says who the sender is. It is published on joining and answers Who.
type Hello struct{ Member Member }

// Gone says that a member is leaving, has left or is dead: the state is in the record.
type Gone struct{ Member Member }

// Ping asks for a Pong.
type Ping struct{}

// Pong answers a Ping.
type Pong struct{}

// PingFor asks the receiver to ping Target on the sender's behalf.
type PingFor struct {
	Target      PeerID
	Incarnation Incarnation
}

// Alive answers PingFor when the target answered.
type Alive struct {
	Target      PeerID
	Incarnation Incarnation
}

// Refused says that the sender holds the receiver's incarnation dead, or the receiver barred. With
// Void set the sender knows of the life that the receiver has now, and the loans between the two
// died with that former one.
type Refused struct {
	Incarnation Incarnation
	Barred      bool
	Void        bool
}

// Who asks a stranger for its Hello.
type Who struct{}

// Barred spreads bars.
type Barred struct{ Bars []Bar }

func (Heartbeat) Kind() uint8 { return KindHeartbeat }
func (Hello) Kind() uint8     { return KindHello }
func (Gone) Kind() uint8      { return KindGone }
func (Ping) Kind() uint8      { return KindPing }
func (Pong) Kind() uint8      { return KindPong }
func (PingFor) Kind() uint8   { return KindPingFor }
func (Alive) Kind() uint8     { return KindAlive }
func (Refused) Kind() uint8   { return KindRefused }
func (Who) Kind() uint8       { return KindWho }
func (Barred) Kind() uint8    { return KindBarred }

// Effect is something that a machine wants done or has found out. Here it is one of Send, Publish,
// Dial, Joined, Lost, LivesOn, Rejoined, Forsaken, Banned, Bar, Unbarred.
type Effect any

// Send asks for a message to one peer.
type Send struct {
	To          PeerID
	Incarnation Incarnation // the life it is meant for; zero: any
	Body        Body
}

// Publish asks for a message to everybody, as a hint that may be lost.
type Publish struct{ Body Body }

// Dial asks for a connection once more. Whoever has the book of addresses knows where, and tells
// the view of a session that begins, or that there is none to be had.
type Dial struct {
	ID    PeerID
	Addrs []string
}

// Joined tells of a member that was not here before, or not in this incarnation.
type Joined struct{ Member Member }

// Lost tells of an incarnation that is gone, for ever.
type Lost struct {
	Member  Member
	Noticed time.Duration // since it was last heard; 0 when another noticed
}

// LivesOn tells of a member that others held dead, and that goes on under another incarnation. What
// it and this peer had between them lives, too.
type LivesOn struct {
	Member Member
	Was    Incarnation
}

// Rejoined tells that this peer was held dead by somebody and has taken a new incarnation.
type Rejoined struct{ Incarnation Incarnation }

// Forsaken tells that a peer held an earlier life of this one dead. All loans
// between the two are void.
type Forsaken struct{ By PeerID }

// Banned tells that the grid has barred this peer.
type Banned struct{}
