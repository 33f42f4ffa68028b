package p2p

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/core/protocol"
	"github.com/libp2p/go-libp2p/core/sec"
	libp2ptls "github.com/libp2p/go-libp2p/p2p/security/tls"
	ma "github.com/multiformats/go-multiaddr"
	manet "github.com/multiformats/go-multiaddr/net"
	mss "github.com/multiformats/go-multistream"
)

// A visit is one question and its answer between hosts of one grid's secret that need not be of
// one build: who visits proves the secret as anybody does, and is asked for nothing else. No
// session comes of it, and libp2p never sees the connection. Everything here, the proof included,
// is what no later build changes.
const (
	visitID protocol.ID = "/satin/visit/1"
	// it stands where hosts that join say their version and their hello, so the proof of one
	// can never be taken for that of the other
	visitWire  = 0
	visitHello = "satin visit 1"

	visitsMax   = 16 // being answered at a time
	visitHeader = 4  // bytes: the length of what follows
)

// The longest question, and the longest answer to one, in bytes.
const (
	VisitRequestMax = 16 << 10
	VisitReplyMax   = 4 << 20
)

// ErrNoVisits says that a host answers no questions of other builds: it is of one that is older
// than these.
var ErrNoVisits = errors.New("p2p: the host there answers no visits")

// Visitor is who asks.
type Visitor struct {
	Dir    string // its state folder; empty: an identity for this once
	Grid   string
	Secret []byte
}

// visits is the security protocol of who comes with a question. As it never succeeds, nothing of
// libp2p's is started for such a connection.
type visits struct {
	handshake
	answer func(ctx context.Context, from string, request []byte) []byte
	free   chan struct{} // holds an element for each visit that is being answered
}

func newVisits(c Config, own hostKey, g *gate, a *unproved, told func(*DeniedError)) (*visits, error) {
	v := &visits{answer: c.Visit, free: make(chan struct{}, visitsMax)}
	tls, err := libp2ptls.New(visitID, own.key, nil)
	if err != nil {
		return nil, fmt.Errorf("p2p: tls: %w", err)
	}
	v.handshake = handshake{
		inner: tls, id: own.id, grid: c.Grid, wire: visitWire, secret: c.Secret,
		hello: func() []byte { return []byte(visitHello) }, accept: isVisit, gate: g,
		admission: a, told: told, met: func(peer.ID, *DeniedError) {},
	}
	return v, nil
}

func isVisit(_ string, hello []byte) error {
	if string(hello) != visitHello {
		return errors.New("it does not come for a visit")
	}
	return nil
}

// ID is the name under which libp2p negotiates it.
func (v *visits) ID() protocol.ID { return visitID }

// errVisited ends a connection whose visit is over.
var errVisited = errors.New("p2p: the visit is over")

// SecureInbound answers a visit, all of it, and then has the connection closed.
func (v *visits) SecureInbound(ctx context.Context, insecure net.Conn, p peer.ID) (sec.SecureConn, error) {
	conn, err := v.handshake.SecureInbound(ctx, insecure, p)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	select {
	case v.free <- struct{}{}:
		defer func() { <-v.free }()
	default:
		return nil, ErrBusy
	}
	if err := v.serve(ctx, conn); err != nil {
		return nil, err
	}
	return nil, errVisited
}

// serve reads the question, and writes the answer.
func (v *visits) serve(ctx context.Context, conn sec.SecureConn) error {
	if d, ok := ctx.Deadline(); ok {
		conn.SetDeadline(d)
	}
	request, err := readVisit(conn, VisitRequestMax)
	if err != nil {
		return err
	}
	reply, err := v.reply(ctx, conn.RemotePeer().String(), request)
	if err != nil {
		return err
	}
	if len(reply) > VisitReplyMax {
		return fmt.Errorf("p2p: the answer to a visit has %d bytes, the cap is %d: %w", len(reply), VisitReplyMax, ErrTooBig)
	}
	if err := writeVisit(conn, reply); err != nil {
		return err
	}
	// What closes here resets: the other end hangs up first, when it has read.
	conn.SetReadDeadline(time.Now().Add(lingerTime))
	io.CopyN(io.Discard, conn, 1)
	return nil
}

// errAnswerTime is why what answers a visit is to come to an end.
var errAnswerTime = fmt.Errorf("that takes longer than the %v that a visit may: it may still come about", answerTime)

// reply answers a question. A panic of what answers ends this visit and nothing else: whoever asks
// must not end a process.
func (v *visits) reply(ctx context.Context, from string, request []byte) (reply []byte, err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("p2p: what answers visits panicked: %v", value)
		}
	}()
	ctx, cancel := context.WithTimeoutCause(ctx, answerTime, errAnswerTime)
	defer cancel()
	return v.answer(ctx, from, request), nil
}

