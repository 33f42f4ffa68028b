package satin

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"time"

	"satingrid/satin/build"
	"satingrid/satin/control"
	"satingrid/satin/p2p"
	"satingrid/satin/peer"
	"satingrid/satin/ticket"
)

// Config says what a peer is. The zero value of each field is its default.
type Config struct {
	App     App  // the tasks it can run; where any are listed, a run fails that spawns another
	Alone   bool // compute in this process only, without a network
	Client  bool // submit runs and compute nothing
	Workers int  // cores to use; 0 is as many as Go may use (GOMAXPROCS)
	// what people call the peer; by default "here" alone, and on a grid as State has it, or
	// site/xxxxxx after its id
	Name string

	// Ticket has the grid's name and secret, and addresses of peers to join. A ticket without
	// addresses founds a grid.
	Ticket    ticket.Ticket
	WhenAlone WhenAlone // what it does where nobody of the grid answers
	// the name of the peers near this one; by default as State has it, or "site"
	Site string
	// multiaddresses to listen on; by default every interface, port 4001 or another free one
	Listen []string
	// folder of the peer's identity, site and name; by default a new identity that is not kept
	State string

	// Store is how many bytes the folder of State may take for what is known of runs: what they
	// are, what is finished of them, bests and answers. With that the next processes go on when
	// all have ended, or when a root is submitted again that was given up. 0 is 1 GiB, and
	// below 0 nothing is stored.
	Store int64

	// ResultMax bounds the encoded result of each job of a run that is submitted here, the
	// answer included, in bytes; 0 is 64 MiB, and 2 GiB the most. A result of more fails the
	// run wherever it is encoded: the answer, one that travels, one of a job that took long
	// enough to be kept, and under Testing.Strict each. Others are handed to their parent as
	// they are, and nobody knows how long they would be. A run that asks for more than 64 MiB
	// is promised that by a peer whose ResultMax is as large, too, and all others carry it
	// then.
	ResultMax int

	// Events is told what happens on the grid, one after the other, by one goroutine, which
	// also writes Log. The peer waits for neither. What they are too slow for is missed, and
	// that is logged; so is a panic there. After Close there are no more events.
	Events func(Event)
	Log    *slog.Logger // for what the user should know; by default slog.Default()

	// CopyEvery is how often finished parts of unfinished jobs are copied to another peer,
	// at another site if there is one; 0 is every 10 s, and below 0 is never. Where peers
	// die often they are copied more often than that, twice a second at the most. Each
	// process of a grid has its own.
	CopyEvery time.Duration

	// Verify is the share, from 0 to 1, of the lent jobs of a run that is submitted here that
	// their owners execute once more when their results arrive. A result that differs fails the
	// run with a FaultError. It costs that share of the work. Each owner has bounds, beyond
	// which it draws no job, or takes a result as it comes: 16 jobs that it executes once more
	// at a time, and 256 drawn jobs that are lent, of 64 MiB in all.
	Verify float64

	// Share is how much of the workers a run that is submitted here gets beside others: twice
	// as much as one whose Share is half of it, on every peer; 0 is 100, and ShareMax the most.
	Share int

	// Keep is [Keep] of what is submitted here and says nothing else. Without, a run goes on
	// for a minute when this process is seen to die, and for an hour when it is only silent.
	Keep time.Duration

	// Visit answers a question that a host of any build asks with [Visit], once it has proved
	// the grid's secret; from is its id. It has some seconds, as ctx says, and several
	// goroutines call it. nil: none is answered.
	Visit func(ctx context.Context, from string, question []byte) []byte

	// HeirSite is where the heir of this peer should be when it leaves; "" is anywhere, at
	// another site if its own leaves.
	HeirSite string

	// StaysHere says that the program will never be on a grid. With Alone, its tasks may then
	// have types that could not travel; see Task.
	StaysHere bool

	Relay Relay    // for peers behind NAT; by default the peer does what is needed
	Allow []string // when not nil, the only peer ids let in

	Testing Testing // for tests and for measuring; zero in production

	made func() (build.Identity, error) // what this program was built from; nil: build.This
}

// Testing is what tests and measurements set of a peer.
type Testing struct {
	// Strict checks what a program promises: that nobody changes a job's fields after Spawn,
	// or the root's, that Local state may be made anew at any time, that Better is a strict
	// weak order, that fields, results, bests and facts arrive as they leave, and are no longer
	// than what travels. A breach fails the run. A Scope that another goroutine uses panics.
	// Jobs have their fields, and parents their results, as if they had travelled. Every Spawn
	// and Wait is slow then.
	Strict bool

	// NoFT turns all that makes a loss cheap off: no parts are kept, copied or looked for. A
	// run that is submitted here then fails when a peer is lost.
	NoFT bool

	// Wan puts distance between the sites of one machine: see satin/p2p/wan.
	Wan p2p.Wan

	// Carrier opens another network than libp2p's: package satintest has one in memory.
	Carrier func(ctx context.Context, c p2p.Config) (p2p.Carrier, error)
}

