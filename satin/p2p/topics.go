package p2p

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"sync"
	"time"

	pubsub "github.com/libp2p/go-libp2p-pubsub"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/core/protocol"
	"golang.org/x/time/rate"
)

// topicName is what a topic may be called.
var topicName = regexp.MustCompile(`^/satin/[a-z0-9/.-]{1,100}$`)

// errFlood tells pubsub to drop what a peer sent.
var errFlood = errors.New("p2p: too many messages")

// topics is gossip. It loses messages silently when peers are slow or late:
// what must not be lost has another way to be repaired.
type topics struct {
	h         *Host
	ps        *pubsub.PubSub
	protocols []protocol.ID

	mu     sync.Mutex // protects what follows
	joined map[string]*topic

	rateMu sync.Mutex // protects rates
	rates  map[peer.ID]*rate.Limiter
}

type topic struct {
	*pubsub.Topic
	sub *pubsub.Subscription // nil when only published to
}

// The settings, found by measurement: pubsub's defaults lose more than half of
// a burst of 200 messages, and let a joiner wait a second for the first one.
func gossipParams() pubsub.GossipSubParams {
	p := pubsub.DefaultGossipSubParams()
	p.D, p.Dlo, p.Dhi, p.Dout = 6, 4, 12, 1
	p.HeartbeatInterval = 300 * time.Millisecond
	p.HeartbeatInitialDelay = 100 * time.Millisecond
	p.PruneBackoff = 5 * time.Second
	p.UnsubscribeBackoff = 5 * time.Second
	return p
}

const (
	gossipQueue  = 256  // messages that wait for one peer, and for validation
	gossipBuffer = 1024 // messages that wait for the subscriber
	gossipRPC    = 2*MessageMax + 16<<10
)

func newTopics(h *Host) (*topics, error) {
	t := &topics{h: h, joined: map[string]*topic{}, rates: map[peer.ID]*rate.Limiter{}}
	router := pubsub.DefaultGossipSubRouter(h.blank)
	t.protocols = pubsub.GossipSubDefaultProtocols
	var err error
	t.ps, err = pubsub.NewGossipSubWithRouter(h.ctx, h.blank, router,
		pubsub.WithGossipSubParams(gossipParams()),
		pubsub.WithFloodPublish(true),
		pubsub.WithPeerOutboundQueueSize(gossipQueue),
		pubsub.WithValidateQueueSize(gossipQueue),
		pubsub.WithMaxMessageSize(gossipRPC),
		pubsub.WithMessageSignaturePolicy(pubsub.StrictSign),
		pubsub.WithPeerFilter(func(id peer.ID, _ string) bool { return h.gate.refuses(id) == 0 }),
		pubsub.WithSubscriptionFilter(pubsub.WrapLimitSubscriptionFilter(
			pubsub.NewRegexpSubscriptionFilter(topicName), topicMax)),
		pubsub.WithAppSpecificRpcInspector(t.inspect),
	)
	if err != nil {
		return nil, fmt.Errorf("p2p: pubsub: %w", err)
	}
	return t, nil
}

// inspect holds each neighbour to a rate before signatures are checked.
func (t *topics) inspect(from peer.ID, rpc *pubsub.RPC) error {
	n := len(rpc.GetPublish())
	if n == 0 {
		return nil
	}
	t.rateMu.Lock()
	defer t.rateMu.Unlock()
	l := t.rates[from]
	if l == nil {
		if len(t.rates) >= pairsKept*t.h.cfg.PeersMax {
			clear(t.rates)
		}
		l = rate.NewLimiter(messagesPerSecond, messagesBurst)
		t.rates[from] = l
	}
	if !l.AllowN(time.Now(), n) {
		return errFlood
	}
	return nil
}

// validate drops what is too long, and what a barred peer signed and others
// passed on. A leaf keeps to itself what others signed.
func (t *topics) validate(_ context.Context, _ peer.ID, m *pubsub.Message) pubsub.ValidationResult {
	if len(m.GetData()) > MessageMax || m.GetFrom() != t.h.id.pid && t.h.gate.refuses(m.GetFrom()) != 0 {
		return pubsub.ValidationReject
	}
	m.Local = t.h.cfg.Leaf && m.GetFrom() != t.h.id.pid
	return pubsub.ValidationAccept
}

// join finds or joins a topic. The caller holds mu.
func (t *topics) join(name string) (*topic, error) {
	if x := t.joined[name]; x != nil {
		return x, nil
	}
	if t.h.closed() {
		return nil, ErrClosed
	}
	if !topicName.MatchString(name) || len(t.joined) >= topicMax {
		return nil, fmt.Errorf("p2p: topic %q: a name is %s, and a host follows at most %d", name, topicName, topicMax)
	}
	err := t.ps.RegisterTopicValidator(name, t.validate, pubsub.WithValidatorInline(true))
	if err != nil {
		return nil, fmt.Errorf("p2p: topic %s: %w", name, err)
	}
	joined, err := t.ps.Join(name)
	if err != nil {
		return nil, fmt.Errorf("p2p: topic %s: %w", name, err)
	}
	x := &topic{Topic: joined}
	t.joined[name] = x
	return x, nil
}

// Subscribe asks for the messages of a topic, such as /satin/best.
func (h *Host) Subscribe(name string) error {
	t := h.topics
	t.mu.Lock()
	defer t.mu.Unlock()
	x, err := t.join(name)
	if err != nil || x.sub != nil {
		return err
	}
	sub, err := x.Subscribe(pubsub.WithBufferSize(gossipBuffer))
	if err != nil {
		return fmt.Errorf("p2p: subscribe to %s: %w", name, err)
	}
	x.sub = sub
	if !h.goroutines.run(func() { t.pass(name, sub) }) {
		return ErrClosed
	}
	return nil
}

// pass tells the caller what comes on a topic until the host closes.
func (t *topics) pass(name string, sub *pubsub.Subscription) {
	for {
		m, err := sub.Next(t.h.ctx)
		if err != nil {
			return
		}
		if m.GetFrom() == t.h.id.pid {
			continue
		}
		t.h.count.messages.Add(1)
		if f := t.h.events.Message; f != nil {
			f(name, m.GetFrom().String(), m.GetData())
		}
	}
}

// Publish gossips a message of at most MessageMax bytes.
func (h *Host) Publish(name string, data []byte) error {
	if len(data) > MessageMax {
		return ErrTooBig
	}
	t := h.topics
	t.mu.Lock()
	x, err := t.join(name)
	t.mu.Unlock()
	if err != nil {
		return err
	}
	if err := x.Publish(h.ctx, data); err != nil {
		if h.closed() {
			return ErrClosed
		}
		return fmt.Errorf("p2p: publish on %s: %w", name, err)
	}
	return nil
}

// close ends the subscriptions; pubsub itself ends with the host's context.
func (t *topics) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, x := range t.joined {
		if x.sub != nil {
			x.sub.Cancel()
		}
	}
}
