package peer

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
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
}

func (l *limits) number() uint64 {
	if l.most {
		return math.MaxUint64
	}
	return []uint64{0, 1, 2, 3, 4, 1 << 20, 1<<20 + 5, 1<<31 - 1, 1<<32 - 1, 1 << 32, 1 << 62, 1<<62 + 1, 1<<63 - 1, math.MaxUint64}[l.rng.IntN(14)]
}

// fill sets a value and all that is in it.
func (l *limits) fill(v reflect.Value) {
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
		b.Root, b.Best.Value = []byte("root"), []byte("a best")
		b.Head.RootDigest, b.Head.RootBytes, b.Best.Digest = steal.KeyOf(b.Root), uint32(len(b.Root)), steal.KeyOf(b.Best.Value)
		return b
	case Submit:
		b.Root, b.RootDigest = []byte("root"), steal.KeyOf([]byte("root"))
		if l.rng.IntN(2) == 0 {
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
func attack(s *script, by role, seed uint64) {
	l := &limits{rng: rand.New(rand.NewPCG(seed, 99)), by: by, ids: []membership.PeerID{"h", "a/1", "a/2", "c", "x", "young", "a/3", "h", "h", ""}}
	l.own = map[role]membership.Incarnation{stranger: {Join: 5, Random: 1}, client: {Random: 9}, member: {Join: 3, Random: 3}}[by]
	all := Bodies()
	for until := s.now + 10*time.Minute; s.now < until; l.pause(s) {
		if by == client {
			for _, name := range s.names {
				s.peers[name].Proved("h", true)
			}
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
	if Vet(m.Body) != nil {
		return // it would not have been decoded
	}
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
			if r.rootBorrow != 0 {
				s.do(name, s.peers[name].Finished(s.now, r.rootBorrow, steal.Result{Bytes: []byte("value")}))
			}
		}
	}
}

// asBefore demands that the grid joins, runs, kicks and forgets.
func asBefore(s *script) error {
	s.command([]string{"run", "12m"})
	for _, name := range []string{"a/1", "a/2"} {
		p := s.peers[name]
		if p.gone {
			return fmt.Errorf("%s is gone", name)
		}
		if all, _ := p.view.Snapshot(s.now); len(all) > 2 {
			return fmt.Errorf("%s has not forgotten: %v", name, all)
		}
	}
	for _, c := range [][]string{{"join", "young", "via", "a/2"}, {"run", "5s"}} {
		s.command(c)
	}
	for _, name := range s.names {
		if n := len(s.peers[name].Sight().Members()); name != "c" && n != 2 || name == "c" && n != 3 {
			return fmt.Errorf("after a join %s knows %d members: %v", name, n, s.peers[name].Sight().Members())
		}
	}
	var executes bool
	s.out.Reset()
	s.command([]string{"submit", "c", "fresh"})
	for range 20 {
		s.command([]string{"run", "1s"})
		for _, name := range s.names {
			for _, r := range s.peers[name].runs.all {
				executes = executes || r.instance.Run == keyOf("fresh") && r.rootBorrow != 0
			}
		}
	}
	if !executes {
		return fmt.Errorf("a run is submitted, and nobody executes it")
	}
	s.command([]string{"bar", "a/1", "young"})
	s.command([]string{"run", "5s"})
	if !s.peers["young"].gone || !s.peers["a/2"].view.IsBarred("young") {
		return fmt.Errorf("a kick does nothing")
	}
	s.do("a/2", s.peers["a/2"].Bar(s.now, "young", false))
	s.command([]string{"run", "5s"})
	if s.peers["a/1"].view.IsBarred("young") || s.peers["a/2"].view.IsBarred("young") {
		return fmt.Errorf("a kick cannot be undone")
	}
	if a, b := s.peers["a/1"].view.Digest(), s.peers["a/2"].view.Digest(); a != b {
		return fmt.Errorf("the views differ")
	}
	return nil
}

// untouched demands that nobody who is no member has buried one of those who are there, or barred
// anybody.
func untouched(s *script) error {
	for _, name := range []string{"a/1", "a/2"} {
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
	attack(s, by, seed)
	if by != member {
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
		for seed := range uint64(2) {
			t.Run(fmt.Sprint(name, seed), func(t *testing.T) {
				if err := survives(t, by, seed); err != nil {
					t.Error(err)
				}
			})
		}
	}
}
