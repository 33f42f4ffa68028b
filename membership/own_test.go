package membership

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

func newOwnFor(client bool) *own {
	o := newOwn(Config{ID: "me", Site: "a", Client: client}, rand.New(rand.NewPCG(1, 2)))
	return &o
}

// heldAs is what another believes of a peer.
func heldAs(i Incarnation, s State) *Member { return &Member{ID: "me", Incarnation: i, State: s} }

// A peer enters as the youngest, and above every life that it had before.
func TestOwnEnters(t *testing.T) {
	o := newOwnFor(false)
	o.heldFor(0, heldAs(Incarnation{Join: 4, Rejoin: 2}, Dead))
	o.above(3) // and that is less
	o.enter(2)
	if o.State != Here || o.Incarnation.Join != 5 || o.Incarnation.Rejoin != 0 {
		t.Errorf("it enters as %v, %v", o.Incarnation, o.State)
	}
	o = newOwnFor(false)
	o.above(3)
	if o.enter(8); o.Incarnation.Join != 9 {
		t.Errorf("it enters as %v, and others are %d", o.Incarnation, 8)
	}
	if !o.isNear(&Member{Site: "a"}) || o.isNear(&Member{Site: "b"}) {
		t.Error("who is near is of the same site")
	}
}

// When others hold its life gone it takes another, once a second, and one that they believe.
func TestOwnComesBack(t *testing.T) {
	o := newOwnFor(false)
	o.enter(0)
	first := o.Incarnation
	if o.heldFor(0, heldAs(first, Here)) {
		t.Error("nobody holds it gone")
	}
	if leaves := *o; !leaves.heldFor(0, heldAs(first, Leaving)) || leaves.Incarnation.Rejoin != 1 {
		t.Error("others hold it leaving, and it stays in a life with which nothing is begun any more")
	}
	if leaves := *o; !leaves.leaves(time.Second) || leaves.heldFor(0, heldAs(first, Leaving)) {
		t.Error("it is leaving, as others know, and takes another life")
	}
	if !o.heldFor(0, heldAs(first, Dead)) || o.Was != first || o.Incarnation.Join != first.Join || o.Incarnation.Rejoin != 1 {
		t.Fatalf("it is held dead, and is %v after %v", o.Incarnation, o.Was)
	}
	second := o.Incarnation
	if o.heldFor(rejoinEvery-1, heldAs(second, Dead)) || o.comeBack(rejoinEvery-1, second) {
		t.Error("it takes two lives in a second")
	}
	if o.heldFor(rejoinEvery, heldAs(first, Dead)) {
		t.Error("a life is over that it does not have any more: it takes another")
	}
	if o.heldFor(rejoinEvery, heldAs(Incarnation{Join: 1, Rejoin: 2 + RaiseMax}, Here)) {
		t.Error("it takes a life that nobody believes")
	}
	if !o.heldFor(rejoinEvery, heldAs(Incarnation{Join: 1, Rejoin: 9}, Here)) || o.Incarnation.Rejoin != 10 || o.Was != second {
		t.Errorf("another speaks for it, and it is %v after %v", o.Incarnation, o.Was)
	}
	if o.enterAnew(70); o.Incarnation.Join != 71 || o.Incarnation.Rejoin != 0 || o.Was.Rejoin != 10 {
		t.Errorf("it enters anew as %v after %v", o.Incarnation, o.Was)
	}
}

// Who is leaving may stay, in another life, and who has left may not.
func TestOwnLeaves(t *testing.T) {
	o := newOwnFor(false)
	if o.leaves(time.Second) || o.left("heir") {
		t.Error("who has not entered cannot leave")
	}
	o.enter(0)
	if o.stays(0) || !o.leaves(20*time.Second) || o.Grace != 20000 || o.leaves(0) {
		t.Errorf("it leaves within %d ms", o.Grace)
	}
	life := o.Incarnation
	if !o.stays(0) || o.State != Here || o.Grace != 0 || o.Incarnation.Compare(life) <= 0 {
		t.Errorf("it stays as %v, %v", o.Incarnation, o.State)
	}
	if !o.leaves(math.MaxInt64) || o.Grace != math.MaxUint32 {
		t.Errorf("it leaves within %d ms", o.Grace)
	}
	if o.stays(rejoinEvery / 2) {
		t.Error("it takes two lives in a second")
	}
	if !o.left("heir") || o.State != Left || o.Heir != "heir" || o.left("other") || o.comeBack(time.Hour, o.Incarnation) {
		t.Errorf("it has left: %v, to %s", o.State, o.Heir)
	}
}

// A client has no place and takes no lives, whatever is said of it.
func TestOwnOfAClient(t *testing.T) {
	o := newOwnFor(true)
	if o.Incarnation.Random == 0 || o.heldFor(0, heldAs(Incarnation{Join: 3}, Dead)) || o.former != (Incarnation{}) || o.leaves(0) {
		t.Errorf("a client is %v", o.Member)
	}
	for _, enter := range []func(){func() { o.enter(0) }, func() { p := newOwnFor(false); p.enter(0); p.enter(0) }} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("a client enters, or one enters twice")
				}
			}()
			enter()
		}()
	}
}
