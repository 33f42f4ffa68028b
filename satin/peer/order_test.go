package peer

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// givesOrders is who gives orders, and who is present to it.
func givesOrders(others ...membership.PeerID) (*orders, present) {
	all := presentOf(others...)
	return &orders{members: all}, all
}

// orders gives an order that is not refused.
func (o *orders) mustGive(t *testing.T, now time.Duration, to membership.PeerID, order Order) (OrderNo, []membership.Effect) {
	t.Helper()
	no, effects, err := o.give(now, to, order)
	if err != nil {
		t.Fatal(err)
	}
	return no, effects
}

// TestOrderIsRepeated: until its receiver is seen to be leaving, or is gone.
func TestOrderIsRepeated(t *testing.T) {
	o, all := givesOrders("a1", "b1")
	_, first := o.mustGive(t, 0, "a1", Order{Within: time.Second})
	does(t, "an order", first, "a1: Order")
	if o.deadline() != orderEvery {
		t.Errorf("it is repeated at %v", o.deadline())
	}
	does(t, "too early", o.tick(orderEvery-1))
	does(t, "time to repeat it", o.tick(orderEvery), "a1: Order")
	m := all["a1"]
	m.State, m.Incarnation.Rejoin = membership.Suspected, 1
	all["a1"] = m
	again := o.tick(2 * orderEvery)
	does(t, "it is suspected, and has come back", again, "a1: Order")
	if s := again[0].(membership.Send); s.Incarnation != m.Incarnation {
		t.Errorf("the order is for %v, and it is %v", s.Incarnation, m.Incarnation)
	}
	m.State = membership.Leaving
	all["a1"] = m
	does(t, "it is leaving", o.tick(3*orderEvery), "order 1 is done")
	_, to := o.mustGive(t, 0, "nobody", Order{})
	does(t, "an order to one that is gone", to, "order 2 is done")
	if o.deadline() != steal.Never {
		t.Error("nothing is under way, and it wants to be told of the time")
	}
}

// TestOrderIsRecalled: who gave it has given up.
func TestOrderIsRecalled(t *testing.T) {
	o, _ := givesOrders("a1", "b1")
	no, _ := o.mustGive(t, 0, "a1", Order{})
	o.mustGive(t, 0, "b1", Order{})
	o.recall(no)
	o.recall(99)
	does(t, "one is recalled", o.tick(orderEvery), "b1: Order")
}

// TestBoundOrder: it is given only while somebody is at the site who is held to be there.
func TestBoundOrder(t *testing.T) {
	for state, there := range map[membership.State]bool{
		membership.Here: true, membership.Suspected: false, membership.Leaving: false,
	} {
		o, all := givesOrders("a1", "b1")
		m := all["b1"]
		m.State = state
		all["b1"] = m
		_, effects := o.mustGive(t, 0, "a1", Order{Heirs: "b", Bound: true})
		if there {
			does(t, state.String(), effects, "a1: Order")
			delete(all, "b1")
			does(t, "it dies", o.tick(orderEvery), "order 1 is done: nobody is there")
		} else {
			does(t, state.String(), effects, "order 1 is done: nobody is there")
		}
	}
}

// TestOrdersAreBounded: there are only so many, and no time of any is longer than a record tells.
func TestOrdersAreBounded(t *testing.T) {
	o, _ := givesOrders("a1")
	for range ordersMax {
		_, effects := o.mustGive(t, 0, "a1", Order{Within: math.MaxInt64})
		if s := effects[0].(membership.Send).Body.(Order); s.Within != graceMax {
			t.Fatalf("an order gives %v", s.Within)
		}
	}
	if _, _, err := o.give(0, "a1", Order{}); !errors.Is(err, ErrOrders) {
		t.Errorf("one too many: %v", err)
	}
}

// TestLateLeaverSaysSo: to all, and before its last word; one that leaves in order says nothing.
func TestLateLeaverSaysSo(t *testing.T) {
	l := newLeaver(t, "", false, "a2", "b1")
	l.left = 2
	does(t, "time is over", l.tick(20*time.Second, false), "a2: Late", "b1: Late", "all: Late",
		`has left, its heir is "", 0 results are lost, 2 jobs are not settled`)
}

