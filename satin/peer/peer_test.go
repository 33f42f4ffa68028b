package peer

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// lone is a peer that has founded a grid, with one other member that a test plays itself.
func lone(t testing.TB) (p *Peer, other membership.Incarnation) {
	t.Helper()
	p = New(Config{
		Member: membership.Config{ID: "me", Site: "a", Workers: 2},
	}, rand.New(rand.NewPCG(1, 2)))
	p.Found(0)
	other = membership.Incarnation{Join: 2, Random: 5}
	p.Received(0, "other", Message{From: other, Body: membership.Hello{Member: membership.Member{
		ID: "other", Site: "a", Incarnation: other, State: membership.Here}}})
	return p, other
}

// asClient is the life in which a client speaks.
var asClient = membership.Incarnation{Random: 77}

// bodies are the bodies of what an event sends.
func bodies(effects []Effect) (out []membership.Body) {
	for _, e := range effects {
		if s, ok := e.(Send); ok {
			out = append(out, s.Message.Body)
		}
	}
	return out
}

func find[T any](effects []Effect) (T, bool) {
	for _, e := range effects {
		if x, ok := e.(T); ok {
			return x, true
		}
	}
	var zero T
	return zero, false
}

func TestContradictionIsAFault(t *testing.T) {
	p, other := lone(t)
	p.Received(0, "other", Message{From: other, Body: membership.Hello{Member: membership.Member{
		ID: "other", Site: "a", Incarnation: other, State: membership.Here}}})
	nonce, _, _ := p.Submit(0, RootOf(steal.Key{1}, "t", []byte("root")))
	answer := func(value string, choosing bool) []Effect {
		return p.Received(time.Second, "other", Message{From: other, Body: Answer{
			Nonce: nonce, Result: steal.Result{Bytes: []byte(value), Choosing: choosing}}})
	}
	if d, ok := find[Deliver](answer("one", false)); !ok || d.Nonce != nonce {
		t.Fatal("the first answer is not delivered")
	}
	effects := answer("one", false)
	if _, again := find[Deliver](effects); again {
		t.Error("delivered twice")
	}
	if _, fault := find[Contradiction](effects); fault {
		t.Error("the same answer again is a fault")
	}
	if e, ok := bodies(effects)[0].(Ended); !ok || e.Submissions[0].Submission.Nonce != nonce {
		t.Error("a late answer is not acknowledged")
	}
	if _, fault := find[Contradiction](answer("two", false)); !fault {
		t.Error("another answer is no fault")
	}
	effects = answer("two", true)
	if _, fault := find[Contradiction](effects); fault {
		t.Error("another answer of a run whose jobs choose is a fault before they are compared")
	}
	again := answer("two", true)
	if _, asked := find[Differ](again); asked {
		t.Error("two comparisons of answers at a time")
	}
	differ, _ := find[Differ](effects)
	if _, fault := find[Contradiction](p.Differed(time.Second, differ.Nonce, false)); fault {
		t.Error("one of two equally good answers is a fault")
	}
	differ, ok := find[Differ](answer("better", true))
	if !ok || string(differ.A) != "one" || string(differ.B) != "better" {
		t.Fatalf("which of two answers is better is not asked: %v", differ)
	}
	if _, fault := find[Contradiction](p.Differed(time.Second, differ.Nonce, true)); !fault {
		t.Error("an answer that is better than the delivered one is no fault")
	}
}

func TestRunsJoinAndAreBounded(t *testing.T) {
	p, other := lone(t)
	submit := func(n int) []Effect {
		root := []byte(fmt.Sprint("root", n%2))
		return p.Received(0, "client", Message{From: asClient, Body: Submit{
			Submission: steal.Submission{Submitter: "client", Nonce: steal.Nonce(n)}, Run: steal.KeyOf(root), Task: "t",
			RootDigest: steal.KeyOf(root), Root: root}})
	}
	started := 0
	for n := range 200 {
		if _, ok := find[Execute](submit(n)); ok {
			started++
		}
	}
	if started != 2 {
		t.Errorf("%d roots for two runs", started)
	}
	for _, r := range p.runs.all {
		if len(r.submissions) > SubmissionsMax {
			t.Errorf("run %d has %d submissions", r.no, len(r.submissions))
		}
	}
	for n := range 500 {
		p.Received(0, "other", Message{From: other, Body: Record{Head: Head{
			Run: steal.Instance{Run: steal.Key{byte(n), byte(n >> 8)}}, Submissions: []steal.Submission{{Submitter: "x", Nonce: steal.Nonce(n)}}}}})
	}
	if err := p.Sight().Check(); err != nil {
		t.Error(err)
	}
}

