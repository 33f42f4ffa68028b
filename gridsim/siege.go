package gridsim

import (
	"math"
	"math/rand/v2"
	"reflect"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
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
	s := &siege{conf: c, draw: rand.New(rand.NewPCG(c.Seed, 0x7369656765)), trees: map[steal.Nonce]*Tree{}}
	s.w = newWorld(Options{
		Seed: c.Seed, Sites: SitesOf(3, 3), Workload: s.tree(0), CopyEvery: time.Second, atOnce: true,
		Near: Link{Delay: 100 * time.Microsecond, Jitter: 50 * time.Microsecond}, Far: Link{Delay: 5 * time.Millisecond, Jitter: time.Millisecond},
	})
	s.w.hear = func(d peer.Deliver) { s.answered(d) }
	s.w.who.asker = s.w.populate()
	s.w.hidden = true
	if !c.Client {
		// README, Security: a member can say what it likes of what it computes and of who
		// is there
		s.w.admitted = map[string]bool{"answer": true, "entry": true, "best": true, "epoch": true, "once": true, "will": true, "fact": true}
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
		for range each {
			s.say()
		}
		s.pass(every)
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
	s.demand(len(s.w.who.members()) == 6, "siege", "%d of 6 members are left", len(s.w.who.members()))
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
	s.forgotten("view.seats", len(s.w.who.members())+2)
	if s.conf.Whole {
		// Runs that were made up end when nobody was heard who wants them, and that they
		// ended is kept as long again.
		s.pass(peer.UnheardMax + peer.EndedKeptFor + 2*time.Minute)
		s.forgotten("runs.all", 0)
		s.forgotten("tombstones.at", 0)
	}
}

// forgotten demands that a table of every host is as small as it was.
func (s *siege) forgotten(path string, most int) {
	for _, h := range s.w.who.hosts {
		if h.up {
			n := h.sizes()[path]
			s.demand(n <= most, "growth", "%s of %s still holds %d, %d at most were there before", path, h.id, n, most)
		}
	}
}

// say lets the hostile host say something to somebody.
func (s *siege) say() {
	bodies := peer.Bodies()
	to := s.w.who.hosts[s.draw.IntN(len(s.w.who.hosts))]
	if s.conf.Flood {
		to = s.w.who.hosts[0]
	}
	if to == s.hostile || !to.up {
		return
	}
	v := reflect.New(reflect.TypeOf(bodies[s.draw.IntN(len(bodies))])).Elem()
	s.fill(v, 0)
	m := peer.Message{From: s.hostile.peer.Sight().Self().Incarnation, To: to.peer.Sight().Self().Incarnation, Body: v.Interface().(membership.Body)}
	if s.draw.IntN(8) == 0 {
		s.fill(reflect.ValueOf(&m.From).Elem(), 0)
	}
	if s.draw.IntN(4) == 0 {
		m.To = membership.Incarnation{}
	}
	m.Body = s.spare(m.Body)
	data, err := s.w.net.codec.writer.Encode(m)
	if err != nil {
		return
	}
	read, err := messages.Decode(data)
	if err != nil {
		return // it is hung up on
	}
	s.said++
	s.w.net.carry(holding{host: s.hostile}, s.hostile, to, packet{message: read, bytes: len(data)})
}

// spare takes out what any member may do by right: barring others, and telling them to leave; and
// what a client may, too: cancelling the runs that are on.
func (s *siege) spare(b membership.Body) membership.Body {
	allow := func(bars []membership.Bar) {
		for n := range bars {
			bars[n].Barred = bars[n].Barred && s.w.who.byID[bars[n].ID] == nil
		}
	}
	switch b := b.(type) {
	case membership.Barred:
		allow(b.Bars)
	case peer.Snapshot:
		allow(b.Bars)
	case membership.Refused:
		b.Barred = false
		return b
	case peer.Cancel:
		if s.w.who.byID[b.Run.First.Submitter] != nil {
			b.Run = steal.Instance{}
		}
		return b
	case peer.Order:
		if !s.conf.Client {
			b.Within = -1
		}
		return b
	}
	return b
}

// fill gives a value something well-formed: at a limit, drawn, or seen somewhere.
func (s *siege) fill(v reflect.Value, depth int) {
	if s.draw.IntN(2) == 0 && s.seen(v) {
		if v.Kind() == reflect.Struct && v.NumField() > 0 && s.draw.IntN(3) == 0 {
			if f := v.Field(s.draw.IntN(v.NumField())); f.CanSet() {
				s.fill(f, depth+1)
			}
		}
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for n := range v.NumField() {
			if f := v.Field(n); f.CanSet() {
				s.fill(f, depth+1)
			}
		}
	case reflect.Slice:
		s.fillSlice(v, depth)
	case reflect.Array:
		for n := range v.Len() {
			v.Index(n).SetUint(s.draw.Uint64() & 0xff)
		}
	case reflect.String:
		v.SetString([]string{"", "x", "a", string(make([]byte, 128)), "nobody"}[s.draw.IntN(5)])
	case reflect.Bool:
		v.SetBool(s.draw.IntN(2) == 0)
	case reflect.Float32, reflect.Float64:
		v.SetFloat([]float64{0, 1, -1, math.Inf(1), math.NaN()}[s.draw.IntN(5)])
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt([]int64{0, 1, -1, math.MaxInt64, math.MinInt64}[s.draw.IntN(5)])
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint([]uint64{0, 1, 2, 5, 1 << 20, math.MaxUint32, math.MaxUint64 - 1, math.MaxUint64}[s.draw.IntN(8)])
	}
}

// fillSlice makes a short slice, and now and then a long one.
func (s *siege) fillSlice(v reflect.Value, depth int) {
	n := []int{0, 1, 2, 16}[s.draw.IntN(4)]
	if depth < 2 && s.draw.IntN(16) == 0 {
		n = 300
	}
	if v.Type().Elem().Kind() == reflect.Uint8 && s.draw.IntN(2) == 0 {
		n = 16
	}
	v.Set(reflect.MakeSlice(v.Type(), n, n))
	for k := range n {
		s.fill(v.Index(k), depth+1)
	}
}

// seen puts in what the hostile host can know of the others, where there is such a thing.
func (s *siege) seen(v reflect.Value) bool {
	h := s.w.who.hosts[s.draw.IntN(len(s.w.who.hosts))]
	if h.peer == nil {
		return false
	}
	set := func(x any) bool { v.Set(reflect.ValueOf(x)); return true }
	switch v.Interface().(type) {
	case membership.PeerID:
		return set(h.id)
	case membership.Site:
		return set(h.site)
	case membership.Member:
		return set(h.peer.Sight().Self())
	case membership.Incarnation:
		return set(h.peer.Sight().Self().Incarnation)
	case steal.Instance:
		if r := h.plane.runs; len(r) > 0 {
			return set(r[0].instance)
		}
	case steal.Key:
		if r := h.plane.runs; len(r) > 0 {
			return set(r[0].key)
		}
	case steal.Submission:
		if r := h.plane.runs; len(r) > 0 {
			return set(r[0].instance.First)
		}
	case orphan.Version:
		return set(orphan.Version{Holder: h.id, Incarnation: h.peer.Sight().Self().Incarnation, Number: s.draw.Uint64() >> s.draw.IntN(64)})
	}
	return false
}