// TestOrdered: whose order is followed, and which.
func TestOrdered(t *testing.T) {
	for name, c := range map[string]struct {
		order    Order
		from     membership.PeerID
		again    bool // it leaves already
		anyLife  bool // the order is for nobody's life
		oldLife  bool // the sender's is over
		followed bool
		within   time.Duration
	}{
		"a member's":          {from: "b1", order: Order{Within: time.Second}, followed: true, within: time.Second},
		"at once":             {from: "b1", followed: true},
		"before now":          {from: "b1", order: Order{Within: math.MinInt64}},
		"in ages":             {from: "b1", order: Order{Within: math.MaxInt64}, followed: true, within: graceMax},
		"for anybody":         {from: "b1", anyLife: true},
		"of a former life":    {from: "b1", oldLife: true},
		"a stranger's":        {from: "h"},
		"once more":           {from: "b1", again: true},
		"to where nobody is":  {from: "b1", order: Order{Heirs: "x", Bound: true}},
		"to where one is":     {from: "b1", order: Order{Heirs: "c", Bound: true, Within: time.Second}, followed: true, within: time.Second},
		"to the site of none": {from: "b1", order: Order{Heirs: "x"}, followed: true},
	} {
		s := newStage(t, "b1", "c1")
		if c.again {
			s.p.Leave(0, time.Minute, "")
		}
		life, ok := s.life[c.from]
		if !ok {
			life = membership.Incarnation{Join: 7, Random: 7}
		}
		if c.oldLife {
			life.Join = 99
		}
		m := Message{From: life, To: s.p.Sight().Self().Incarnation, Body: c.order}
		if c.anyLife {
			m.To = membership.Incarnation{}
		}
		o, followed := find[Ordered](s.p.Received(0, c.from, m))
		if followed != c.followed || followed && (o.By.ID != c.from || o.Order != c.order) {
			t.Errorf("%s: it is followed: %v, %v", name, followed, o)
		}
		if l := s.p.leaving; followed && (!l.active || l.until != c.within || l.bound != c.order.Bound || l.site != c.order.Heirs) {
			t.Errorf("%s: it leaves: %v until %v to %q, bound %v", name, l.active, l.until, l.site, l.bound)
		}
	}
}

// TestOrdersAreFollowed: a member's, for the life that this peer is in, while it does not leave and
// somebody is where they are bound to; and what is ordered here, of this peer itself.
func TestOrdersAreFollowed(t *testing.T) {
	self := membership.Member{ID: "me", State: membership.Here, Incarnation: in("me").incarnation}
	all := presentOf("b1")
	by := all["b1"]
	o := &orders{self: "me", members: selfAmong{all, &self}}
	order := Order{Within: time.Second, Heirs: "b", Bound: true}
	a := &arrival{life: in("b1"), member: &by, message: Message{To: self.Incarnation}}
	effects := o.hearOrder(time.Minute, a, order)
	does(t, "one that is bound", effects, "peer.Ordered", "peer.departs")
	if d := effects[1].(departs); d != (departs{time.Minute + time.Second, "b", true}) {
		t.Errorf("it departs: %v", d)
	}
	does(t, "it is for a negative time", o.hearOrder(0, a, Order{Within: -1}))
	does(t, "nobody is there", o.hearOrder(0, a, Order{Heirs: "x", Bound: true}))
	does(t, "of this peer itself", o.mustDo(t, order), "peer.departs", "order 1 is done")
	does(t, "where nobody is", o.mustDo(t, Order{Heirs: "x", Bound: true}), "order 2 is done: nobody is there")
	self.State = membership.Leaving
	does(t, "it leaves already", o.hearOrder(0, a, order))
	self.State = membership.Here
	a.message.To.Rejoin++
	does(t, "it is for another life", o.hearOrder(0, a, order))
}

// mustDo orders this peer itself.
func (o *orders) mustDo(t *testing.T, order Order) []membership.Effect {
	_, effects := o.mustGive(t, 0, o.self, order)
	return effects
}

// selfAmong is who is present to a peer, and its own record.
type selfAmong struct {
	present
	self *membership.Member
}

func (s selfAmong) Self() membership.Member { return *s.self }

// TestOrderToItself: who gives it leaves, unless nobody is at the site to which it is bound.
func TestOrderToItself(t *testing.T) {
	for _, site := range []membership.Site{"b", "x"} {
		s := newStage(t, "b1")
		no, effects, err := s.p.Order(0, "me", Order{Within: time.Second, Heirs: site, Bound: true})
		done, ok := find[OrderDone](effects)
		if err != nil || !ok || done != (OrderDone{Order: no, Deserted: site == "x"}) || s.p.leaving.active == done.Deserted {
			t.Errorf("to %s: %v %v %v, it leaves: %v", site, done, ok, err, s.p.leaving.active)
		}
	}
}

// TestOrderTravels: what one gives another does, whatever is lost; a late word is heard of members
// alone.
func TestOrderTravels(t *testing.T) {
	s := hostileGrid(t)
	_, effects, _ := s.peers["a/1"].Order(s.now, "a/2", Order{Within: 5 * time.Second})
	s.do("a/1", effects)
	s.command([]string{"lose", "Order"})
	s.command([]string{"run", "3s"})
	if !s.peers["a/2"].gone || len(s.peers["a/1"].orders.given) > 0 {
		t.Errorf("a/2 is gone: %v, orders under way: %v", s.peers["a/2"].gone, s.peers["a/1"].orders.given)
	}
	for from, heard := range map[membership.PeerID]bool{"b1": true, "h": false} {
		s := newStage(t, "b1")
		if l, ok := find[LeavesLate](s.from(0, from, Late{})); ok != heard || ok && l.Member != from {
			t.Errorf("%s leaves late: %v", from, ok)
		}
	}
}

// TestClientsGiveNoOrders: nor do strangers.
func TestClientsGiveNoOrders(t *testing.T) {
	for _, from := range []membership.Incarnation{asClient, {Join: 5, Random: 1}} {
		s := said(t, from, Order{Within: time.Second})
		for _, name := range slices.Clone(s.names) {
			if p := s.peers[name]; p.gone || p.leaving.active {
				t.Errorf("by the word of %v %s leaves", from, name)
			}
		}
	}
}
