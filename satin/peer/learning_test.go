package peer

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// known is what a member knows that is there, of itself and of runs.
func known(heads ...Head) Snapshot {
	m := membership.Member{ID: "b1", Site: "b", Incarnation: in("b1").incarnation, State: membership.Here}
	return Snapshot{Members: []membership.Member{m}, Heads: heads, About: aboutAll, Reply: true}
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
func learns(t *testing.T, p *Peer, now time.Duration, s Snapshot, want ...string) comesIn {
	t.Helper()
	effects := p.learning.runsOf(now, knows{"b1", s})
	does(t, "it learns", effects, append(want, "peer.comesIn")...)
	return effects[len(effects)-1].(comesIn)
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
	if small, big := p.runs.all[0], p.runs.all[1]; small.root.fetchAt != fetchEvery || big.root.fetchAt <= fetchEvery {
		t.Errorf("the small root is asked for at %v, the big one again at %v", small.root.fetchAt, big.root.fetchAt)
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

// TestSubmitsWhenItIsIn: what was submitted before goes then to the oldest, once: its root may be
// big.
func TestSubmitsWhenItIsIn(t *testing.T) {
	for _, isClient := range []bool{false, true} {
		p := outside(isClient)
		if _, err := p.submissions.begin(RootOf(steal.Key{1}, "t", []byte("root"))); err != nil {
			t.Fatal(err)
		}
		p.learning.hearSnapshot(0, "b1", member, known())
		effects := told(p.learning.comeIn(0, learns(t, p, 0, known()), false))
		effects = slices.DeleteFunc(effects, func(e string) bool { return !strings.Contains(e, "Submit") })
		if !slices.Equal(effects, []string{`b1: Submit root "root"`}) {
			t.Errorf("a client: %v, it does %q", isClient, effects)
		}
	}
}

// TestDoesNotEnter: where there is no seat, and when it is barred.
func TestDoesNotEnter(t *testing.T) {
	p, full := outside(false), known()
	for len(full.Members) < membership.MembersMax {
		full.Members = append(full.Members, full.Members[0])
	}
	effects := p.learning.comeIn(0, comesIn{knows: knows{"b1", full}}, false)
	if s, ok := effects[0].(Stranded); len(effects) != 1 || !ok || !s.Full || p.join.active {
		t.Errorf("there is no seat, and it does %v", effects)
	}
	l := comesIn{knows: knows{"b1", known()}}
	p = outside(false)
	if does(t, "it is barred", p.learning.comeIn(0, l, true), "peer.replies"); entered(p.view.Self()) {
		t.Error("it enters")
	}
	c := outside(true)
	if does(t, "a client", c.learning.comeIn(0, l, false), "peer.replies"); c.join.active || entered(c.view.Self()) {
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
	if r := p.runs.all[0]; r.root.fetchAt != fetchEvery {
		t.Errorf("the root, which comes by itself, is asked for at %v", r.root.fetchAt)
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
	if len(p.runs.all) == 0 || p.runs.all[0].demand.lacked != (lacked{}) {
		t.Error("a member forgets a run whose master it does not know")
	}
}

func ptr[T any](x T) *T { return &x }

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

// TestMadeUpRunsOfAJoiner: runs that somebody makes up for one on its way in, and which nobody who
// is in believes, hold no place there for long, whoever is said to be their master.
func TestMadeUpRunsOfAJoiner(t *testing.T) {
	s := hostileGrid(t)
	liar := someone("h", 3)
	for name, master := range map[string]membership.Member{"itself": liar, "another": s.peers["a/1"].Sight().Self(), "the joiner": someone("young", 4)} {
		t.Run(name, func(t *testing.T) {
			s := hostileGrid(t)
			s.command([]string{"submit", "c", "real"})
			s.command([]string{"run", "1s"})
			members, _ := s.peers["a/1"].view.Snapshot(s.now)
			lie := Snapshot{About: aboutAll, Members: append(members, s.peers["a/1"].Sight().Self(), liar)}
			for n := range RunsMax {
				h := madeUp(fmt.Sprint("made up ", n), master).Head
				h.Epoch.Number = membership.RaiseMax + successionsMax + 1
				lie.Heads = append(lie.Heads, h)
			}
			s.command([]string{"join", "young", "via", "h"})
			s.tells("young", "h", liar.Incarnation, lie)
			young := s.peers["young"]
			if len(young.runs.all) != RunsMax || holds(young, "real") != 0 {
				t.Fatalf("it believes in %d runs", len(young.runs.all))
			}
			s.do("young", young.Connected(s.now, "a/1"))
			for range 30 { // its submitter goes on asking
				s.command([]string{"run", "10s"})
			}
			if len(young.runs.all) != 1 || holds(young, "real") == 0 || young.runs.digest() != s.peers["a/1"].runs.digest() {
				t.Errorf("after %v it holds %d runs, and others %d", s.now, len(young.runs.all), len(s.peers["a/1"].runs.all))
			}
		})
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
		s.tells("c", from, s.peers[from].Sight().Self().Incarnation, Snapshot{About: AboutRuns})
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

// TestUnknownRunIsForgotten: by a client that hears of its run no more, in each snapshot, and not
// before a minute is over; an hour between two words is too long. What does not say which runs
// there are is no word, and on its way in it forgets none.
func TestUnknownRunIsForgotten(t *testing.T) {
	hears := func(p *Peer, now time.Duration, about uint8) bool {
		p.learning.runsOf(now, knows{"b1", Snapshot{About: about}})
		return len(p.runs.all) > 0
	}
	after := func(times ...time.Duration) bool {
		p, on := outside(true), true
		p.join.active = false
		p.view.Adopt(0, known().Members, nil)
		p.records.learn(0, "b1", ptr(headOf(1, 1)), nil)
		for _, now := range times {
			on = hears(p, now, aboutAll)
		}
		return on
	}
	for name, c := range map[string]struct {
		times []time.Duration
		keeps bool
	}{
		"a minute":            {[]time.Duration{1, unknownMax + 1}, true},
		"more":                {[]time.Duration{1, unknownMax + 2}, false},
		"an hour":             {[]time.Duration{1, UnheardMax + 1}, false},
		"more than that":      {[]time.Duration{1, UnheardMax + 2}, true},
		"and a minute again":  {[]time.Duration{1, UnheardMax + 2, UnheardMax + unknownMax + 3}, false},
		"a word between them": {[]time.Duration{1, unknownMax / 2, unknownMax + 2}, false},
	} {
		if after(c.times...) != c.keeps {
			t.Errorf("%s: it is kept: %v", name, !c.keeps)
		}
	}
	p := outside(true)
	p.view.Adopt(0, known().Members, nil)
	p.records.learn(0, "b1", ptr(headOf(1, 1)), nil)
	if hears(p, 1, aboutAll); !hears(p, unknownMax+2, aboutAll) {
		t.Error("on its way in it forgets a run")
	}
	p.join.active = false
	if hears(p, 1, AboutMembers); !hears(p, unknownMax+2, AboutMembers) {
		t.Error("it was told of members alone, and forgets a run")
	}
}

// TestUnknownRunOfAnotherMaster: what one master does not know another that has succeeded it may:
// the time counts anew, from its own word on, whether or not a third speaks first.
func TestUnknownRunOfAnotherMaster(t *testing.T) {
	for _, third := range []bool{false, true} {
		p := outside(false)
		p.join.active = false
		c1 := membership.Member{ID: "c1", Site: "c", Incarnation: in("c1").incarnation, State: membership.Here}
		p.view.Adopt(0, append(known().Members, c1), nil)
		p.records.learn(0, "b1", ptr(headOf(1, 1)), nil)
		r := p.runs.all[0]
		word := func(now time.Duration, from membership.PeerID, by membership.PeerID) {
			t.Helper()
			if p.learning.dropUnknown(now, from, known()); len(p.runs.all) == 0 || r.demand.lacked.by != by {
				t.Errorf("at %v, by the word of %s it lacks the run by %q", now, from, r.demand.lacked.by)
			}
		}
		word(1, "b1", "b1")
		word(2, "x1", "b1")
		r.master, r.epoch.Master = "c1", c1.Incarnation
		if third {
			word(3, "b1", "")
		}
		word(4, "c1", "c1")
		word(unknownMax+3, "b1", "c1")
		word(unknownMax+4, "c1", "c1")
		if p.learning.dropUnknown(unknownMax+5, "c1", known()); len(p.runs.all) != 0 {
			t.Error("its master does not know it for more than a minute, and it is kept")
		}
	}
}

// TestLosesItsSeat: one that is in, and that an older member's full grid does not count, is
// stranded; not by what says nothing of members, by somebody whom it does not know, or twice.
func TestLosesItsSeat(t *testing.T) {
	full := known()
	for len(full.Members) < membership.MembersMax+1 {
		full.Members = append(full.Members, full.Members[0])
	}
	for name, c := range map[string]struct {
		change  func(*Peer, *comesIn)
		strands bool
	}{
		"an older one says so": {func(*Peer, *comesIn) {}, true},
		"of runs alone":        {func(_ *Peer, l *comesIn) { l.s.About = AboutRuns }, false},
		"somebody else":        {func(_ *Peer, l *comesIn) { l.from = "x1" }, false},
		"once more":            {func(p *Peer, _ *comesIn) { p.join.stranded = true }, false},
	} {
		p := outside(false)
		p.learning.hearSnapshot(0, "b1", member, known())
		p.learning.comeIn(0, comesIn{knows: knows{"b1", known()}}, false)
		l := comesIn{knows: knows{"b1", full}}
		c.change(p, &l)
		if _, stranded := p.learning.comeIn(time.Second, l, false)[0].(Stranded); stranded != c.strands {
			t.Errorf("%s: it is stranded: %v", name, stranded)
		}
	}
}

// TestClientsEnd: what a client has ended is dropped at once, with its run.
func TestClientsEnd(t *testing.T) {
	p := outside(false)
	p.entering.enter(0)
	p.records.learn(0, "b1", ptr(headOf(1, 4)), nil)
	p.runs.all[0].root.bytes = []byte("root")
	s := Snapshot{About: AboutRuns, Ended: []Tombstone{{Submission: submittedAs("c1", 1).Submission}}}
	does(t, "it has ended", p.learning.hearSnapshot(0, "c1", client, s), "end run 1", "peer.replies")
}
