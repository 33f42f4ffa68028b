package wire

import (
	"encoding/binary"
	"errors"
	"math"

	"satingrid/membership"
)

// ErrHeader is why bytes are refused that do not begin as a message does.
var ErrHeader = errors.New("wire: not a message: it does not begin with its kind and two lives")

// Header is what a message says before its body: the kind of that, who says it in
// which life, and to which.
type Header struct {
	Kind     uint8
	From, To membership.Incarnation
}

// The beginnings of CBOR arrays, and where the numbers end that are their own heads.
const (
	arrayOf    = 0x80
	messageHas = 4
	lifeHas    = 3
	// smaller numbers take no more bytes; 24 to 27 say that 1, 2, 4 or 8 follow
	byItself    = 24
	bytesLogMax = 3
)

// append writes the head, which the body is to follow. It is done by hand, as in [Split].
func (h Header) append(to []byte) []byte {
	to = appendNumber(append(to, arrayOf|messageHas), uint64(h.Kind))
	for _, life := range [...]membership.Incarnation{h.From, h.To} {
		to = append(to, arrayOf|lifeHas)
		for _, n := range [...]uint64{life.Join, life.Rejoin, life.Random} {
			to = appendNumber(to, n)
		}
	}
	return to
}

// appendNumber writes an unsigned number in as few bytes as there are.
func appendNumber(to []byte, n uint64) []byte {
	switch {
	case n < byItself:
		return append(to, byte(n))
	case n <= math.MaxUint8:
		return append(to, byItself, byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(to, byItself+1), uint16(n))
	case n <= math.MaxUint32:
		return binary.BigEndian.AppendUint32(append(to, byItself+2), uint32(n))
	}
	return binary.BigEndian.AppendUint64(append(to, byItself+bytesLogMax), n)
}

// Split reads a message's head, and gives the bytes of its body as they lie in data. It is done by
// hand: the library would look through each body twice, and copy it, to find seven numbers.
func Split(data []byte) (Header, []byte, error) {
	r := numbers{rest: data}
	r.array(messageHas)
	kind := r.next()
	head := Header{Kind: uint8(kind), From: r.life(), To: r.life()}
	if r.bad || kind > 0xff {
		return Header{}, nil, ErrHeader
	}
	return head, r.rest, nil
}

// numbers reads arrays of unsigned numbers.
type numbers struct {
	rest []byte
	bad  bool
}

func (r *numbers) byte() byte {
	if len(r.rest) == 0 {
		r.bad = true
		return 0
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b
}

func (r *numbers) array(has byte) {
	if r.byte() != arrayOf|has {
		r.bad = true
	}
}

func (r *numbers) next() uint64 {
	b := r.byte()
	if b < byItself {
		return uint64(b)
	}
	if b > byItself+bytesLogMax || len(r.rest) < 1<<(b-byItself) {
		r.bad = true
		return 0
	}
	var word [8]byte
	n := 1 << (b - byItself)
	copy(word[len(word)-n:], r.rest)
	r.rest = r.rest[n:]
	return binary.BigEndian.Uint64(word[:])
}

func (r *numbers) life() membership.Incarnation {
	r.array(lifeHas)
	return membership.Incarnation{Join: r.next(), Rejoin: r.next(), Random: r.next()}
}
