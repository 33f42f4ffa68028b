package store

import (
	"bytes"
	"hash/crc32"
)

// TidyAt has files of so many bytes be looked through for what is no longer said.
func (s *Store) TidyAt(size int64) { s.tidyAt = size }

// RunsMost has there be no more runs than that.
func (s *Store) RunsMost(runs int) { s.runsMost = runs }

// Digest is what a best is named by.
func Digest(value []byte) Key { return digestOf(value) }

// OfVersion is a file as another version of this package would begin it.
func OfVersion(file []byte, version uint32) []byte {
	p, _ := readPreface(bytes.NewReader(file), int64(len(file)))
	order.PutUint32(file[8:], version)
	order.PutUint32(file[40:], crc32.Update(crc32.Checksum(file[:40], castagnoli), castagnoli, []byte(p.build)))
	return file
}
