package peer

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// limits fills messages with values at their limits: well-formed, whatever they claim.
type limits struct {
	rng *rand.Rand
	ids []membership.PeerID
	own membership.Incarnation
	by  role
	// all numbers are the greatest there is
	most bool
	// how often each kind was said, of what is decoded: the rest is hung up on
	said map[uint8]int
	grid *script
	// who joins hears it before it hears the grid, and takes a stranger for a member
	early bool
}

func (l *limits) number() uint64 {
	if l.most {
		return math.MaxUint64
	}
	return []uint64{0, 1, 2, 3, 4, 1 << 20, 1<<20 + 5, 1<<31 - 1, 1<<32 - 1, 1 << 32, 1 << 62, 1<<62 + 1, 1<<63 - 1, math.MaxUint64}[l.rng.IntN(14)]
}

// fill sets a value and all that is in it.
func (l *limits) fill(v reflect.Value) {
	switch v.Type() {
	case reflect.TypeFor[steal.Stamp]():
		v.Set(reflect.ValueOf(l.stamp()))
		return
	case reflect.TypeFor[steal.Instance](), reflect.TypeFor[membership.Incarnation]():
		if l.rng.IntN(3) == 0 && l.seen(v) {
			return
		}
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			l.fill(v.Field(i))
		}
	case reflect.Slice:
		n := l.rng.IntN(4)
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			l.fill(v.Index(i))
		}
	case reflect.Array:
		v.Index(0).SetUint(uint64(l.rng.IntN(3)))
	case reflect.Uint64:
		v.SetUint(l.number())
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		v.SetUint(l.number() & (1<<v.Type().Bits() - 1))
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(int64(l.number()) >> (64 - v.Type().Bits()))
	case reflect.Float32, reflect.Float64:
		v.SetFloat([]float64{0, 1, -1, math.MaxFloat64, math.Inf(1), math.NaN()}[l.rng.IntN(6)])
	case reflect.Bool:
		v.SetBool(l.rng.IntN(2) == 0)
	case reflect.String:
		v.SetString(string(l.ids[l.rng.IntN(len(l.ids))]))
	}
}

// seen sets a value to what there is of the kind: a run, or somebody's life.
func (l *limits) seen(v reflect.Value) bool {
	p := l.grid.peers[l.grid.names[l.rng.IntN(len(l.grid.names))]]
	if v.Type() == reflect.TypeFor[membership.Incarnation]() {
		v.Set(reflect.ValueOf(p.Sight().Self().Incarnation))
	} else if n := len(p.runs.all); n > 0 {
		v.Set(reflect.ValueOf(p.runs.all[l.rng.IntN(n)].instance))
	} else {
		return false
	}
	return true
}

// stamp is none, a best, or the name of one that nobody has: another would not be decoded.
func (l *limits) stamp() steal.Stamp {
	value := []byte(fmt.Sprintf("a best %d", l.rng.IntN(3)))
	return []steal.Stamp{{}, steal.StampOf(value), {Digest: steal.KeyOf(value)}, {Digest: steal.KeyOf([]byte("nobody's"))}}[l.rng.IntN(4)]
}

// root is one that its digest names, or none.
func (l *limits) root(digest *steal.Key) (root []byte) {
	if l.rng.IntN(4) > 0 {
		root = []byte("root")
		*digest = steal.KeyOf(root)
	}
	return root
}

// body is a message of a kind. A member may bar another, which is what kick is for, or tell it to
// leave: no bar is of those who are there, so that the grid can be asked afterwards.
func (l *limits) body(kind membership.Body) membership.Body {
	v := reflect.New(reflect.TypeOf(kind)).Elem()
	l.fill(v)
	switch b := v.Interface().(type) {
	case membership.Hello:
		b.Member.ID = l.ids[0]
		if l.rng.IntN(2) == 0 {
			b.Member.State, b.Member.Addrs = membership.Here, nil
		}
		l.own = b.Member.Incarnation
		return b
	case membership.Barred:
		return membership.Barred{Bars: l.harmless(b.Bars)}
	case Snapshot:
		b.Bars = l.harmless(b.Bars)
		for n := range b.Members {
			b.Members[n].State, b.Members[n].Addrs = membership.Here+membership.State(l.rng.IntN(5)), nil
		}
		return b
	case Record:
		if b.Root = l.root(&b.Head.RootDigest); l.rng.IntN(2) == 0 {
			b.Head.RootBytes = uint32(len(b.Root))
		}
		return b
	case Submit:
		if b.Root = l.root(&b.RootDigest); l.rng.IntN(2) == 0 {
			b.Submission.Submitter = l.ids[0]
		}
		return b
	case membership.Refused:
		b.Barred = false
		return b
	case Order: // what drain is for
		if l.by == member {
			b.Within = -1
		}
		return b
	case membership.Body:
		return b
	}
	panic("no body")
}

