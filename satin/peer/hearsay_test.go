package peer

import (
	"slices"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// madeUp is a run's record that nobody has submitted, as a client tells of it.
func madeUp(name string, master membership.Member) Record {
	first := steal.Submission{Submitter: "nobody", Nonce: 7}
	return Record{
		Head: Head{
			Run: steal.Instance{Run: keyOf(name), First: first}, Task: "task", RootDigest: steal.KeyOf([]byte(name)), RootBytes: uint32(len(name)),
			Epoch: membership.Epoch{Number: 1, Master: master.Incarnation}, Master: master.ID, Submissions: []steal.Submission{first},
		},
		Root: []byte(name),
	}
}

// holds is the number under which a peer has had that run all the time; 0: it has none.
func holds(p *Peer, name string) RunNo {
	if n := slices.IndexFunc(p.runs.all, func(r *run) bool { return r.instance.Run == keyOf(name) }); n >= 0 {
		return p.runs.all[n].no
	}
	return 0
}

// tells brings a client what another host says.
func (s *script) tells(to, from string, i membership.Incarnation, b membership.Body) {
	s.do(to, s.peers[to].Received(s.now, membership.PeerID(from), Message{From: i, Body: b}))
}

// TestMadeUpRunIsForgotten: what one client has made up another one forgets, whomever it names as
// the master, and keeps the runs that there are.
func TestMadeUpRunIsForgotten(t *testing.T) {
	s := hostileGrid(t)
	for _, c := range [][]string{{"submit", "c", "own"}, {"submit", "a/2", "real"}, {"run", "2m"}} {
		s.command(c)
	}
	c := s.peers["c"]
	own, real := holds(c, "own"), holds(c, "real")
	c.Proved("h", true)
	s.tells("c", "h", asClient, madeUp("under nobody", someone("nobody", 1)))
	s.tells("c", "h", asClient, madeUp("under a member", s.peers["a/1"].Sight().Self()))
	s.command([]string{"run", "10s"})
	if holds(c, "under nobody") == 0 || holds(c, "under a member") == 0 {
		t.Fatal("the client has forgotten at once what it was told")
	}
	s.command([]string{"run", "3m"})
	if holds(c, "under nobody") != 0 || holds(c, "under a member") != 0 {
		t.Error("the client holds runs for ever that no member knows")
	}
	if own == 0 || real == 0 || holds(c, "own") != own || holds(c, "real") != real {
		t.Error("the client has forgotten a run that the members have")
	}
}

// TestClientKeepsRunsAcrossACut: a client that sees both sides of a cut holds the runs of either,
// though the other side does not know them.
func TestClientKeepsRunsAcrossACut(t *testing.T) {
	s := hostileGrid(t)
	for _, c := range [][]string{{"cut", "a/1", "|", "a/2"}, {"run", "10s"}, {"submit", "a/1", "one side's"}, {"run", "2m"}} {
		s.command(c)
	}
	c := s.peers["c"]
	no := holds(c, "one side's")
	if no == 0 || holds(s.peers["a/2"], "one side's") != 0 {
		t.Fatal("the run is not known on one side alone")
	}
	for range 50 {
		if s.command([]string{"run", "5s"}); holds(c, "one side's") != no {
			t.Fatalf("after %v the client has forgotten the run, or begun it anew", s.now)
		}
	}
}

// TestClientKeepsRunsThatOneLacks: one word of a member that does not know a run yet, having gone
// on alone or come a moment ago, ends nothing.
func TestClientKeepsRunsThatOneLacks(t *testing.T) {
	s := hostileGrid(t)
	s.command([]string{"submit", "a/2", "real"})
	s.command([]string{"run", "5m"})
	no := holds(s.peers["c"], "real")
	for _, from := range []string{"a/1", "a/2"} {
		s.tells("c", from, s.peers[from].Sight().Self().Incarnation, Snapshot{Parts: PartRuns})
		s.command([]string{"run", "10s"})
		if got := holds(s.peers["c"], "real"); got != no || no == 0 {
			t.Errorf("after one word of %s the client holds run %d, it was %d", from, got, no)
		}
	}
}

// TestClientHoldsWhatOutlivesItsMaster: a run whose master is gone, and that those who are there do
// not know, is held for as long as one that was cut off may be.
func TestClientHoldsWhatOutlivesItsMaster(t *testing.T) {
	s := hostileGrid(t)
	for _, c := range [][]string{{"cut", "a/1", "|", "a/2"}, {"run", "10s"}, {"submit", "a/1", "one side's"}, {"run", "5m"}, {"dead", "a/1"}} {
		s.command(c)
	}
	at := s.now
	for holds(s.peers["c"], "one side's") != 0 && s.now < at+10*time.Minute {
		s.command([]string{"run", "1s"})
	}
	if held := s.now - at; held < unknownMax/2 || held > 3*unknownMax {
		t.Errorf("the client has held the run for %v", held)
	}
}
