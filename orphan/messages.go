package orphan

import (
	"encoding/binary"

	"satingrid/membership"
	"satingrid/steal"
)

// The kinds of orphan's messages: 64 to 95.
const (
	KindAdvert uint8 = iota + 64
	KindVersions
	KindWantList
	KindList
	KindWantResult
	KindResultIs
	KindCopy
	KindCopied
	KindUncovered
	KindCovered
	KindWill
	KindWilled
)

// Limits of what a message brings. An advert of so many changes takes less than 32 KiB.
const (
	ChangesMax = 512
	RunsMax    = 64 // in one message
	PartsMax   = 512
	OwnersMax  = 64 // on one result
)

// Entry is what a holder says of a result that it holds.
type Entry struct {
	Key  steal.Key
	Cost uint32 // worker milliseconds that it saves
}

// Change is one change of a holder's list.
type Change struct {
	Run  uint16 // which of the advert's runs
	Key  steal.Key
	Cost uint32
	Gone bool // the result is held no more
}

// Advert is published: the sender's list has changed. The changes are those after number After.
type Advert struct {
	After   uint64
	Runs    []steal.Instance
	Changes []Change
}

// Version says how new a holder's list is at the sender.
type Version struct {
	Holder      membership.PeerID
	Incarnation membership.Incarnation
	Number      uint64
}

// Versions says how new all lists are at the sender, whose digest differed from the receiver's, and
// how new they were a moment ago: what has changed since is on its way, and not missing.
type Versions struct {
	All     []Version
	Settled []uint64 // for each
}

// WantList asks for a holder's list, from the holder or from one that has it.
type WantList struct{ Holder membership.PeerID }

// Listed is the part of a list that belongs to one run.
type Listed struct {
	Run     steal.Instance
	Entries []Entry // ascending by key
}

// List is the whole list of a holder.
type List struct {
	Version
	Runs []Listed
}

// WantResult asks a holder for a result.
type WantResult struct {
	Run steal.Instance
	Key steal.Key
}

// ResultIs answers WantResult.
type ResultIs struct {
	Run    steal.Instance
	Key    steal.Key
	Found  bool
	Best   steal.Stamp
	Result steal.Result
	Stored bool `cbor:",omitempty"` // on a disk, for an earlier submission
}

// Part is a finished result on its way to one that keeps it.
type Part struct {
	Key    steal.Key
	Result steal.Result
}

// Copy gives finished parts of a run to one that keeps them for the sender in case it dies, and
// takes back others. It is repeated until it is Copied.
type Copy struct {
	Run steal.Instance
	// counts the sender's copies of that run; one that is not greater than the last was here
	// before
	Round uint64
	Whole bool // what was kept for the sender before, of that run, is not wanted any more
	Best  steal.Stamp
	Parts []Part
	Gone  []steal.Key
}

// Copied acknowledges Copy: the parts are kept. Sum is that of all keys that are kept for the
// receiver now; see SumOf.
type Copied struct {
	Run   steal.Instance
	Round uint64
	Sum   uint64
}

// Uncovered asks the owner of jobs that the sender has returned which of the results
// its own copies cover.
type Uncovered struct {
	Run   steal.Instance
	Loans []steal.LoanNo
}

// Covered answers Uncovered: these need not be kept any more.
type Covered struct {
	Run   steal.Instance
	Loans []steal.LoanNo
}

// Bequest is what a leaver hands on of what it keeps: an orphan's result, to be advertised, or one
// that is kept for others, or both.
type Bequest struct {
	Part
	Orphan bool
	Owners []KeptFor
}

// Will hands on what a leaver keeps of a run. It is repeated until it is Willed, and means the same
// when it comes twice.
type Will struct {
	Run    steal.Instance
	Number uint64
	Best   steal.Stamp
	Items  []Bequest
}

// Willed acknowledges Will.
type Willed struct{ Number uint64 }

// SumOf is the sum of keys by which two peers compare what one keeps for the other.
func SumOf(sum uint64, k steal.Key) uint64 { return sum + binary.LittleEndian.Uint64(k[:]) }

func (Advert) Kind() uint8     { return KindAdvert }
func (Versions) Kind() uint8   { return KindVersions }
func (WantList) Kind() uint8   { return KindWantList }
func (List) Kind() uint8       { return KindList }
func (WantResult) Kind() uint8 { return KindWantResult }
func (ResultIs) Kind() uint8   { return KindResultIs }
func (Copy) Kind() uint8       { return KindCopy }
func (Copied) Kind() uint8     { return KindCopied }
func (Uncovered) Kind() uint8  { return KindUncovered }
func (Covered) Kind() uint8    { return KindCovered }
func (Will) Kind() uint8       { return KindWill }
func (Willed) Kind() uint8     { return KindWilled }
