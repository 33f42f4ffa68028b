package control

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"satingrid/membership"
	"satingrid/satin/control/driver"
	"satingrid/satin/peer"
	"satingrid/satin/wire"
)

// framesMax bounds the messages that wait for the loop. Beyond, the carrier's readers wait, each
// for its own peer.
const framesMax = 256

// warnEvery bounds how often the log says that a peer cannot be understood.
const warnEvery = time.Second

// messages reads what peers say.
var messages = wire.NewCodec()

// arrival is a message that came in.
type arrival struct {
	from    membership.PeerID
	message peer.Message
	client  bool // it has proved to be one, at the handshake of its session
}

// incoming is what comes from other hosts. The carrier's goroutines bring it.
type incoming struct {
	ctx      context.Context // ends with the loop
	conf     *Config
	frames   chan arrival // messages, bounded: a full one holds up the carrier
	clients  sync.Map     // of the hosts with a session: those that are clients
	promised atomic.Int64 // bytes of a result of the runs that are known
	warned   atomic.Int64 // until when nothing is said of messages that cannot be read

	mu     sync.Mutex // protects limits
	limits driver.RateLimits
}

func newIncoming(ctx context.Context, c *Config) *incoming {
	return &incoming{ctx: ctx, conf: c, frames: make(chan arrival, framesMax)}
}

// up hears that a session stands, before anything comes through it.
func (i *incoming) up(id string, client bool) {
	if client {
		i.clients.Store(id, true)
	}
}

// down hears that a session has ended.
func (i *incoming) down(id string) { i.clients.Delete(id) }

// promise notes how large a result may be that a run here was promised.
func (i *incoming) promise(bytes uint32) {
	i.promised.Store(max(i.promised.Load(), int64(bytes)))
}

// bulkFrom is how long a message may be that comes from a peer, if that is more than this one was
// told: what a run was promised when it was submitted, every member carries. The outcome of a run
// must not be whose jobs went where. Clients bring roots, which have a bound of their own.
func (i *incoming) bulkFrom(id string) int64 {
	if _, client := i.clients.Load(id); client {
		return 0
	}
	return i.promised.Load() + driver.BulkAbove
}

// receive decodes what came in and queues it, and tells whether to go on with the session that it
// came by: whoever sends what cannot be decoded is hung up on, and whoever sends too much waits.
func (i *incoming) receive(from string, data []byte, session bool) (goOn bool) {
	i.conf.watch("decode a message", nil, len(data))
	m, err := messages.Decode(data)
	if err != nil {
		if !session || errors.Is(err, wire.ErrKind) {
			return true
		}
		i.warn(from, err)
		return false
	}
	if session {
		sleep(i.ctx, i.conf.Clock, i.wait(membership.PeerID(from), m.Body, len(data)))
	}
	_, client := i.clients.Load(from)
	select {
	case i.frames <- arrival{membership.PeerID(from), m, client}:
	case <-i.ctx.Done():
	}
	return true
}

// wait is for how long whoever has said too much is held up: the reader of its session, so that in
// the end the other side waits.
func (i *incoming) wait(from membership.PeerID, b membership.Body, size int) time.Duration {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.limits.Wait(i.conf.Clock.Now(), from, b, size)
}

// warn says, now and then, that a peer cannot be understood.
func (i *incoming) warn(from string, err error) {
	now := int64(i.conf.Clock.Now())
	last := i.warned.Load()
	if now > last && i.warned.CompareAndSwap(last, now+int64(warnEvery)) {
		i.conf.log().Warn("a peer sent what cannot be read, and was hung up on",
			"peer", from, "error", err)
	}
}
