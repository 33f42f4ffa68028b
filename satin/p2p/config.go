package p2p

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"time"
)

// Config says who a host is and whom it lets in.
type Config struct {
	// Dir is the state folder, which keeps the host's identity in
	// identity.key. Empty: a new identity that is not kept.
	Dir string
	// Listen are the multiaddresses to listen on, such as
	// /ip4/0.0.0.0/tcp/4001. Empty: every interface, port Port or, when that
	// is in use, any. A port that is asked for here and in use is ErrPortBusy.
	Listen []string
	// Mute makes a host that does not listen.
	Mute bool
	// Leaf makes a host that hears gossip and passes none on. Between two parts
	// that cannot reach each other it is no bridge: across one come the words of
	// those whom nobody can answer.
	Leaf bool

	// Grid is the grid's name and Secret its secret, of 32 bytes; both come
	// from the ticket. Wire is the version of what travels in frames.
	Grid   string
	Secret []byte
	Wire   uint16
	// Hello makes what is shown to every peer that proves the secret, at most
	// HelloMax, always the same. It is called at each handshake and not before, so
	// that what takes a while to make delays nobody's start; nil shows nothing.
	// Accept says whether a peer's hello fits this one, and its error is told
	// to the peer. nil accepts all. Several goroutines may call either.
	Hello  func() []byte
	Accept func(id string, hello []byte) error
	// Visit answers a question of who has proved the secret and may be of any build; see
	// [Visit]. It has some seconds, as ctx says, and up to 16 goroutines call it. nil: this
	// host answers none.
	Visit func(ctx context.Context, from string, request []byte) []byte
	// Allow, when not nil, are the only peer ids that are let in.
	Allow []string
	// Barred are peer ids that are refused from the start; see Host.Bar.
	Barred []string

	// PeersMax is how many peers the limits are made for, default 256.
	PeersMax int
	// BulkMax is the cap of a bulk body that comes in, default BulkMax. More
	// is taken from whom BulkFrom, if it is not nil, says so now. Several
	// goroutines may call that.
	BulkMax  int64
	BulkFrom func(id string) int64
	// Relay says whether this host relays for others and may be relayed;
	// the default is RelayAuto.
	Relay Relaying
	// Wan, when not nil, is put around every TCP connection. All hosts of a
	// grid have one or none has.
	Wan Wan

	Events Events
	// Log takes what the user should know, such as a state folder that cannot
	// be written; default slog.Default.
	Log *slog.Logger

	reservationTime time.Duration // default reservationTime; tests have no time
	keyTime         time.Duration // default keyTime
}

// Wan is what is put around the TCP connections of a host, under TLS, to try a
// grid of several sites on one machine; *wan.Emulator of satin/p2p/wan is one.
type Wan interface {
	// Around puts it around a connection that its host has dialled or accepted.
	Around(c net.Conn, dialled bool) net.Conn
	// BytesFar is how many bytes it has passed on to other sites.
	BytesFar() int64
	// Close is called when the host has closed.
	Close()
}

// BulkMaxFrom is how long a bulk body may be that comes from a peer.
func (c *Config) BulkMaxFrom(id string) int64 {
	if c.BulkFrom == nil {
		return c.BulkMax
	}
	return max(c.BulkMax, c.BulkFrom(id))
}

// Port is where a host listens when it is told nothing and the port is free.
const Port = 4001

// SecretSize is the length of a grid's secret.
const SecretSize = 32

func (c Config) filled() (Config, error) {
	if c.PeersMax == 0 {
		c.PeersMax = 256
	}
	if c.BulkMax == 0 {
		c.BulkMax = BulkMax
	}
	if c.reservationTime == 0 {
		c.reservationTime = reservationTime
	}
	if c.keyTime == 0 {
		c.keyTime = keyTime
	}
	if c.Hello == nil {
		c.Hello = func() []byte { return nil }
	}
	if c.Log == nil {
		c.Log = slog.Default()
	}
	switch {
	case len(c.Secret) == 0:
		return c, errors.New("p2p: no grid secret: make one with `satin key new`, or join with a ticket")
	case len(c.Secret) != SecretSize:
		return c, fmt.Errorf("p2p: the grid secret has %d bytes, not %d: make a new one with `satin key new`", len(c.Secret), SecretSize)
	case c.Grid == "" || len(c.Grid) > GridMax:
		return c, fmt.Errorf("p2p: a grid's name has 1 to %d bytes, this one has %d", GridMax, len(c.Grid))
	case c.Relay < RelayAuto || c.Relay > RelayOff:
		return c, fmt.Errorf("p2p: Relay is %d: RelayAuto, RelayOn or RelayOff is expected", c.Relay)
	case c.PeersMax < 2 || c.BulkMax < 0:
		return c, fmt.Errorf("p2p: PeersMax %d and BulkMax %d must be 2 or more and positive", c.PeersMax, c.BulkMax)
	}
	return c, nil
}
