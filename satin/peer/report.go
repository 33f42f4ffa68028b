package peer

import (
	"math"
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// ReportEvery is how often a peer tells the submitters of a run what it does for it, at least.
const ReportEvery = 500 * time.Millisecond

// lossSharesMax bounds the losses that one report tells of, the latest ones.
const lossSharesMax = 64

// countMax bounds what one peer has counted, so that the counts of all add up to a number.
const countMax = math.MaxInt64 / reportersMax

// KindReport is above the kinds of other messages as it once was none of the machine's.
const KindReport uint8 = 200

// Report tells a submitter what the sender has done for a run so far. It is for people to see, and
// decides nothing but how soon an answer is handed on.
type Report struct {
	Run   steal.Instance
	Stats PeerStats

	Master   bool    // the root executes here …
	Progress float64 // … and is done to this extent
	Final    bool    // the run has ended here
	Number   uint64  // of the sender's reports in its life: a later one's is greater
	Losses   []LossShare

	// Verified is the worker time of what was executed once more here to verify it, wherever
	// its parts were: it is in no answer.
	Verified time.Duration `cbor:",omitempty"`
	// Resumed is the worker time of results that were on a disk before and were used here: who
	// executed them told another submission.
	Resumed time.Duration `cbor:",omitempty"`
}

func (Report) Kind() uint8 { return KindReport }

// PeerStats is one peer's share of a run.
type PeerStats struct {
	Name    string
	Site    string
	State   string // here, suspected, leaving, left, dead
	Workers int

	Jobs     int64   // jobs spawned
	Aborted  int64   // jobs given up by Abort, First or an error
	Busy     float64 // worker seconds spent in the run
	LentNear int64   // jobs lent within the site
	LentFar  int64   // jobs lent to other sites
	Again    int64   // jobs put back after a loss

	Advertised int64 // finished parts of lost work that were offered to the others
	Fetched    int64 // of these, fetched from others
	CopiesSent int64 // finished parts given to another peer to keep
	CopiesUsed int64 // parts kept for others that were offered after a loss
	BytesFar   int64 // sent to other sites, heartbeats and all, while the run went on
}

// LossShare is what one survivor tells of what a loss has cost it, and of when it was noticed:
// often by one whom it cost nothing.
type LossShare struct {
	Peer      membership.PeerID
	Life      Life
	Name      string
	Site      string
	How       membership.How
	Noticed   time.Duration // 0 where another noticed
	Restarted int
	Reused    int
	Saved     time.Duration
	Spent     time.Duration
	Longest   time.Duration
	Root      bool // was lost, and is done again by this survivor
}

// Costs tells whether the loss cost that survivor anything.
func (x *LossShare) Costs() bool { return x.Restarted > 0 || x.Reused > 0 || x.Spent > 0 || x.Root }

// sound tells whether a report that came from outside may be shown to people, and added up.
func (m *Report) sound() bool {
	return m.Progress >= 0 && m.Progress <= 1 && m.Stats.sound() && min(m.Verified, m.Resumed) >= 0 &&
		len(m.Losses) <= lossSharesMax && !slices.ContainsFunc(m.Losses, func(x LossShare) bool { return !x.sound() })
}

// sound tells that of what is counted. Counts only grow from nothing; who is lost is named as
// members are.
func (s *PeerStats) sound() bool {
	return isLabel(s.Name) && isLabel(s.Site) && isLabel(s.State) && s.Workers >= 0 && s.Workers <= math.MaxUint16 &&
		s.Busy >= 0 && s.Busy < time.Duration(math.MaxInt64).Seconds() &&
		areCounts(s.Jobs, s.Aborted, s.LentNear, s.LentFar, s.Again) &&
		areCounts(s.Advertised, s.Fetched, s.CopiesSent, s.CopiesUsed, s.BytesFar)
}

func (x *LossShare) sound() bool {
	return membership.IsPrintable(string(x.Peer), membership.IDBytesMax) && isLabel(x.Name) && isLabel(x.Site) &&
		min(x.Noticed, x.Saved, x.Spent, x.Longest) >= 0 && areCounts(int64(x.Restarted), int64(x.Reused))
}

func areCounts(all ...int64) bool { return slices.Min(all) >= 0 && slices.Max(all) <= countMax }

func isLabel(s string) bool { return membership.IsPrintable(s, membership.NameBytesMax) }
