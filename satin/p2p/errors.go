package p2p

import (
	"errors"
	"fmt"
)

var (
	// ErrNotUp says that there is no session with the peer: Dial it first.
	ErrNotUp = errors.New("p2p: no session with that peer")
	// ErrFull says that the peer's queue is full: it reads too slowly.
	ErrFull = errors.New("p2p: the peer's queue is full")
	// ErrTooBig says that a frame, header, body or message is over its cap.
	ErrTooBig = errors.New("p2p: too big")
	// ErrClosed says that the host was closed.
	ErrClosed = errors.New("p2p: the host is closed")
	// ErrNobody says that the machine answers, but the peer is not there: no
	// process listens at any of its addresses, or it is another peer.
	ErrNobody = errors.New("p2p: the peer is not there")
	// ErrPortBusy says that a port that was asked for is in use.
	ErrPortBusy = errors.New("p2p: the port is in use")
	// ErrStateBusy says that another process uses the state folder.
	ErrStateBusy = errors.New("p2p: the state folder is in use by another process")
	// ErrIdentity says that the state folder has a key that cannot be used.
	ErrIdentity = errors.New("p2p: identity")
	// ErrDigest says that a bulk body did not have the announced digest.
	ErrDigest = errors.New("p2p: the body does not have the announced digest")
	// ErrBusy says that the receiver has too many transfers under way.
	ErrBusy = errors.New("p2p: the receiver has too many transfers under way")
)

// AnotherError is the error of a dial that found other hosts at some of the
// addresses than the one that it was for: that one has moved, and they may be
// of the grid.
type AnotherError struct {
	Met []Met
	err error
}

// Met is a host that was found at an address, which ends in /p2p/ and its id.
type Met struct{ ID, Addr string }

// Error says what came of the dial.
func (e *AnotherError) Error() string { return e.err.Error() }

// Unwrap is what the dial came to, such as ErrNobody.
func (e *AnotherError) Unwrap() error { return e.err }

// Why is the kind of a refusal. The numbers are on the wire and never change.
type Why uint8

const (
	WhyGarbled     Why = 1 // does not speak this protocol
	WhyVersion     Why = 2 // another wire version
	WhyGrid        Why = 3 // another grid's name
	WhyNoSecret    Why = 4 // offered no proof of the secret
	WhyWrongSecret Why = 5 // its proof does not fit
	WhyBarred      Why = 6 // barred by id
	WhyNotAllowed  Why = 7 // not on the allow-list
	WhyHello       Why = 8 // Config.Accept said no, typically another build
	WhySelf        Why = 9 // the host reached itself
)

// String says in words what was wrong with the one refused.
func (w Why) String() string {
	switch w {
	case WhyGarbled:
		return "does not speak satin's protocol"
	case WhyVersion:
		return "speaks another wire version"
	case WhyGrid:
		return "belongs to another grid"
	case WhyNoSecret:
		return "offered no proof of the grid's secret"
	case WhyWrongSecret:
		return "has a wrong grid secret"
	case WhyBarred:
		return "is barred from the grid"
	case WhyNotAllowed:
		return "is not on the allow-list"
	case WhyHello:
		return "does not fit"
	case WhySelf:
		return "is the host itself"
	}
	return fmt.Sprintf("was refused for reason %d", uint8(w))
}

// DeniedError is the error of a connection that one end refused at the handshake.
type DeniedError struct {
	Peer   string // the other end; empty when it never said who it is
	Why    Why
	Reason string // more words, from the one who refused
	Here   bool   // this host refused Peer; otherwise Peer refused this host
}

// Error says who refused whom, and why.
func (r *DeniedError) Error() string {
	who, whom := "this host", "peer "+r.Peer
	if !r.Here {
		who, whom = whom, who
	}
	s := fmt.Sprintf("p2p: %s refused %s, which %s", who, whom, r.Why)
	if r.Reason != "" {
		s += ": " + r.Reason
	}
	return s
}
