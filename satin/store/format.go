package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"io"
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
//	batch    header: magic, salt, place in the file, bytes of heads and of values, lifetime,
//	         digest of preface, header and heads, checksum
//	         heads, one for each value or deletion; a short value is in its head
//	         the other values, in the order of the heads
//
// All but values that are not short is under the digest of its batch, and these are under their
// own. The checksum is for skipping a batch that is damaged behind its header.
//
// Numbers are little-endian, so that a file means the same on any machine. In heads they are of
// seven bits a byte, the least ones first.
const (
	prefaceSize = 44
	headerSize  = 73

	checksumSize = 4
	summedSize   = headerSize - checksumSize // what of a header its checksum is of
	toldSize     = summedSize - len(Key{})   // what of it stands before its digest
)

// formatVersion changes with the form of the file: another version's files are kept, and not read.
const formatVersion = 3

var (
	prefaceMagic = []byte("satinrun")
	headerMagic  = []byte("\xf5btc")
	castagnoli   = crc32.MakeTable(crc32.Castagnoli)
	order        = binary.LittleEndian
)

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
	heads  int64 // bytes
	values int64 // bytes of those that are behind the heads
	digest Key
}

func (h header) size() int64 { return headerSize + h.heads + h.values }

// append writes a header of a file with that preface, whose digest is known.
func (h header) append(b []byte, p preface, place int64) []byte {
	at := len(b)
	b = append(h.appendTold(b, p, place), h.digest[:]...)
	return order.AppendUint32(b, crc32.Checksum(b[at:], castagnoli))
}

// appendTold writes what stands before the digest.
func (h header) appendTold(b []byte, p preface, place int64) []byte {
	b = appendHeaderMagic(b, p.salt)
	b = order.AppendUint64(b, uint64(place))
	b = order.AppendUint64(b, uint64(h.heads))
	b = order.AppendUint64(b, uint64(h.values))
	b = order.AppendUint64(b, uint64(h.written))
	b = order.AppendUint64(b, uint64(h.keep))
	if h.ended {
		return append(b, 1)
	}
	return append(b, 0)
}

// digestWith is what a header has as its digest when all is right.
func (h header) digestWith(p preface, place int64, heads []byte) Key {
	sum := sha256.New()
	sum.Write(h.appendTold(p.append(nil), p, place))
	sum.Write(heads)
	return Key(sum.Sum(nil)[:len(Key{})])
}

func appendHeaderMagic(b []byte, salt uint64) []byte {
	return order.AppendUint64(append(b, headerMagic...), salt)
}

// readHeader finds a header at a place, if there is one whose batch is whole. One that belongs
// elsewhere is none: an old batch is not taken for a later one, whatever moved it.
func readHeader(f io.ReaderAt, size, at int64, salt uint64) (h header, ok bool) {
	b, ok := readAt(f, size, at, headerSize)
	if !ok || !bytes.HasPrefix(b, appendHeaderMagic(nil, salt)) || order.Uint64(b[12:]) != uint64(at) ||
		crc32.Checksum(b[:summedSize], castagnoli) != order.Uint32(b[summedSize:]) {
		return h, false
	}
	h.heads = int64(order.Uint64(b[20:]))
	h.values = int64(order.Uint64(b[28:]))
	h.written = int64(order.Uint64(b[36:]))
	h.keep = time.Duration(order.Uint64(b[44:]))
	h.ended = b[52] == 1
	h.digest = Key(b[toldSize:])
	ok = h.written >= 0 && h.keep >= 0 && h.keep <= KeepMax && b[52] <= 1 &&
		h.heads >= 0 && h.heads <= size && h.values >= 0 && h.values <= size && at+h.size() <= size
	return h, ok
}

// readHeads finds the heads of a batch, if they are right and its values are as long as they say.
func readHeads(f io.ReaderAt, size, at int64, h header, p preface) (heads []byte, ok bool) {
	heads, ok = readAt(f, size, at+headerSize, h.heads)
	if !ok || h.digestWith(p, at, heads) != h.digest {
		return nil, false
	}
	r, values := headReader{left: heads}, int64(0)
	for r.more() {
		v, _ := r.next()
		values += v.behind()
	}
	return heads, !r.wrong && values == h.values
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
	if h.length = uint32(len(bytes)); !h.isShort() {
		h.digest = digestOf(bytes)
	}
	return value{h, bytes}
}

// batchSize is what a batch takes in a file.
func batchSize(values []value) int64 {
	n := headerSize + foundsSize(values)
	for _, v := range values {
		n += v.size()
	}
	return n
}

// foundsSize is what it takes of that to tell under what the results were found.
func foundsSize(values []value) (n int64) {
	var before found
	for _, v := range values {
		if v.isFoundAfter(before) {
			before = v.found
			n += foundSize
		}
	}
	return n
}

// appendHeads writes the heads of a batch.
func appendHeads(b []byte, values []value) []byte {
	var before found
	for _, v := range values {
		b = v.head.append(b, before, v.bytes)
		if v.isResult() {
			before = v.found
		}
	}
	return b
}

// writeBatch writes one that shall be at a place of a file with that preface.
func writeBatch(w io.Writer, p preface, place int64, t lifetime, values []value) error {
	heads := appendHeads(nil, values)
	h := header{lifetime: t, heads: int64(len(heads))}
	for _, v := range values {
		h.values += v.behind()
	}
	h.digest = h.digestWith(p, place, heads)
	if _, err := w.Write(append(h.append(nil, p, place), heads...)); err != nil {
		return err
	}
	for _, v := range values {
		if v.isShort() {
			continue
		}
		if _, err := w.Write(v.bytes); err != nil {
			return err
		}
	}
	return nil
}
