package gridsim

import (
	"fmt"
	"math/rand/v2"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// Options are everything that decides a simulation, beside the machines.
type Options struct {
	Seed      uint64
	Sites     []Site
	Near, Far Link // within a site and between sites
	Policy    steal.Policy
	Workload  Workload
	Submitted int           // how often the root is submitted at once
	ByPeer    bool          // by a peer, else by a client
	Gap       time.Duration // between the starts of two hosts
	Joins     []Join
	Kills     []Kill
	Pauses    []Pause
	Cuts      []Cut
	Limit     time.Duration // the run must have ended by then
	Settle    time.Duration // and nothing be left of it by so much later
	CheckAll  bool          // check every invariant at every event
	Trace     bool          // keep the latest events as text

	spoil func(*peer.Message) bool // see World
}

// Site is peers of one site, present from the start.
type Site struct {
	Name    membership.Site
	Peers   int
	Workers int // of each
}

// Join is a peer that comes while the run is on.
type Join struct {
	At   time.Duration
	Site membership.Site
}

// Kill is a peer that dies.
type Kill struct {
	At      time.Duration
	Host    int  // counts the peers from 1, in the order of their start
	Machine bool // the machine dies too: no connection is reset
}

// Pause is a process that is stopped, and goes on with all that has arrived meanwhile.
type Pause struct {
	At, For time.Duration
	Host    int // as in Kill
}

// Cut parts some hosts from the others: messages between them are dropped. The submitter may stand on either side.
type Cut struct {
	At, Until time.Duration
	OneWay    bool   // only what the one side sends is lost
	Hosts     uint64 // bit n: host number n, counted from 0 with the client, stands on the one side
}

func (c *Cut) side(h *host) bool { return c.Hosts>>(h.no%64)&1 == 1 }

// String is what was drawn, for a person.
func (o Options) String() string {
	return fmt.Sprintf("sites %v near %+v far %+v policy %d submitted %d joins %v kills %v pauses %v cuts %+v workload %T",
		o.Sites, o.Near, o.Far, o.Policy, o.Submitted, o.Joins, o.Kills, o.Pauses, o.Cuts, o.Workload)
}

// submitAfter is how long after the last start the root is submitted.
const submitAfter = time.Second

// Draw makes options from a seed: up to 8 peers, or in a quarter of the cases up to 64, in 1 to 6 sites.
func Draw(seed uint64) Options {
	r := rand.New(rand.NewPCG(seed, 0x64726177))
	o := Options{Seed: seed, Submitted: 1, ByPeer: r.IntN(3) == 0, Limit: 10 * time.Minute, Settle: 30 * time.Second}
	peers := 1 + r.IntN(8)
	if r.IntN(4) == 0 {
		peers = 1 + r.IntN(64)
	}
	sites := min(1+r.IntN(6), peers)
	for n := range sites {
		count := peers / sites
		if n < peers%sites {
			count++
		}
		o.Sites = append(o.Sites, Site{Name: membership.Site('a' + rune(n)), Peers: count, Workers: 1 + r.IntN(3)})
	}
	o.Near = Link{Delay: time.Duration(20+r.IntN(300)) * time.Microsecond, Jitter: time.Duration(1+r.IntN(200)) * time.Microsecond}
	o.Far = Link{Delay: time.Duration(1+r.IntN(100)) * time.Millisecond, Jitter: time.Duration(1+r.IntN(10)) * time.Millisecond, Rate: 1 << (18 + r.IntN(8))}
	if r.IntN(2) == 0 {
		loss, double := 0.3*r.Float64()*r.Float64(), 0.5*r.Float64()*r.Float64()
		o.Near.Loss, o.Far.Loss, o.Near.Double, o.Far.Double = loss, loss, double, double
	}
	if r.IntN(4) == 0 {
		o.Policy = steal.RS
	}
	if r.IntN(4) == 0 {
		o.Submitted = 2 + r.IntN(2)
	}
	t := Tree{Seed: r.Uint64(), Depth: 5 + r.IntN(4), Width: 3 + r.IntN(3), Leaf: time.Duration(1+r.IntN(30)) * time.Millisecond}
	switch r.IntN(6) {
	case 0, 1:
		o.Workload = &Search{t}
	case 2:
		o.Workload = drawUTS(r)
	default:
		o.Workload = &t
	}
	o.Gap = time.Duration(r.IntN(200)) * time.Millisecond / time.Duration(peers)
	for range r.IntN(4) {
		o.Joins = append(o.Joins, Join{submitAfter + time.Duration(r.IntN(2000)-300)*time.Millisecond, o.Sites[r.IntN(sites)].Name})
	}
	if r.IntN(3) == 0 {
		o.drawKills(r, peers)
	}
	for range r.IntN(3) * r.IntN(2) {
		o.Pauses = append(o.Pauses, Pause{o.within(r, 2000), time.Duration(r.IntN(6000)) * time.Millisecond, 1 + r.IntN(peers)})
	}
	for range r.IntN(3) * r.IntN(2) {
		at := o.within(r, 2000)
		o.Cuts = append(o.Cuts, Cut{at, at + time.Duration(r.IntN(15000))*time.Millisecond, r.IntN(3) == 0, r.Uint64()})
	}
	return o
}

// within is a time in the first so many milliseconds after the submission.
func (o *Options) within(r *rand.Rand, ms int) time.Duration {
	peers := 1
	for _, s := range o.Sites {
		peers += s.Peers
	}
	return time.Duration(peers)*o.Gap + submitAfter + time.Duration(r.IntN(ms))*time.Millisecond
}

// drawKills lets up to all but one of the peers die; often the first, who is the master.
func (o *Options) drawKills(r *rand.Rand, peers int) {
	for n, spare := 1, 1+r.IntN(peers); n <= peers; n++ {
		if n != spare && (r.IntN(4) == 0 || n == 1 && r.IntN(2) == 0) {
			o.Kills = append(o.Kills, Kill{At: o.within(r, 2000), Host: n, Machine: r.IntN(4) == 0})
		}
	}
}
