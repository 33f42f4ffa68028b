package gridsim

import (
	"math/rand/v2"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// Siege is a grid in which a member or a client says, for some minutes, well-formed messages with
// any field at its limits, or with what it has seen of the others in the wrong place. When it is
// gone, the grid joins, runs, kicks and forgets as before.
type Siege struct {
	Seed uint64
	// by a client: then nothing that the grid does meanwhile may be wrong either
	Client bool
	Flood  bool          // a great deal, all of it to one peer, and later nothing of the kind
	Lasts  time.Duration // of ten virtual minutes
	Whole  bool          // and what is kept for an hour is seen to go
}

const (
	saysEvery = 50 * time.Millisecond
	siegeRuns = 10 * time.Second
	// one joins so often, and hears so much of the hostile host at once
	siegeJoins  = 40 * time.Second
	joinerHears = 200
	// of a flood: some four times as much as one may say
	floodsEvery = time.Millisecond
	floodEach   = 8
	// asBefore is how long a grid takes for a join, a small run or a kick.
	asBefore = 20 * time.Second
)

// siege is one that is being played.
type siege struct {
	w       *World
	conf    Siege
	hostile *host
	draw    *rand.Rand
	said    uint64
	kinds   map[uint8]int // how often each kind was said, of what is decoded
	joined  int           // who came meanwhile
	trees   map[steal.Nonce]*Tree
}

// unmade is a workload that meets jobs and results which nobody has made.
type unmade struct{ Tree }

func (u *unmade) Cost(args []byte) time.Duration {
	if len(args) != 16 {
		return time.Millisecond
	}
	return u.Tree.Cost(args)
}

func (u *unmade) Expand(args, best []byte) Step {
	if len(args) != 16 {
		return Step{Err: "no such job"}
	}
	return u.Tree.Expand(args, best)
}

func (u *unmade) Combine(args []byte, results [][]byte) []byte {
	for n, r := range results {
		if len(r) != 24 {
			results[n] = nil
		}
	}
	return u.Tree.Combine(args, results)
}

func (u *unmade) Implied([]byte) bool { return true }

func (s *siege) tree(n uint64) *unmade {
	return &unmade{Tree{Seed: s.conf.Seed<<32 + n, Depth: 4, Width: 3, Leaf: 50 * time.Millisecond}}
}

// Run plays a siege, and demands that the grid is what it was. It tells how many
// hostile messages were said.
func (c Siege) Run() (said uint64, err error) {
	s := &siege{conf: c, draw: rand.New(rand.NewPCG(c.Seed, 0x7369656765)), kinds: map[uint8]int{}, trees: map[steal.Nonce]*Tree{}}
	s.w = newWorld(Options{
		Seed: c.Seed, Sites: SitesOf(3, 3), Workload: s.tree(0), CopyEvery: time.Second, atOnce: true,
		Near: Link{Delay: 100 * time.Microsecond, Jitter: 50 * time.Microsecond}, Far: Link{Delay: 5 * time.Millisecond, Jitter: time.Millisecond},
	})
	s.w.hear = func(d peer.Deliver) { s.answered(d) }
	s.w.who.asker = s.w.populate()
	s.w.hidden = true
	if !c.Client {
		// docs/faults.md: a member can say what it likes of what it computes
		s.w.admitted = map[string]bool{"answer": true, "entry": true, "best": true, "fact": true}
	}
	s.pass(2 * time.Second)
	s.hostile = s.w.start("a", 1, c.Client, s.w.who.contact(nil))
	if c.Client {
		s.hostile.plane.idle, s.hostile.plane.told = 0, 0
	}
	s.pass(2 * time.Second)
	s.hostile.loud = true
	s.speak()
	if c.Flood {
		s.refill()
	}
	s.everyKind()
	s.w.end(s.hostile, false)
	if c.Client && s.w.err == nil {
		s.pass(asBefore)
		s.demand(s.w.left == 0, "end", "%d runs that were submitted beside a hostile client have no answer", s.w.left)
	}
	s.peace()
	return s.said, s.w.err
}

// speak lets the hostile host say all that it has to say, while the grid has something to do.
func (s *siege) speak() {
	every, each := saysEvery, 1
	if s.conf.Flood {
		every, each = floodsEvery, floodEach
	}
	n := 0
	for end := s.w.now + s.conf.Lasts; s.w.now < end && s.w.err == nil; n++ {
		if n%int(siegeRuns/every) == 0 {
			s.run()
		}
		if !s.conf.Flood && n%int(siegeJoins/every) == int(siegeRuns/every)/2 {
			s.joins()
		}
		for range each {
			s.say(s.w.who.hosts[s.draw.IntN(len(s.w.who.hosts))])
		}
		s.pass(every)
	}
}

// joins lets one come in that the hostile host tells a great deal before anybody else does.
func (s *siege) joins() {
	s.joined++
	s.w.join("a", 1)
	fresh := s.w.who.hosts[len(s.w.who.hosts)-1]
	for range joinerHears {
		s.say(fresh)
	}
}

// everyKind demands that no kind of message was always hung up on.
func (s *siege) everyKind() {
	for _, b := range peer.Bodies() {
		s.demand(s.kinds[b.Kind()] > 0 || s.w.err != nil, "siege", "%T was never said", b)
	}
}

// refill demands that whoever has flooded may say as much as all others, once it has been quiet.
func (s *siege) refill() {
	s.demand(s.w.report.HeldUp > 0, "limits", "a flood is not held up")
	s.pass(time.Minute)
	s.hostile.loud = false
	s.pass(time.Minute)
}

func (s *siege) pass(d time.Duration) { s.w.play(s.w.now+d, func() bool { return false }) }

func (s *siege) demand(ok bool, checker, format string, args ...any) {
	if !ok {
		s.w.fail(checker, format, args...)
	}
}

func (s *siege) run() {
	t := s.tree(uint64(len(s.w.who.asker.asked)) + 1)
	s.w.work = t
	s.w.submit(s.w.who.asker)
	s.trees[s.w.who.asker.asked[len(s.w.who.asker.asked)-1]] = &t.Tree
}

func (s *siege) answered(d peer.Deliver) {
	if t := s.trees[d.Nonce]; t != nil {
		if err := t.Right(d.Result); err != nil {
			s.w.fail("answer", "%v", err)
		}
	}
}

// peace demands that the grid is what it was.
func (s *siege) peace() {
	// who was held dead for what was said of it has come back, what was begun is done
	s.pass(2 * time.Minute)
	s.w.admitted = nil
	for _, h := range s.w.who.members() {
		s.demand(len(h.peer.Sight().Members()) == len(s.w.who.members())-1, "siege", "%s sees %d others, there are %d", h.id, len(h.peer.Sight().Members()), len(s.w.who.members())-1)
	}
	s.demand(len(s.w.who.members()) == 6+s.joined, "siege", "%d of %d members are left", len(s.w.who.members()), 6+s.joined)
	before := s.w.who.started
	s.w.join("b", 1)
	s.pass(asBefore)
	fresh := s.w.who.hosts[len(s.w.who.hosts)-1]
	s.demand(s.w.who.started == before+1 && fresh.member(), "siege", "one that joins is not let in")
	nonces := len(s.w.who.asker.asked)
	s.run()
	s.pass(asBefore)
	s.demand(s.w.who.asker.delivered[s.w.who.asker.asked[nonces]] == 1, "siege", "a run has no answer")
	if s.w.err == nil {
		s.w.kick([]*host{fresh})
		s.pass(asBefore)
		s.demand(!fresh.up, "siege", "one that is barred is still there")
	}
	s.pass(membership.GoneKeptFor + time.Minute)
	s.forgotten("view.seats.sorted", len(s.w.who.members())+2)
	if s.conf.Whole {
		// Runs that were made up end when nobody was heard who wants them, and that they
		// ended is kept as long again.
		s.pass(peer.UnheardMax + peer.EndedKeptFor + 2*time.Minute)
		s.unkept()
		// those of runs that were to be kept, and ended later
		s.forgotten("tombstones.waited.at", peer.RunsMax)
	}
}

// unkept demands that of the runs of every host only those are left that are to be kept.
func (s *siege) unkept() {
	for _, h := range s.w.who.members() {
		for _, r := range h.peer.Sight().Runs() {
			s.demand(r.Terms.Keep > 0, "growth", "%s still has run %s, for which nobody waits", h.id, r.ID.Short())
		}
	}
}

// forgotten demands that a table of every host is as small as it was.
func (s *siege) forgotten(path string, most int) {
	for _, h := range s.w.who.hosts {
		if h.up {
			n, is := h.sizes()[path]
			s.demand(is, "siege", "%s has no table %s", h.id, path)
			s.demand(n <= most, "growth", "%s of %s still holds %d, %d at most were there before", path, h.id, n, most)
		}
	}
}
