package wire

import (
	"satingrid/membership"
	"satingrid/satin/peer"
)

// Codec decodes each kind of message into its own type.
type Codec struct{ bodies [256]decoder }

type decoder func([]byte) (membership.Body, error)

// NewCodec makes a codec for what peers say to each other.
func NewCodec() *Codec {
	c := new(Codec)
	for _, b := range peer.Bodies() {
		number := b.Kind()
		c.bodies[number] = func(data []byte) (membership.Body, error) {
			return peer.Decode(number, decMode.Unmarshal, data)
		}
	}
	return c
}

// Knows tells whether messages of that kind are decoded.
func (c *Codec) Knows(kind uint8) bool { return c.bodies[kind] != nil }
