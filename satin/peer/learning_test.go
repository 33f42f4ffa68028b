package peer

import (
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

// TestEntersWithKnowledge: what a member knows is taken, then this peer is one, and asks for the
// big roots; those of small ones come by themselves.
func TestEntersWithKnowledge(t *testing.T) {
	p := outside(false)
	s := known(headOf(1, rootAlong), headOf(2, rootAlong+1))
	does(t, "who is here comes first", p.learning.heard(0, "b1", member, s), "sees b1", "peer.knows")
	does(t, "then the runs", p.learning.runsOf(0, knows{"b1", s}, false), "sees master b1, epoch 1",
		"sees master b1, epoch 1", "all: Hello me joined 2.0", "b1: Hello me joined 2.0", "is a member, joined 2", "b1: Fetch",
		"peer.replies")
	if small, big := p.runs.all[0], p.runs.all[1]; small.fetchAt != fetchEvery || big.fetchAt <= fetchEvery {
		t.Errorf("the small root is asked for at %v, the big one again at %v", small.fetchAt, big.fetchAt)
	}
	does(t, "it is in, and hears of one more", p.learning.runsOf(time.Second, knows{"b1", known(headOf(3, 1))}, false),
		"sees master b1, epoch 1", "b1: Fetch", "peer.replies")
	s = known()
	s.Ended = []Tombstone{{Submission: submittedAs("c1", 3).Submission}}
	s.Heads = []Head{headOf(3, 1)}
	does(t, "it has ended", p.learning.runsOf(time.Second, knows{"b1", s}, false), "b1: Ended 1", "peer.replies")
}

// TestDoesNotEnter: where there is no seat, and when it is barred.
func TestDoesNotEnter(t *testing.T) {
	p, full := outside(false), known()
	for len(full.Members) < membership.MembersMax {
		full.Members = append(full.Members, full.Members[0])
	}
	effects := p.learning.runsOf(0, knows{"b1", full}, false)
	if s, ok := effects[0].(Stranded); len(effects) != 1 || !ok || !s.Full || p.join.active {
		t.Errorf("there is no seat, and it does %v", effects)
	}
	p = outside(false)
	if does(t, "it is barred", p.learning.runsOf(0, knows{"b1", known()}, true), "peer.replies"); entered(p.view) {
		t.Error("it enters")
	}
	c := outside(true)
	if does(t, "a client", c.learning.runsOf(0, knows{"b1", known()}, false), "peer.replies"); c.join.active {
		t.Error("a client is never in")
	}
}

// TestClientsKnowledge: its runs, and whom else to ask; nothing of who is here.
func TestClientsKnowledge(t *testing.T) {
	p := outside(false)
	s := known(headOf(1, 1))
	s.Ended = []Tombstone{{Submission: submittedAs("c1", 1).Submission}, {Submission: submittedAs("x", 9).Submission}}
	does(t, "it is on its way in", p.learning.heard(0, "x", client, s), "sees master b1, epoch 1", "b1: Pull", "peer.replies")
	if len(p.Sight().Members()) != 0 || p.tombstones.has(submittedAs("c1", 1).Submission) || !p.tombstones.has(submittedAs("x", 9).Submission) {
		t.Error("a client has said who is here, or that another's submission has ended")
	}
	if r := p.runs.all[0]; r.fetchAt != fetchEvery {
		t.Errorf("the root, which comes by itself, is asked for at %v", r.fetchAt)
	}
	p.entering.enter(0)
	does(t, "another's run, when it is in", p.learning.heard(0, "x", client, known(headOf(2, 1))), "peer.replies")
	does(t, "its own", p.learning.heard(0, "c1", client, known(headOf(2, 1))), "sees master b1, epoch 1", "c1: Fetch", "peer.replies")
}

// TestUnknownRuns: a client forgets a run that its master does not know, or where that is gone
// nobody, for long. One word of long ago is no reason.
func TestUnknownRuns(t *testing.T) {
	c := outside(true)
	c.join.active = false
	c.view.Adopt(0, known().Members, nil)
	c.records.learn(0, "b1", ptr(headOf(1, 1)), nil)
	says := func(now time.Duration, from membership.PeerID, heads ...Head) bool {
		c.learning.dropUnknown(now, from, known(heads...))
		c.learning.flush()
		return len(c.runs.all) > 0
	}
	for _, word := range []struct {
		now   time.Duration
		from  membership.PeerID
		heads []Head
		keeps bool
	}{
		{0, "x", nil, true}, // it is not the master
		{unknownMax + 1, "x", nil, true},
		{2 * unknownMax, "b1", nil, true},
		{3 * unknownMax, "b1", []Head{headOf(1, 1)}, true},
		{5 * unknownMax, "b1", nil, true}, // for the first time again
		{5*unknownMax + UnheardMax + 1, "b1", nil, true},
		{6*unknownMax + UnheardMax + 2, "b1", nil, false},
	} {
		if kept := says(word.now, word.from, word.heads...); kept != word.keeps {
			t.Errorf("after the word of %s at %v it is kept: %v", word.from, word.now, kept)
		}
	}
	c.records.learn(0, "b1", ptr(headOf(2, 1)), nil)
	p := outside(false)
	p.records.learn(0, "b1", ptr(headOf(2, 1)), nil)
	p.learning.dropUnknown(0, "b1", known())
	if p.runs.all[0].lacked != (lacked{}) {
		t.Error("a peer forgets what others do not know")
	}
}

func ptr[T any](x T) *T { return &x }
