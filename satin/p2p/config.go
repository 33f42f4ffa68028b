package p2p

import (
	"errors"
	"fmt"
	"log/slog"
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

	// Grid is the grid's name and Secret its secret, of 32 bytes; both come
	// from the ticket. Wire is the version of what travels in frames.
	Grid   string
	Secret []byte
	Wire   uint16
	// Hello is shown to every peer that proves the secret, at most HelloMax;
	// Accept says whether a peer's hello fits this one, and its error is told
	// to the peer. nil accepts all. It may be called from several goroutines.
	Hello  []byte
	Accept func(id string, hello []byte) error
	// Allow, when not nil, are the only peer ids that are let in.
	Allow []string
	// Barred are peer ids that are refused from the start; see Host.Bar.
	Barred []string

	// PeersMax is how many peers the limits are made for, default 256.
	PeersMax int
	// BulkMax is the cap of a bulk body, default BulkMax.
	BulkMax int64
	// Relay says whether this host relays for others and may be relayed;
	// the default is RelayAuto.
	Relay Relaying
	// Wan, when not nil, delays and cuts connections as it is told. All hosts
	// of a grid have one or none has.
	Wan *Wan

	Events Events
	// Log takes what the user should know, such as a state folder that cannot
	// be written; default slog.Default.
	Log *slog.Logger

	slotTime time.Duration // default slotTime; tests have no time
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
	if c.slotTime == 0 {
		c.slotTime = slotTime
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
	case len(c.Hello) > HelloMax:
		return c, fmt.Errorf("p2p: the hello has %d bytes, the cap is %d: %w", len(c.Hello), HelloMax, ErrTooBig)
	case c.Relay < RelayAuto || c.Relay > RelayOff:
		return c, fmt.Errorf("p2p: Relay is %d: RelayAuto, RelayOn or RelayOff is expected", c.Relay)
	case c.PeersMax < 2 || c.BulkMax < 0:
		return c, fmt.Errorf("p2p: PeersMax %d and BulkMax %d must be 2 or more and positive", c.PeersMax, c.BulkMax)
	}
	return c, nil
}