func writeVisit(w io.Writer, b []byte) error {
	_, err := w.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(b))), b...))
	return err
}

func readVisit(r io.Reader, limit int) ([]byte, error) {
	var head [visitHeader]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint32(head[:])
	if int64(n) > int64(limit) {
		return nil, fmt.Errorf("p2p: a visit of %d bytes: %w", n, ErrTooBig)
	}
	// The length is only what somebody says: room is made for what comes.
	b, err := io.ReadAll(io.LimitReader(r, int64(n)))
	if err == nil && len(b) < int(n) {
		err = io.ErrUnexpectedEOF
	}
	return b, err
}

// Visit asks a host, whatever its build is, one question, and returns its answer. All addresses
// must end in the same /p2p/ID; they are tried one after another, but for those through relays,
// which carry no visits. A single one may end without: then it is whoever proves the secret there.
// It takes six seconds at each at most, or as ctx says. The error is a *DeniedError when the host
// refuses the secret or the visitor, ErrNobody when nobody listens at any, and ErrNoVisits when the
// host is of a build that knows no visits.
func Visit(ctx context.Context, by Visitor, request []byte, addrs ...string) ([]byte, error) {
	if len(request) > VisitRequestMax {
		return nil, fmt.Errorf("p2p: a question of %d bytes, the cap is %d: %w", len(request), VisitRequestMax, ErrTooBig)
	}
	to, err := hostAt(addrs)
	if err != nil {
		return nil, err
	}
	own, err := visitorIdentity(by.Dir)
	if err != nil {
		return nil, err
	}
	g, err := newGate(own.id, nil, nil)
	if err != nil {
		return nil, err
	}
	v, err := newVisits(Config{Grid: by.Grid, Secret: by.Secret}, own, g, newUnproved(), func(*DeniedError) {})
	if err != nil {
		return nil, err
	}
	err = fmt.Errorf("p2p: %s can be reached through relays only, which carry no visits", to.ID)
	for _, at := range to.Addrs {
		if isCircuit(at) {
			continue
		}
		var reply []byte
		if reply, err = v.ask(ctx, to.ID, at, request); err == nil {
			return reply, nil
		}
		var refused *DeniedError
		if errors.As(err, &refused) || ctx.Err() != nil {
			return nil, err
		}
	}
	return nil, err
}

// hostAt is who the addresses of a visit name: nobody in particular where a single one names none.
func hostAt(addrs []string) (peer.AddrInfo, error) {
	if len(addrs) != 1 || strings.Contains(addrs[0], "/p2p/") {
		return parseAddrs(addrs)
	}
	a, err := ma.NewMultiaddr(addrs[0])
	if err != nil {
		return peer.AddrInfo{}, fmt.Errorf("p2p: %q is not a multiaddress such as /ip4/192.0.2.1/tcp/%d: %w", addrs[0], Port, err)
	}
	return peer.AddrInfo{Addrs: []ma.Multiaddr{a}}, nil
}

// visitorIdentity is that of a state folder, which a node may be using at the same time: a visit
// takes nobody's place.
func visitorIdentity(dir string) (hostKey, error) {
	if dir == "" {
		return volatileIdentity()
	}
	return sharedIdentity(dir)
}

// ask visits a host at one of its addresses.
func (v *visits) ask(ctx context.Context, to peer.ID, at ma.Multiaddr, request []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, acceptTime)
	defer cancel()
	network, address, err := manet.DialArgs(at)
	if err != nil {
		return nil, fmt.Errorf("p2p: %s: %w", at, err)
	}
	raw, err := tcpDialer{}.DialContext(ctx, network, address)
	switch {
	case errors.Is(err, errRefused):
		return nil, fmt.Errorf("%w: %s", ErrNobody, at)
	case err != nil:
		return nil, fmt.Errorf("p2p: %w", err)
	}
	defer raw.Close()
	deadline, _ := ctx.Deadline()
	raw.SetDeadline(deadline)
	stop := context.AfterFunc(ctx, func() { raw.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	if err := mss.SelectProtoOrFail(visitID, raw); err != nil {
		var unknown mss.ErrNotSupported[protocol.ID]
		if errors.As(err, &unknown) {
			return nil, fmt.Errorf("%w: %s", ErrNoVisits, at)
		}
		return nil, fmt.Errorf("p2p: %s hung up: %w", at, err)
	}
	conn, err := v.handshake.SecureOutbound(ctx, raw, to)
	if err != nil {
		return nil, err
	}
	conn.SetDeadline(deadline)
	if err := writeVisit(conn, request); err != nil {
		return nil, fmt.Errorf("p2p: %w", err)
	}
	reply, err := readVisit(conn, VisitReplyMax)
	if err != nil {
		return nil, fmt.Errorf("p2p: no answer from %s: %w", at, err)
	}
	return reply, nil
}
