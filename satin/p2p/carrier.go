package p2p

import "context"

// Carrier is what the rest of the project needs of the network. *Host
// satisfies it, and so can a carrier in memory for tests.
//
// Peer ids are the text form of libp2p peer ids; whoever uses a Carrier
// compares them and prints them, nothing else.
//
// No method but Dial, SendBulk and Close waits for the network.
type Carrier interface {
	// ID is this host's own peer id.
	ID() string
	// Addrs are the addresses at which this host can be dialled, each ending
	// in /p2p/ID. It is empty for a host that does not listen.
	Addrs() []string
	// Dial connects to the host that the addresses name and returns its id
	// once its session is up: PeerUp has then been called. All addresses must
	// end in the same /p2p/ID. Dialling a peer whose session is up returns at
	// once, and dials of one peer at the same moment share their addresses.
	// The error is a *DeniedError when the other end refused or was refused at one
	// of them, ErrNobody when no process listens at any, and otherwise says
	// what failed.
	Dial(ctx context.Context, addrs ...string) (id string, err error)
	// Send queues one frame for a peer whose session is up. Frames of one
	// session arrive in the order of sending, or the session ends. It never
	// waits: ErrNotUp, ErrFull and ErrTooBig are final. The frame must not be
	// changed afterwards.
	Send(id string, frame []byte) error
	// SendBulk sends a header and a body on a stream of their own and returns
	// nil once the other end has verified the digest and its Bulk has
	// returned.
	SendBulk(ctx context.Context, id string, header, body []byte) error
	// Subscribe asks for the messages of a topic; Publish gossips one.
	// Messages may be lost; one's own are not delivered to oneself.
	Subscribe(topic string) error
	Publish(topic string, data []byte) error
	// Peers are the ids of the peers whose session is up, sorted.
	Peers() []string
	// HangUp ends the session with a peer, which is told that it is closed.
	HangUp(id string)
	// Bar refuses a peer from now on, and hangs up on it, telling it so;
	// Unbar takes that back.
	Bar(id string)
	Unbar(id string)
	// TellTwin ends the session with a peer, which is told that another process has its
	// identity, and that both live.
	TellTwin(id string)
	// BytesFar is how many bytes this host has sent to other sites; see
	// Wan.BytesFar. It is 0 where nothing tells sites apart: without a Wan.
	BytesFar() int64
	// Close says goodbye to every peer and frees everything. After it has
	// returned nothing of Events is called any more.
	Close() error
}

var _ Carrier = (*Host)(nil)

// Events are called by the carrier when something arrives. Every field may be
// nil. They are called on the carrier's goroutines, so they should hand over
// to the caller's own loop: a call that waits holds up what comes from that
// one peer (or topic), and nothing else. They may call Send, Publish, HangUp,
// Bar and Peers, but not Dial, SendBulk or Close, which wait.
//
// For one peer PeerUp, Frame and PeerDown come one after another: first PeerUp,
// then the frames in order, last PeerDown, then perhaps PeerUp again. Bulk runs
// beside them, for a peer whose session was up when the transfer began.
type Events struct {
	PeerUp   func(Up)
	PeerDown func(id string, how SessionEnd)
	// Frame is one frame. The bytes are valid until it returns.
	Frame func(id string, frame []byte)
	// Bulk is one verified large value. The bytes belong to the callee.
	Bulk func(id string, header, body []byte)
	// Message is one gossiped message; from is its signed author, which need
	// not be a peer with a session here. The bytes belong to the callee.
	Message func(topic, from string, data []byte)
	// Refused says that somebody was refused at the handshake, at most a few times
	// a second, for the log.
	Refused func(*DeniedError)
}

// Up describes a peer whose session has come up.
type Up struct {
	ID string
	// Process tells processes apart: each has another number, drawn when it started.
	Process uint64
	Hello   []byte   // the peer's Config.Hello, accepted by Config.Accept
	Addrs   []string // where the peer says that it can be dialled, at most AddrsMax
	// Dialled is true when this host made the connection.
	Dialled bool
}

// SessionEnd says how a session ended.
type SessionEnd int

const (
	// Closed: the other end said goodbye (Close, HangUp), or this one did.
	Closed SessionEnd = iota + 1
	// Reset: the connection broke. A killed process looks like this; so does
	// a connection that was replaced. Dial once more to know.
	Reset
	// Silent: the other end did not read or answer for seconds.
	Silent
	// Barred: the other end barred this host, or this one barred the other.
	Barred
	// Restarted: another process with the same identity took its place.
	Restarted
	// Faulty: the other end broke the protocol, such as a frame too long.
	Faulty
	// Twin: the other end met another process with this host's identity, and
	// both live. Where this host has said so itself it is Restarted.
	Twin
)

// String is the word for h.
func (h SessionEnd) String() string {
	switch h {
	case Closed:
		return "closed"
	case Reset:
		return "reset"
	case Silent:
		return "silent"
	case Barred:
		return "barred"
	case Restarted:
		return "restarted"
	case Twin:
		return "twin"
	case Faulty:
		return "faulty"
	}
	return "unknown"
}
