package satin

import (
	"context"
	"fmt"

	"golang.org/x/time/rate"

	"satingrid/membership"
	"satingrid/satin/p2p"
	"satingrid/satin/peer"
	"satingrid/satin/wire"
	"satingrid/steal"
)

// openLoop makes the loop of a peer, or a client, of a grid, and returns when that has let it in.
func openLoop(ctx context.Context, c loopConfig) (*loop, error) {
	kept, err := c.recall()
	if err != nil {
		return nil, err
	}
	l := newLoop(c)
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
	if err := l.join(ctx); err != nil {
		l.Stop(err)
		return nil, err
	}
	if c.Client {
		return l, nil
	}
	if err := kept.keep(c.State); err != nil {
		c.log().Warn("the site cannot be kept; name it again at the next start", "error", err)
	}
	return l, nil
}

func newLoop(c loopConfig) *loop {
	l := &loop{
		conf:    c,
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
	l.crew.Go(func() {
		if err := l.conf.Door.Open(); err != nil {
			l.cancel(fmt.Errorf("satin: %w", err))
		}
	})
	carrier, err := l.conf.Carrier(ctx, p2p.Config{
		Dir: l.conf.State, Listen: l.conf.Listen,
		Grid: l.conf.Ticket.Grid, Secret: l.conf.Ticket.Secret.Bytes(), Wire: wire.Version,
		Hello: l.conf.Door.Greeting, Accept: l.conf.Door.Accept, Allow: l.conf.Allow, Barred: barredIDs(l.keptBars),
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

// openMachine settles what this peer is called, and makes the machine and the workers.
func (l *loop) openMachine() {
	l.self = membership.PeerID(l.carrier.ID())
	if l.conf.Name == "" {
		id := l.carrier.ID()
		l.conf.Name = l.conf.Site + "/" + id[max(0, len(id)-6):]
		if l.conf.Client {
			l.conf.Name = "client"
		}
	}
	l.machine = peer.New(l.machineConfig(), newSource())
	l.plane = l.conf.NewWorkers(l.ctx, l.conf.Name, forWorkers{l}, l.machine)
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

// Stop ends the loop and all that it started, and returns when it is over.
func (l *loop) Stop(why error) {
	l.cancel(why)
	if l.carrier != nil {
		l.carrier.Close()
	}
	l.crew.Wait()
}
