// Package ticket has the secret of a grid and the file that carries it.
//
// A [Ticket] is what a peer needs to join: the grid's name, its [Secret], and
// addresses to dial. [New] makes a grid, [Ticket.Invite] a ticket for others,
// [Save] and [Load] keep tickets in files that only their owner can read, and
// [Parse] reads one from anywhere, such as SATIN_TICKET or standard input.
//
// A [Folder] that hosts share, such as a home on a cluster, holds the tickets of
// all members: who starts there finds the others, and of many that start at
// once on an empty one exactly one makes the secret.
//
// # The format
//
// A ticket is one word: satin1. and, in base64, a version, the name, the
// secret, the addresses and a checksum, so that a ticket that lost a letter on
// the way says so instead of being refused by the grid. A file may have empty
// lines and comments (#) around it; Save writes what can be told without
// giving away the secret.
//
// # Limitations
//
// A ticket is not encrypted: whoever reads the file is in. It cannot be
// revoked alone; an allow-list, or a new secret for everybody, can. A folder
// needs a file system with hard links. Where a file server shows a new file
// late, or a founder stands still for ten seconds, two may begin the grid of
// one secret: the members find each other's tickets and become one.
package ticket

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
)

const (
	// SecretSize is the length of a secret: as strong as the ciphers around it.
	SecretSize = 32
	// NameMax is the longest name of a grid, in bytes.
	NameMax = 64
	// AddrsMax is how many addresses a ticket may carry; a few that work beat
	// all that exist.
	AddrsMax = 32
	// AddrMax is the longest address, in bytes.
	AddrMax = 256
	// textMax is the longest text that is looked at, comments included.
	textMax = 64 << 10

	prefix    = "satin1."
	checkSize = 4
)

// Secret is a grid's secret. It never prints itself.
type Secret struct{ key [SecretSize]byte }

// NewSecret draws a secret.
func NewSecret() Secret {
	var s Secret
	rand.Read(s.key[:])
	return s
}

// Bytes is the secret itself, for p2p.Config.Secret.
func (s Secret) Bytes() []byte { return s.key[:] }

// IsZero says that there is no secret.
func (s Secret) IsZero() bool { return s == Secret{} }

// String hides the secret; so do Format and the methods that encode it.
func (s Secret) String() string { return "(secret)" }

// Format hides the secret from every verb of fmt.
func (s Secret) Format(f fmt.State, _ rune) { fmt.Fprint(f, s.String()) }

// MarshalText hides the secret from JSON and logs.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Ticket admits whoever has it to a grid.
type Ticket struct {
	Grid   string
	Secret Secret
	// Addrs are multiaddresses that end in /p2p/ and an id. There are none in
	// the ticket that a grid's founder keeps.
	Addrs []string
}

// New makes a grid: a new secret, and the name given or one drawn from it.
func New(name string) (Ticket, error) {
	t := Ticket{Grid: name, Secret: NewSecret()}
	if name == "" {
		sum := sha256.Sum256(append([]byte("satin grid name"), t.Secret.key[:]...))
		t.Grid = "grid-" + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:6])
	}
	return t, t.check()
}

// Invite is the ticket with addresses to dial.
func (t Ticket) Invite(addrs ...string) (Ticket, error) {
	t.Addrs = append([]string(nil), addrs[:min(len(addrs), AddrsMax)]...)
	if len(t.Addrs) == 0 {
		return t, errors.New("ticket: an invitation needs an address where a member listens: start `satin node` first")
	}
	return t, t.check()
}

// Host is one that addresses lead to.
type Host struct {
	ID    string
	Addrs []string
}

// HostsOf are those that addresses such as a ticket's name, in their order.
func HostsOf(addrs []string) []Host {
	var all []Host
	at := map[string]int{}
	for _, a := range addrs {
		id := a[strings.LastIndexByte(a, '/')+1:]
		n, ok := at[id]
		if !ok {
			n = len(all)
			at[id] = n
			all = append(all, Host{ID: id})
		}
		all[n].Addrs = append(all[n].Addrs, a)
	}
	return all
}

// String tells about the ticket without the secret.
func (t Ticket) String() string {
	return fmt.Sprintf("ticket for grid %q, addresses: %d", t.Grid, len(t.Addrs))
}

