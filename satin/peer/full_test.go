package peer

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// crowd is a peer with as many runs as there may be, each of a client of its own; the first so many
// have their answers, the last of these for longest.
func crowd(t *testing.T, answered int) (p *Peer, submit func(now time.Duration, n int) []Effect) {
	p, _ = lone(t)
	submit = func(now time.Duration, n int) []Effect {
		root, client := []byte(fmt.Sprint("root", n)), membership.PeerID(fmt.Sprint("client", n))
		return p.Received(now, client, Message{From: asClient, Body: Submit{
			Submission: steal.Submission{Submitter: client, Nonce: steal.Nonce(n)}, Run: steal.KeyOf(root), Task: "t", RootDigest: steal.KeyOf(root), Root: root}})
	}
	roots := make([]Execute, RunsMax)
	for n := range roots {
		var ok bool
		if roots[n], ok = find[Execute](submit(0, n)); !ok {
			t.Fatalf("run %d is not started", n)
		}
	}
	for n := range answered {
		p.Finished(time.Duration(n+1)*time.Second, roots[answered-1-n].Borrow, steal.Result{Bytes: []byte("answer")})
	}
	return p, submit
}

// TestFullGridSaysSo: who asks for one run too many is told at once, and delivers that as a
// failure.
func TestFullGridSaysSo(t *testing.T) {
	_, submit := crowd(t, 0)
	to, full := sent[Full](submit(time.Second, 100))
	if len(full) != 1 || to[0] != "client100" || full[0].Nonce != 100 {
		t.Fatalf("told %v %v", to, full)
	}
	asker, other := lone(t)
	nonce, _, _ := asker.Submit(0, RootOf(steal.Key{1}, "t", []byte("root")))
	asker.Received(0, "other", Message{From: other, Body: Accepted{Nonce: nonce, Run: steal.Instance{Run: steal.Key{1}}, Master: "other"}})
	if _, ok := find[Deliver](asker.Received(time.Second, "other", Message{From: other, Body: Full{Nonce: nonce}})); ok {
		t.Error("it was accepted, and is refused")
	}
	client := New(Config{Member: membership.Config{ID: "client", Client: true}}, asker.rng)
	greet(client, 0, membership.Member{ID: "other", Site: "a", Incarnation: other, State: membership.Here})
	nonce, _, _ = client.Submit(0, RootOf(steal.Key{1}, "t", []byte("root")))
	d, ok := find[Deliver](client.Received(time.Second, "other", Message{From: other, Body: Full{Nonce: nonce}}))
	if !ok || d.Nonce != nonce || d.Result.Outcome != steal.Panicked || !strings.Contains(string(d.Result.Bytes), "submit again") {
		t.Errorf("delivered %v: %s", ok, d.Result.Bytes)
	}
	if !client.Sight().Quiet() {
		t.Error("it goes on asking")
	}
}

// TestFullRunSaysSo: who asks for a run that as many as there may be wait for is told at once, and
// whoever is one of those is accepted again.
func TestFullRunSaysSo(t *testing.T) {
	p, _ := lone(t)
	root := []byte("root")
	submit := func(n steal.Nonce) []Effect {
		client := membership.PeerID(fmt.Sprint("client", n))
		return p.Received(time.Second, client, Message{From: asClient, Body: Submit{
			Submission: steal.Submission{Submitter: client, Nonce: n}, Run: steal.KeyOf(root), Task: "t", RootDigest: steal.KeyOf(root), Root: root}})
	}
	for n := range steal.Nonce(SubmissionsMax) {
		if _, accepted := sent[Accepted](submit(n)); len(accepted) != 1 {
			t.Fatalf("submission %d is not accepted", n)
		}
	}
	effects := submit(SubmissionsMax)
	to, full := sent[Full](effects)
	if _, accepted := sent[Accepted](effects); len(accepted) > 0 || len(full) != 1 || to[0] != "client64" {
		t.Errorf("one too many: accepted %v, told %v %v", accepted, to, full)
	}
	if _, accepted := sent[Accepted](submit(3)); len(accepted) != 1 {
		t.Error("one of those who wait is not accepted again")
	}
	if err := p.Sight().Check(); err != nil {
		t.Error(err)
	}
}

// TestForsakenAnswersMakeRoom: of the runs that have their answers, and whose submitters are not
// heard any more, the one that was answered first goes for a new one. Those whose submitters are
// heard, and those that compute, stay.
func TestForsakenAnswersMakeRoom(t *testing.T) {
	p, submit := crowd(t, 3) // 2 was answered first, 0 last
	p.Tick(10 * time.Second)
	submit(4*time.Minute, 2)
	if _, full := sent[Full](submit(5*time.Minute-time.Second, 100)); len(full) != 1 {
		t.Error("one is given up whose submitter may come back")
	}
	for n, first := range []int{1, 0} {
		effects := submit(6*time.Minute, 101+n)
		end, ended := find[EndRun](effects)
		if _, started := find[Execute](effects); !started || !ended || end.Run != RunNo(first+1) {
			t.Errorf("started %v, for it run %d was ended", started, end.Run)
		}
	}
	if _, full := sent[Full](submit(6*time.Minute, 103)); len(full) != 1 {
		t.Error("nothing is left that may go, and one more was started")
	}
	if err := p.Sight().Check(); err != nil {
		t.Error(err)
	}
}

