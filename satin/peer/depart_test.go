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
		self: "me", home: "a", members: g, results: b.copier.results, lots: rand.New(rand.NewPCG(1, 1)),
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
	g.runs.all[0].root.borrow = g.ledger.NextBorrow()
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
	g.runs.all[0].root.borrow = 0
	does(t, "nothing is left", g.leaving.tick(time.Second), "hands on runs")
	does(t, "nor an answer", g.handOver(time.Second), "has left, its heir is b1")
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
	does(t, "one is delivered here", g.handOver(0), asksWhether, `b1: Keep "v"`)
	does(t, "it is not acknowledged yet", g.handOver(0))
	r.answering.hearKept("b1")
	does(t, "nor is the run", g.handOver(0))
	r.handover.hearHolds(in("b1"), r.handover.number)
	does(t, "both are", g.handOver(0), "has left, its heir is b1")
}

// asksWhether is how a leaver asks its heir b1 whether it holds a run.
const asksWhether = `b1: Record epoch 0 master  submissions 1 root "", to be confirmed by its heir`

// held has b1, in a life, say that it holds all runs.
func (g *goer) held(by life) {
	for _, r := range g.runs.all {
		r.handover.hearHolds(by, r.handover.number)
	}
}

// TestHeirAnswersInThisLeave: what it acknowledged before may have gone with it, unnoticed.
func TestHeirAnswersInThisLeave(t *testing.T) {
	for about, has := range map[string]func(*run){
		"it keeps the answer": func(r *run) {
			r.keptBy = answerHolder{by: "b1", incarnation: in("b1").incarnation, again: steal.Never}
		},
		"it is the master": func(r *run) { r.delivering = false; r.brought.known(in("b1")) },
	} {
		g := newGoer(t, "b1")
		r := g.runs.all[0]
		r.answering = answering{self: "me", members: noDraw{g.present}, bestFor: r.best.stamp, answer: &steal.Result{Bytes: []byte("v")}}
		r.answering.begin(0)
		has(r)
		g.begin(0, departs{deadline: 20 * time.Second})
		g.leaving.tick(0)
		does(t, about, g.handOver(0), asksWhether)
		g.held(life{"b1", membership.Incarnation{Join: 99}})
		does(t, about+" in another life", g.handOver(0))
		g.held(in("b1"))
		does(t, about+" and says so", g.handOver(0), "has left, its heir is b1")
	}
}

// kept has a run that is to be kept.
func (g *goer) kept(n byte) {
	r := g.runs.whole(steal.Instance{Run: steal.Key{n}})
	r.root.bytes, r.root.size, r.keeps = []byte("root"), 4, []steal.Submission{{Submitter: "u", Nonce: steal.Nonce(n), Keeps: true}}
}

// passes lets time pass while it leaves, up to when it has an heir that is not the first.
func (g *goer) passes(from, to time.Duration, each func(now time.Duration)) (heir membership.PeerID, at time.Duration) {
	first := g.leaving.heir.peer
	for at = from; at < to; at += 100 * time.Millisecond {
		each(at)
		for _, e := range g.leaving.tick(at) {
			if _, ok := e.(handsOver); ok {
				g.handOver(at)
			}
		}
		if heir = g.leaving.heir.peer; first != "" && heir != first {
			return heir, at
		}
		first = heir
	}
	return heir, at
}

// TestSilentHeirs: another is tried soon, though new runs come meanwhile, an answer was on its way
// to the silent one before, or nobody else was there until now. One that answers has more time.
func TestSilentHeirs(t *testing.T) {
	const soon = 2*heirWait + time.Second
	nothing := func(time.Duration) {}
	g := newGoer(t, "b1", "c1")
	g.begin(0, departs{deadline: 10 * time.Minute})
	if _, at := g.passes(0, time.Minute, func(now time.Duration) {
		if now%time.Second == 0 {
			g.kept(byte(9 + now/time.Second))
		}
	}); at > soon {
		t.Errorf("while runs come the heir is silent for %v", at)
	}
	for _, first := range []membership.PeerID{"b1", "c1"} {
		g = newGoer(t, "b1", "c1")
		r := g.runs.all[0]
		r.answering = answering{self: "me", members: noDraw{g.present}, bestFor: r.best.stamp, answer: &steal.Result{Bytes: []byte("v")}}
		r.answering.begin(0)
		r.keptBy = answerHolder{by: first, incarnation: in(first).incarnation, gap: r.answering.repeats()}
		g.begin(0, departs{deadline: 10 * time.Minute})
		if _, at := g.passes(0, time.Minute, nothing); at > soon {
			t.Errorf("an answer is on its way to %s, and the heir is silent for %v", first, at)
		}
	}
	g = newGoer(t, "b1")
	g.begin(0, departs{deadline: 10 * time.Minute})
	g.kept(9)
	g.passes(0, 10*time.Second, nothing)
	g.present["c1"] = presentOf("c1")["c1"]
	if heir, at := g.passes(10*time.Second, time.Minute, nothing); heir != "c1" || at > 10*time.Second+soon {
		t.Errorf("another came, and %s is the heir at %v", heir, at)
	}
	g = newGoer(t, "b1", "c1")
	g.begin(0, departs{deadline: 10 * time.Minute})
	g.kept(9)
	if _, at := g.passes(0, time.Minute, func(now time.Duration) { g.leaving.heirHeard(now, g.leaving.heir) }); at < time.Minute {
		t.Errorf("an heir that answers had %v", at)
	}
}

