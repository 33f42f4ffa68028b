package gridsim

import (
	"bytes"
	"time"

	"satingrid/membership"
	"satingrid/satin/control/driver"
	"satingrid/satin/peer"
	"satingrid/satin/wire"
)

// packet is a message as it came out of the codec, and what it took on the wire.
type packet struct {
	message   peer.Message
	frame     []byte
	bytes     int
	published bool     // it comes by no session
	by        *session // the one by which it comes
	// it is long, and has come, or never will; nil: it is not, or nobody waits for that
	over func(up bool)
}

// packets makes messages into bytes and reads them again, by the codec that ships.
type packets struct {
	opts     *Options
	finds    func(checker, format string, args ...any)
	writer   wire.Writer
	block    []byte // of the latest frames
	readings readings
	beats    map[[2]membership.Incarnation]packet // heartbeats between two lives …
	beat     packet                               // … and the latest, which is sent next
}

// encode makes a message's bytes. What the codec refuses is a finding.
func (k *packets) encode(from *host, m peer.Message) []byte {
	if m.Body.Kind() == membership.KindHeartbeat {
		// most messages are, and they say nothing else
		if p, ok := k.beats[[2]membership.Incarnation{m.From, m.To}]; ok {
			k.beat = p
			return p.frame
		}
	}
	data, err := k.writer.Encode(m)
	if err != nil {
		k.finds("codec", "%s: %v", from.id, err)
	}
	return k.frame(data)
}

// blockBytes is the room that many frames share, so that few are a piece of memory of their own.
const blockBytes = 32 << 10

// frame keeps the bytes of a message.
func (k *packets) frame(data []byte) []byte {
	if len(k.block)+len(data) > cap(k.block) {
		k.block = make([]byte, 0, max(blockBytes, len(data)))
	}
	at := len(k.block)
	k.block = append(k.block, data...)
	return k.block[at:len(k.block):len(k.block)]
}

// unpack reads a frame that a host sends, at once: it would say the same on arrival, to each
// receiver. What nobody can read is a finding.
func (k *packets) unpack(from *host, frame []byte) (packet, bool) {
	if b := k.beat.frame; len(b) > 0 && &b[0] == &frame[0] {
		from.takes(messageTakes)
		return k.beat, true
	}
	head, _, err := wire.Split(frame)
	switch {
	case err != nil:
		k.finds("codec", "%s sends what nobody can read: %v", from.id, err)
		return packet{}, false
	case !k.opts.carries(head.Kind):
		return packet{}, false
	case head.Kind != membership.KindHeartbeat:
		return k.read(from, frame)
	}
	lives := [2]membership.Incarnation{head.From, head.To}
	from.takes(messageTakes)
	p, ok := k.beats[lives]
	if !ok {
		p, ok = k.read(from, frame)
		k.beats[lives] = p
	}
	return p, ok
}

func (k *packets) read(from *host, frame []byte) (p packet, ok bool) {
	from.takes(messageTakes + time.Duration(min(len(frame), driver.BulkAbove))*byteTakes)
	m, err := k.readings.decode(frame)
	if err != nil {
		k.finds("codec", "%s sends what nobody can read: %v", from.id, err)
		return packet{}, false
	}
	if k.opts.CheckAll {
		k.checkCodec(from, m, frame)
	}
	return packet{message: m, frame: frame, bytes: len(frame)}, true
}

// checkCodec sees that what was read has the bytes that it was read from: nothing of the message
// was lost on the way.
func (k *packets) checkCodec(from *host, m peer.Message, data []byte) {
	again, err := wire.Encode(m)
	if err != nil || !bytes.Equal(again, data) {
		k.finds("codec", "%s sends a %T that is read as another: %v", from.id, m.Body, err)
	}
}
