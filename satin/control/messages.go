package control

import (
	"time"

	"satingrid/membership"
	"satingrid/satin/wire"
	"satingrid/steal"
)

// messages reads what peers say: what their machines say to each other, and what is said past
// these, which is what people are told of a run.
var messages = wire.NewCodec(wire.KindOf[report]())

// kindReport is the kind of a message that does not go through the machine: it tells people, and
// decides nothing.
const kindReport uint8 = 200

// report is what one peer has done for a run so far.
type report struct {
	Run   steal.Instance
	Stats PeerStats

	Master   bool    // the root executes here …
	Progress float64 // … and is done to this extent
	Final    bool
	Losses   []lossShare
}

func (report) Kind() uint8 { return kindReport }

// lossID tells the losses of one peer's lives apart.
type lossID struct {
	peer membership.PeerID
	life wire.Life
}

// lossShare is what one survivor tells of what a loss has cost it.
type lossShare struct {
	Peer      membership.PeerID
	Life      wire.Life
	Name      string
	Site      string
	How       membership.How
	Noticed   time.Duration // 0 where another noticed
	Restarted int
	Reused    int
	Saved     time.Duration
	Spent     time.Duration
	Longest   time.Duration
	Root      bool // was lost, and is done again by this survivor
}

func (x lossShare) id() lossID { return lossID{x.Peer, x.Life} }
