package p2p

import (
	"encoding/binary"
	"fmt"
	"io"
	"strings"
)

// A frame on the control stream is one byte of kind, three of length, and the
// payload. Its length is checked before anything of it is read. libp2p's go-msgio
// has lengths without kinds, and lends each message from a pool, to be given back.
const frameHeader = 4

const (
	kindFrame   = 0
	kindGoodbye = 1 // payload: one byte, the How that the other end is to see
	kindGuests  = 2 // payload: the ids that have a reservation at the sender, all of them
)

func appendFrame(b []byte, kind byte, payload []byte) []byte {
	if len(payload) > FrameMax {
		panic("p2p: BUG: a frame over the cap reached the writer")
	}
	b = binary.BigEndian.AppendUint32(b, uint32(kind)<<24|uint32(len(payload)))
	return append(b, payload...)
}

// frameReader reads frames into one buffer, which the next frame overwrites.
type frameReader struct {
	r   io.Reader
	buf []byte
}

func (f *frameReader) next() (kind byte, payload []byte, err error) {
	var head [frameHeader]byte
	if _, err := io.ReadFull(f.r, head[:]); err != nil {
		return 0, nil, err
	}
	h := binary.BigEndian.Uint32(head[:])
	kind, n := byte(h>>24), int(h&0xffffff)
	if kind > kindGuests || n > FrameMax {
		return 0, nil, fmt.Errorf("%w: frame of kind %d with %d bytes", errShort, kind, n)
	}
	if n > cap(f.buf) {
		f.buf = make([]byte, max(n, 4096))
	}
	payload = f.buf[:n]
	_, err = io.ReadFull(f.r, payload)
	return kind, payload, err
}

// streamOpening is the first message of a control stream and the answer to it.
type streamOpening struct {
	start  uint64 // drawn once by each process, tells a restart
	number uint64 // of the session, counted by the opener
	hello  []byte
	addrs  []string
}

// openingMax is the longest opening.
const openingMax = 16 + 2 + HelloMax + 1 + AddrsMax*(2+addrMax)

func (o streamOpening) append(b []byte) []byte {
	b = binary.BigEndian.AppendUint64(b, o.start)
	b = binary.BigEndian.AppendUint64(b, o.number)
	b = appendBlock(b, o.hello)
	b = append(b, byte(len(o.addrs)))
	for _, a := range o.addrs {
		b = appendBlock(b, a)
	}
	return b
}

func decodeOpening(b []byte) (streamOpening, error) {
	c := cursor{rest: b}
	o := streamOpening{start: c.uint64(), number: c.uint64(), hello: c.block(HelloMax)}
	n := int(c.uint8())
	if n > AddrsMax {
		return o, errShort
	}
	for range n {
		a := string(c.block(addrMax))
		if !isAddr(a) {
			return o, errShort
		}
		o.addrs = append(o.addrs, a)
	}
	return o, c.end()
}

// isAddr tells whether a text from outside can be an address that others may be given: a ticket
// holds no other.
func isAddr(a string) bool {
	return strings.HasPrefix(a, "/") && !strings.ContainsFunc(a, func(r rune) bool { return r <= ' ' || r >= 0x7f })
}

// writeBlock and readBlock carry one short message over a stream.
func writeBlock(w io.Writer, payload []byte) error {
	_, err := w.Write(appendBlock(nil, payload))
	return err
}

func readBlock(r io.Reader, limit int) ([]byte, error) {
	var head [2]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n := int(binary.BigEndian.Uint16(head[:]))
	if n > limit {
		return nil, errShort
	}
	b := make([]byte, n)
	_, err := io.ReadFull(r, b)
	return b, err
}
