package store

// TidyAt has files of so many bytes be looked through for what is no longer said.
func (s *Store) TidyAt(size int64) { s.tidyAt = size }

// RunsMost has there be no more runs than that.
func (s *Store) RunsMost(runs int) { s.runsMost = runs }

// Digest is what a best is named by.
func Digest(value []byte) Key { return digestOf(value) }