// Relay says whether a peer passes connections on between peers that cannot reach each other, and
// may itself be reached so.
type Relay int

// What Relay may be.
const (
	// passes on if others can dial this peer, and is reached through others if they cannot
	RelayAuto Relay = iota
	RelayOn         // passes on in any case
	RelayOff        // does neither
)

// ShareMax is the greatest Config.Share.
const ShareMax = peer.ShareMax

// workersMax bounds the workers of one peer: more than any machine has cores.
const workersMax = 4096

// Peer is one process of the grid, or this process alone.
type Peer struct {
	pool  *pool
	app   *registry
	terms peer.Terms    // of runs that are submitted here
	loop  *control.Loop // nil for a peer that computes alone
}

// Open makes a peer: it joins the grid that the ticket leads to, or founds one, and returns when it
// is a member; with Config.Client, when it knows the grid. Its workers sleep until there is work.
// ctx bounds the opening only; Close or Leave ends the peer.
//
// Open refuses an App whose task types could not travel: two types of one name, or types
// that CBOR does not carry whole; see Task. A *p2p.DeniedError says that the grid did not let
// the peer in, and why.
//
// So that messages are served while all workers compute, Open raises GOMAXPROCS to one above the
// number of workers, unless the peer is alone.
func Open(ctx context.Context, c Config) (*Peer, error) {
	if c.Workers < 0 || c.Workers > workersMax {
		return nil, fmt.Errorf("satin: %d workers: use 1 to %d, or 0 for all cores", c.Workers, workersMax)
	}
	if c.Verify < 0 || c.Verify > 1 || c.Verify != c.Verify {
		return nil, fmt.Errorf("satin: Verify is a share, from 0 to 1, not %v", c.Verify)
	}
	if c.Share < 0 || c.Share > ShareMax {
		return nil, fmt.Errorf("satin: Share is from 1 to %d, or 0 for %d, not %d", ShareMax, peer.ShareDefault, c.Share)
	}
	if c.ResultMax < 0 || c.ResultMax > elementsMax {
		return nil, fmt.Errorf("satin: ResultMax is a number of bytes up to %d, not %d", elementsMax, c.ResultMax)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if c.StaysHere && !c.Alone {
		return nil, errors.New("satin: Config.StaysHere is for peers that compute alone: set Alone, too")
	}
	app, err := newRegistry(c.App)
	if err == nil && !c.StaysHere {
		err = app.carriable()
	}
	if err != nil {
		return nil, err
	}
	if c.Workers == 0 && !c.Client {
		c.Workers = runtime.GOMAXPROCS(0)
	}
	if c.Client {
		c.Workers = 0
	}
	if c.ResultMax == 0 {
		c.ResultMax = resultMaxDefault
	}
	if !c.Alone {
		return openGrid(ctx, c, app)
	}
	if c.Name == "" {
		c.Name = "here"
	}
	return &Peer{app: app, terms: peer.Terms{ResultMax: uint32(c.ResultMax)}, pool: newPool(poolConfig{
		workers: c.Workers, name: c.Name, app: app, outside: nobody{}, strict: c.Testing.Strict,
		staysHere: c.StaysHere, log: c.log(),
	})}, nil
}

// Close ends the peer at once: its runs fail with ErrClosed, and the grid loses it as if it had
// crashed. It returns when no goroutine of the peer is left, so it waits for jobs that compute for
// long without Spawn, Wait or Aborted.
func (p *Peer) Close() error {
	if p.loop != nil {
		p.loop.Stop(ErrClosed)
	}
	p.pool.close()
	return nil
}

// Name is what people call the peer.
func (p *Peer) Name() string { return p.pool.name }

// Site is the name of the peers near this one; "" when it computes alone.
func (p *Peer) Site() string {
	if p.loop == nil {
		return ""
	}
	return p.loop.Site()
}

// Addrs are the addresses at which others may join through this peer; none when it is alone.
func (p *Peer) Addrs() []string {
	if p.loop == nil {
		return nil
	}
	return p.loop.Addrs()
}

// Done is closed when the peer has ended: it was closed, has left, or the grid has barred it.
func (p *Peer) Done() <-chan struct{} {
	if p.loop == nil {
		return p.pool.gone
	}
	return p.loop.Done()
}

// Err says why the peer has ended, once Done is closed.
func (p *Peer) Err() error {
	if p.loop == nil {
		return ErrClosed
	}
	return p.loop.Err()
}

func (c *Config) log() *slog.Logger {
	if c.Log != nil {
		return c.Log
	}
	return slog.Default()
}
