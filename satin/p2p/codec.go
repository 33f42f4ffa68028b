package p2p

import (
	"encoding/binary"
	"errors"
)

// errShort says that a message ended early, or said that it is longer than
// it may be, or has bytes left over.
var errShort = errors.New("p2p: malformed message")

// cursor reads fixed fields from bytes that a stranger wrote. After the first
// fault every read returns zero, so callers check once, at the end.
type cursor struct {
	rest []byte
	bad  bool
}

func (c *cursor) bytes(n int) []byte {
	if c.bad || n < 0 || n > len(c.rest) {
		c.bad = true
		return nil
	}
	b := c.rest[:n]
	c.rest = c.rest[n:]
	return b
}

func (c *cursor) uint8() uint8 {
	if b := c.bytes(1); b != nil {
		return b[0]
	}
	return 0
}

func (c *cursor) uint16() uint16 {
	if b := c.bytes(2); b != nil {
		return binary.BigEndian.Uint16(b)
	}
	return 0
}

func (c *cursor) uint64() uint64 {
	if b := c.bytes(8); b != nil {
		return binary.BigEndian.Uint64(b)
	}
	return 0
}

// block reads a length of two bytes and as many bytes, at most limit.
func (c *cursor) block(limit int) []byte {
	n := int(c.uint16())
	if n > limit {
		c.bad = true
	}
	return c.bytes(n)
}

// end reports a fault, or bytes that nobody asked for.
func (c *cursor) end() error {
	if c.bad || len(c.rest) > 0 {
		return errShort
	}
	return nil
}

// appendBlock writes what block reads.
func appendBlock[T string | []byte](b []byte, block T) []byte {
	if len(block) > 0xffff {
		panic("p2p: BUG: a block over 64 KiB")
	}
	b = binary.BigEndian.AppendUint16(b, uint16(len(block)))
	return append(b, block...)
}
