package p2p

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"time"

	"github.com/libp2p/go-libp2p/core/crypto"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/core/protocol"
	"github.com/libp2p/go-libp2p/core/sec"
	"github.com/libp2p/go-libp2p/p2p/net/upgrader"
	libp2ptls "github.com/libp2p/go-libp2p/p2p/security/tls"
)

// handshakeID is a security protocol of its own, so that a libp2p host that knows
// nothing of satin is turned away by libp2p before TLS, in words it knows.
const handshakeID protocol.ID = "/satin/tls/1"

// handshake is a libp2p security transport: TLS, then the proof of the secret. As
// the upgrader starts the multiplexer only when a security transport returns
// without an error, nothing runs for a host that fails here.
type handshake struct {
	inner     sec.SecureTransport
	id        peer.ID
	grid      string
	wire      uint16
	secret    []byte
	hello     func() []byte
	accept    func(id string, hello []byte) error
	gate      *gate
	admission *unproved
	told      func(*DeniedError)          // for every refusal made here
	met       func(peer.ID, *DeniedError) // for every refusal that a dial from here met

	proved, refused atomic.Int64
}

var _ sec.SecureTransport = (*handshake)(nil)

func newHandshake(c Config, key crypto.PrivKey, id peer.ID, muxers []upgrader.StreamMuxer, g *gate, told func(*DeniedError),
	met func(peer.ID, *DeniedError)) (*handshake, error) {
	inner, err := libp2ptls.New(handshakeID, key, muxers)
	if err != nil {
		return nil, fmt.Errorf("p2p: tls: %w", err)
	}
	return &handshake{inner: inner, id: id, grid: c.Grid, wire: c.Wire, secret: c.Secret,
		hello: c.Hello, accept: c.Accept, gate: g, admission: newUnproved(), told: told, met: met}, nil
}

// ID is the name under which libp2p negotiates the handshake.
func (d *handshake) ID() protocol.ID { return handshakeID }

// SecureInbound lets somebody in who connected to this host.
func (d *handshake) SecureInbound(ctx context.Context, insecure net.Conn, p peer.ID) (sec.SecureConn, error) {
	return d.secure(ctx, insecure, p, d.inner.SecureInbound, d.listen)
}

// SecureOutbound asks to be let in by a host that this one connected to.
func (d *handshake) SecureOutbound(ctx context.Context, insecure net.Conn, p peer.ID) (sec.SecureConn, error) {
	conn, err := d.secure(ctx, insecure, p, d.inner.SecureOutbound, d.dial)
	var r *DeniedError
	if errors.As(err, &r) {
		d.met(p, r)
	}
	return conn, err
}

type secureFunc func(context.Context, net.Conn, peer.ID) (sec.SecureConn, error)

func (d *handshake) secure(ctx context.Context, insecure net.Conn, p peer.ID, tls secureFunc,
	prove func(net.Conn, peer.ID) error) (sec.SecureConn, error) {
	ctx, cancel := context.WithTimeout(ctx, proofTime)
	defer cancel()
	conn, err := tls(ctx, insecure, p)
	if err != nil {
		return nil, clockError(err)
	}
	// only now: the hello may take a while the first time, and is made beside TLS
	if n := len(d.hello()); n > HelloMax {
		conn.Close()
		return nil, fmt.Errorf("p2p: the hello has %d bytes, the cap is %d: %w", n, HelloMax, ErrTooBig)
	}
	deadline, _ := ctx.Deadline()
	if err := conn.SetDeadline(deadline); err != nil {
		conn.Close()
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })
	err = prove(conn, conn.RemotePeer())
	// When stop comes too late the deadline is being moved into the past: the
	// connection is of no use any more.
	if !stop() && err == nil {
		err = ctx.Err()
	}
	if err == nil {
		err = conn.SetDeadline(time.Time{})
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	d.proved.Add(1)
	d.admission.admit(insecure)
	return conn, nil
}

// clockError says what to do about a certificate of the future. A host makes
// its own when it starts, valid from an hour before, and libp2p passes on no
// more than the words of crypto/x509. They say expired or not yet valid, and
// these certificates are made for a hundred years.
func clockError(err error) error {
	if !strings.Contains(err.Error(), "x509: certificate has expired or is not yet valid") {
		return err
	}
	return fmt.Errorf("p2p: the clock of this host is more than an hour behind the other's: set whichever is wrong: %w", err)
}

// refuse tells the other end why, waits until it has hung up so that the reset
// does not overtake the words, and returns the refusal.
func (d *handshake) refuse(conn net.Conn, p peer.ID, why Why, reason string) error {
	d.refused.Add(1)
	r := &DeniedError{Peer: p.String(), Why: why, Reason: reason, Here: true}
	d.told(r)
	if writeHandshake(conn, kindVerdict, decision{why: why, reason: reason}.append(nil)) == nil {
		conn.SetReadDeadline(time.Now().Add(lingerTime))
		io.CopyN(io.Discard, conn, handshakeMax)
	}
	return r
}

