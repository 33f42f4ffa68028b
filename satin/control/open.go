package control

import (
	"context"
	"fmt"
	"math/rand/v2"

	"satingrid/membership"
	"satingrid/satin/control/driver"
	"satingrid/satin/p2p"
	"satingrid/satin/peer"
	"satingrid/satin/wire"
	"satingrid/steal"
)

// Open makes the loop of a peer, or a client, of a grid, and returns when that has let it in.
func Open(ctx context.Context, c Config) (*Loop, error) {
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
	l.goroutines.Add(1)
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

// openCarrier starts the network.
func (l *Loop) openCarrier(ctx context.Context) error {
	l.goroutines.Go(func() {
		if err := l.conf.Handshake.Open(); err != nil {
			l.cancel(fmt.Errorf("satin: %w", err))
		}
	})
	carrier, err := l.conf.Carrier(ctx, p2p.Config{
		Dir: l.conf.State, Listen: l.conf.Listen,
		Grid: l.conf.Ticket.Grid, Secret: l.conf.Ticket.Secret.Bytes(), Wire: wire.Version,
		Hello: l.conf.Handshake.Greeting, Accept: l.conf.Handshake.Accept,
		Allow: l.conf.Allow, Barred: barredIDs(l.keptBars),
		BulkMax: driver.BulkAbove +
			max(int64(l.conf.ResultMax), peer.ResultCarried, peer.RootMax, peer.BestMax),
		BulkFrom: l.bulkFrom,
		Relay:    l.conf.Relay, Wan: l.conf.Wan, Leaf: l.conf.Client,
		Events: l.events(), Log: l.conf.Log,
	})
	if err != nil {
		return err
	}
	l.carrier = carrier
	return l.carrier.Subscribe(topicGrid)
}

// openMachine settles what this peer is called, and makes the machine and the workers.
func (l *Loop) openMachine() {
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
	l.driver = driver.New(l.machine, toHosts{l}, noted{l.plane, l}, ofDriver{l})
}

// join founds the grid or joins it, and returns when this peer is in.
func (l *Loop) join(ctx context.Context) error {
	l.post(func() {
		l.founds = !l.past && l.machine.Sight().Book().Len() == 0
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
func (l *Loop) Stop(why error) {
	l.cancel(why)
	if l.carrier != nil {
		l.carrier.Close()
	}
	l.goroutines.Wait()
}

// newSource is a random source for the machine. Only in the simulator must it give the same twice.
func newSource() *rand.Rand { return rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())) }

// memberConfig is what the machine is told of this peer.
func (l *Loop) memberConfig() membership.Config {
	return membership.Config{
		ID: l.self, Site: membership.Site(l.conf.Site), Name: l.conf.Name,
		Workers: uint16(l.conf.Workers), Addrs: l.carrier.Addrs(), Client: l.conf.Client,
	}
}

// machineConfig is what the machine is told.
func (l *Loop) machineConfig() peer.Config {
	return peer.Config{
		Member: l.memberConfig(), Policy: steal.CRS,
		JobOf: l.conf.JobOf, Failure: l.conf.Failure,
		Known: l.known, Past: l.past, Sessions: true,
		ResultMax: uint32(l.conf.ResultMax), CopyEvery: l.conf.CopyEvery, NoFT: l.conf.NoFT,
	}
}

// openDiaries says what is kept, and how.
func (l *Loop) openDiaries() {
	l.barsDiary = diary{
		content: l.barsNow,
		lost:    "the list of barred peers cannot be kept; the grid still has it",
	}
	l.addressDiary = diary{
		content: l.addressesNow,
		lost:    "where the grid's hosts are cannot be kept; the next start needs a ticket",
	}
}
