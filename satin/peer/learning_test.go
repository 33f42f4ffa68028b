package peer

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// known is what a member knows that is there, of itself and of runs.
func known(heads ...Head) Snapshot {
	m := membership.Member{ID: "b1", Site: "b", Incarnation: in("b1").incarnation, State: membership.Here}
	return Snapshot{Members: []membership.Member{m}, Heads: heads, Parts: partsAll, Reply: true}
}

// headOf is the record of a run of the member b1, with a root of so many bytes.
func headOf(n byte, rootBytes uint32) Head {
	s := submittedAs("c1", n)
	return Head{
		Run: steal.Instance{Run: s.Run, First: s.Submission}, Task: "t", RootDigest: s.RootDigest, RootBytes: rootBytes,
		Terms: s.Terms, Epoch: membership.Epoch{Number: 1, Master: in("b1").incarnation}, Master: "b1",
		Submissions: []steal.Submission{s.Submission},
	}
}

// learns has what the member b1 knows of runs taken, up to where this peer enters.
func learns(t *testing.T, p *Peer, now time.Duration, s Snapshot, want ...string) learnt {
	t.Helper()
	effects := p.learning.runsOf(now, knows{"b1", s})
	does(t, "it learns", effects, append(want, "peer.learnt")...)
	return effects[len(effects)-1].(learnt)
}

// TestEntersWithKnowledge: what a member knows is taken, then this peer is one, and asks for the
// big roots; those of small ones come by themselves.
func TestEntersWithKnowledge(t *testing.T) {
	p := outside(false)
	s := known(headOf(1, rootAlong), headOf(2, rootAlong+1))
	does(t, "who is here comes first", p.learning.hearSnapshot(0, "b1", member, s), "sees b1", "peer.knows")
	l := learns(t, p, 0, s, "sees master b1, epoch 1", "sees master b1, epoch 1")
	does(t, "then it enters", p.learning.comeIn(0, l, false), "all: Hello me joined 2.0", "b1: Hello me joined 2.0",
		"is a member, joined 2", "b1: Fetch", "peer.replies")
	if small, big := p.runs.all[0], p.runs.all[1]; small.fetchAt != fetchEvery || big.fetchAt <= fetchEvery {
		t.Errorf("the small root is asked for at %v, the big one again at %v", small.fetchAt, big.fetchAt)
	}
	l = learns(t, p, time.Second, known(headOf(3, 1)), "sees master b1, epoch 1")
	does(t, "it is in, and hears of one more", p.learning.comeIn(time.Second, l, false), "b1: Fetch", "peer.replies")
	s = known(headOf(3, 1))
	s.Ended = []Tombstone{{Submission: submittedAs("c1", 3).Submission}}
	learns(t, p, time.Second, s, "b1: Ended 1")
	if len(p.runs.all) != 2 {
		t.Errorf("%d runs are on", len(p.runs.all))
	}
}

// TestAsksFirstWhomItKnows: for jobs, of many, the one that has let it in; and where it is that one
// is known from then on.
func TestAsksFirstWhomItKnows(t *testing.T) {
	p, s := outside(false), known(headOf(1, rootAlong))
	s.Members[0].Addrs = []string{addrOf("b1")}
	for n := range 20 {
		id := membership.PeerID(fmt.Sprint("b", n+1))
		p.thief.Joined(membership.Member{ID: id, Site: "b"})
	}
	p.learning.hearSnapshot(0, "b1", member, s)
	l := learns(t, p, 0, s, "sees master b1, epoch 1")
	if effects := told(p.learning.comeIn(0, l, false)); !p.book.Has("b1") {
		t.Errorf("it is not in the book: %q", effects)
	}
	does(t, "its workers are idle", p.stealing.idled(0, 2), "b1: Ask for 4")
}

// TestSubmitsWhenItIsIn: what was submitted before goes then to the oldest.
func TestSubmitsWhenItIsIn(t *testing.T) {
	for _, isClient := range []bool{false, true} {
		p := outside(isClient)
		if _, err := p.submissions.begin(RootOf(steal.Key{1}, "t", []byte("root"))); err != nil {
			t.Fatal(err)
		}
		p.learning.hearSnapshot(0, "b1", member, known())
		effects := p.learning.comeIn(0, learns(t, p, 0, known()), false)
		if !slices.Contains(told(effects), `b1: Submit root "root"`) {
			t.Errorf("a client: %v, it does %q", isClient, told(effects))
		}
	}
}

