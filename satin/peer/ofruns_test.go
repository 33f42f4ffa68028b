package peer

import (
	"math/rand/v2"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// ofRuns are the components through which runs go, of a peer called me that has founded a grid,
// with others that have come after it. What the components want done nobody carries out.
type ofRuns struct {
	*Peer
	t *testing.T
}

func newOfRuns(t *testing.T, others ...membership.PeerID) *ofRuns {
	t.Helper()
	p := New(Config{Member: membership.Config{ID: "me", Site: "m", Workers: 2}, CopyEvery: -1, Failure: failing}, rand.New(rand.NewPCG(1, 2)))
	p.view.Enter(0)
	s := &ofRuns{p, t}
	for n, id := range others {
		s.comes(id, uint64(n)+2)
	}
	return s
}

// comes has somebody come, with a join number: 1 is before the peer itself.
func (s *ofRuns) comes(id membership.PeerID, join uint64) {
	s.view.HearHello(0, id, membership.Hello{Member: membership.Member{
		ID: id, Site: membership.Site(id[:1]), State: membership.Here, Workers: 2, Incarnation: membership.Incarnation{Join: join, Random: 1},
	}})
	if _, ok := s.view.Member(id); !ok {
		s.t.Fatalf("%s is not let in", id)
	}
}

// dies has a member die.
func (s *ofRuns) dies(id membership.PeerID) membership.Lost {
	m, _ := s.view.Member(id)
	m.State, m.How = membership.Dead, membership.Killed
	s.view.Merge(time.Second, []membership.Member{m})
	if _, present := s.view.Member(id); present {
		s.t.Fatalf("%s lives", id)
	}
	return membership.Lost{Member: m, Noticed: time.Second}
}

// asks is the submission number n of somebody, with its root.
func asks(by membership.PeerID, n byte, root string) Submit {
	m := submittedAs(by, n)
	m.Root, m.RootDigest = []byte(root), keyOf(root)
	return m
}

// masteredBy is the run of a submission as a master tells of it.
func (s *ofRuns) masteredBy(master membership.PeerID, m Submit) Head {
	who, _ := s.view.Member(master)
	return Head{
		Run: steal.Instance{Run: m.Run, First: m.Submission}, Task: m.Task, RootDigest: m.RootDigest, RootBytes: uint32(len(m.Root)),
		Terms: m.Terms, Epoch: membership.Epoch{Number: 1, Master: who.Incarnation}, Master: master,
		Submissions: []steal.Submission{m.Submission},
	}
}

// own makes the run of a submission, with this peer as its master.
func (s *ofRuns) own(m Submit) *run {
	r, _ := s.records.made(0, m)
	return r
}

// of has the run of a submission known whose master is another.
func (s *ofRuns) of(master membership.PeerID, m Submit) *run {
	h := s.masteredBy(master, m)
	r, _ := s.records.learn(0, master, &h, m.Root)
	if r == nil {
		s.t.Fatalf("the run of %s is not kept", master)
	}
	return r
}

// from is a message that has come from a member.
func (s *ofRuns) from(id membership.PeerID, b membership.Body) *arrival {
	who, _ := s.view.Member(id)
	return &arrival{life: life{id, who.Incarnation}, as: member, member: &who, message: Message{From: who.Incarnation, Body: b}}
}