// TestOfTwoThatLeave the one waits that has more time: the other never has it for its heir.
func TestOfTwoThatLeave(t *testing.T) {
	for about, c := range map[string]struct {
		id    membership.PeerID
		grace uint32
		waits bool
	}{"it has less time": {"z", 3, false}, "it has more": {"b1", 5, true}, "as much, and comes later": {"z", 4, true}, "and comes first": {"b1", 4, false}} {
		g := newGoer(t, c.id, "x")
		g.self.Grace = 4
		g.begin(0, departs{deadline: time.Minute})
		g.kept(9)
		m := g.present[c.id]
		m.State, m.Grace = membership.Leaving, c.grace
		g.present[c.id] = m
		g.leaving.heir, g.leaving.asked = life{c.id, m.Incarnation}, true
		g.leaving.tick(0)
		if has := g.leaving.heir.peer == c.id; has != c.waits {
			t.Errorf("%s, and its heir is %s", about, g.leaving.heir.peer)
		}
	}
	g := newGoer(t, "b1", "x")
	g.begin(0, departs{deadline: time.Minute})
	g.leaving.tick(0)
	heir := g.leaving.heir
	g.leaving.toldThatItLeaves(heir)
	g.leaving.toldThatItLeaves(life{"y", in("y").incarnation})
	if g.leaving.tick(0); g.leaving.heir == heir || len(g.leaving.leavers) != 2 {
		t.Errorf("its heir has asked it to be its own, and still is: %v; of %d it knows that they leave", g.leaving.heir, len(g.leaving.leavers))
	}
	if g.leaving.toldThatItLeaves(heir); len(g.leaving.leavers) != 1 {
		t.Errorf("one is not here, and %d are noted", len(g.leaving.leavers))
	}
}

// TestNeverIn: who was never in the grid, as a client, has promised nothing.
func TestNeverIn(t *testing.T) {
	g := newGoer(t, "b1")
	g.kept(9)
	g.self.State = 0
	does(t, "it goes", g.begin(0, departs{deadline: time.Second}), "has left, without an heir")
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
	does(t, "it stays", g.stay(0), "rejoins as 0.0", "peer.stayedOn")
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
	g.leaving.results.KeepFor(0, borderRun, keyOf("kept"), worth("v"), orphan.KeptFor{Owner: "c1"})
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
	second.keptBy = answerHolder{by: "b1", incarnation: g.leaving.heir.incarnation, again: steal.Never}
	does(t, "one is kept there", g.handOver(time.Second), asksWhether, `b1: Keep "0"`, asksWhether)
	if !g.leaving.asked || g.leaving.since != time.Second {
		t.Errorf("it waits for the heir: %v, since %v", g.leaving.asked, g.leaving.since)
	}
	next := membership.Incarnation{Join: 1, Rejoin: 1}
	m := g.present["b1"]
	m.Incarnation = next
	g.present["b1"] = m
	g.leaving.heir.incarnation = next
	does(t, "it has another life", g.handOver(2*time.Second), asksWhether, `b1: Keep "0"`, asksWhether, `b1: Keep "1"`)
	g.held(life{"b1", next})
	first.hearKept("b1")
	does(t, "one is kept", g.handOver(2*time.Second))
	second.hearKept("b1")
	does(t, "both are", g.handOver(2*time.Second), "has left, its heir is b1")
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
			keptBy: answerHolder{again: steal.Never},
		}
		r.brought.known(in(master))
		return g, r
	}
	g, r := keeps("a1")
	does(t, "another is master", g.handOver(0), asksWhether, `b1: Keep "v"`)
	g.held(in("b1"))
	r.answering.hearKept("b1")
	does(t, "its heir keeps it", g.handOver(0), "has left, its heir is b1")
	g, _ = keeps("b1")
	does(t, "the heir is master", g.handOver(0), asksWhether)
	g.held(in("b1"))
	does(t, "and says that it is there", g.handOver(0), "has left, its heir is b1")
	g, r = keeps("a1")
	g.handOver(0)
	if g.stay(0); r.keptBy.again != steal.Never {
		t.Error("it stays, and asks for its answer to be kept")
	}
}
