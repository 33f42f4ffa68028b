package peer

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// crowd is a peer with as many runs as there may be, each of a client of its own; the first so many have their answers, the last of these for longest.
func crowd(t *testing.T, answered int) (p *Peer, submit func(now time.Duration, n int) []Effect) {
	p, _ = lone(t)
	submit = func(now time.Duration, n int) []Effect {
		root, client := []byte(fmt.Sprint("root", n)), membership.PeerID(fmt.Sprint("client", n))
		return p.Received(now, client, Message{Body: Submit{
			Submission: steal.Submission{Submitter: client, Nonce: uint64(n)}, Run: steal.KeyOf(root), Task: "t", RootDigest: steal.KeyOf(root), Root: root}})
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

// TestFullGridSaysSo: who asks for one run too many is told at once, and delivers that as a failure.
func TestFullGridSaysSo(t *testing.T) {
	_, submit := crowd(t, 0)
	to, full := sent[Full](submit(time.Second, 100))
	if len(full) != 1 || to[0] != "client100" || full[0].Nonce != 100 {
		t.Fatalf("told %v %v", to, full)
	}
	asker, _ := lone(t)
	nonce, _, _ := asker.Submit(0, Root{Run: steal.Key{1}, Task: "t", Args: []byte("root")})
	asker.Received(0, "other", Message{Body: Accepted{Nonce: nonce, Run: steal.Instance{Run: steal.Key{1}}, Master: "other"}})
	if _, ok := find[Deliver](asker.Received(time.Second, "other", Message{Body: Full{nonce}})); ok {
		t.Error("it was accepted, and is refused")
	}
	client := New(Config{Member: membership.Config{ID: "client", Client: true}}, asker.rng)
	nonce, _, _ = client.Submit(0, Root{Run: steal.Key{1}, Task: "t", Args: []byte("root")})
	d, ok := find[Deliver](client.Received(time.Second, "other", Message{Body: Full{nonce}}))
	if !ok || d.Nonce != nonce || d.Result.Outcome != steal.Panicked || !strings.Contains(string(d.Result.Bytes), "submit again") {
		t.Errorf("delivered %v: %s", ok, d.Result.Bytes)
	}
	if !client.Quiet() {
		t.Error("it goes on asking")
	}
}

// TestFullRunSaysSo: who asks for a run that as many as there may be wait for is told at once, and whoever is one of those is accepted again.
func TestFullRunSaysSo(t *testing.T) {
	p, _ := lone(t)
	root := []byte("root")
	submit := func(n uint64) []Effect {
		client := membership.PeerID(fmt.Sprint("client", n))
		return p.Received(time.Second, client, Message{Body: Submit{
			Submission: steal.Submission{Submitter: client, Nonce: n}, Run: steal.KeyOf(root), Task: "t", RootDigest: steal.KeyOf(root), Root: root}})
	}
	for n := range uint64(SubmissionsMax) {
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
	if err := p.Check(); err != nil {
		t.Error(err)
	}
}

// TestForsakenAnswersMakeRoom: of the runs that have their answers, and whose submitters are not heard any more, the one that was answered first goes for a new one. Those whose
// submitters are heard, and those that compute, stay.
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
	if err := p.Check(); err != nil {
		t.Error(err)
	}
}