// refusal turns a verdict that refuses this host into an error.
func refusal(p peer.ID, payload []byte) (decision, error) {
	v, err := decodeDecision(payload)
	if err != nil {
		return v, &DeniedError{Peer: p.String(), Why: WhyGarbled, Here: true}
	}
	if v.why != 0 {
		return v, &DeniedError{Peer: p.String(), Why: v.why, Reason: v.reason}
	}
	return v, nil
}

// expect reads one message of a kind, or the refusal that came in its place.
func (d *handshake) expect(conn net.Conn, p peer.ID, kind byte) ([]byte, error) {
	got, payload, err := readHandshake(conn)
	switch {
	case errors.Is(err, errGarbled):
		return nil, d.refuse(conn, p, WhyGarbled, "")
	case err != nil:
		return nil, fmt.Errorf("p2p: peer %s hung up at the handshake: %w", p, err)
	case got == kind:
		return payload, nil
	case got == kindVerdict:
		if _, err := refusal(p, payload); err != nil {
			return nil, err
		}
	}
	return nil, d.refuse(conn, p, WhyGarbled, fmt.Sprintf("message %d where %d belongs", got, kind))
}

// greet makes this host's greeting for one connection.
func (d *handshake) greet() challenge {
	g := challenge{wire: d.wire, grid: d.grid}
	rand.Read(g.nonce[:])
	return g
}

// meet reads the other's greeting and refuses it where it does not fit.
func (d *handshake) meet(conn net.Conn, p peer.ID) (challenge, error) {
	payload, err := d.expect(conn, p, kindGreeting)
	if err != nil {
		return challenge{}, err
	}
	g, err := decodeChallenge(payload)
	switch {
	case err != nil:
		return g, d.refuse(conn, p, WhyGarbled, "")
	case g.wire != d.wire:
		return g, d.refuse(conn, p, WhyVersion, fmt.Sprintf("wire version %d, here it is %d: install the same satin on both", g.wire, d.wire))
	case g.grid != d.grid:
		return g, d.refuse(conn, p, WhyGrid, fmt.Sprintf("%q, this one is %q: use the ticket of this grid", g.grid, d.grid))
	}
	return g, nil
}

// check says whether the other end has proved the secret and fits.
func (d *handshake) check(conn net.Conn, p peer.ID, t transcript, side int, pr proof) error {
	switch {
	case len(pr.mac) == 0:
		return d.refuse(conn, p, WhyNoSecret, "ask a member for a ticket: `satin key invite`")
	case !t.proves(d.secret, side, pr.mac):
		return d.refuse(conn, p, WhyWrongSecret, "ask a member for a new ticket: `satin key invite`")
	}
	if d.accept != nil {
		if err := d.accept(p.String(), pr.hello); err != nil {
			return d.refuse(conn, p, WhyHello, err.Error())
		}
	}
	return nil
}

// listen is the handshake of the one who was dialled. It says nothing but its
// greeting before the dialler has proved the secret.
func (d *handshake) listen(conn net.Conn, p peer.ID) error {
	if why := d.gate.refuses(p); why != 0 {
		return d.refuse(conn, p, why, "")
	}
	theirs, err := d.meet(conn, p)
	if err != nil {
		return err
	}
	mine := d.greet()
	if err := writeHandshake(conn, kindGreeting, mine.append(nil)); err != nil {
		return err
	}
	payload, err := d.expect(conn, p, kindProof)
	if err != nil {
		return err
	}
	pr, err := decodeProof(payload)
	if err != nil {
		return d.refuse(conn, p, WhyGarbled, "")
	}
	t := transcript{dialler: p.String(), listener: d.id.String(),
		greetings: [2]challenge{theirs, mine}, hellos: [2][]byte{pr.hello, d.hello()}}
	if err := d.check(conn, p, t, 0, pr); err != nil {
		return err
	}
	v := decision{proof: proof{mac: t.mac(d.secret, 1), hello: d.hello()}}
	if err := writeHandshake(conn, kindVerdict, v.append(nil)); err != nil {
		return err
	}
	payload, err = d.expect(conn, p, kindVerdict)
	if err != nil {
		return err
	}
	_, err = refusal(p, payload)
	return err
}

// dial is the handshake of the one who dialled.
func (d *handshake) dial(conn net.Conn, p peer.ID) error {
	mine := d.greet()
	if err := writeHandshake(conn, kindGreeting, mine.append(nil)); err != nil {
		return err
	}
	theirs, err := d.meet(conn, p)
	if err != nil {
		return err
	}
	if why := d.gate.refuses(p); why != 0 {
		return d.refuse(conn, p, why, "")
	}
	t := transcript{dialler: d.id.String(), listener: p.String(),
		greetings: [2]challenge{mine, theirs}, hellos: [2][]byte{d.hello(), nil}}
	pr := proof{mac: t.mac(d.secret, 0), hello: d.hello()}
	if err := writeHandshake(conn, kindProof, pr.append(nil)); err != nil {
		return err
	}
	payload, err := d.expect(conn, p, kindVerdict)
	if err != nil {
		return err
	}
	v, err := refusal(p, payload)
	if err != nil {
		return err
	}
	t.hellos[1] = v.proof.hello
	if err := d.check(conn, p, t, 1, v.proof); err != nil {
		return err
	}
	return writeHandshake(conn, kindVerdict, decision{}.append(nil))
}
