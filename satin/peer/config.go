package peer

import (
	"time"

	"satingrid/membership"
	"satingrid/membership/addresses"
	"satingrid/steal"
)

// Config says what a peer is.
type Config struct {
	Member membership.Config
	Policy steal.Policy
	// JobOf is the key of the job that an error came from. nil: errors are never compared.
	JobOf func(failed []byte) steal.Key
	// Failure makes the result that fails a run from the job's task and key, the peer that it
	// concerns and a sentence. nil: the sentence's bytes.
	Failure func(task string, key steal.Key, peer, text string) steal.Result
	// Refusal makes the result of a run that the grid has no room for from a sentence. nil: as
	// Failure does, of no job.
	Refusal func(text string) steal.Result
	// ResultMax is how many bytes of a result this peer promises to runs that are submitted to
	// it, if that is more than ResultCarried.
	ResultMax uint32
	// Known is what the state folder says of where hosts are, and Tickets what tickets say.
	// Past tells that the state folder knows some: this peer was part of the grid, and goes on
	// as it when nobody answers.
	Known   []addresses.Known
	Tickets []addresses.Known
	Past    bool
	// Sessions tells that the carrier has sessions: nothing is sent to a host with which none
	// stands and which is not being dialled.
	Sessions bool
	// CopyEvery is how often finished parts are copied to another peer. 0: every
	// 10 s. Negative: never.
	CopyEvery time.Duration
	// CopyOnce tells that the dearest are not copied to a third site, too.
	CopyOnce bool
	// Store tells that there is a disk, and that what it takes to go on with the runs is to be
	// kept there.
	Store bool
	// NoFT turns copies, the disk, the table and adverts off, for measuring. Leases stay: a
	// lost message is never a lost job.
	NoFT bool
}

// Crossed counts what crossed this peer's border.
type Crossed struct {
	LentNear uint64 // jobs lent within the site
	LentFar  uint64 // jobs lent outside it
	Borrowed uint64 // jobs that arrived
	Again    uint64 // jobs put back after a loss
	Dropped  uint64 // messages that waited too long for a best or a record

	Advertised uint64 // results that this peer has offered to whoever does lost work again
	Fetched    uint64 // results of other peers that came when they were asked for
	Reused     uint64 // results that spared their work, from here or elsewhere
	CopiesSent uint64 // finished parts that were given to another peer to keep
	CopiesUsed uint64 // parts kept here for others that became an orphan's result
}
