package satin

import (
	"context"
	"log/slog"
	"runtime"
	"sync"
	"time"

	"satingrid/satin/build"
	"satingrid/satin/control"
	"satingrid/satin/p2p"
	"satingrid/satin/peer"
	"satingrid/satin/peer/workers"
)

// openGrid makes a peer, or a client, of a grid.
func openGrid(ctx context.Context, c Config, app *registry) (*Peer, error) {
	keep, err := keepSeconds(c.Keep)
	if err != nil {
		return nil, err
	}
	p := &Peer{app: app, terms: peer.Terms{
		ResultMax: uint32(c.ResultMax), Verify: c.Verify, Share: uint16(c.Share), Keep: keep,
	}}
	shakes := newHandshake(c, app)
	l, err := control.Open(ctx, control.Config{
		Client: c.Client, Workers: c.Workers, Name: c.Name, Site: c.Site, HeirSite: c.HeirSite,
		Ticket: c.Ticket, WhenAlone: c.WhenAlone, Listen: c.Listen, State: c.State,
		Visit: c.Visit, Relay: c.relay(), Wan: c.Testing.Wan, Allow: c.Allow,
		Store: c.Store, Build: func() (string, error) { return app.stored(shakes.made) },
		ResultMax: c.ResultMax, CopyEvery: c.CopyEvery, NoFT: c.Testing.NoFT,
		Events: c.Events, Log: c.Log,
		Clock: &clock{time.Now()}, Handshake: shakes, Carrier: c.carrier(),
		NewWorkers: func(
			ctx context.Context, name string, log *slog.Logger, loop workers.Loop, hears workers.Events,
		) workers.Plane {
			d := newPlane(ctx, poolConfig{
				workers: c.Workers, name: name, app: app, recording: !c.Testing.NoFT, strict: c.Testing.Strict,
				log: log,
			}, loop, hears)
			p.pool = d.pool
			c.raiseProcs()
			return d
		},
		JobOf: jobOf, Failure: packFault, Refusal: packRefusal, Watch: watch,
	})
	if err != nil {
		if p.pool != nil {
			p.pool.close()
		}
		return nil, err
	}
	p.loop = l
	return p, nil
}

// raiseProcs sees to it that messages are served while all workers compute.
func (c *Config) raiseProcs() {
	if p := c.Workers + 1; !c.Client && runtime.GOMAXPROCS(0) < p {
		runtime.GOMAXPROCS(p)
	}
}

// carrier is the network, unless another was given.
func (c *Config) carrier() func(context.Context, p2p.Config) (p2p.Carrier, error) {
	if c.Testing.Carrier != nil {
		return c.Testing.Carrier
	}
	return func(ctx context.Context, c p2p.Config) (p2p.Carrier, error) { return p2p.Open(ctx, c) }
}

// relay is Relay in the carrier's words.
func (c *Config) relay() p2p.Relaying {
	switch c.Relay {
	case RelayOn:
		return p2p.RelayOn
	case RelayOff:
		return p2p.RelayOff
	}
	return p2p.RelayAuto
}

// clock is the process's.
type clock struct{ start time.Time }

func (c *clock) Now() time.Duration { return time.Since(c.start) }

func (c *clock) Date() time.Time { return time.Now() }

func (c *clock) AfterFunc(after time.Duration, do func()) control.Timer {
	return time.AfterFunc(after, do)
}

func newHandshake(c Config, app *registry) *handshake {
	made := build.This
	if c.made != nil {
		made = c.made
	}
	return &handshake{sync.OnceValues(func() (hello, error) {
		identity, err := made()
		return app.hello(identity, c.Client), err
	})}
}
