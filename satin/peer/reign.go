package peer

import (
	"slices"
	"strings"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// Times of reigns. Whoever has not said for followFor that it works for a root is not behind it.
// What a master claims in a contest stays as it is for claimFor, or two masters whose numbers move
// could both win for ever.
const (
	followEvery = 2 * time.Second
	followFor   = 3 * followEvery
	// a claim is about so long ago: when a cut heals, followers change sides before
	// the masters have met
	claimLag     = time.Second
	claimFor     = 10 * time.Second
	contestEvery = 500 * time.Millisecond
	// a tick that is later than this: meanwhile the others may have gone elsewhere
	sleptMin = time.Second
)

// The kinds of messages about reigns.
const (
	KindFollow uint8 = iota + 112
	KindContest
	KindWanted
	KindFacts
	KindFull
	KindWhereabouts
)

// Reign is a run under one master.
type Reign struct {
	Run   steal.Instance
	Epoch membership.Epoch
}

// Follow tells a master, or a former one, under which reigns the sender works.
type Follow struct{ Reigns []Reign }

// Contest tells the other master of a run how many workers are behind this one's root.
type Contest struct {
	Run     steal.Instance
	By      membership.PeerID // who reigns under Epoch
	To      membership.PeerID // the other master; whoever else receives it passes it on
	Epoch   membership.Epoch
	Workers uint32
}

func (Follow) Kind() uint8  { return KindFollow }
func (Contest) Kind() uint8 { return KindContest }

// reign is what a master knows of those who work for its root.
type reign struct {
	followers  []follower // by id
	claim      uint32     // the workers behind the root, as claimed in a contest …
	claimUntil time.Duration
	contestAt  time.Duration // no second Contest before this
	contests   int           // that were sent
}

type follower struct {
	id      membership.PeerID
	workers uint32
	since   time.Duration
	// when it was last heard of that it follows, and followFor; or when it left
	until time.Duration
}

func (g *reign) find(id membership.PeerID) (int, bool) {
	return slices.BinarySearchFunc(g.followers, id, func(f follower, id membership.PeerID) int {
		return strings.Compare(string(f.id), string(id))
	})
}

// follows notes that a peer works for this root.
func (g *reign) follows(now time.Duration, id membership.PeerID, workers uint32) {
	at, ok := g.find(id)
	if !ok { // a run may outlive more followers than there are ever members
		g.followers = slices.DeleteFunc(g.followers, func(f follower) bool { return f.until <= now-claimLag })
		if len(g.followers) >= membership.MembersMax {
			return
		}
		at, _ = g.find(id)
		g.followers = slices.Insert(g.followers, at, follower{})
	}
	f := &g.followers[at]
	if now >= f.until {
		f.since = now
	}
	f.id, f.workers, f.until = id, workers, now+followFor
}

// leaves notes that a peer works for another root, or for none.
func (g *reign) leaves(now time.Duration, id membership.PeerID) {
	if at, ok := g.find(id); ok {
		g.followers[at].until = min(g.followers[at].until, now)
	}
}

// claimed is how many workers are behind the root of a run that this peer is master of. One that
// has its answer need not yield to anybody.
func (p *Peer) claimed(r *run) uint32 {
	if r.answer != nil {
		return 1 << 31
	}
	g := &r.reign
	if p.now < g.claimUntil {
		return g.claim
	}
	g.claim, g.claimUntil, g.contests = uint32(p.conf.Member.Workers), p.now+claimFor, 0
	for _, f := range g.followers {
		if f.since <= p.now-claimLag && p.now-claimLag < f.until {
			g.claim += f.workers
		}
	}
	return g.claim
}

// contest tells another living master of a run that there are two. Nobody yields to a number: the
// root with more workers behind it stays, of equals the elder's.
func (p *Peer) contest(r *run, rival, by membership.PeerID) {
	if p.now < r.reign.contestAt {
		return
	}
	r.reign.contestAt = p.now + contestEvery
	// The link between the two may be dead while others reach both.
	if r.reign.contests++; by == rival && r.reign.contests%2 == 0 {
		if m, ok := p.view.Draw(); ok {
			by = m.ID
		}
	}
	p.send(by, Contest{Run: r.instance, By: p.conf.Member.ID, To: rival, Epoch: r.epoch, Workers: p.claimed(r)})
}

// contested hears of another master of a run. The one that wins raises the epoch above both, and
// the other adopts that.
func (p *Peer) contested(sender membership.Member, c Contest) {
	r := p.runs.find(c.Run)
	from, present := p.view.Member(c.By)
	switch {
	case !present || !p.view.Lives(c.By, c.Epoch.Master) || c.By == p.conf.Member.ID || r != nil && !p.admits(r, c.Epoch):
		return
	case c.To != p.conf.Member.ID:
		if _, ok := p.view.Member(c.To); ok && sender.ID == c.By && c.To != c.By {
			p.send(c.To, c)
		}
		return
	}
	if r == nil {
		p.fetched(from.ID, Fetch{c.Run})
		return
	}
	if r.master != p.conf.Member.ID {
		p.send(from.ID, r.record()) // this is who reigns
		return
	}
	r.above = max(r.above, c.Epoch.Number)
	self, own := p.view.Self(), p.claimed(r)
	switch wins := own > c.Workers || own == c.Workers && self.ElderThan(&from); {
	case !wins && c.Epoch.Compare(r.epoch) > 0:
		p.adopt(r, c.Epoch, from.ID)
		return
	case wins && r.epoch.Compare(c.Epoch) < 0:
		p.reignOver(r)
		r.reign.contestAt = p.now // it must hear of that at once
	}
	p.contest(r, from.ID, sender.ID)
}

// reignOver makes this peer the master of a run, or keeps it so, under an epoch above all
// that it has heard of.
func (p *Peer) reignOver(r *run) {
	over := max(r.epoch.Number, r.above)
	e := membership.Epoch{Number: over + 1, Master: p.view.Self().Incarnation}
	if r.master != p.conf.Member.ID {
		p.losses.succeeded(r.no)
	}
	p.adopt(r, e, p.conf.Member.ID)
	r.over = over
	p.publish(r.record())
}

// tickFollow tells each master that this peer works for its root, and looks for those who wait for
// what it is itself the master of.
func (p *Peer) tickFollow() {
	if p.now < p.followAt {
		return
	}
	p.followAt = steal.Never
	if !p.entered() || len(p.runs.all) == 0 {
		return
	}
	p.followAt = p.now + followEvery
	p.seekSubmitters()
	var masters []membership.PeerID
	for _, r := range p.runs.all {
		if r.master != p.conf.Member.ID && p.view.Lives(r.master, r.epoch.Master) && !slices.Contains(masters, r.master) {
			masters = append(masters, r.master)
			p.send(r.master, p.following(r.master))
		}
	}
}

// following is what a master is told about the runs that it reigns over, as far as this peer knows.
func (p *Peer) following(master membership.PeerID) Follow {
	var f Follow
	for _, r := range p.runs.all {
		if r.master == master {
			f.Reigns = append(f.Reigns, Reign{r.instance, r.epoch})
		}
	}
	return f
}

// forsake tells a former master that this peer works for another root now.
func (p *Peer) forsake(r *run, former membership.PeerID) {
	p.followAt = p.now
	if _, present := p.view.Member(former); present && former != p.conf.Member.ID && former != r.master && p.entered() {
		p.send(former, Follow{[]Reign{{r.instance, r.epoch}}})
	}
}

// followed hears under which reigns a peer works.
func (p *Peer) followed(from membership.Member, f Follow) {
	for _, told := range f.Reigns[:min(len(f.Reigns), RunsMax)] {
		r := p.runs.find(told.Run)
		switch {
		case r == nil:
			if over, some := p.tombstones.over(p.now, told.Run.First); some {
				p.send(from.ID, over)
			}
		case told.Epoch == r.epoch && r.master == p.conf.Member.ID:
			r.reign.follows(p.now, from.ID, uint32(from.Workers))
		default:
			r.reign.leaves(p.now, from.ID)
			if told.Epoch.Compare(r.epoch) < 0 {
				p.send(from.ID, r.record())
			}
		}
	}
}

// unfollowed notes that a peer is gone, as this one found out itself, or as it said. What others
// believe of it says nothing about this side.
func (p *Peer) unfollowed(l membership.Lost) {
	if l.Noticed == 0 && l.Member.How != membership.Went {
		return
	}
	for _, r := range p.runs.all {
		r.reign.leaves(p.now, l.Member.ID)
	}
}

// slept forgets what may have changed while this process stood still: who follows it, and whether
// its runs are still wanted.
func (p *Peer) slept() {
	for _, r := range p.runs.all {
		r.reign = reign{}
		r.vouched = false
	}
}

// fenced refuses jobs of a root that another has superseded: whatever came of them would be for a
// master that leaves it, as it now hears.
func (p *Peer) fenced(r *run, from membership.Member, l steal.Lend) bool {
	reigned := l.Epoch.Master.Join == from.Incarnation.Join && l.Epoch.Master.Rejoin <= from.Incarnation.Rejoin
	if !reigned || from.ID == r.master || l.Epoch.Compare(r.epoch) >= 0 || !p.view.Lives(r.master, r.epoch.Master) {
		return false
	}
	missing := make([]steal.LoanNo, 0, len(l.Jobs))
	for _, j := range l.Jobs[:min(len(l.Jobs), steal.LentMax)] {
		missing = append(missing, j.Number)
	}
	p.apply(p.ledger.Withdrawn(from.ID, from.Incarnation, missing, false))
	p.send(from.ID, steal.Held{Missing: missing})
	p.send(from.ID, r.record())
	p.apply(p.thief.Denied(p.now, from, l.Answer))
	return true
}
