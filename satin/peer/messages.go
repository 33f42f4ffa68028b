package peer

import (
	"satingrid/membership"
	"satingrid/steal"
)

// The kinds of the peer's own messages: 96 to 127.
const (
	KindPull uint8 = iota + 96
	KindSnapshot
	KindDigest
	KindFetch
	KindRecord
	KindSubmit
	KindAccepted
	KindNeedRoot
	KindAnswer
	KindKeep
	KindKept
	KindEnded
	KindFail
	KindWantBest
	KindBestIs
	KindHaveBest
)

// The kinds of messages about masters and ends.
const (
	KindSupport uint8 = iota + 112
	KindClaim
	KindWanted
	KindFacts
	KindFull
	KindWhereabouts
	KindNoRun
	KindHolds
	KindCancel
	KindReshare
)

// Message is what travels: a body, the incarnation that says it and the one it is
// meant for (zero: any).
type Message struct {
	From membership.Incarnation
	To   membership.Incarnation
	Body membership.Body
}

// Pull asks for a Snapshot and the Records.
type Pull struct{}

// Head is a run's record without its root: what the run is, who asked, and who is master.
type Head struct {
	Run         steal.Instance
	Task        string
	RootDigest  steal.Key
	RootBytes   uint32
	Terms       Terms
	Epoch       membership.Epoch
	Master      membership.PeerID
	Submissions []steal.Submission // that have not ended
	Contacts    []Contact          // of who submitted them
	Deaths      []Death

	// for people; see [RunStatus]
	Asked    Asked
	Seconds  uint32 // since it was made
	Answered uint32 // one more than the seconds since it has its answer; 0: it has none
	Progress uint16 // in thousandths
	Failed   bool   // its answer is an error
}

// Tombstone tells of a submission that has ended, and how long ago.
type Tombstone struct {
	Submission steal.Submission
	Seconds    uint32
	How        Epitaph
}

// What a Snapshot is about: each can differ from what another knows.
const (
	AboutMembers uint8 = 1 << iota
	AboutRuns
	aboutAll = AboutMembers | AboutRuns
)

// Snapshot is what the sender knows of members and runs, or of those of the two that differed. One
// with Reply set asks for the receiver's in return.
type Snapshot struct {
	About   uint8 `cbor:"Parts"`
	Members []membership.Member
	Bars    []membership.Bar
	Heads   []Head
	Ended   []Tombstone // for one that joins: the youngest, and those of what kept runs
	Reply   bool
}

// Digest tells a member what the sender knows, in three numbers.
type Digest struct{ Members, Runs, Table uint64 }

// Fetch asks for a run's Record with root and best.
type Fetch struct{ Run steal.Instance }

// Record is a run's record. The root is left out where it is big and was not asked for.
type Record struct {
	Head Head
	Root []byte
	Best steal.Stamp

	// who holds the root is to say so, by this number: [Holds]; 0: it need not
	Confirm uint64
	Leaver  bool // the sender asks that of its heir: it is leaving
}

// Holds says that the sender has a run's record, and its root. Number is the Confirm of the
// [Record] that asked.
type Holds struct {
	Run    steal.Instance
	Number uint64
}

// Submit asks for a run. The sender may be another than the submitter, passing it on.
type Submit struct {
	Submission steal.Submission
	Run        steal.Key
	Task       string
	RootDigest steal.Key
	Terms      Terms
	Root       []byte // nil when it was sent before; an empty root is not nil
	Addrs      []string
	Hops       uint8
	Asked      Asked
	// the first of the run that it is part of, as far as its submitter knows: that may have
	// been cancelled, and the submitter not have heard of it
	Of steal.Submission

	// the id of the run that it is for, when that is known: it begins none; see
	// [steal.Instance.ID]
	Joins steal.Key
}

// Accepted tells the submitter which run its submission belongs to, and who is master. Safe: the
// death of any one peer does not lose the run.
type Accepted struct {
	Nonce  steal.Nonce
	Run    steal.Instance
	Master membership.PeerID
	Safe   bool
}

// NoRun tells a submitter that the run that it wants to join is not on, or that nobody has its
// root.
type NoRun struct {
	Nonce    steal.Nonce
	Rootless bool
}

// NeedRoot asks the submitter for the root.
type NeedRoot struct{ Nonce steal.Nonce }

// Answer brings a run's answer to its submitter, maybe by way of another peer.
type Answer struct {
	Run    steal.Instance
	Nonce  steal.Nonce
	To     membership.PeerID // the submitter; whoever else receives it passes it on
	Epoch  membership.Epoch
	Best   steal.Stamp
	Result steal.Result
}

// Keep gives a run's answer to one more peer, in case the master dies before the
// submitters have heard it.
type Keep struct {
	Run     steal.Instance
	Epoch   membership.Epoch
	Best    steal.Stamp
	Result  steal.Result
	Seconds uint32 // since it is there
}

// Kept acknowledges Keep.
type Kept struct{ Run steal.Instance }

// Ended says that submissions are answered or withdrawn. To the one that answered, it is
// the acknowledgement.
type Ended struct{ Submissions []Tombstone }

// Fail tells the master that a job of its run panicked.
type Fail struct {
	Run    steal.Instance
	Result steal.Result
}

// WantBest asks for the best of a run, which the receiver has named.
type WantBest struct {
	Run    steal.Instance
	Digest steal.Key
}

// BestIs brings a best, or names one that is big.
type BestIs struct {
	Run steal.Instance
	// the digest that was asked for, which Best is or surpasses; zero: it was published
	For  steal.Key
	Best steal.Stamp
}

// HaveBest acknowledges a best: this incarnation of the sender holds it or a better one.
type HaveBest struct {
	Run    steal.Instance
	Digest steal.Key
}

func (Pull) Kind() uint8     { return KindPull }
func (Snapshot) Kind() uint8 { return KindSnapshot }
func (Digest) Kind() uint8   { return KindDigest }
func (Fetch) Kind() uint8    { return KindFetch }
func (Record) Kind() uint8   { return KindRecord }
func (Submit) Kind() uint8   { return KindSubmit }
func (Accepted) Kind() uint8 { return KindAccepted }
func (NeedRoot) Kind() uint8 { return KindNeedRoot }
func (Answer) Kind() uint8   { return KindAnswer }
func (Keep) Kind() uint8     { return KindKeep }
func (Kept) Kind() uint8     { return KindKept }
func (Ended) Kind() uint8    { return KindEnded }
func (Fail) Kind() uint8     { return KindFail }
func (WantBest) Kind() uint8 { return KindWantBest }
func (BestIs) Kind() uint8   { return KindBestIs }
func (HaveBest) Kind() uint8 { return KindHaveBest }
func (NoRun) Kind() uint8    { return KindNoRun }
func (Holds) Kind() uint8    { return KindHolds }

// arrival is a message that has come, and who says it.
type arrival struct {
	life
	as role
	// what is known of the sender, be it gone, which is only to be read; nil: nothing. Of what
	// only the living say, it is present in that life
	member  *membership.Member
	message Message
}

// isPresent tells whether the sender is a member that is present, in the life in which it says it.
func (a *arrival) isPresent() bool {
	return a.member != nil && a.member.State.Present() && a.member.Incarnation == a.incarnation
}
