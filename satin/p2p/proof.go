package p2p

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// The secret is proved here and not by libp2p's private networks (package pnet):
// there it is the key of a stream cipher that nothing authenticates, so a wrong one
// reads as noise, and who is refused is not told why. And crypto/tls takes no keys
// that were agreed upon outside. What computes is crypto/hmac.

// The messages of the handshake. Each is a magic, a kind, a length and a payload.
// They are read from hosts that have proved nothing yet, so they are short,
// and their lengths are checked before anything is read.
const (
	handshakeMagic  = "satn"
	handshakeHeader = len(handshakeMagic) + 1 + 2
	handshakeMax    = HelloMax + 1024
)

const (
	kindGreeting = 1 // both ways
	kindProof    = 2 // from the dialler
	kindVerdict  = 3 // from either: accepted, or refused with a reason
)

// errGarbled says that the other end does not speak our protocol.
var errGarbled = errors.New("p2p: garbled")

const (
	nonceSize = 32
	macSize   = sha256.Size
)

type challenge struct {
	wire  uint16
	grid  string
	nonce [nonceSize]byte
}

func (g challenge) append(b []byte) []byte {
	b = binary.BigEndian.AppendUint16(b, g.wire)
	b = appendBlock(b, g.grid)
	return append(b, g.nonce[:]...)
}

func decodeChallenge(b []byte) (challenge, error) {
	var g challenge
	c := cursor{rest: b}
	g.wire = c.uint16()
	g.grid = string(c.block(GridMax))
	copy(g.nonce[:], c.bytes(nonceSize))
	return g, c.end()
}

// proof carries a MAC, empty from a host without a secret, and the hello.
type proof struct{ mac, hello []byte }

func (p proof) append(b []byte) []byte {
	return appendBlock(appendBlock(b, p.mac), p.hello)
}

func decodeProof(b []byte) (proof, error) {
	c := cursor{rest: b}
	p := proof{mac: c.block(macSize), hello: c.block(HelloMax)}
	return p, c.end()
}

// decision is an acceptance when why is zero, and carries the listener's proof
// then; otherwise it is a refusal.
type decision struct {
	why    Why
	reason string
	proof  proof
}

func (v decision) append(b []byte) []byte {
	b = append(b, byte(v.why))
	b = appendBlock(b, v.reason[:min(len(v.reason), reasonMax)])
	return v.proof.append(b)
}

func decodeDecision(b []byte) (decision, error) {
	c := cursor{rest: b}
	v := decision{why: Why(c.uint8()), reason: string(c.block(reasonMax))}
	v.proof = proof{mac: c.block(macSize), hello: c.block(HelloMax)}
	return v, c.end()
}

// writeHandshake writes one message of the handshake with one Write.
func writeHandshake(w io.Writer, kind byte, payload []byte) error {
	b := make([]byte, 0, handshakeHeader+len(payload))
	b = append(append(b, handshakeMagic...), kind)
	b = appendBlock(b, payload)
	_, err := w.Write(b)
	return err
}

// readHandshake reads one message of the handshake.
func readHandshake(r io.Reader) (kind byte, payload []byte, err error) {
	var head [handshakeHeader]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, err
	}
	if string(head[:len(handshakeMagic)]) != handshakeMagic {
		return 0, nil, errGarbled
	}
	kind = head[len(handshakeMagic)]
	n := int(binary.BigEndian.Uint16(head[len(handshakeMagic)+1:]))
	if kind < kindGreeting || kind > kindVerdict || n > handshakeMax {
		return 0, nil, errGarbled
	}
	payload = make([]byte, n)
	_, err = io.ReadFull(r, payload)
	return kind, payload, err
}

// transcript is everything that both ends must have seen alike before either
// believes the other. The ids are those that TLS authenticated, so a proof
// cannot be carried over to a connection between others; the nonces are fresh,
// so it cannot be used again; dialler and listener have different places and
// labels, so it cannot be sent back to the one who made it.
type transcript struct {
	dialler, listener string // peer ids
	greetings         [2]challenge
	hellos            [2][]byte // the dialler's, the listener's
}

// mac is the proof of the dialler (side 0), which covers its own hello, or of
// the listener (side 1), which covers both.
func (t transcript) mac(secret []byte, side int) []byte {
	if len(secret) != SecretSize {
		panic(fmt.Sprintf("p2p: BUG: a secret of %d bytes", len(secret)))
	}
	m := hmac.New(sha256.New, secret)
	b := appendBlock(nil, [2]string{"satin door 1, dialler", "satin door 1, listener"}[side])
	b = appendBlock(appendBlock(b, t.dialler), t.listener)
	for _, g := range t.greetings {
		b = g.append(b)
	}
	for _, hello := range t.hellos[:side+1] {
		b = appendBlock(b, hello)
	}
	m.Write(b)
	return m.Sum(nil)
}

// proves checks a mac in constant time.
func (t transcript) proves(secret []byte, side int, mac []byte) bool {
	return hmac.Equal(mac, t.mac(secret, side))
}
