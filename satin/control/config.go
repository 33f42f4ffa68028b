package control

import (
	"context"
	"log/slog"
	"time"

	"satingrid/satin/p2p"
	"satingrid/satin/peer/workers"
	"satingrid/satin/ticket"
	"satingrid/steal"
)

// Config is what a loop is told of its peer, and what it has from outside.
type Config struct {
	Client  bool // it submits runs and computes nothing
	Workers int  // 0 for a client
	// what people call it; by default as State has it, or Site/xxxxxx after its id
	Name     string
	Site     string // by default as State has it, or "site"
	HeirSite string // where its heir should be when it leaves; "" is anywhere

	Ticket    ticket.Ticket
	WhenAlone WhenAlone
	Listen    []string
	State     string // folder of what is kept for the next start; "" is none
	Visit     func(ctx context.Context, from string, question []byte) []byte
	Relay     p2p.Relaying
	Wan       p2p.Wan
	Allow     []string

	// bytes that the state folder may take for what outlives all processes, and the build that
	// this is for; 0 is the default, below 0 none. Build may take a while
	Store int64
	Build func() (string, error)

	ResultMax int           // bytes of a result that its own runs are promised
	CopyEvery time.Duration // as in peer.Config
	NoFT      bool          // a run that is submitted here fails when a peer is lost

	// Events is told what happens, and Log written to, beside the loop, one after the other:
	// see voice. Events may be nil.
	Events func(Event)
	Log    *slog.Logger

	Clock     Clock
	Handshake Handshake
	Carrier   func(ctx context.Context, c p2p.Config) (p2p.Carrier, error)
	// NewWorkers makes the workers once it is settled what the peer is called. They end after
	// the loop. What they write to their log waits for nothing.
	NewWorkers func(
		ctx context.Context, name string, log *slog.Logger, loop workers.Loop, hears workers.Events,
	) workers.Plane
	// JobOf, Failure and Refusal are those of peer.Config.
	JobOf   func(failed []byte) steal.Key
	Failure func(task string, key steal.Key, peer, text string) steal.Result
	Refusal func(text string) steal.Result
	// Watch is told of each message that is encoded or decoded, where that happens, and how
	// long it is. v is its body, or nil when that is not known. nil: nobody is told.
	Watch func(what string, v any, bytes int)
}

// Handshake is what hosts show each other before they talk, and what each thinks of that.
type Handshake interface {
	// Open finds out what this host has to show, which takes a while. A peer that cannot tell
	// ends.
	Open() error
	Greeting() []byte
	Accept(id string, greeting []byte) error
	// IsClient tells whether a host that was let in has shown that it is a client.
	IsClient(greeting []byte) bool
}

func (c *Config) log() *slog.Logger {
	if c.Log != nil {
		return c.Log
	}
	return slog.Default()
}

func (c *Config) watch(what string, v any, bytes int) {
	if c.Watch != nil {
		c.Watch(what, v, bytes)
	}
}

// WhenAlone is what a peer does where nobody of its grid answers.
type WhenAlone int

// The ways: by default one whose ticket names nobody founds, one that has been in the grid before
// goes on, and any other fails.
const (
	AloneDefault WhenAlone = iota
	AloneFails             // it fails; others are there who begin
	AloneGoesOn            // it goes on as the grid of its ticket: nobody else does
	// AloneFoundsAnew: whoever the state folder knows is of another build, and not tried. Who
	// the ticket names is not; where it names nobody, this peer founds the grid of its build.
	AloneFoundsAnew
)
