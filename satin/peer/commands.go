package peer

import (
	"errors"
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/membership/backoff"
	"satingrid/steal"
)

// Times and bounds of commands.
const (
	commandGapMin = 300 * time.Millisecond
	commandGapMax = 2 * time.Second
	commandMax    = 30 * time.Second // then it is given up
	commandHeard  = time.Second      // until its run is heard of
	commandsMax   = 4 * RunsMax      // under way
)

// Cancel tells a member to end a run for all who wait for it, whoever has submitted it, and also
// one that is kept. Each who waits is told, and delivers that. Anybody may: whoever has the grid's
// secret could as well bar all its peers.
type Cancel struct {
	Run  steal.Instance
	Hops uint8
}

// Reshare tells a member that a run has another share of the workers, by the order of that number.
type Reshare struct {
	Run   steal.Instance
	No    uint64
	Share uint16
}

func (Cancel) Kind() uint8  { return KindCancel }
func (Reshare) Kind() uint8 { return KindReshare }

// Commanded is what is to be done to a run: Cancel, or Reshare. Of several who give a run another
// share the last one's holds. Nothing but Share need be filled in.
type Commanded interface {
	membership.Body
	to(*run) membership.Body
}

func (m Cancel) to(r *run) membership.Body { return Cancel{Run: r.instance} }

func (m Reshare) to(r *run) membership.Body {
	return Reshare{Run: r.instance, No: r.terms.ShareNo + 1, Share: m.Share}
}

// CommandNo is this process's number for a command that it has given.
type CommandNo uint64

// CommandDone is the effect that a command which was given here has been done, as far as is known
// here, or, Failed, that nobody has done it for [commandMax], or that there is no such run: it was
// not heard of for [commandHeard].
type CommandDone struct {
	Command CommandNo
	Failed  bool
	NoRun   bool
}

// ErrCommands is what a command is refused for.
var ErrCommands = errors.New("peer: too many commands are under way; wait until some have been done")

// commands are what people at this peer, or client, want done to runs, until it is done. A run's
// master does it, and all others hear of it.
type commands struct {
	outbox
	self       membership.PeerID
	client     bool
	members    askable
	runs       *runs
	records    *records
	endings    *endings
	mastership *mastership

	given []command
	last  CommandNo
}

// command is one of them, on its way to a member. Whoever gives it may have heard of its run before
// this peer does, above all where that has just joined: it waits for that first.
type command struct {
	no    CommandNo
	id    steal.Key
	what  Commanded
	run   steal.Instance
	body  membership.Body // nil: its run is not known yet
	until time.Duration
	tries int
	again time.Duration
	gap   backoff.Backoff
}

// give begins a command about the run of that id, and does at once what can be done here.
func (c *commands) give(now time.Duration, id steal.Key, what Commanded) (CommandNo, []membership.Effect, error) {
	if len(c.given) >= commandsMax {
		return 0, nil, ErrCommands
	}
	c.last++
	c.given = append(c.given, command{no: c.last, id: id, what: what, until: now + commandHeard})
	return c.last, c.tick(now), nil
}

// waits tells whether one waits for its run to be heard of.
func (c *commands) waits() bool {
	return slices.ContainsFunc(c.given, func(g command) bool { return g.body == nil })
}

// tick begins what has waited for its run, and repeats what was not done.
func (c *commands) tick(now time.Duration) []membership.Effect {
	for i := range c.given {
		switch g := &c.given[i]; {
		case g.body == nil:
			c.begin(now, g)
		case now >= g.again && c.isMine(g):
			c.doHere(now, g)
		}
	}
	c.given = slices.DeleteFunc(c.given, func(g command) bool {
		done, over := c.isDone(&g), now >= g.until
		if done || over {
			c.do(CommandDone{Command: g.no, Failed: !done && g.body != nil, NoRun: g.body == nil})
		}
		return done || over
	})
	for i := range c.given {
		if g := &c.given[i]; g.body != nil && now >= g.again {
			g.again = now + g.gap.Next()
			c.say(g)
		}
	}
	return c.flush()
}

// begin does of a command what can be done here, if its run is known.
func (c *commands) begin(now time.Duration, g *command) {
	if r := c.runs.withID(g.id); r != nil {
		g.run, g.body, g.until, g.again = r.instance, g.what.to(r), now+commandMax, now
		g.gap = backoff.New(commandGapMin, commandGapMax)
		c.doHere(now, g)
	}
}

// isMine tells whether this peer is the master of a command's run, as it may have become since the
// command was given.
func (c *commands) isMine(g *command) bool {
	r := c.runs.find(g.run)
	return r != nil && r.master == c.self
}

// doHere does of a command what can be done by this peer.
func (c *commands) doHere(now time.Duration, g *command) {
	if c.client {
		return
	}
	switch b := g.body.(type) {
	case Cancel:
		c.cancelsHere(now, c.runs.find(g.run))
	case Reshare:
		c.resharesHere(now, c.runs.find(g.run), b)
	}
}

// isDone tells whether a command has been done.
func (c *commands) isDone(g *command) bool {
	if g.body == nil {
		return false
	}
	r := c.runs.find(g.run)
	b, reshares := g.body.(Reshare)
	return r == nil || reshares && r.terms.ShareNo >= b.No
}

// say tells the run's master, every other time by way of anybody: the link to it may be dead.
func (c *commands) say(g *command) {
	if c.isMine(g) {
		return
	}
	to, ok := c.members.Draw()
	if g.tries++; g.tries%2 == 1 {
		if master, present := c.members.Member(c.runs.find(g.run).master); present {
			to, ok = master, true
		}
	}
	if ok {
		c.do(tells{to.ID, g.body})
	}
}

// cancelsHere ends a run of which this peer is master, or whose master is gone. Only a master knows
// all submissions.
func (c *commands) cancelsHere(now time.Duration, r *run) (done bool) {
	if _, present := c.members.Member(r.master); present && r.master != c.self {
		return false
	}
	c.also(c.endings.cancel(now, r, EndCancelled))
	return true
}

// hearCancel hears that a run is to end for all: it ends here, or its master is told.
func (c *commands) hearCancel(now time.Duration, from membership.PeerID, m Cancel) []membership.Effect {
	r := c.runs.find(m.Run)
	switch {
	case c.client:
	case r == nil:
		c.also(c.mastership.saysOver(now, from, m.Run))
	case c.cancelsHere(now, r):
	case m.Hops == 0 && r.master != from:
		m.Hops++
		c.do(tells{r.master, m})
	}
	return c.flush()
}

// resharesHere takes a run's new share, and tells everybody.
func (c *commands) resharesHere(now time.Duration, r *run, m Reshare) {
	order := Terms{Share: m.Share, ShareNo: m.No}
	if m.Share > 0 && m.Share <= ShareMax && r.assignment.isGiven(now, order) {
		c.also(c.records.reshared(now, r))
	}
}

// hearReshare hears that a run is to have another share.
func (c *commands) hearReshare(now time.Duration, from membership.PeerID, m Reshare) []membership.Effect {
	switch r := c.runs.find(m.Run); {
	case c.client:
	case r == nil:
		c.also(c.mastership.saysOver(now, from, m.Run))
	default:
		c.resharesHere(now, r, m)
	}
	return c.flush()
}

// deadline is when tick has something to do by itself.
func (c *commands) deadline() time.Duration {
	at := steal.Never
	for _, g := range c.given {
		at = min(at, g.until)
		if g.body != nil {
			at = min(at, g.again)
		}
	}
	return at
}
