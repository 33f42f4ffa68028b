package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"sync"
	"time"

	"satingrid/satin/p2p"
)

// trips is what one round of measureTrips found, each figure beside plain TCP's in the same
// run, so that their ratio means something on a busy machine too.
type trips struct {
	idle tripPair // nothing else goes on
	// while values of measureBulk bytes flow from the same host, one after another
	busy tripPair

	sent, sentTCP int // of those values
}

// tripPair is a request's round trip on the control stream and over plain TCP.
type tripPair struct{ frames, tcp times }

// times are percentiles of round trips.
type times struct{ p50, p99 time.Duration }

func (t times) String() string { return fmt.Sprintf("p50 %v, p99 %v", t.p50, t.p99) }

const (
	measureBytes = 100
	measureBulk  = 1 << 20
	measureTurn  = 500 // round trips of the one before the other's turn
)

// measureTrips times requests and replies of 100 bytes between two hosts in this
// process over loopback, n of each kind in each round, in turns with plain TCP: idle, and
// while values of 1 MiB flow the same way as the replies. Plain TCP's values
// have a connection of their own.
func measureTrips(ctx context.Context, rounds, n int) ([]trips, error) {
	hosts, err := newHostsPath(ctx)
	if err != nil {
		return nil, err
	}
	defer hosts.close()
	plain, err := newPlainPath()
	if err != nil {
		return nil, err
	}
	defer plain.close()
	all := make([]trips, rounds)
	for i := range all {
		m := &all[i]
		if m.idle, _, _, err = compare(ctx, n, hosts, plain, false); err != nil {
			return nil, err
		}
		if m.busy, m.sent, m.sentTCP, err = compare(ctx, n, hosts, plain, true); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// tripWay is one way to make a round trip, and to send a large value meanwhile.
type tripWay interface {
	roundTrip() error
	bulk(ctx context.Context, body []byte) error
	close()
}

// compare lets the two take turns, so that a busy neighbour disturbs both.
func compare(ctx context.Context, n int, hosts, plain tripWay, busy bool) (tripPair, int, int, error) {
	var took [2][]time.Duration
	var sent [2]int
	for done := 0; done < n; done += measureTurn {
		for i, p := range []tripWay{hosts, plain} {
			stop := func() (int, error) { return 0, nil }
			if busy {
				stop = flow(ctx, p)
			}
			for range min(measureTurn, n-done) {
				start := time.Now()
				if err := p.roundTrip(); err != nil {
					return tripPair{}, 0, 0, err
				}
				took[i] = append(took[i], time.Since(start))
			}
			k, err := stop()
			if err != nil {
				return tripPair{}, 0, 0, err
			}
			sent[i] += k
		}
	}
	return tripPair{percentiles(took[0]), percentiles(took[1])}, sent[0], sent[1], nil
}

// flow sends large values until it is stopped. It returns when the first has
// arrived: round trips may take less time than a connection for it.
func flow(ctx context.Context, p tripWay) func() (int, error) {
	ctx, cancel := context.WithCancel(ctx)
	body := make([]byte, measureBulk)
	var sent int
	err := p.bulk(ctx, body)
	var done sync.WaitGroup
	done.Go(func() {
		for err == nil {
			sent++
			if ctx.Err() != nil {
				return
			}
			err = p.bulk(ctx, body)
		}
	})
	return func() (int, error) {
		cancel()
		done.Wait()
		if errors.Is(err, context.Canceled) {
			err = nil
		}
		return sent, err
	}
}

func percentiles(d []time.Duration) times {
	if len(d) == 0 {
		return times{}
	}
	slices.Sort(d)
	return times{p50: d[len(d)/2], p99: d[len(d)*99/100]}
}

// hostsPath is two hosts: the first asks, the second replies.
type hostsPath struct {
	asks, replies *p2p.Host
	reply         chan struct{}
}

func newHostsPath(ctx context.Context) (*hostsPath, error) {
	p := &hostsPath{reply: make(chan struct{}, 1)}
	c := p2p.Config{
		Grid: "measure", Secret: make([]byte, p2p.SecretSize), Listen: []string{"/ip4/127.0.0.1/tcp/0"},
	}
	var err error
	c.Events.Frame = func(string, []byte) { p.reply <- struct{}{} }
	if p.asks, err = p2p.Open(ctx, c); err != nil {
		return nil, err
	}
	answer := make([]byte, measureBytes)
	c.Events.Frame = func(id string, _ []byte) { p.replies.Send(id, answer) }
	if p.replies, err = p2p.Open(ctx, c); err == nil {
		_, err = p.asks.Dial(ctx, p.replies.Addrs()...)
	}
	if err == nil {
		err = p.roundTrip() // so that the session is up at both ends
	}
	if err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func (p *hostsPath) roundTrip() error {
	if err := p.asks.Send(p.replies.ID(), make([]byte, measureBytes)); err != nil {
		return err
	}
	<-p.reply
	return nil
}

func (p *hostsPath) bulk(ctx context.Context, body []byte) error {
	return p.replies.SendBulk(ctx, p.asks.ID(), nil, body)
}

func (p *hostsPath) close() {
	for _, h := range []*p2p.Host{p.asks, p.replies} {
		if h != nil {
			h.Close()
		}
	}
}

// plainPath is the same over bare TCP: a connection for requests, another for
// large values, which are acknowledged as SendBulk's are.
type plainPath struct {
	listener    net.Listener
	small, big  net.Conn
	serving     sync.WaitGroup
	smallB      []byte
	acknowledge [1]byte
}

func newPlainPath() (*plainPath, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &plainPath{listener: l, smallB: make([]byte, measureBytes)}
	if p.small, err = p.pair(p.echo); err == nil {
		p.big, err = p.pair(p.swallow)
	}
	if err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

// pair connects and serves the other end.
func (p *plainPath) pair(serve func(net.Conn)) (net.Conn, error) {
	c, err := net.Dial("tcp", p.listener.Addr().String())
	if err != nil {
		return nil, err
	}
	other, err := p.listener.Accept()
	if err != nil {
		c.Close()
		return nil, err
	}
	p.serving.Go(func() {
		defer other.Close()
		serve(other)
	})
	return c, nil
}

func (p *plainPath) echo(c net.Conn) {
	b := make([]byte, measureBytes)
	for {
		if _, err := io.ReadFull(c, b); err != nil {
			return
		}
		if _, err := c.Write(b); err != nil {
			return
		}
	}
}

func (p *plainPath) swallow(c net.Conn) {
	b := make([]byte, measureBulk)
	for {
		if _, err := io.ReadFull(c, b); err != nil {
			return
		}
		if _, err := c.Write(b[:1]); err != nil {
			return
		}
	}
}

func (p *plainPath) roundTrip() error {
	if _, err := p.small.Write(p.smallB); err != nil {
		return err
	}
	_, err := io.ReadFull(p.small, p.smallB)
	return err
}

func (p *plainPath) bulk(_ context.Context, body []byte) error {
	if _, err := p.big.Write(body); err != nil {
		return err
	}
	_, err := io.ReadFull(p.big, p.acknowledge[:])
	return err
}

func (p *plainPath) close() {
	p.listener.Close()
	for _, c := range []net.Conn{p.small, p.big} {
		if c != nil {
			c.Close()
		}
	}
	p.serving.Wait()
}