// TestNoSeatIsSaid: a grid has as many peers as it may have. One more is told so and does not
// enter; a client, and one that has a seat from before, do.
func TestNoSeatIsSaid(t *testing.T) {
	for _, x := range []struct {
		members int
		known   bool // the one that joins is one of them
		client  bool
		full    bool
	}{
		{membership.MembersMax - 1, false, false, false}, {membership.MembersMax, false, false, true},
		{membership.MembersMax, true, false, false}, {membership.MembersMax, false, true, false},
	} {
		p := New(Config{Member: membership.Config{ID: "new", Site: "a", Name: "new", Workers: 1, Client: x.client}}, rand.New(rand.NewPCG(1, 2)))
		p.Join(0)
		p.Connected(0, "m0")
		var all []membership.Member
		for n := range x.members {
			id := membership.PeerID(fmt.Sprint("m", n))
			if x.known && n == 1 {
				id = "new"
			}
			all = append(all, membership.Member{ID: id, Site: "a", Name: fmt.Sprint("a/", n), Workers: 1, State: membership.Here,
				Incarnation: membership.Incarnation{Join: uint64(n + 1), Random: uint64(n + 1)}})
		}
		effects := p.Received(0, "m0", Message{From: all[0].Incarnation, Body: Snapshot{Members: all, About: aboutAll}})
		stranded, full := find[Stranded](effects)
		if _, entered := find[Started](effects); full != x.full || full && !stranded.Full || entered == (full || x.client) {
			t.Errorf("%+v: full %v, entered %v", x, full, entered)
		}
	}
}

// filled is a peer that knows as many others as there may be, the youngest of whom is number
// MembersMax+1.
func filled() *Peer {
	p := New(Config{Member: membership.Config{ID: "old", Site: "a", Name: "old", Workers: 1}}, rand.New(rand.NewPCG(1, 2)))
	p.Found(0)
	for n := range membership.MembersMax {
		greet(p, 0, membership.Member{ID: membership.PeerID(fmt.Sprint("m", n)), Site: "a", Name: fmt.Sprint("a/", n), Workers: 1, State: membership.Here,
			Incarnation: membership.Incarnation{Join: uint64(n + 2), Random: uint64(n + 1)}})
	}
	return p
}

// TestTheLastSeatIsTaken: one comes in, by a snapshot that had room, in the same moment as others.
// Whoever has no seat for it says so when they compare what they know: it has waited for nothing
// but that, and is told so.
func TestTheLastSeatIsTaken(t *testing.T) {
	old := filled()
	members, _ := old.view.Snapshot(0)
	late := outside(false)
	late.Connected(0, "old")
	from := old.view.Self().Incarnation
	late.Received(0, "old", Message{From: from, Body: Snapshot{Members: members[:membership.MembersMax-1], About: aboutAll}})
	if !entered(late.view.Self()) {
		t.Fatal("there was a seat, and it is not in")
	}
	greet(old, 0, late.view.Self())
	if _, ok := old.view.Member("me"); ok {
		t.Fatal("there is a seat")
	}
	for _, e := range old.Received(time.Second, "me", Message{From: late.view.Self().Incarnation, Body: late.comparing.digest()}) {
		if s, ok := e.(Send); ok && s.To == "me" {
			if stranded, told := find[Stranded](late.Received(time.Second, "old", s.Message)); told {
				if !stranded.Full {
					t.Error("it is told that nobody answers")
				}
				return
			}
		}
	}
	t.Error("it is not told that the grid is full")
}

// TestOneClientLeavesRoom: a client that submits without end has half of the places, and another
// one still finds its own.
func TestOneClientLeavesRoom(t *testing.T) {
	p, _ := lone(t)
	submit := func(client string, n int) bool {
		root := []byte(fmt.Sprint(client, n))
		_, ok := find[Execute](p.Received(0, membership.PeerID(client), Message{From: asClient, Body: Submit{
			Submission: steal.Submission{Submitter: membership.PeerID(client), Nonce: steal.Nonce(n)},
			Run:        steal.KeyOf(root), Task: "t", RootDigest: steal.KeyOf(root), Root: root}}))
		return ok
	}
	begun := 0
	for n := range 2 * RunsMax {
		if submit("greedy", n) {
			begun++
		}
	}
	if begun != runsOfOne {
		t.Errorf("%d runs of one client were begun, %d are its part", begun, runsOfOne)
	}
	if !submit("modest", 1) {
		t.Error("another client finds no room beside it")
	}
}

