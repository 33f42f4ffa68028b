package peer

import (
	"math/rand/v2"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// goer is a peer called me that leaves, with what it says of that.
type goer struct {
	*departing
	present
	self membership.Member
	mute bool // it may not take another life yet
}

func (g *goer) Self() membership.Member { return g.self }

func (g *goer) Leaving(time.Duration) []membership.Effect {
	g.self.State = membership.Leaving
	return []membership.Effect{membership.Publish{Body: membership.Gone{Member: g.self}}}
}

func (g *goer) Leave(heir membership.PeerID) []membership.Effect {
	g.self.State, g.self.Heir = membership.Left, heir
	return []membership.Effect{membership.Publish{Body: membership.Gone{Member: g.self}}}
}

func (g *goer) Stay(time.Duration) ([]membership.Effect, bool) {
	return []membership.Effect{membership.Rejoined{}}, !g.mute
}

func newGoer(t *testing.T, others ...membership.PeerID) *goer {
	b := newBorder(t, others...)
	g := &goer{present: b.present, self: membership.Member{ID: "me", State: membership.Here}}
	l := &leaving{
		self: "me", home: "a", members: g, store: b.copier.store, lots: rand.New(rand.NewPCG(1, 1)),
		best: func(steal.Instance, life) (steal.Stamp, bool) { return steal.Stamp{}, true },
	}
	b.leaves, b.members = l.isOn, g
	b.copier.leaves, b.copier.members = l.isOn, g
	g.departing = &departing{
		view: g, leaving: l, runs: b.runs, mastership: &mastership{}, ledger: b.ledger, stops: &stops{},
		storing: &storing{}, verifier: b.verifier, stealing: b.stealing, opening: &opening{stealing: b.stealing, copier: b.copier},
	}
	l.jobs, l.runs = g.unsettled, g.unheld
	return g
}

// TestDeparts: everybody is told, nothing is asked for any more, and what executes here for others
// is withdrawn; when all of it is settled it goes.
func TestDeparts(t *testing.T) {
	g := newGoer(t, "b1")
	borrow, _ := g.ledger.Borrow("b1", in("b1").incarnation, 7, borderRun, keyOf("job"))
	g.runs.all[0].rootBorrow = g.ledger.NextBorrow()
	g.verifier.checks = []*check{{borrow: 9}}
	g.copier().opened(0)
	does(t, "it begins", g.begin(0, departs{deadline: 20 * time.Second}), "all: Gone me leaving",
		"withdraw borrow 1, salvage", "withdraw borrow 9", "withdraw borrow 2, salvage")
	if g.copier().on || g.leaving.isWoundDown() || g.unsettled() != 2 {
		t.Errorf("copies are made: %v; %d jobs are left", g.copier().on, g.unsettled())
	}
	does(t, "it waits for them", g.leaving.tick(0))
	does(t, "it shall be sooner gone", g.begin(0, departs{deadline: 10 * time.Second}))
	if g.leaving.until != 10*time.Second {
		t.Errorf("it leaves by %v", g.leaving.until)
	}
	g.ledger.HandBack(borrow)
	g.runs.all[0].rootBorrow = 0
	does(t, "nothing is left", g.leaving.tick(time.Second), "hands on runs")
	does(t, "nor an answer", g.handRuns(time.Second), "has left, its heir is b1")
	does(t, "it says so", g.leave(leaves{Heir: "b1"}), "all: Gone me left", "has left, its heir is b1")
}

func (g *goer) copier() *copier { return g.opening.copier }

// TestAnswersAreHandedOn: those that it delivers are kept by the heir before it goes; once.
func TestAnswersAreHandedOn(t *testing.T) {
	g := newGoer(t, "b1")
	g.begin(0, departs{deadline: 20 * time.Second})
	does(t, "the answers are next", g.leaving.tick(0), "hands on runs")
	r, other := g.runs.all[0], g.runs.whole(steal.Instance{Run: steal.Key{2}})
	r.answering = answering{self: "me", members: noDraw{g.present}, bestFor: r.best.stamp, answer: &steal.Result{Bytes: []byte("v")}}
	r.answering.begin(0)
	other.delivering, other.submissions = true, nil
	does(t, "one is delivered here", g.handRuns(0), `b1: Keep "v"`)
	does(t, "it is not acknowledged yet", g.handRuns(0))
	r.answering.hearKept("b1")
	does(t, "it is", g.handRuns(0), "has left, its heir is b1")
}

// noDraw are members of whom none is drawn.
type noDraw struct{ present }

func (noDraw) Draw() (membership.Member, bool)        { return membership.Member{}, false }
func (noDraw) OldestOther() (membership.Member, bool) { return membership.Member{}, false }

// TestDoesNotDepart: a leave that is bound to a site where nobody is, and one whose site is
// deserted later: then it stays, as soon as it may take another life, and all goes on.
func TestDoesNotDepart(t *testing.T) {
	g := newGoer(t, "b1", "c1")
	does(t, "nobody is there", g.begin(0, departs{deadline: time.Second, heirs: "x", bound: true}), "peer.Stayed")
	g.stealing.idled(0, 0)
	g.begin(0, departs{deadline: 20 * time.Second, heirs: "b", bound: true})
	ask, by := steal.Ask{Number: 1, Jobs: 1}, g.present["c1"]
	does(t, "one asks it for jobs", g.stealing.hearAsk(0, &arrival{life: in("c1"), member: &by}, ask), "c1: Nothing")
	delete(g.present, "b1")
	does(t, "they have died", g.leaving.tick(0), "stays")
	g.mute = true
	if does(t, "not yet", g.stay(0)); !g.leaving.active {
		t.Error("it stays in a life that is over")
	}
	g.mute = false
	does(t, "it stays", g.stay(0), "rejoins as 0.0", "peer.stayed")
	g.stealing.idle = 1
	does(t, "and goes on", g.stayed(0), "c1: Wake", "peer.Stayed")
	if !g.mastership.due || g.leaving.active || !g.copier().on {
		t.Error("its roots do not start again, or it leaves still, or copies nothing")
	}
	alone := newGoer(t)
	alone.self.State = 0
	does(t, "it was never in", alone.begin(0, departs{deadline: time.Hour}), "has left, without an heir")
}

// TestWhatIsNotSettledIsSaid: by who goes before it is done.
func TestWhatIsNotSettledIsSaid(t *testing.T) {
	g := newGoer(t, "b1")
	g.ledger.Lend(0, "b1", in("b1").incarnation, borderRun, keyOf("job"), 1)
	g.stops.salvage(orphaned{borrow: 5})
	g.leaving.store.KeepFor(0, borderRun, keyOf("kept"), worth("v"), orphan.KeptFor{Owner: "c1"})
	g.begin(0, departs{deadline: time.Second})
	does(t, "time is over", g.leaving.tick(time.Second), "b1: Late", "all: Late",
		`has left, its heir is "", 1 results are lost, 2 jobs are not settled`)
}

// TestDepartsAgain: a leave after one that was called off hands back what is here now; of what the
// first had stopped, and is not here any more, nothing is heard.
func TestDepartsAgain(t *testing.T) {
	g := newGoer(t, "b1")
	g.stops.halted = []steal.Borrow{99}
	borrow, _ := g.ledger.Borrow("b1", in("b1").incarnation, 1, borderRun, keyOf("job"))
	g.begin(0, departs{deadline: 20 * time.Second})
	if g.stops.handsBack(99) || !g.stops.handsBack(borrow) {
		t.Error("what a former leave has stopped is to be handed back, or what is here is not")
	}
}

// TestAnswersAreHandedToAnHeir: each of several is asked to be kept once, and all are waited for;
// an heir that began anew, and one that kept the answer in another life, is asked again.
func TestAnswersAreHandedToAnHeir(t *testing.T) {
	g := newGoer(t, "b1")
	g.begin(0, departs{deadline: 20 * time.Second})
	g.leaving.tick(0)
	g.runs.whole(steal.Instance{Run: steal.Key{2}})
	for n, r := range g.runs.all {
		r.answering = answering{self: "me", members: noDraw{g.present}, bestFor: r.best.stamp, answer: &steal.Result{Bytes: []byte{'0' + byte(n)}}}
		r.answering.begin(0)
	}
	first, second := g.runs.all[0], g.runs.all[1]
	second.keep = keeping{by: "b1", incarnation: g.leaving.heir.incarnation, again: steal.Never}
	does(t, "one is kept there", g.handRuns(time.Second), `b1: Keep "0"`)
	if !g.leaving.asked || g.leaving.since != time.Second {
		t.Errorf("it waits for the heir: %v, since %v", g.leaving.asked, g.leaving.since)
	}
	next := membership.Incarnation{Join: 1, Rejoin: 1}
	m := g.present["b1"]
	m.Incarnation = next
	g.present["b1"] = m
	g.leaving.heir.incarnation = next
	does(t, "it has another life", g.handRuns(2*time.Second), `b1: Keep "0"`, `b1: Keep "1"`)
	first.hearKept("b1")
	does(t, "one is kept", g.handRuns(2*time.Second))
	second.hearKept("b1")
	does(t, "both are", g.handRuns(2*time.Second), "has left, its heir is b1")
}

// TestAnswersOfMastersAreHandedOn: who keeps one for its master does not take it along. The master
// itself is not asked to keep what it has.
func TestAnswersOfMastersAreHandedOn(t *testing.T) {
	keeps := func(master membership.PeerID) (*goer, *run) {
		g := newGoer(t, "b1")
		g.begin(0, departs{deadline: 20 * time.Second})
		g.leaving.tick(0)
		r := g.runs.all[0]
		r.answering = answering{
			self: "me", members: noDraw{g.present}, bestFor: r.best.stamp, answer: &steal.Result{Bytes: []byte("v")},
			keep: keeping{again: steal.Never},
		}
		r.brought.knows(in(master))
		return g, r
	}
	g, r := keeps("a1")
	does(t, "another is master", g.handRuns(0), `b1: Keep "v"`)
	r.answering.hearKept("b1")
	does(t, "its heir keeps it", g.handRuns(0), "has left, its heir is b1")
	g, _ = keeps("b1")
	does(t, "the heir is master", g.handRuns(0), "has left, its heir is b1")
	g, r = keeps("a1")
	g.handRuns(0)
	if g.stay(0); r.keep.again != steal.Never {
		t.Error("it stays, and asks for its answer to be kept")
	}
}
