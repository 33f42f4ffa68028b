package store

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
)

// kind is what a value is.
type kind uint8

// The kinds. A run has one value of each, but any number of results.
const (
	kindRoot kind = 1 + iota
	kindRecord
	kindBest
	kindResult
)

// shortMax is how long a value may be that stands in its head, whose batch has one digest for all
// of them. One that is longer has a digest of its own, and is lost alone when it is damaged.
const shortMax = 64

// head tells all of a value but its bytes, or also these where it is short: so a file is understood
// without what is behind its heads.
type head struct {
	kind     kind
	gone     bool // a deletion: it has no bytes
	choosing bool
	outcome  uint8
	cost     uint32
	length   uint32
	key      Key // a result's
	found        // a result's
	digest   Key // of a value that is not short
}

// found is under what a result was found. Mostly that is the same for many of them.
type found struct {
	best   Key     // what its maker held; zero: none
	verify float32 // the share of lent jobs that was verified
}

// compare orders what was found, that under nothing first.
func (f found) compare(g found) int {
	return cmp.Or(cmp.Compare(f.verify, g.verify), bytes.Compare(f.best[:], g.best[:]))
}

// foundSize is what it takes in the head of a result that was found under something else than the
// result before it in the batch.
const foundSize = 20

// A head begins with a byte: the kind in two bits, and flags.
const (
	flagGone     = 1 << (2 + iota)
	flagChoosing // the same as in [head]
	flagFound    // it is told under what the result was found
	kindBits     = flagGone - 1
	flagsAll     = kindBits | flagGone | flagChoosing | flagFound
)

// isShort tells whether the bytes are in the head.
func (h head) isShort() bool { return h.length <= shortMax }

// behind is how many bytes are behind the heads.
func (h head) behind() int64 {
	if h.isShort() {
		return 0
	}
	return int64(h.length)
}

// size is what it takes in a file, with its bytes, but without under what it was found.
func (h head) size() int64 {
	n := int64(1)
	if h.kind == kindResult {
		n += int64(len(h.key))
	}
	if h.gone {
		return n
	}
	if h.kind == kindResult {
		n += 1 + numberSize(h.cost)
	}
	n += numberSize(h.length) + int64(h.length)
	if !h.isShort() {
		n += int64(len(h.digest))
	}
	return n
}

// numberSize is what a number takes in a head.
func numberSize(n uint32) int64 {
	size := int64(1)
	for ; n >= 1<<7; n >>= 7 {
		size++
	}
	return size
}

// isFoundAfter tells whether it is to be told under what a result was found, behind one that was
// found under something.
func (h head) isFoundAfter(before found) bool {
	return h.kind == kindResult && !h.gone && h.found != before
}

// append writes a head, and the bytes of a short value.
func (h head) append(b []byte, before found, short []byte) []byte {
	first := byte(h.kind - kindRoot)
	if h.gone {
		first |= flagGone
	}
	if h.choosing {
		first |= flagChoosing
	}
	tells := h.isFoundAfter(before)
	if tells {
		first |= flagFound
	}
	b = append(b, first)
	if h.kind == kindResult {
		b = append(b, h.key[:]...)
	}
	if h.gone {
		return b
	}
	if tells {
		b = append(b, h.best[:]...)
		b = order.AppendUint32(b, math.Float32bits(h.verify))
	}
	if h.kind == kindResult {
		b = binary.AppendUvarint(append(b, h.outcome), uint64(h.cost))
	}
	b = binary.AppendUvarint(b, uint64(h.length))
	if h.isShort() {
		return append(b, short...)
	}
	return append(b, h.digest[:]...)
}

// headReader reads the heads of a batch, one after the other.
type headReader struct {
	left   []byte
	before found
	wrong  bool // something is there that append does not write
}

func (r *headReader) more() bool { return len(r.left) > 0 && !r.wrong }

// next is a head, and the bytes of a short value.
func (r *headReader) next() (h head, short []byte) {
	first := r.bytes(1)[0]
	h.kind = kindRoot + kind(first&kindBits)
	h.gone, h.choosing = first&flagGone != 0, first&flagChoosing != 0
	tells, isResult := first&flagFound != 0, h.kind == kindResult
	r.wrong = r.wrong || first&^flagsAll != 0 || (h.choosing || tells) && (h.gone || !isResult)
	if isResult {
		h.key = Key(r.bytes(len(h.key)))
	}
	if h.gone {
		return h, nil
	}
	if tells {
		was := r.before
		r.before.best = Key(r.bytes(len(was.best)))
		r.before.verify = math.Float32frombits(order.Uint32(r.bytes(4)))
		r.wrong = r.wrong || !isShare(r.before.verify) || r.before == was
	}
	if isResult {
		h.found = r.before
		h.outcome = r.bytes(1)[0]
		h.cost = r.number(math.MaxUint32)
	}
	if h.length = r.number(valueMax); h.isShort() {
		return h, r.bytes(int(h.length))
	}
	h.digest = Key(r.bytes(len(h.digest)))
	return h, nil
}

// bytes are the next ones: no more than a head has. Where they are not there they are zeros.
func (r *headReader) bytes(n int) []byte {
	if n > len(r.left) {
		r.left, r.wrong = nil, true
		return make([]byte, n)
	}
	b := r.left[:n:n]
	r.left = r.left[n:]
	return b
}

// number is the next one, in as few bytes as it takes.
func (r *headReader) number(most uint64) uint32 {
	n, size := binary.Uvarint(r.left)
	if size <= 0 || n > most || size > 1 && r.left[size-1] == 0 {
		r.left, r.wrong = nil, true
		return 0
	}
	r.left = r.left[size:]
	return uint32(n)
}

// isShare tells whether a number is from 0 to 1.
func isShare(x float32) bool { return x >= 0 && x <= 1 && !math.Signbit(float64(x)) }