func (l *limits) harmless(bars []membership.Bar) []membership.Bar {
	for n := range bars {
		bars[n].ID = "nobody"
	}
	return bars
}

// attack lets a host say what it likes for ten minutes, once a second to everybody and twenty times
// to one of them; and last, to everybody, each thing that can be said, with the greatest numbers.
// Meanwhile others submit runs, and join.
func attack(s *script, by role, seed uint64, early bool) {
	l := &limits{rng: rand.New(rand.NewPCG(seed, 99)), by: by, said: map[uint8]int{}, grid: s, early: early, ids: []membership.PeerID{"h", "a/1", "a/2", "c", "x", "young", "a/3", "h", "h", ""}}
	l.own = map[role]membership.Incarnation{stranger: {Join: 5, Random: 1}, client: {Random: 9}, member: {Join: 3, Random: 3}}[by]
	all := Bodies()
	second := 0
	for until := s.now + 10*time.Minute; s.now < until; l.pause(s) {
		if second%200 == 100 {
			l.joins(s, fmt.Sprint("j/", second))
		}
		if second%20 == 0 {
			s.command([]string{"submit", "c", fmt.Sprint("run ", second)})
		}
		second++
		if by == client {
			l.proves(s)
		}
		l.say(s, s.names, all[l.rng.IntN(len(all))])
		to := s.names[l.rng.IntN(len(s.names))]
		for range 19 {
			l.say(s, []string{to}, all[l.rng.IntN(len(all))])
		}
	}
	l.most = true
	for range 8 {
		for _, kind := range all {
			l.say(s, s.names, kind)
		}
		l.pause(s)
	}
	for _, kind := range all {
		if _, greets := kind.(membership.Hello); l.said[kind.Kind()] == 0 && !(greets && by == stranger) {
			s.t.Errorf("%T was never said", kind)
		}
	}
}

// joins lets one come in, that meets the host a moment before it meets the grid, or later.
func (l *limits) joins(s *script, name string) {
	if !l.early {
		s.command([]string{"join", name, "via", "a/1"})
		s.command([]string{"run", "1s"})
		return
	}
	s.command([]string{"join", name, "via", "h"})
	if l.by == client {
		l.proves(s)
	}
	for _, kind := range Bodies() {
		l.say(s, []string{name}, kind)
	}
	s.command([]string{"deliver"})
	s.command([]string{"connect", name, "a/1"})
}

// proves has all know of the host what it has proved.
func (l *limits) proves(s *script) {
	for _, name := range s.names {
		s.peers[name].Proved("h", true)
	}
}

// say is one message of the host's.
func (l *limits) say(s *script, to []string, kind membership.Body) {
	m := Message{From: l.own, Body: l.body(kind)}
	switch l.by {
	case stranger:
		if _, greets := m.Body.(membership.Hello); greets {
			return
		}
		m.From = membership.Incarnation{Join: l.number(), Random: 1}
	case client:
		m.From = membership.Incarnation{Random: 9}
	}
	if err := Vet(m.Body); err != nil {
		s.t.Fatalf("%T would not have been decoded: %v", m.Body, err)
	}
	l.said[m.Body.Kind()]++
	for _, to := range to {
		s.wire = append(s.wire, parcel{"h", to, m})
	}
}

// pause lets a second go by.
func (l *limits) pause(s *script) {
	s.command([]string{"run", "1s"})
	s.out.Reset()
	finishRoots(s)
	for _, name := range s.names {
		if err := s.peers[name].Sight().Check(); err != nil {
			s.t.Fatal(err)
		}
	}
}

// finishRoots lets the workers end every root at once.
func finishRoots(s *script) {
	for _, name := range s.names {
		for _, r := range append([]*run(nil), s.peers[name].runs.all...) {
			if r.root.borrow != 0 {
				s.do(name, s.peers[name].Finished(s.now, r.root.borrow, steal.Result{Bytes: []byte("value")}))
			}
		}
	}
}