// TestKeptAnswersOfAnotherMakeRoom: an heir is master of the runs of one that has left, and the
// oldest peer takes submissions. Answers that are only kept do not keep others out for days.
func TestKeptAnswersOfAnotherMakeRoom(t *testing.T) {
	s := newOfRuns(t, "a1")
	for n := byte(1); !s.runs.isFull(); n++ {
		h := s.masteredBy("a1", keepsFor(asks("u", n, "root"), 3600))
		h.Submissions = []steal.Submission{h.Submissions[0].Kept()}
		if n != 7 {
			h.Answered = 100 - uint32(n)
		}
		if r, _ := s.learns(0, "a1", h, "root"); r == nil {
			t.Fatal("a run is not kept")
		}
	}
	first := s.runs.all[0]
	keeps := first.keeps[0]
	effects := s.submit(time.Minute, asks("late", 200, "root late"))
	if !accepts(effects, "late") || s.runs.find(first.instance) != nil || len(s.runs.all) != RunsMax {
		t.Errorf("it does %q", told(effects))
	}
	ended, said := false, false
	for _, e := range effects {
		switch e := e.(type) {
		case tells:
			over, is := e.body.(Ended)
			ended = ended || is && e.to == "a1" && over.Submissions[0] == Tombstone{Submission: keeps, How: EndDisplaced}
		case RunOver:
			said = e == RunOver{first.id, EndDisplaced}
		}
	}
	if !ended || !said {
		t.Errorf("its master is told: %v; people: %v: %q", ended, said, told(effects))
	}
}

// TestAnswersMakeRoomForAnswers: of those that nobody waits for, the one goes that will have been
// kept for long enough first.
func TestAnswersMakeRoomForAnswers(t *testing.T) {
	s := newOfRuns(t, "a1")
	big := make([]byte, answersKeptMax/3)
	var all []*run
	for n, seconds := range []uint32{3600, 60, 1800, 30} {
		r := s.own(keepsFor(asks("u", byte(n+1), "root"), seconds))
		if r.answer = &(steal.Result{Bytes: big}); n < 3 { // somebody waits for the last
			r.submissions = nil
		}
		r.answering.begin(0)
		all = append(all, r)
	}
	s.apply(s.admission.boundAnswers(0))
	for n, want := range []bool{true, false, true, true} {
		if got := s.runs.find(all[n].instance) != nil; got != want {
			t.Errorf("of four, number %d is kept: %v", n, got)
		}
	}
	if effects := s.admission.boundAnswers(0); len(effects) > 0 {
		t.Errorf("where there is room it does %q", told(effects))
	}
}

// TestOnesRootsMakeRoomForItsOwn: who has as many big roots as one may have gives up what is kept
// of its own for another, and not what is kept for others.
func TestOnesRootsMakeRoomForItsOwn(t *testing.T) {
	s := newOfRuns(t)
	big := func(by membership.PeerID, n byte) Submit {
		m := keepsFor(asks(by, n, "root"), 3600)
		m.Root = make([]byte, RootMax)
		m.Root[0] = n
		m.RootDigest = steal.KeyOf(m.Root)
		return m
	}
	now := time.Duration(0)
	for _, m := range []Submit{keepsFor(asks("v", 1, "small"), 60), big("u", 2), big("u", 3)} {
		s.submit(now, m)
		r := s.runs.all[len(s.runs.all)-1]
		s.decisions.decide(now, r, value("4"))
		s.endings.hearEnded(now, m.Submission.Submitter, over(m))
		now += time.Second
	}
	others := s.runs.all[0].instance
	effects := s.submit(now, big("u", 4))
	if !accepts(effects, "u") {
		t.Errorf("it does %q", told(effects))
	}
	if s.runs.find(others) == nil || len(s.runs.all) != 3 {
		t.Errorf("another's answer is gone, and %d are left", len(s.runs.all))
	}
}

// TestMadeUpKeptRunsMakeRoom: a client tells one that joins, and goes on alone, of as many runs as
// there may be, all to be kept, that others have submitted. Who comes with a run finds room.
func TestMadeUpKeptRunsMakeRoom(t *testing.T) {
	s := newOfRuns(t)
	s.members(false)
	for n := byte(1); !s.runs.isFull(); n++ {
		m := keepsFor(asks("nobody", n, "root"), 3600)
		h := s.masteredBy("ghost", m)
		h.Submissions = []steal.Submission{m.Submission.Kept()}
		if r, _ := s.records.learnFromClient(0, "c", &h, m.Root); r == nil {
			t.Fatal("it is not kept")
		}
	}
	s.members(true)
	s.succession.look(strangerMax + time.Second)
	s.succession.look(2*strangerMax + time.Second)
	if got := s.runs.all[0].master; got != "me" {
		t.Fatalf("its master is %s", got)
	}
	now := unvouchedMax + time.Minute
	if effects := s.submit(now, asks("u", 200, "real")); !accepts(effects, "u") {
		t.Errorf("it does %q", told(effects))
	}
}

// members has this peer be in, or not.
func (s *ofRuns) members(in bool) {
	view := s.view
	if !in {
		view = newView(s.conf, s.rng)
	}
	s.records.members, s.mastership.members, s.admission.members = view, view, view
}
