package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"io"
	"math"
	"time"
)

// Key names a run, or a value within a run; it is also a digest of bytes, SHA-256 cut to 16.
type Key [16]byte

// String is the key in hexadecimal.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// digestOf is what a value is compared with whenever it is read.
func digestOf(value []byte) Key {
	sum := sha256.Sum256(value)
	return Key(sum[:len(Key{})])
}

// A run's file is a preface and, after it, batches, each written by one call:
//
//	preface  magic, version, length of the build, run key, salt, checksum; the build
//	batch    header: magic, salt, place in the file, heads, terms, bytes of values, checksums
//	         heads, one for each value or deletion
//	         the values, in the order of the heads
//
// Numbers are little-endian, so that a file means the same on any machine.
const (
	prefaceSize = 44
	headerSize  = 60
	headSize    = 64
)

// formatVersion changes with the form of the file: another version's files are kept, and not read.
const formatVersion = 2

var (
	prefaceMagic = []byte("satinrun")
	headerMagic  = []byte("\xf5btc")
	castagnoli   = crc32.MakeTable(crc32.Castagnoli)
	order        = binary.LittleEndian
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

// head tells all of a value but its bytes, so that a file is understood without them.
type head struct {
	kind     kind
	gone     bool // a deletion: it has no bytes
	choosing bool
	outcome  uint8
	cost     uint32
	length   uint32
	key      Key // a result's
	best     Key // what the maker of a result held; zero: none
	verify   float32
	digest   Key
}

const (
	flagChoosing = 1 << iota
	flagGone
	flagsAll = flagChoosing | flagGone
)

func (h head) append(b []byte) []byte {
	var flags byte
	if h.choosing {
		flags |= flagChoosing
	}
	if h.gone {
		flags |= flagGone
	}
	b = append(b, byte(h.kind), h.outcome, flags, 0)
	b = order.AppendUint32(b, h.cost)
	b = order.AppendUint32(b, h.length)
	b = order.AppendUint32(b, math.Float32bits(h.verify))
	b = append(b, h.key[:]...)
	b = append(b, h.best[:]...)
	return append(b, h.digest[:]...)
}

// size is what it takes in a file, with its bytes.
func (h head) size() int64 { return headSize + int64(h.length) }

// parseHead refuses what append does not write.
func parseHead(b []byte) (head, bool) {
	h := head{
		kind: kind(b[0]), outcome: b[1], choosing: b[2]&flagChoosing != 0, gone: b[2]&flagGone != 0,
		cost: order.Uint32(b[4:]), length: order.Uint32(b[8:]),
		key: Key(b[16:]), best: Key(b[32:]), digest: Key(b[48:]), verify: math.Float32frombits(order.Uint32(b[12:])),
	}
	ok := h.kind >= kindRoot && h.kind <= kindResult && b[2]&^flagsAll == 0 && b[3] == 0 &&
		isShare(h.verify) && !(h.gone && h.length > 0) && h.length <= valueMax
	return h, ok
}

// isShare tells whether a number is from 0 to 1.
func isShare(x float32) bool { return x >= 0 && x <= 1 && !math.Signbit(float64(x)) }

// preface says whose file it is. The salt is drawn for each file: nobody's value can look like a
// batch of it.
type preface struct {
	run   Key
	build string
	salt  uint64
}

func (p preface) size() int64 { return prefaceSize + int64(len(p.build)) }

func (p preface) append(b []byte) []byte {
	at := len(b)
	b = append(b, prefaceMagic...)
	b = order.AppendUint32(b, formatVersion)
	b = order.AppendUint32(b, uint32(len(p.build)))
	b = append(b, p.run[:]...)
	b = order.AppendUint64(b, p.salt)
	sum := crc32.Update(crc32.Checksum(b[at:], castagnoli), castagnoli, []byte(p.build))
	b = order.AppendUint32(b, sum)
	return append(b, p.build...)
}

func readPreface(f io.ReaderAt, size int64) (preface, bool) {
	p, version, ok := anyPreface(f, size)
	return p, ok && version == formatVersion
}

// anyPreface reads one of any version: what follows it may differ, but not what it is itself.
func anyPreface(f io.ReaderAt, size int64) (p preface, version uint32, ok bool) {
	b, ok := readAt(f, size, 0, prefaceSize)
	if !ok || !bytes.HasPrefix(b, prefaceMagic) {
		return p, 0, false
	}
	long := order.Uint32(b[12:])
	if long > buildBytesMax {
		return p, 0, false
	}
	build, ok := readAt(f, size, prefaceSize, int64(long))
	if !ok || crc32.Update(crc32.Checksum(b[:40], castagnoli), castagnoli, build) != order.Uint32(b[40:]) {
		return p, 0, false
	}
	return preface{run: Key(b[16:]), build: string(build), salt: order.Uint64(b[32:])}, order.Uint32(b[8:]), true
}

// isOtherForm tells whether a file is a run's in the form of another version.
func isOtherForm(f io.ReaderAt, size int64) bool {
	_, version, ok := anyPreface(f, size)
	return ok && version != formatVersion
}

// lifetime is that of a run as of a batch; the last batch's are the run's.
type lifetime struct {
	written int64 // nanoseconds of wall-clock time, the largest that was seen
	keep    time.Duration
	ended   bool
}

func (t lifetime) until() int64 { return t.written + int64(t.keep) }

// header begins a batch.
type header struct {
	lifetime
	heads    int
	values   int64  // bytes
	headsSum uint32 // checksum
}

func (h header) size() int64 { return headerSize + int64(h.heads)*headSize + h.values }

func (h header) append(b []byte, salt uint64, place int64) []byte {
	at := len(b)
	b = appendHeaderMagic(b, salt)
	b = order.AppendUint64(b, uint64(place))
	b = order.AppendUint32(b, uint32(h.heads))
	b = order.AppendUint64(b, uint64(h.written))
	b = order.AppendUint64(b, uint64(h.keep))
	b = order.AppendUint64(b, uint64(h.values))
	var flags uint32
	if h.ended {
		flags = 1
	}
	b = order.AppendUint32(b, flags)
	b = order.AppendUint32(b, h.headsSum)
	return order.AppendUint32(b, crc32.Checksum(b[at:], castagnoli))
}

func appendHeaderMagic(b []byte, salt uint64) []byte {
	return order.AppendUint64(append(b, headerMagic...), salt)
}

// readHeader finds a header at a place, if there is one whose batch is whole. One that belongs
// elsewhere is none: an old batch is not taken for a later one, whatever moved it.
func readHeader(f io.ReaderAt, size, at int64, salt uint64) (h header, ok bool) {
	b, ok := readAt(f, size, at, headerSize)
	if !ok || !bytes.HasPrefix(b, appendHeaderMagic(nil, salt)) || order.Uint64(b[12:]) != uint64(at) ||
		crc32.Checksum(b[:56], castagnoli) != order.Uint32(b[56:]) {
		return h, false
	}
	h.heads = int(order.Uint32(b[20:]))
	h.written = int64(order.Uint64(b[24:]))
	h.keep = time.Duration(order.Uint64(b[32:]))
	h.values = int64(order.Uint64(b[40:]))
	h.ended = order.Uint32(b[48:]) == 1
	h.headsSum = order.Uint32(b[52:])
	ok = h.written >= 0 && h.keep >= 0 && h.keep <= KeepMax && h.values >= 0 && h.values <= size &&
		int64(h.heads) <= size/headSize && at+h.size() <= size
	return h, ok
}

// readHeads finds the heads of a batch, if they are right and its values are as long as they say.
func readHeads(f io.ReaderAt, size, at int64, h header) (heads []head, ok bool) {
	b, ok := readAt(f, size, at+headerSize, int64(h.heads)*headSize)
	if !ok || crc32.Checksum(b, castagnoli) != h.headsSum {
		return nil, false
	}
	heads = make([]head, h.heads)
	values := int64(0)
	for i := range heads {
		if heads[i], ok = parseHead(b[i*headSize:]); !ok {
			return nil, false
		}
		values += int64(heads[i].length)
	}
	return heads, values == h.values
}

// readAt reads so many bytes, if the file has them: a length that somebody made up takes no memory.
func readAt(f io.ReaderAt, size, at, n int64) ([]byte, bool) {
	if at < 0 || n < 0 || at > size || n > size-at {
		return nil, false
	}
	b := make([]byte, n)
	if _, err := f.ReadAt(b, at); err != nil && (err != io.EOF || at+n != size) {
		return nil, false
	}
	return b, true
}

// value is what a batch says of one: its head and its bytes, of which a deletion has none.
type value struct {
	head
	bytes []byte
}

// isResult tells whether it is a result, which may go to make room.
func (v value) isResult() bool { return v.kind == kindResult && !v.gone }

// newValue completes a head by what its bytes tell.
func newValue(h head, bytes []byte) value {
	h.length, h.digest = uint32(len(bytes)), digestOf(bytes)
	return value{h, bytes}
}

// batchSize is what a batch takes in a file.
func batchSize(values []value) int64 {
	n := int64(headerSize)
	for _, v := range values {
		n += v.size()
	}
	return n
}

// writeBatch writes one that shall be at a place.
func writeBatch(w io.Writer, salt uint64, place int64, t lifetime, values []value) error {
	h := header{lifetime: t, heads: len(values)}
	heads := make([]byte, 0, len(values)*headSize)
	for _, v := range values {
		heads = v.head.append(heads)
		h.values += int64(v.length)
	}
	h.headsSum = crc32.Checksum(heads, castagnoli)
	if _, err := w.Write(append(h.append(nil, salt, place), heads...)); err != nil {
		return err
	}
	for _, v := range values {
		if _, err := w.Write(v.bytes); err != nil {
			return err
		}
	}
	return nil
}
