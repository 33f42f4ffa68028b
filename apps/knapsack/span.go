package knapsack

import (
	"slices"

	"satingrid/satin"
)

// Span is the part of a node's choices whose first half of the free items weighs From or
// more and less than To.
type Span struct {
	Node     Node
	From, To int64
}

const (
	workMost = 1 << 20 // half sums that a job goes through: 20 to 50 ms
	// below 1 ms, where all of the work takes so little that longer jobs could not be shared
	// out
	workLeast  = 1 << 15
	spansLeast = 128
)

// Run goes through the span, or splits it.
func (t Span) Run(s *satin.Scope) (Done, error) {
	g := groundOf(s)
	f := satin.Local(s, func() *spanner { return new(spanner) })
	if err := f.prepare(g, t.Node); err != nil {
		return Done{}, err
	}
	z := max(limit(s, g)-f.n.profit, -1)
	room := f.n.room
	if t.From < 0 || t.To <= t.From || t.To > room+1 {
		return Done{}, errNode
	}
	if settled(s) || f.n.bound() <= z {
		return Done{}, nil
	}
	first, second := f.below(0, t.To), f.below(1, room-t.From+1)
	if first.top.p+second.top.p <= z {
		return Done{}, nil
	}
	firsts, seconds := first.pairs-f.below(0, t.From).pairs, second.pairs-f.below(1, room-t.To+1).pairs
	if firsts+seconds > f.share && t.To-t.From > 1 {
		return Done{}, t.split(s, f.centre())
	}
	f.makeRoom(int(max(firsts, seconds)))
	if first, second, ok := f.best(t.From, t.To, z); ok {
		chosen := append(f.choice(f.n.problem, 0, first), f.choice(f.n.problem, 2, second)...)
		offerAgain(s, g, f.n.packed(chosen))
	}
	return Done{}, nil
}

// split halves the span. The half nearer to the centre is gone through first: most pairs are
// there, and the best ones. It is a job like the other, so that a guess of how far the span is
// counts both alike.
func (t Span) split(s *satin.Scope, centre int64) error {
	middle := t.From + (t.To-t.From)/2
	first, second := Span{t.Node, t.From, middle}, Span{t.Node, middle, t.To}
	if centre >= middle {
		first, second = second, first
	}
	later := satin.Spawn(s, second)
	if _, err := satin.Spawn(s, first).Wait(s); err != nil {
		return err
	}
	_, err := later.Wait(s)
	return err
}

// spanner is what a worker keeps between spans: the quarters of the node it has seen
// last, and room for sums.
type spanner struct {
	quarters
	node  Node
	g     *ground
	n     node
	share int64 // of the node's half sums, for one span
	known map[cut]lower
	a, b  []sum
	other []sum // of sorting
}

// cut is a weight that parts the sums of a half: 0 is the first.
type cut struct {
	half  int
	limit int64
}

// lower tells of the sums below a cut.
type lower struct {
	pairs int64
	top   sum // the most profitable
}

const knownMax = 1024 // cuts: neighbours share them, and so do a span and its parts

// below looks up, or finds, what is below a cut.
func (f *spanner) below(half int, limit int64) lower {
	at := cut{half, limit}
	l, ok := f.known[at]
	if !ok {
		if len(f.known) >= knownMax {
			clear(f.known)
		}
		l.pairs, l.top = below(f.part[2*half], f.part[2*half+1], limit)
		f.known[at] = l
	}
	return l
}

// prepare sets it up for a node, which is for nothing when it was the last one's.
func (f *spanner) prepare(g *ground, t Node) (err error) {
	if f.g == g && slices.Equal(f.node.In, t.In) && slices.Equal(f.node.Free, t.Free) {
		return nil
	}
	f.g = nil
	if f.n, err = unpack(g, t); err != nil {
		return err
	}
	if len(f.n.items) > leafItems {
		return errNode
	}
	f.divide(f.n.problem)
	all := len(f.part[0])*len(f.part[1]) + len(f.part[2])*len(f.part[3])
	f.share = int64(min(max(all/spansLeast, workLeast), workMost))
	f.known = map[cut]lower{}
	f.g, f.node = g, t
	return nil
}

func (f *spanner) first() [2]sums  { return [2]sums{f.part[0], f.part[1]} }
func (f *spanner) second() [2]sums { return [2]sums{f.part[2], f.part[3]} }

// best finds the best pair of half sums worth more than z whose first weighs from or
// more and less than to.
func (f *spanner) best(from, to, z int64) (first, second sum, ok bool) {
	a, b, room := f.first(), f.second(), f.n.room
	f.a = gather(a[0], a[1], from, to, f.a[:0])
	f.b = gather(b[0], b[1], room-to+1, room-from+1, f.b[:0])
	f.sort(f.a, from, to)
	f.sort(f.b, room-to+1, room-from+1)
	// What is lighter than the second halves at hand fits any of the first.
	top := f.below(1, room-to+1).top
	k := 0
	for i := len(f.a) - 1; i >= 0; i-- {
		x := f.a[i]
		for k < len(f.b) && x.w+f.b[k].w <= room {
			if f.b[k].p > top.p {
				top = f.b[k]
			}
			k++
		}
		if top.p >= 0 && x.p+top.p > z {
			z, first, second, ok = x.p+top.p, x, top, true
		}
	}
	return first, second, ok
}

// centre is the weight of a first half that leaves as much of the room, by its
// weight, to the second.
func (f *spanner) centre() int64 {
	last := func(a sums) int64 { return a[len(a)-1].w }
	a := last(f.part[0]) + last(f.part[1])
	return share(f.n.room, a, a+last(f.part[2])+last(f.part[3])+1)
}

// makeRoom lets each list have so many sums without growing. All are made large enough for most
// spans at once: new memory costs as much as a short span.
func (f *spanner) makeRoom(n int) {
	for _, list := range []*[]sum{&f.a, &f.b, &f.other} {
		if cap(*list) < n {
			*list = make([]sum, 0, max(n, int(f.share)*5/8))
		}
	}
}