// asBefore demands that the grid joins, runs, kicks and forgets.
func asBefore(s *script) error {
	s.command([]string{"run", "12m"})
	s.command([]string{"join", "young", "via", "a/2"})
	s.command([]string{"run", "5s"})
	for _, name := range s.names {
		p := s.peers[name]
		if p.gone {
			return fmt.Errorf("%s is gone", name)
		}
		// beside itself and the client
		if n := len(p.Sight().Members()); n != len(s.names)-1 && name == "c" || n != len(s.names)-2 && name != "c" {
			return fmt.Errorf("after a join %s knows %d members: %v", name, n, p.Sight().Members())
		}
		if all, _ := p.view.Snapshot(s.now); len(all) > len(s.names)-1 {
			return fmt.Errorf("%s has not forgotten: %v", name, all)
		}
	}
	if err := s.agree(); err != nil {
		return err
	}
	var executes bool
	s.out.Reset()
	s.command([]string{"submit", "c", "fresh"})
	for range 20 {
		s.command([]string{"run", "1s"})
		for _, name := range s.names {
			for _, r := range s.peers[name].runs.all {
				executes = executes || r.instance.Run == keyOf("fresh") && r.root.borrow != 0
			}
		}
	}
	if !executes {
		return fmt.Errorf("a run is submitted, and nobody executes it")
	}
	for _, name := range s.names {
		if holds(s.peers[name], "fresh") == 0 {
			return fmt.Errorf("%s does not know a run that was submitted", name)
		}
	}
	return kicks(s)
}

// kicks bars one, and lets it in again.
func kicks(s *script) error {
	for _, barred := range []bool{true, false} {
		s.do("a/1", s.peers["a/1"].Bar(s.now, "young", barred))
		s.command([]string{"run", "5s"})
		for _, name := range s.names {
			if p := s.peers[name]; name != "young" && p.view.IsBarred("young") != barred {
				return fmt.Errorf("a kick does nothing at %s, or cannot be undone: %v is not %v", name, p.view.Bars(), barred)
			}
		}
		s.command([]string{"dead", "young"})
	}
	if !s.peers["young"].gone {
		return fmt.Errorf("one that is barred is there")
	}
	return s.agree()
}

// agree demands that all know the same. What a client was told of a run that is on lasts as long as
// that.
func (s *script) agree() error {
	first := s.peers[s.names[0]]
	for _, name := range s.names[1:] {
		p := s.peers[name]
		if p.view.Digest() != first.view.Digest() {
			all, bars := p.view.Snapshot(s.now)
			others, too := first.view.Snapshot(s.now)
			return fmt.Errorf("the views of %s and %s differ: %v %v, %v %v", name, s.names[0], all, bars, others, too)
		}
		same := p.runs.digest() == first.runs.digest()
		if name == "c" {
			same = !slices.ContainsFunc(p.runs.all, func(r *run) bool { return first.runs.find(r.instance) == nil })
		}
		if !same || len(p.runs.all) != len(first.runs.all) {
			return fmt.Errorf("%s and %s know other runs: %v, %v", name, s.names[0], p.runs.heads(s.now), first.runs.heads(s.now))
		}
	}
	return nil
}

// untouched demands that nobody who is no member has buried one of those who are there, or barred
// anybody.
func untouched(s *script) error {
	for _, name := range s.names {
		p := s.peers[name]
		if lives := p.Sight().Self().Incarnation.Rejoin; lives > 0 {
			return fmt.Errorf("%s was held dead, and is in its life %d", name, lives)
		}
		if bars := p.Sight().Bars(); len(bars) > 0 {
			return fmt.Errorf("%s has heard of bars: %v", name, bars)
		}
	}
	return nil
}

// survives lets a host of that role say what it likes, and tells what the grid has not survived.
func survives(t *testing.T, by role, seed uint64) error {
	s := hostileGrid(t)
	early := by != stranger || seed%2 == 0
	attack(s, by, seed, early)
	if by == client || !early {
		if err := untouched(s); err != nil {
			return err
		}
	}
	return asBefore(s)
}

// TestHostileHost: whatever a member, a client or a stranger says for ten minutes, well-formed and
// with any field at its limits: when it is gone the grid joins, runs, kicks and forgets as before.
func TestHostileHost(t *testing.T) {
	for by, name := range map[role]string{member: "member", client: "client", stranger: "stranger"} {
		for _, seed := range []uint64{0, 1, 10} {
			t.Run(fmt.Sprint(name, seed), func(t *testing.T) {
				if err := survives(t, by, seed); err != nil {
					t.Error(err)
				}
			})
		}
	}
}
