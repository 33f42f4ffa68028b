package membership

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// PeerID names a peer for ever, whatever its incarnation. The carrier proves it.
type PeerID string

// Site is the name of a group of peers that are near each other.
type Site string

// Incarnation is one life of a peer, or of a client: a client's numbers are 0, and it is no member.
// In an address the zero Incarnation means any.
type Incarnation struct {
	// one above the largest seen when the process first joined; 1 for the first of a grid
	Join   uint64
	Rejoin uint64 // counts the times it was declared dead and came back
	Random uint64 // tells two lives with the same numbers apart
}

// Compare orders incarnations by join number, rejoin number and random part.
func (i Incarnation) Compare(j Incarnation) int {
	return cmp.Or(cmp.Compare(i.Join, j.Join), cmp.Compare(i.Rejoin, j.Rejoin), cmp.Compare(i.Random, j.Random))
}

// IsZero tells whether i means any.
func (i Incarnation) IsZero() bool { return i == Incarnation{} }

// Epoch numbers a run's masters. The incarnation of the master makes two that
// began with the same number, on two sides of a partition, different and ordered.
type Epoch struct {
	Number uint64
	Master Incarnation
}

// Compare orders epochs: the greater one holds.
func (e Epoch) Compare(f Epoch) int {
	return cmp.Or(cmp.Compare(e.Number, f.Number), e.Master.Compare(f.Master))
}

// State is what is believed of a member.
type State uint8

// The states in which a member can be. Suspected is this peer's own doubt and never travels; of the
// others the greater one wins within an incarnation, except that who left in order has left, even
// if it was taken for dead first.
const (
	Here State = iota + 1
	Suspected
	Leaving
	Left
	Dead
)

// String is the state as the command prints it.
func (s State) String() string {
	switch s {
	case Here:
		return "here"
	case Suspected:
		return "suspected"
	case Leaving:
		return "leaving"
	case Left:
		return "left"
	case Dead:
		return "dead"
	}
	return "unknown"
}

// Present tells whether a member in this state still counts as a peer of the grid.
func (s State) Present() bool { return s >= Here && s <= Leaving }

// How tells in what way a member was lost.
type How uint8

// The ways in which a member is lost.
const (
	Killed  How = iota + 1 // its connection broke and a new one was refused
	Silent                 // it answered nobody
	Went                   // it said that it left
	Kicked                 // it was barred
	Renewed                // it came back as a new incarnation, so the old one is gone
)

// String is the way as the command prints it.
func (h How) String() string {
	switch h {
	case Killed:
		return "kill"
	case Silent:
		return "silent"
	case Went:
		return "leave"
	case Kicked:
		return "kick"
	case Renewed:
		return "rejoin"
	}
	return "unknown"
}

// Limits on what another peer may make this one remember about a member. An id is 42 bytes, 52 as
// text; an address with a relay in it is some 150.
const (
	IDBytesMax   = 128
	NameBytesMax = 64
	AddrsMax     = 16
	AddrBytesMax = 256
)

// Member is what is known of one peer. It is also the record that travels.
type Member struct {
	ID          PeerID
	Incarnation Incarnation
	// the life from which this one goes on, in the same process; zero: there was none
	Was     Incarnation
	Site    Site
	Name    string // for people: site/number or site/letters of the id
	Workers uint16
	Addrs   []string // where the carrier may dial it
	State   State    // never Suspected when it travels
	How     How      // when it is gone: in what way
	// while it leaves: the milliseconds that it may take, counted from when it said so
	Grace uint32
	Heir  PeerID // when it has left: who has its will; "": nobody
	// when it is gone: for how many seconds; it is forgotten by its age, not by who tells of it
	Ago uint32
}

// OlderThan tells whether m comes before o in age: the smaller join number, then the smaller id. A
// peer that was declared dead and rejoined keeps its join number.
func (m *Member) OlderThan(o *Member) bool {
	return cmp.Or(cmp.Compare(m.Incarnation.Join, o.Incarnation.Join), strings.Compare(string(m.ID), string(o.ID))) < 0
}

// ElderThan tells whether m comes before o as the master of a root that both have, on two sides of
// a cut: the one that was declared dead less often, then the older. A flapping peer is the
// youngest, or it would take the root back each time.
func (m *Member) ElderThan(o *Member) bool {
	if m.Incarnation.Rejoin != o.Incarnation.Rejoin {
		return m.Incarnation.Rejoin < o.Incarnation.Rejoin
	}
	return m.OlderThan(o)
}

// sound tells whether a record that came from outside may be kept.
func (m *Member) sound() bool {
	if !m.ID.Sound() || !IsPrintable(string(m.Site), NameBytesMax) || !IsPrintable(m.Name, NameBytesMax) {
		return false
	}
	if len(m.Addrs) > AddrsMax || m.Incarnation.Join == 0 || m.Incarnation.Rejoin > CounterMax || m.Heir != "" && !m.Heir.Sound() {
		return false
	}
	if slices.ContainsFunc(m.Addrs, isNoAddr) {
		return false
	}
	return m.State == Here || m.State == Leaving || m.State == Left || m.State == Dead
}

// Sound tells whether an id may be kept, printed and written to a line of a file.
func (id PeerID) Sound() bool {
	return id != "" && IsPrintable(string(id), IDBytesMax) && !strings.ContainsFunc(string(id), unicode.IsSpace)
}

// IsAddr tells whether a text from outside can be an address: it begins with a slash, and is one
// word of what ASCII has to print. A ticket holds no other.
func IsAddr(a string) bool {
	return len(a) <= AddrBytesMax && strings.HasPrefix(a, "/") && !strings.ContainsFunc(a, func(r rune) bool { return r <= ' ' || r >= 0x7f })
}

func isNoAddr(a string) bool { return !IsAddr(a) }

// AddrsOf are those of some texts from outside that can be addresses: all of them, as a rule.
func AddrsOf(some []string) []string {
	if !slices.ContainsFunc(some, isNoAddr) {
		return some
	}
	return slices.DeleteFunc(slices.Clone(some), isNoAddr)
}

// IsPrintable tells whether a text from outside may be shown to a person: it cannot move the cursor
// of a terminal or begin a line.
func IsPrintable(s string, bytesMax int) bool {
	return len(s) <= bytesMax && utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}
