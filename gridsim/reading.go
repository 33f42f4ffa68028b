package gridsim

import (
	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/satin/wire"
)

// messages reads what peers say, as what ships does.
var messages = wire.NewCodec()

// readingsBytes bounds what is remembered of what was read.
const readingsBytes = 4 << 20

// readings are bodies by the bytes that they were read from. Nine of ten that peers send have been
// sent before, to others or in another life, and reading is where a simulation would spend its
// time. What comes from equal bytes is equal, and read-only for all who receive it.
type readings struct {
	all   [256]map[string]membership.Body
	bytes int
}

func (r *readings) decode(data []byte) (peer.Message, error) {
	head, bytes, err := wire.Split(data)
	if err != nil {
		return peer.Message{}, err
	}
	body, ok := r.all[head.Kind][string(bytes)]
	if !ok {
		if body, err = messages.Body(head.Kind, bytes); err != nil {
			return peer.Message{}, err
		}
		r.keep(head.Kind, bytes, body)
	}
	return peer.Message{From: head.From, To: head.To, Body: body}, nil
}

func (r *readings) keep(kind uint8, bytes []byte, body membership.Body) {
	if r.bytes += len(bytes); r.bytes > readingsBytes {
		*r = readings{bytes: len(bytes)}
	}
	if r.all[kind] == nil {
		r.all[kind] = map[string]membership.Body{}
	}
	r.all[kind][string(bytes)] = body
}
