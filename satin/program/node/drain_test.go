package node

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"satingrid/satin/await"

	"satingrid/satin"
	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
	"satingrid/satin/satintest"
)

// holdBegun is told of a Hold that begins, and holdUntil lets all end.
var holdBegun, holdUntil chan struct{}

// Hold is a job that does not look up, and ends when the test lets it.
type Hold struct{}

func (Hold) Run(*satin.Scope) (bool, error) {
	until := holdUntil
	holdBegun <- struct{}{}
	<-until
	return true, nil
}

func testConsole() *console.Console {
	return &console.Console{Name: "satin", Out: io.Discard, Err: io.Discard, Terminal: -1}
}

// memoryNode is a node that is a peer in memory, of a grid with these sites.
func memoryNode(t *testing.T, name string, sites ...satintest.Site) (*nodeState, *satintest.Grid) {
	t.Helper()
	n := &nodeState{con: testConsole(), folder: t.TempDir(), site: name[:1], founded: true, grace: time.Second, start: time.Now()}
	g := satintest.Start(t, satintest.Config{
		App: satin.App{Name: "hold", Tasks: []satin.TaskType{satin.Type[Hold]()}}, Sites: sites,
		Peer: func(c *satin.Config) {
			if c.Name == name {
				c.Events = n.roster.event
			}
		},
	})
	n.peer, n.ticket = g.Peer(name), g.Ticket()
	return n, g
}

// heard collects what is said.
type heard struct {
	mu    sync.Mutex // protects lines
	lines []string
}

func (h *heard) say(line string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lines = append(h.lines, line)
}

func (h *heard) text() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return strings.Join(h.lines, "\n")
}

// await waits until some words are said.
func (h *heard) await(t *testing.T, words string) {
	t.Helper()
	await.UntilOr(t, func() bool { return strings.Contains(h.text(), words) }, func() string {
		return fmt.Sprintf("it said %q, wanted %q", h.text(), words)
	})
}

// TestGoneInOtherWays waits for peers to leave, of which some are gone in another way.
func TestGoneInOtherWays(t *testing.T) {
	n, _ := memoryNode(t, "a/1", satintest.Site{Name: "a", Peers: 1})
	names := map[string]string{"1": "b/1", "2": "b/2", "3": "b/3", "4": "b/4"}
	for id, e := range map[string]satin.Event{"1": {How: "leave"}, "2": {How: "kill"}, "3": {How: "leave", Late: true}, "4": {How: "rejoin"}} {
		e.Kind, e.ID, e.Peer = satin.EventLost, id, names[id]
		n.roster.event(e)
	}
	var h heard
	badly, err := n.awaitGone(context.Background(), []string{"1", "2", "3", "4"}, names, time.Now(), admin.Request{Deadline: time.Second}, h.say)
	const want = `b/1 has left after 0.0 s
b/2 is gone (kill) before it had left in order; the others do again what it still had
b/3 has left after 0.0 s, before it had handed over everything; the others do again what it still had
b/4 is gone (silent) before it had left in order; the others do again what it still had`
	if err != nil || h.text() != want {
		t.Errorf("%v: it said\n%s\nwanted\n%s", err, h.text(), want)
	}
	var failure *admin.Failure
	if err := disorder(badly); !errors.As(err, &failure) || failure.Code != console.ExitFailed || failure.Text != "b/2, b/3 and b/4 did not leave in order" {
		t.Errorf("that ends with %v", err)
	}
	if err := disorder(nil); err != nil {
		t.Errorf("all in order: %v", err)
	}
}

// TestLeaveThatIsLate lets a node leave that has no time to: both it and the one that told
// it say so, and fail.
func TestLeaveThatIsLate(t *testing.T) {
	holdBegun, holdUntil = make(chan struct{}, 8), make(chan struct{})
	teller, g := memoryNode(t, "b/1", satintest.Site{Name: "a", Peers: 1}, satintest.Site{Name: "b", Peers: 1})
	letGo := sync.OnceFunc(func() { close(holdUntil) })
	t.Cleanup(letGo)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if _, err := satin.Submit(ctx, g.Client, Hold{}); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	leaver := &nodeState{con: &console.Console{Name: "satin", Out: io.Discard, Err: &said, Terminal: -1}, peer: g.Peer("a/1"), folder: t.TempDir(), site: "a", ticket: g.Ticket(), founded: true, grace: time.Second, start: time.Now()}
	select {
	case <-holdBegun: // at the oldest peer, which has the root
	case <-time.After(time.Minute):
		t.Fatal("nobody computes the root")
	}
	ended := make(chan int)
	go func() { ended <- leaver.con.Report(leaver.serve(&console.Interrupts{})) }()
	var h heard
	err := teller.Do(ctx, admin.Request{Do: admin.Leave, Peers: []string{"a/1"}, Deadline: 50 * time.Millisecond, Wait: true}, h.say)
	var failure *admin.Failure
	if !errors.As(err, &failure) || failure.Code != console.ExitFailed || failure.Text != "a/1 did not leave in order" {
		t.Fatalf("the leave ends with %v", err)
	}
	h.await(t, ", before it had handed over everything; ")
	if code := <-ended; code != console.ExitFailed || !strings.Contains(said.String(), "satin: left before everything was handed over: ") {
		t.Errorf("the node ends with %d and says %q", code, &said)
	}
}

