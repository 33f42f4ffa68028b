package wire

import (
	"fmt"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// Codec decodes each kind of message into its own type.
type Codec struct{ bodies [256]decoder }

type decoder func([]byte) (membership.Body, error)

// Kind is one kind of message.
type Kind struct {
	number uint8
	decode decoder
}

// KindOf is the kind of messages with that body.
func KindOf[B membership.Body]() Kind {
	var b B
	return Kind{b.Kind(), bodyOf[B]}
}

func bodyOf[B membership.Body](data []byte) (membership.Body, error) {
	var b B
	err := decMode.Unmarshal(data, &b)
	return b, err
}

// NewCodec makes a codec for what machines say to each other, and what is said past them.
func NewCodec(past ...Kind) *Codec {
	c := new(Codec)
	for _, all := range [][]Kind{machines, past} {
		for _, k := range all {
			if c.bodies[k.number] != nil {
				panic(fmt.Sprintf("wire: BUG: two kinds of messages have the number %d", k.number))
			}
			c.bodies[k.number] = k.decode
		}
	}
	return c
}

// Knows tells whether messages of that kind are decoded.
func (c *Codec) Knows(kind uint8) bool { return c.bodies[kind] != nil }

// machines are the kinds of [peer.Bodies].
var machines = []Kind{
	KindOf[membership.Heartbeat](),
	KindOf[membership.Hello](),
	KindOf[membership.Gone](),
	KindOf[membership.Ping](),
	KindOf[membership.Pong](),
	KindOf[membership.PingFor](),
	KindOf[membership.Alive](),
	KindOf[membership.Refused](),
	KindOf[membership.Who](),
	KindOf[membership.Barred](),
	KindOf[steal.Ask](),
	KindOf[steal.Nothing](),
	KindOf[steal.Wake](),
	KindOf[steal.Lend](),
	KindOf[steal.Return](),
	KindOf[steal.Returned](),
	KindOf[steal.Withdraw](),
	KindOf[steal.Probe](),
	KindOf[steal.Held](),
	KindOf[peer.Pull](),
	KindOf[peer.Snapshot](),
	KindOf[peer.Digest](),
	KindOf[peer.Fetch](),
	KindOf[peer.Record](),
	KindOf[peer.Submit](),
	KindOf[peer.Accepted](),
	KindOf[peer.NeedRoot](),
	KindOf[peer.Answer](),
	KindOf[peer.Ended](),
	KindOf[peer.Fail](),
	KindOf[peer.WantBest](),
	KindOf[peer.BestIs](),
	KindOf[peer.HaveBest](),
	KindOf[peer.Keep](),
	KindOf[peer.Kept](),
	KindOf[orphan.Advert](),
	KindOf[orphan.Versions](),
	KindOf[orphan.WantList](),
	KindOf[orphan.List](),
	KindOf[orphan.WantResult](),
	KindOf[orphan.ResultIs](),
	KindOf[orphan.Copy](),
	KindOf[orphan.Copied](),
	KindOf[orphan.Uncovered](),
	KindOf[orphan.Covered](),
	KindOf[orphan.Will](),
	KindOf[orphan.Willed](),
	KindOf[peer.Follow](),
	KindOf[peer.Contest](),
	KindOf[peer.Wanted](),
	KindOf[peer.Facts](),
	KindOf[peer.Full](),
	KindOf[peer.Whereabouts](),
	KindOf[peer.Order](),
	KindOf[peer.Late](),
	KindOf[peer.Progress](),
}
