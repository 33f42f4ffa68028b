package control

import (
	"time"

	"satingrid/membership"
	"satingrid/satin/wire"
	"satingrid/steal"
)

// messages reads what peers say: what their machines say to each other, and what is said past
// these, which is about what people see and orders that any member could follow alone.
var messages = wire.NewCodec(
	wire.KindOf[report](), wire.KindOf[order](), wire.KindOf[shares](), wire.KindOf[late](),
)

// kindReport is the kind of the one message that does not go through the machine: it tells people,
// and decides nothing.
const kindReport uint8 = kindsPast

// kindsPast is the first of the kinds that go past the machine. Only members say them.
const kindsPast uint8 = 200

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

// kindShares is the kind of a message that does not go through the machine: it is about what people
// see, and decides nothing.
const kindShares uint8 = 202

// shares tells an owner how far the jobs are that it has lent to the sender.
type shares struct {
	Numbers []steal.LoanNo // of the loans …
	Done    []float32
}

func (shares) Kind() uint8 { return kindShares }

// kindOrder and kindLate are the kinds of an order and of a leaver's debt, which do not go through
// the machine.
const (
	kindOrder uint8 = 201
	kindLate  uint8 = 203
)

// order tells a member to leave. It decides nothing that its receiver could not decide alone, and
// any member could as well bar it; so it is taken from members only, and whoever gave it sees in
// the membership that it was followed.
type order struct {
	Within time.Duration
	Heirs  membership.Site // where the heirs shall be; "" for anywhere
	Bound  bool            // only while somebody is at Heirs
}

func (order) Kind() uint8 { return kindOrder }

// late is what a peer says to all members before its last word, if it leaves and has not handed
// over everything: whoever waits for it to leave in order must not believe that it did.
type late struct{}

func (late) Kind() uint8 { return kindLate }

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