func (t Ticket) check() error {
	switch {
	case !printable(t.Grid) || t.Grid == "" || len(t.Grid) > NameMax:
		return fmt.Errorf("ticket: a grid's name has 1 to %d printable letters and no spaces, not %q", NameMax, t.Grid)
	case t.Secret.IsZero():
		return errors.New("ticket: no secret")
	case len(t.Addrs) > AddrsMax:
		return fmt.Errorf("ticket: %d addresses, at most %d", len(t.Addrs), AddrsMax)
	}
	for _, a := range t.Addrs {
		if !IsAddr(a) {
			return fmt.Errorf("ticket: %q is not an address such as /ip4/192.0.2.1/tcp/4001/p2p/12D3…", a)
		}
	}
	return nil
}

// IsAddr tells whether a text can be an address: one that a ticket may carry.
func IsAddr(a string) bool {
	return len(a) <= AddrMax && printable(a) && strings.HasPrefix(a, "/") && strings.Contains(a, "/p2p/")
}

func printable(s string) bool {
	for _, c := range []byte(s) {
		if c <= ' ' || c >= 0x7f {
			return false
		}
	}
	return true
}

// Encode is the ticket as one word. It holds the secret: never log it.
func (t Ticket) Encode() (string, error) {
	if err := t.check(); err != nil {
		return "", err
	}
	b := appendString(nil, t.Grid)
	b = append(b, t.Secret.key[:]...)
	b = append(b, byte(len(t.Addrs)))
	for _, a := range t.Addrs {
		b = appendString(b, a)
	}
	return seal(b), nil
}

// seal adds the checksum and makes a word of the body.
func seal(b []byte) string {
	sum := sha256.Sum256(b)
	return prefix + base64.RawURLEncoding.EncodeToString(append(b, sum[:checkSize]...))
}

// appendString writes a length of two bytes and the string.
func appendString(b []byte, s string) []byte {
	return append(append(b, byte(len(s)>>8), byte(len(s))), s...)
}

// Parse reads a ticket from the text of a file, of standard input or of an
// environment variable. The error says which line is wrong, and never shows
// what is in it.
func Parse(text string) (Ticket, error) {
	if len(text) > textMax {
		return Ticket{}, fmt.Errorf("1: %d bytes are not a ticket, which has a few hundred", len(text))
	}
	var found Ticket
	at := 0
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if at > 0 {
			return Ticket{}, fmt.Errorf("%d: more text after the ticket in line %d", i+1, at)
		}
		t, err := decode(line)
		if err != nil {
			return Ticket{}, fmt.Errorf("%d: %w", i+1, err)
		}
		found, at = t, i+1
	}
	if at == 0 {
		return Ticket{}, fmt.Errorf("1: no ticket here; it is a line that begins with %s", prefix)
	}
	return found, nil
}

var errDamaged = errors.New("the ticket is damaged: copy it again, whole, or ask for a new one with `satin key invite`")

func decode(word string) (Ticket, error) {
	body, ok := strings.CutPrefix(word, prefix)
	if !ok {
		return Ticket{}, fmt.Errorf("not a ticket, which begins with %s", prefix)
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(body)
	if err != nil || len(b) < checkSize {
		return Ticket{}, errDamaged
	}
	b, check := b[:len(b)-checkSize], b[len(b)-checkSize:]
	if sum := sha256.Sum256(b); string(sum[:checkSize]) != string(check) {
		return Ticket{}, errDamaged
	}
	var t Ticket
	r := reader{b}
	t.Grid = r.string(NameMax)
	copy(t.Secret.key[:], r.take(SecretSize))
	if n := r.take(1); len(n) == 1 && int(n[0]) <= AddrsMax {
		for range n[0] {
			t.Addrs = append(t.Addrs, r.string(AddrMax))
		}
	}
	if r.rest == nil || len(r.rest) > 0 || t.check() != nil {
		return Ticket{}, errDamaged
	}
	return t, nil
}

// reader takes fields from bytes; rest is nil after the first fault.
type reader struct{ rest []byte }

func (r *reader) take(n int) []byte {
	if r.rest == nil || n > len(r.rest) {
		r.rest = nil
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) string(limit int) string {
	h := r.take(2)
	if h == nil {
		return ""
	}
	n := int(h[0])<<8 | int(h[1])
	if n > limit {
		r.rest = nil
	}
	return string(r.take(n))
}
