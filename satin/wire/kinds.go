package wire

import (
	"fmt"

	"satingrid/membership"
	"satingrid/satin/peer"
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
	for _, b := range peer.Bodies() {
		number := b.Kind()
		c.bodies[number] = func(data []byte) (membership.Body, error) {
			return peer.Decode(number, decMode.Unmarshal, data)
		}
	}
	for _, k := range past {
		if c.bodies[k.number] != nil {
			panic(fmt.Sprintf("wire: BUG: two kinds of messages have the number %d", k.number))
		}
		c.bodies[k.number] = k.decode
	}
	return c
}

// Knows tells whether messages of that kind are decoded.
func (c *Codec) Knows(kind uint8) bool { return c.bodies[kind] != nil }
