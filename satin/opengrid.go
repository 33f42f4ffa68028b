package satin

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"golang.org/x/time/rate"

	"satingrid/membership"
	"satingrid/satin/p2p"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// joinPatience is how long Open waits for the grid to answer.
const joinPatience = 5 * time.Second

// openGrid makes a peer, or a client, of a grid.
func openGrid(ctx context.Context, c Config, app *registry) (*Peer, error) {
	if c.Site == "" && !c.Client {
		c.Site = "site"
	}
	l := newLoop(c, app)
	var err error
	if l.keptBars, err = loadBars(c.State); err != nil {
		l.cancel(err)
		return nil, err
	}
	if err := l.openCarrier(ctx); err != nil {
		l.cancel(err)
		return nil, err
	}
	l.openMachine()
	l.tellBars()
	l.crew.Add(1)
	go l.run()
	p := &Peer{app: app, pool: l.plane, loop: l}
	if err := l.join(ctx); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

func newLoop(c Config, app *registry) *loop {
	l := &loop{
		conf:    c,
		app:     app,
		start:   time.Now(),
		runs:    map[peer.RunNo]*gridRun{},
		borrows: map[uint64]borrowed{},
		masters: map[peer.RunNo]membership.PeerID{},
		unnamed: map[membership.PeerID]peer.RunNo{},
		subs:    map[uint64]*gridSub{},
		joined:  make(chan struct{}),
		dialing: map[membership.PeerID]*attempt{},
		parted:  map[membership.PeerID]bool{},
		late:    map[membership.PeerID]bool{},
		bars:    map[membership.PeerID]membership.Bar{},
		wake:    make(chan struct{}, 1),
		frames:  make(chan arrival, framesMax),
		rations: rations{of: map[string]*rate.Limiter{}},
	}
	l.ctx, l.cancel = context.WithCancelCause(context.Background())
	return l
}

// openCarrier starts the network.
func (l *loop) openCarrier(ctx context.Context) error {
	h := l.app.hello()
	greeting, err := marshal(&h)
	if err != nil {
		return fmt.Errorf("satin: encode the greeting: %w", err)
	}
	open := l.conf.Carrier
	if open == nil {
		open = func(ctx context.Context, c p2p.Config) (p2p.Carrier, error) { return p2p.Open(ctx, c) }
	}
	l.carrier, err = open(ctx, p2p.Config{
		Dir: l.conf.State, Listen: l.conf.Listen,
		Grid: l.conf.Ticket.Grid, Secret: l.conf.Ticket.Secret.Bytes(), Wire: wireVersion,
		Hello: greeting, Accept: h.accept, Allow: l.conf.Allow, Barred: barredIDs(l.keptBars),
		BulkMax: max(int64(l.conf.ResultMax), peer.RootMax, peer.BestMax) + bulkAbove, Relay: l.conf.Relay, Wan: l.conf.Wan,
		Events: l.events(), Log: l.conf.Log,
	})
	if err != nil {
		return err
	}
	return l.carrier.Subscribe(topicGrid)
}

// openMachine makes the machine and the workers.
func (l *loop) openMachine() {
	l.self = membership.PeerID(l.carrier.ID())
	if l.conf.Name == "" {
		id := l.carrier.ID()
		l.conf.Name = l.conf.Site + "/" + id[max(0, len(id)-6):]
		if l.conf.Client {
			l.conf.Name = "client"
		}
	}
	l.plane = newPool(poolConfig{
		workers: l.conf.Workers, name: l.conf.Name, app: l.app, recording: !l.conf.NoFT, outside: l, resultMax: l.conf.ResultMax,
		strict: l.conf.Strict,
	})
	if p := l.conf.Workers + 1; !l.conf.Client && runtime.GOMAXPROCS(0) < p {
		runtime.GOMAXPROCS(p)
	}
	l.machine = peer.New(peer.Config{
		Member: membership.Config{
			ID: l.self, Site: membership.Site(l.conf.Site), Name: l.conf.Name,
			Workers: uint16(l.conf.Workers), Addrs: l.carrier.Addrs(), Client: l.conf.Client,
		},
		Policy: steal.CRS,
		Better: l.app.better, JobOf: jobOf, Failure: packFault,
		Verify: l.conf.Verify, CopyEvery: l.conf.CopyEvery, NoFT: l.conf.NoFT,
	}, newSource())
}

// join founds the grid or joins it, and returns when this peer is in.
func (l *loop) join(ctx context.Context) error {
	addrs := l.conf.Ticket.Addrs
	if len(addrs) == 0 {
		l.post(func() { l.do(l.machine.Found(l.now())) })
	} else {
		l.post(func() { l.do(l.machine.Join(l.now())) })
		if err := l.firstContact(ctx, addrs); err != nil {
			return err
		}
		l.crew.Add(1)
		go l.keepContact(addrs)
	}
	timeout := time.NewTimer(joinPatience)
	defer timeout.Stop()
	select {
	case <-l.joined:
		return nil
	case <-l.ctx.Done():
		return context.Cause(l.ctx)
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timeout.C:
		return fmt.Errorf("satin: the grid was reached and did not answer within %v: is a peer of it still running?", joinPatience)
	}
}

// firstContact dials the addresses until one lets this peer in. A refusal is final.
func (l *loop) firstContact(ctx context.Context, addrs []string) error {
	failed := make(chan error, len(addrs))
	for _, a := range addrs {
		l.crew.Add(1)
		go func() { // goes on when another address leads in: the more this peer knows, the less one that leaves matters
			defer l.crew.Done()
			ctx, cancel := context.WithTimeout(l.ctx, joinPatience-time.Second)
			defer cancel()
			_, err := l.carrier.Dial(ctx, a)
			failed <- err
		}()
	}
	var first error
	for range addrs {
		var err error
		select {
		case err = <-failed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if err == nil {
			return nil
		}
		var refused *p2p.Refusal
		if first == nil || errors.As(err, &refused) {
			first = err
		}
	}
	return fmt.Errorf("satin: join: %w", first)
}

// stop ends the loop and all that it started, and returns when it is over.
func (l *loop) stop(why error) {
	l.cancel(why)
	if l.carrier != nil {
		l.carrier.Close()
	}
	l.crew.Wait()
}
