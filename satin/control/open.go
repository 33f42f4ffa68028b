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
	if l.bars, err = loadBars(c.State); err == nil {
		err = l.joining.load(&c)
	}
	if err == nil {
		err = l.openCarrier(ctx)
	}
	if err != nil {
		l.cancel(err)
		l.voice.end()
		return nil, err
	}
	var runs []peer.Recorded
	l.disk, runs = openDisk(ctx, &l.conf, l.post, &l.disks)
	l.openMachine()
	l.hold(runs)
	l.goroutines.Add(1)
	go l.run()
	if err := l.join(ctx, runs); err != nil {
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
		Allow: l.conf.Allow, Barred: barredIDs(l.bars),
		BulkMax: driver.BulkAbove +
			max(int64(l.conf.ResultMax), peer.ResultCarried, peer.RootMax, peer.BestMax),
		BulkFrom: l.incoming.bulkFrom,
		Visit:    l.conf.Visit,
		Relay:    l.conf.Relay, Wan: l.conf.Wan, Leaf: l.conf.Client,
		Events: l.events(), Log: l.conf.Log,
	})
	if err != nil {
		return err
	}
	l.carrier, l.far.carrier = carrier, carrier
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
	l.submissions.runOf = l.machine.Sight().RunOf
	if l.disk != nil {
		l.disk.leaves = func() bool { return l.machine.Sight().LeavesBy() > 0 }
	}
	l.runs.Plane = l.conf.NewWorkers(l.ctx, l.conf.Name, l.conf.Log, forWorkers{l}, l.machine)
	var kept driver.Folder
	if l.conf.State != "" {
		kept = &folder{
			name: l.conf.State, clock: l.conf.Clock, log: l.conf.log(),
			post: l.post, by: &l.disks,
		}
	}
	about := driver.Config{Client: l.conf.Client, Past: l.joining.past, NoFT: l.conf.NoFT}
	l.driver = driver.New(about, l.machine, toHosts{l}, &l.runs, ofDriver{l}, kept, l.disk)
}

// hold notes, and tells, which of the runs that the disk knows have a root that waits.
func (l *Loop) hold(runs []peer.Recorded) {
	l.held = map[steal.Key]int{}
	for _, rec := range runs {
		if wait := waitOf(rec); wait > 0 {
			id := rec.Head.Run.ID()
			l.held[id] = int(rec.Starts)
			l.tell(Event{Kind: EventHeld, Peer: l.conf.Name, Run: id, Ends: int(rec.Starts), Wait: wait})
		}
	}
}

// join founds the grid or joins it, with the runs that its disk knows, and returns when this peer
// is in.
func (l *Loop) join(ctx context.Context, runs []peer.Recorded) error {
	ended, err := loadEnds(l.conf.State, l.conf.Clock.Date())
	if err != nil {
		l.conf.log().Warn("runs that have ended may be brought up again by this peer's disk", "error", err)
	}
	l.post(func() { l.driver.Open(driver.Inherited{Barred: l.bars, Ended: ended, Runs: runs}) })
	select {
	case <-l.joining.in:
	case <-l.ctx.Done():
	case <-ctx.Done():
		l.post(func() { l.giveUp(context.Cause(ctx)) })
	}
	select {
	case <-l.joining.in:
		return nil
	case <-l.ctx.Done():
		return context.Cause(l.ctx)
	}
}

// giveUp ends a peer that is not in yet. One that is has to leave: for the others it would have
// crashed.
func (l *Loop) giveUp(why error) {
	select {
	case <-l.joining.in:
	default:
		l.cancel(why)
	}
}

// Stop ends the loop and all that it started, and returns when it is over; see endDisks.
func (l *Loop) Stop(why error) {
	l.cancel(why)
	if l.carrier != nil {
		l.carrier.Close()
	}
	l.goroutines.Wait()
	l.disksEnd.Do(l.endDisks)
	l.voice.end()
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
		JobOf: l.conf.JobOf, Failure: l.conf.Failure, Refusal: l.conf.Refusal,
		Known: l.joining.known, Tickets: l.joining.tickets, Past: l.joining.past, Sessions: true,
		ResultMax: uint32(l.conf.ResultMax), CopyEvery: l.conf.CopyEvery, NoFT: l.conf.NoFT,
		Store: l.disk != nil,
	}
}
