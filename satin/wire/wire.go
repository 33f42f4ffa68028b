// Package wire is the codec of messages, without a carrier: what makes bytes of a [peer.Message],
// and reads them again. What ships and the simulator encode with it alike.
//
// A message is a CBOR array of four: the kind of its body, who says it in which life, to which
// life, and the body. [Encode] writes one, RFC 8949 core deterministic, and a [Writer] many. A
// [Codec] reads those of the kinds that it knows, strictly: duplicate keys, indefinite
// lengths, tags and unknown fields are refused, and so is what is nested deeper or has more
// elements than any message.
//
// # Limitations
//
// A codec bounds elements, not bytes: whoever carries messages bounds their length
// before they are decoded.
package wire

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/fxamacker/cbor/v2"

	"satingrid/membership"
	"satingrid/satin/peer"
)

// Version is compared in the first message of a connection: peers that speak another are refused.
const Version = 2

const (
	// NestingMax is how many levels of arrays, maps and structs a message, a task
	// or a result may have.
	NestingMax = 16

	// elementsMax bounds each array of a message: the longest is a snapshot's list of
	// members or tombstones.
	elementsMax = 1 << 16
)

var (
	encMode = Must(cbor.CoreDetEncOptions().UserBufferEncMode())
	decMode = Must(Strict(elementsMax).DecMode())
)

// Strict are the options of a decoder that refuses what a deterministic encoder would not have
// written, and arrays and maps of more than so many elements.
func Strict(elements int) cbor.DecOptions {
	return cbor.DecOptions{
		DupMapKey:         cbor.DupMapKeyEnforcedAPF,
		IndefLength:       cbor.IndefLengthForbidden,
		TagsMd:            cbor.TagsForbidden,
		ExtraReturnErrors: cbor.ExtraDecErrorUnknownField,
		MaxNestedLevels:   NestingMax,
		MaxArrayElements:  elements,
		MaxMapPairs:       elements,
		FieldNameMatching: cbor.FieldNameMatchingCaseSensitive,
	}
}

// Must returns a mode of encoding or decoding whose options are sound.
func Must[M any](mode M, err error) M {
	if err != nil {
		panic(fmt.Sprintf("wire: BUG: CBOR options: %v", err))
	}
	return mode
}

// Encode makes a message's bytes.
func Encode(m peer.Message) ([]byte, error) { return new(Writer).Encode(m) }

// Writer makes the bytes of one message after another in the same memory.
type Writer struct{ buffer bytes.Buffer }

// Encode makes a message's bytes, which are valid until the next call.
func (w *Writer) Encode(m peer.Message) ([]byte, error) {
	head := Header{Kind: m.Body.Kind(), From: m.From, To: m.To}
	w.buffer.Reset()
	w.buffer.Write(head.append(w.buffer.AvailableBuffer()))
	if err := encMode.MarshalToBuffer(m.Body, &w.buffer); err != nil {
		return nil, fmt.Errorf("wire: encode %T: %w", m.Body, err)
	}
	return w.buffer.Bytes(), nil
}

// ErrKind is why a message of a kind that a [Codec] does not know is refused.
var ErrKind = errors.New("wire: a message of a kind that this version does not know")

// Decode reads a message. Its length was bounded by the carrier; nothing in it is trusted.
func (c *Codec) Decode(data []byte) (peer.Message, error) {
	head, bytes, err := Split(data)
	if err != nil {
		return peer.Message{}, err
	}
	body, err := c.Body(head.Kind, bytes)
	if err != nil {
		return peer.Message{}, err
	}
	return peer.Message{From: head.From, To: head.To, Body: body}, nil
}

// Body reads the body of a message of that kind, as [Split] found it.
func (c *Codec) Body(kind uint8, data []byte) (membership.Body, error) {
	decode := c.bodies[kind]
	if decode == nil {
		return nil, ErrKind
	}
	body, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("wire: a message of kind %d: %w", kind, err)
	}
	return body, nil
}
