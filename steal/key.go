package steal

import (
	"crypto/sha256"
	"encoding/hex"
)

// Key is the identity of a value: a digest of what is computed. Two jobs with one key compute one
// value, so that sharing it is right across parents, restarts and partitions.
type Key [16]byte

// KeyOf digests canonical bytes: SHA-256, cut to 16 bytes. It costs about 100 ns for short input.
func KeyOf(canonical []byte) Key {
	sum := sha256.Sum256(canonical)
	return Key(sum[:len(Key{})])
}

// String is the key in hexadecimal.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// Short is the beginning of the key, enough for a person to tell jobs apart in a message.
func (k Key) Short() string { return hex.EncodeToString(k[:4]) }