// TestMigrateWaits moves a site's peer to a site where nobody is yet: it says so, goes on, and
// leaves when somebody comes.
func TestMigrateWaits(t *testing.T) {
	n, g := memoryNode(t, "a/1", satintest.Site{Name: "a", Peers: 1})
	var h heard
	done := make(chan error, 1)
	go func() {
		done <- n.Do(context.Background(), admin.Request{Do: admin.Migrate, Site: "a", To: "b", Deadline: time.Minute, Wait: true}, h.say)
	}()
	h.await(t, "no peer is at b yet; waiting for one to join. a goes on computing")
	if m := n.peer.Members(); len(m) != 1 || m[0].State != "here" {
		t.Errorf("meanwhile there are %+v", m)
	}
	if _, err := g.Add("b"); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\n1 peer at a, 1 peer at b: those at a leave\n", "\na/1 has left after ", "\nmoved: 1 peer left a in "} {
		if !strings.Contains(h.text(), want) {
			t.Errorf("it said\n%s\nwanted %q", h.text(), want)
		}
	}
	if !errors.Is(n.peer.Err(), satin.ErrLeft) {
		t.Errorf("the peer ended with %v", n.peer.Err())
	}
}

// TestMigrateWhoseDestinationDiesLast: those of the site have left in order when the destination
// dies. Nobody is waited for, since nobody is left to move, and who goes on is said.
func TestMigrateWhoseDestinationDiesLast(t *testing.T) {
	sites := []satintest.Site{{Name: "a", Peers: 1}, {Name: "b", Peers: 1}, {Name: "c", Peers: 1}}
	n, g := memoryNode(t, "b/1", sites...)
	await.UntilOr(t, func() bool { return len(n.peer.Members()) == 3 }, func() string { return "the three do not meet" })
	var h heard
	killed := sync.OnceFunc(func() { g.Kill("c/1") })
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	err := n.Do(ctx, admin.Request{Do: admin.Migrate, Site: "a", To: "c", Deadline: time.Minute, Wait: true}, func(line string) {
		h.say(line)
		if strings.HasPrefix(line, "a/1 has left after ") {
			killed()
			await.UntilOr(t, func() bool { return len(n.here("c")) == 0 }, func() string { return "c/1 is killed, and here" })
		}
	})
	var failure *admin.Failure
	if !errors.As(err, &failure) || failure.Code != console.ExitFailed || failure.Text != "1 peer left a, and nobody is at c any more; b computes on" {
		t.Errorf("it ends with %v", err)
	}
	if text := h.text(); strings.Contains(text, "waiting") || strings.Contains(text, "c computes on") {
		t.Errorf("it said\n%s", text)
	}
}

// TestSuspicionIsNoDesertion: a destination of which nobody is known to be there is deserted when
// those that were there are dead, and not while they are suspected.
func TestSuspicionIsNoDesertion(t *testing.T) {
	at := func(states ...string) (all []satin.Member) {
		for _, s := range states {
			all = append(all, satin.Member{Site: "paris", State: s})
		}
		return append(all, satin.Member{Site: "delft", State: "here"})
	}
	for name, c := range map[string]struct {
		looks [][]satin.Member
		is    bool
	}{
		"one is there":            {[][]satin.Member{at("suspected", "here")}, true},
		"nobody is":               {[][]satin.Member{at()}, false},
		"one that leaves":         {[][]satin.Member{at("leaving")}, false},
		"a suspect that lives":    {[][]satin.Member{at("suspected"), at("suspected"), at("here")}, true},
		"a suspect that is dead":  {[][]satin.Member{at("suspected"), at()}, false},
		"a suspect, and one more": {[][]satin.Member{at("suspected"), at("suspected", "here")}, true},
	} {
		looks := 0
		is, err := settled(context.Background(), func() []satin.Member {
			looks++
			return c.looks[min(looks, len(c.looks))-1]
		}, "paris")
		if is != c.is || err != nil || looks != len(c.looks) {
			t.Errorf("%s: somebody is at the destination: %v, %v, after %d looks", name, is, err, looks)
		}
	}
	ended, end := context.WithCancelCause(context.Background())
	end(io.EOF)
	if _, err := settled(ended, func() []satin.Member { return at("suspected") }, "paris"); !errors.Is(err, io.EOF) {
		t.Errorf("nobody waits for it any more: %v", err)
	}
}
