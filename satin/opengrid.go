package satin

import (
	"context"
	"runtime"
	"time"

	"golang.org/x/time/rate"

	"satingrid/membership"
	"satingrid/satin/p2p"
	"satingrid/satin/peer"
	"satingrid/satin/wire"
	"satingrid/steal"
)

// openGrid makes a peer, or a client, of a grid.
func openGrid(ctx context.Context, c Config, app *registry) (*Peer, error) {
	kept, err := c.recall()
	if err != nil {
		return nil, err
	}
	l := newLoop(c, app)
	if l.keptBars, err = loadBars(c.State); err != nil {
		l.cancel(err)
		return nil, err
	}
	if err := l.loadAddresses(); err != nil {
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
	p := &Peer{app: app, pool: l.pool, loop: l}
	if err := l.join(ctx); err != nil {
		p.Close()
		return nil, err
	}
	if c.Client {
		return p, nil
	}
	if err := kept.keep(c.State); err != nil {
		c.log().Warn("the site cannot be kept; name it again at the next start", "error", err)
	}
	return p, nil
}

func newLoop(c Config, app *registry) *loop {
	l := &loop{
		conf:    c,
		app:     app,
		start:   time.Now(),
		runs:    map[peer.RunNo]*runHere{},
		masters: map[peer.RunNo]membership.PeerID{},
		unnamed: map[membership.PeerID]peer.RunNo{},
		subs:    map[steal.Nonce]*gridSub{},
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
	l.openDiaries()
	return l
}

// openCarrier starts the network.
func (l *loop) openCarrier(ctx context.Context) error {
	d := l.doorstep()
	open := l.conf.Carrier
	if open == nil {
		open = func(ctx context.Context, c p2p.Config) (p2p.Carrier, error) { return p2p.Open(ctx, c) }
	}
	carrier, err := open(ctx, p2p.Config{
		Dir: l.conf.State, Listen: l.conf.Listen,
		Grid: l.conf.Ticket.Grid, Secret: l.conf.Ticket.Secret.Bytes(), Wire: wire.Version,
		Hello: d.greeting, Accept: d.accept, Allow: l.conf.Allow, Barred: barredIDs(l.keptBars),
		BulkMax: max(int64(l.conf.ResultMax), peer.ResultCarried, peer.RootMax, peer.BestMax) + bulkAbove, BulkFrom: l.bulkFrom,
		Relay: l.conf.Relay, Wan: l.conf.Wan, Leaf: l.conf.Client,
		Events: l.events(), Log: l.conf.Log,
	})
	if err != nil {
		return err
	}
	l.carrier = carrier
	return l.carrier.Subscribe(topicGrid)
}

// openMachine makes the machine, and the workers.
func (l *loop) openMachine() {
	l.self = membership.PeerID(l.carrier.ID())
	if l.conf.Name == "" {
		id := l.carrier.ID()
		l.conf.Name = l.conf.Site + "/" + id[max(0, len(id)-6):]
		if l.conf.Client {
			l.conf.Name = "client"
		}
	}
	l.machine = peer.New(peer.Config{
		Member: membership.Config{
			ID: l.self, Site: membership.Site(l.conf.Site), Name: l.conf.Name,
			Workers: uint16(l.conf.Workers), Addrs: l.carrier.Addrs(), Client: l.conf.Client,
		},
		Policy: steal.CRS,
		JobOf:  jobOf, Failure: packFault,
		Known: l.known, Past: l.past, Sessions: true,
		ResultMax: uint32(l.conf.ResultMax), CopyEvery: l.conf.CopyEvery, NoFT: l.conf.NoFT,
	}, newSource())
	l.openWorkers()
}

// openWorkers makes the workers, and sees to it that messages are served while they compute.
func (l *loop) openWorkers() {
	d := newPlane(l.ctx, poolConfig{
		workers: l.conf.Workers, name: l.conf.Name, app: l.app, recording: !l.conf.NoFT,
		strict: l.conf.Strict, log: l.conf.log(),
	}, forWorkers{l}, l.machine)
	l.plane, l.pool = d, d.pool
	if p := l.conf.Workers + 1; !l.conf.Client && runtime.GOMAXPROCS(0) < p {
		runtime.GOMAXPROCS(p)
	}
}

// join founds the grid or joins it, and returns when this peer is in.
func (l *loop) join(ctx context.Context) error {
	l.post(func() {
		l.founds = !l.past && l.machine.Book().Len() == 0
		l.do(l.machine.Open(l.now()))
	})
	select {
	case <-l.joined:
		return nil
	case <-l.ctx.Done():
		return context.Cause(l.ctx)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// stop ends the loop and all that it started, and returns when it is over.
func (l *loop) stop(why error) {
	l.cancel(why)
	if l.carrier != nil {
		l.carrier.Close()
	}
	l.crew.Wait()
}