func TestSubmissionIsPassedOn(t *testing.T) {
	p, _ := lone(t)
	older := membership.Incarnation{Join: 1, Random: 1}
	p.Received(0, "a", Message{From: older, Body: membership.Hello{Member: membership.Member{ID: "a", Incarnation: older, State: membership.Here}}})
	m := Submit{Submission: steal.Submission{Submitter: "client", Nonce: 1}, Root: []byte{}, RootDigest: steal.KeyOf(nil)}
	s, ok := find[Send](p.Received(0, "client", Message{From: asClient, Body: m}))
	if !ok || s.To != "a" || s.Message.Body.(Submit).Hops != 1 {
		t.Fatalf("not passed on to the oldest: %v", s)
	}
	if got := p.Received(0, "a", Message{From: older, Body: m}); len(bodies(got)) != 0 {
		t.Error("passed back to the one that it came from")
	}
	m.Hops = hopsMax
	if got := p.Received(0, "client", Message{From: asClient, Body: m}); len(bodies(got)) != 0 {
		t.Error("passed on for ever")
	}
}

// TestHeldIsBoundedAndDropped: messages that name a best that never comes.
func TestHeldIsBoundedAndDropped(t *testing.T) {
	p, other := lone(t)
	_, effects, _ := p.Submit(0, RootOf(steal.Key{1}, "t", []byte("root")))
	start, _ := find[StartRun](effects)
	for n := range 100 {
		p.Received(0, "other", Message{From: other, Body: steal.Return{
			Run: start.Instance, Number: steal.LoanNo(n), Best: steal.Stamp{Digest: steal.Key{1}}}})
	}
	if len(p.held.all) != heldPerPeer {
		t.Errorf("%d messages of one peer wait", len(p.held.all))
	}
	for now := time.Duration(0); now <= HeldFor+time.Second; now += 100 * time.Millisecond {
		p.Received(now, "other", Message{From: other, Body: membership.Heartbeat{}})
		p.Tick(now)
	}
	if len(p.held.all) != 0 {
		t.Errorf("%d messages wait for ever", len(p.held.all))
	}
}

// TestEarlierLife: what was meant for an earlier incarnation, or comes from one that
// is over, is not used.
func TestEarlierLife(t *testing.T) {
	p, other := lone(t)
	_, effects, _ := p.Submit(0, RootOf(steal.Key{1}, "t", []byte("root")))
	start, _ := find[StartRun](effects)
	lend := steal.Lend{Run: start.Instance, Jobs: []steal.Lent{{Number: 1}}}
	late := Message{From: other, To: membership.Incarnation{Join: 1, Random: 99}, Body: lend}
	if _, ok := find[Execute](p.Received(0, "other", late)); ok {
		t.Error("a loan to an earlier life was taken")
	}
	newer := other
	newer.Rejoin++
	p.Received(0, "other", Message{From: newer, Body: membership.Hello{Member: membership.Member{
		ID: "other", Site: "a", Incarnation: newer, State: membership.Here}}})
	if _, ok := find[Execute](p.Received(time.Second, "other", Message{From: other, Body: lend})); ok {
		t.Error("a loan of a life that is over was taken")
	}
	if _, ok := find[Execute](p.Received(time.Second, "other", Message{From: newer, Body: lend})); !ok {
		t.Error("a loan of the present life was refused")
	}
}

func TestStrangerIsAskedWhoItIs(t *testing.T) {
	p, _ := lone(t)
	got := bodies(p.Received(0, "stranger", Message{From: membership.Incarnation{Join: 9}, Body: steal.Ask{Number: 1, Jobs: 1}}))
	if len(got) != 1 || got[0] != (membership.Who{}) {
		t.Errorf("it is answered %v", got)
	}
}

func TestMemberGreetsWhoConnects(t *testing.T) {
	p, _ := lone(t)
	got := bodies(p.Connected(0, "new"))
	if len(got) != 1 || got[0].(membership.Hello).Member.ID != "me" {
		t.Errorf("a new connection is greeted with %v", got)
	}
	if got := p.Connected(0, "me"); len(got) != 0 {
		t.Errorf("a connection to itself: %v", got)
	}
}

func TestKindsAreDistinct(t *testing.T) {
	seen := map[uint8]membership.Body{}
	for _, b := range Bodies() {
		if other, ok := seen[b.Kind()]; ok || b.Kind() == 0 {
			t.Errorf("%T and %T are of kind %d", b, other, b.Kind())
		}
		seen[b.Kind()] = b
	}
}

// TestBarred: a barred peer is lost, and told so when it speaks; allowed again, it may greet.
func TestBarred(t *testing.T) {
	p, other := lone(t)
	if l, ok := find[membership.Lost](p.Bar(0, "other", true)); !ok || l.Member.How != membership.Kicked {
		t.Error("barred, but not lost")
	}
	got := bodies(p.Received(0, "other", Message{From: other, Body: steal.Ask{Number: 1}}))
	if len(got) != 1 || got[0] != (membership.Refused{Incarnation: other, Barred: true}) {
		t.Errorf("the barred is answered %v", got)
	}
	p.Bar(0, "other", false)
	next := other
	next.Rejoin++
	hello := membership.Hello{Member: membership.Member{ID: "other", Site: "a", Incarnation: next, State: membership.Here}}
	if _, ok := find[membership.Joined](p.Received(0, "other", Message{From: next, Body: hello})); !ok {
		t.Error("allowed again, but not let in")
	}
}