// TestDoesNotEnter: where there is no seat, and when it is barred.
func TestDoesNotEnter(t *testing.T) {
	p, full := outside(false), known()
	for len(full.Members) < membership.MembersMax {
		full.Members = append(full.Members, full.Members[0])
	}
	effects := p.learning.comeIn(0, learnt{knows: knows{"b1", full}}, false)
	if s, ok := effects[0].(Stranded); len(effects) != 1 || !ok || !s.Full || p.join.active {
		t.Errorf("there is no seat, and it does %v", effects)
	}
	l := learnt{knows: knows{"b1", known()}}
	p = outside(false)
	if does(t, "it is barred", p.learning.comeIn(0, l, true), "peer.replies"); entered(p.view) {
		t.Error("it enters")
	}
	c := outside(true)
	if does(t, "a client", c.learning.comeIn(0, l, false), "peer.replies"); c.join.active || entered(c.view) {
		t.Error("a client is never in, or a member")
	}
}

// TestClientsKnowledge: its runs, and whom else to ask; nothing of who is here.
func TestClientsKnowledge(t *testing.T) {
	p := outside(false)
	s := known(headOf(1, 1))
	s.Ended = []Tombstone{{Submission: submittedAs("c1", 1).Submission}, {Submission: submittedAs("x", 9).Submission}}
	does(t, "it is on its way in", p.learning.hearSnapshot(0, "x", client, s), "sees master b1, epoch 1", "b1: Pull", "peer.replies")
	if len(p.Sight().Members()) != 0 || p.tombstones.has(submittedAs("c1", 1).Submission) || !p.tombstones.has(submittedAs("x", 9).Submission) {
		t.Error("a client has said who is here, or that another's submission has ended")
	}
	if r := p.runs.all[0]; r.fetchAt != fetchEvery {
		t.Errorf("the root, which comes by itself, is asked for at %v", r.fetchAt)
	}
	p.entering.enter(0)
	does(t, "another's run, when it is in", p.learning.hearSnapshot(0, "x", client, known(headOf(2, 1))), "peer.replies")
	does(t, "its own", p.learning.hearSnapshot(0, "c1", client, known(headOf(2, 1))), "sees master b1, epoch 1", "c1: Fetch", "peer.replies")
}

// TestUnknownRuns: a run is forgotten that its master does not know for long, or, at a client,
// where that is gone, nobody. One word of long ago is no reason.
func TestUnknownRuns(t *testing.T) {
	for _, isClient := range []bool{true, false} {
		c := outside(isClient)
		c.join.active = false
		c.view.Adopt(0, known().Members, nil)
		c.records.learn(0, "b1", ptr(headOf(1, 1)), nil)
		for _, word := range []struct {
			now   time.Duration
			from  membership.PeerID
			heads []Head
			keeps bool
		}{
			{1, "x", nil, true}, // it is not the master
			{unknownMax + 2, "x", nil, true},
			{2 * unknownMax, "b1", nil, true},
			{3 * unknownMax, "b1", []Head{headOf(1, 1)}, true},
			{5 * unknownMax, "b1", nil, true}, // for the first time again
			{5*unknownMax + UnheardMax + 1, "b1", nil, true},
			{6*unknownMax + UnheardMax + 2, "b1", nil, false},
		} {
			c.learning.dropUnknown(word.now, word.from, known(word.heads...))
			c.learning.flush()
			if kept := len(c.runs.all) > 0; kept != word.keeps {
				t.Errorf("client %v: after the word of %s at %v it is kept: %v", isClient, word.from, word.now, kept)
			}
		}
	}
}

// TestUnknownRunOfAMasterThatIsGone: a member sees to its succession, whatever others know of it.
func TestUnknownRunOfAMasterThatIsGone(t *testing.T) {
	p := outside(false)
	p.join.active = false
	p.records.learn(0, "b1", ptr(headOf(2, 1)), nil)
	for n := range 4 {
		p.learning.dropUnknown(time.Duration(n)*unknownMax, "b1", known())
	}
	if len(p.runs.all) == 0 || p.runs.all[0].lacked != (lacked{}) {
		t.Error("a member forgets a run whose master it does not know")
	}
}

func ptr[T any](x T) *T { return &x }