func TestGonePeerDoesNothing(t *testing.T) {
	p, other := lone(t)
	p.Idle(0, 2)
	if got := p.Leave(0, time.Hour, ""); len(got) == 0 {
		t.Error("it left without a word")
	}
	p.Idle(0, 1)
	if got := p.Received(0, "other", Message{From: other, Body: steal.Ask{Number: 1}}); len(got) != 0 || p.Deadline() != steal.Never {
		t.Errorf("it has left, and does %v", got)
	}
}

// BenchmarkSteal is both sides of a steal: the request, the loan, the result and its
// acknowledgement, nine events.
func BenchmarkSteal(b *testing.B) {
	a, thief := lone(b)
	t, _ := New(Config{Member: membership.Config{ID: "other", Site: "a", Workers: 1}}, rand.New(rand.NewPCG(1, 1))), 0
	t.Join(0)
	t.Connected(0, "me")
	_ = thief
	peers := map[membership.PeerID]*Peer{"me": a, "other": t}
	now := time.Duration(0)
	ref := steal.Ref(0)
	var carry func(from membership.PeerID, effects []Effect)
	carry = func(from membership.PeerID, effects []Effect) {
		for _, e := range bytesSafe(effects) {
			switch e := e.(type) {
			case Send:
				carry(e.To, peers[e.To].Received(now, from, e.Message))
			case Publish:
				for id, p := range peers {
					if id != from {
						carry(id, p.Received(now, from, e.Message))
					}
				}
			case steal.WantJobs:
				ref++
				carry(from, peers[from].Taken(now, []Job{{Ref: ref, Run: 1, Task: "t", Args: []byte("some arguments")}}))
			case Execute:
				if !e.IsRoot {
					carry(from, peers[from].Finished(now, e.Borrow, steal.Result{Bytes: []byte("result")}))
				}
			}
		}
	}
	carry("other", t.Connected(0, "me"))
	carry("other", t.Tick(time.Second))
	_, effects, _ := a.Submit(now, RootOf(steal.Key{1}, "t", []byte("root")))
	carry("me", effects)
	carry("me", a.Idle(now, 0))
	for b.Loop() {
		now += time.Microsecond
		carry("other", t.Idle(now, 1))
	}
	b.ReportMetric(float64(a.Sight().Stats().LentNear)/float64(b.N), "steals/op")
}

// bytesSafe copies effects, which are valid only until the next event of the same peer.
func bytesSafe(effects []Effect) []Effect { return append([]Effect(nil), effects...) }

// TestBigRootTravelsOnce: a root that is too big to ride along comes to a joiner because it asks,
// at once, and to the submitter never.
func TestBigRootTravelsOnce(t *testing.T) {
	p, _ := lone(t)
	root := make([]byte, rootAlong+1)
	joiner := New(Config{Member: membership.Config{ID: "joiner", Site: "a", Workers: 1}}, rand.New(rand.NewPCG(3, 3)))
	client := New(Config{Member: membership.Config{ID: "client", Client: true}}, rand.New(rand.NewPCG(4, 4)))
	peers := map[membership.PeerID]*Peer{"me": p, "joiner": joiner, "client": client}
	roots := map[membership.PeerID]int{}
	var carry func(from membership.PeerID, effects []Effect)
	deliver := func(from, to membership.PeerID, m Message) {
		if rec, ok := m.Body.(Record); ok && rec.Root != nil {
			roots[to]++
		}
		if q := peers[to]; q != nil {
			carry(to, q.Received(0, from, m))
		}
	}
	carry = func(from membership.PeerID, effects []Effect) {
		for _, e := range bytesSafe(effects) {
			switch e := e.(type) {
			case Send:
				deliver(from, e.To, e.Message)
			case Publish:
				for _, to := range []membership.PeerID{"me", "joiner", "client"} {
					if to != from {
						deliver(from, to, e.Message)
					}
				}
			}
		}
	}
	client.Join(0)
	carry("client", client.Connected(0, "me"))
	_, effects, _ := client.Submit(0, RootOf(steal.Key{1}, "t", root))
	carry("client", effects)
	joiner.Join(0)
	carry("joiner", joiner.Connected(0, "me"))
	if len(joiner.Sight().Runs()) != 1 || joiner.runs.all[0].root == nil || client.runs.all[0].root == nil {
		t.Fatal("somebody lacks the root")
	}
	if roots["joiner"] != 1 || roots["client"] != 0 {
		t.Errorf("the root travelled to %v", roots)
	}
}
