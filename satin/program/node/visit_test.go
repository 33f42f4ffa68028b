package node

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"satingrid/satin"
	"satingrid/satin/p2p"
	"satingrid/satin/program/across"
	"satingrid/satin/program/console"
	"satingrid/satin/satintest"
)

// TestVisits: a node answers hosts of any build, once it is in, with what it tells commands here.
func TestVisits(t *testing.T) {
	n, g := memoryNode(t, "a/1", satintest.Site{Name: "a", Peers: 2})
	fails, text := false, "true\n"
	n.display = Display{
		AppOf: func(string) string { return "hold" },
		Result: func(_ context.Context, _ *satin.Peer, r satin.RunStats, asJSON bool) (string, int, error) {
			switch {
			case fails && asJSON:
				return "{}\n", 0, errors.New("satin: it failed")
			case fails:
				return "", 0, &console.Error{Code: 5, Text: "it failed"}
			case asJSON:
				return strings.Repeat("x", p2p.VisitReplyMax), 0, nil
			}
			return text, 10, nil
		},
	}
	var said bytes.Buffer
	n.con.Err = &said
	ask := func(question string) (a across.Response) {
		t.Helper()
		if err := json.Unmarshal(n.visit(t.Context(), "12D3", []byte(question)), &a); err != nil {
			t.Fatal(err)
		}
		return a
	}
	if a := ask(`{"schema":1,"ask":"grid"}`); !strings.Contains(a.Error, "not in its grid yet") {
		t.Errorf("before it is in: %+v", a)
	}
	n.in.Store(true)
	holdBegun, holdUntil = make(chan struct{}, 8), make(chan struct{})
	defer close(holdUntil)
	if _, err := satin.Submit(t.Context(), g.Client, Hold{}); err != nil {
		t.Fatal(err)
	}
	<-holdBegun
	if a := ask(`{"schema":1,"ask":"grid"}`); a.Portrait == nil || a.Build != identity().Digest || a.Portrait.Runs != 1 || len(a.Portrait.Addrs) < 2 || a.Next == nil || a.Name != n.ticket.Grid {
		t.Errorf("its grid is %+v", a.Portrait)
	}
	if a := ask(`{"schema":1,"ask":"peers"}`); a.Peers == nil || len(a.Peers.Peers) != 2 || a.Peers.Peers[0].Build != identity().Digest {
		t.Errorf("its peers are %+v", a.Peers)
	}
	a := ask(`{"schema":1,"ask":"jobs"}`)
	if a.Jobs == nil || len(a.Jobs.Runs) != 1 || a.Jobs.Runs[0].App != "hold" {
		t.Fatalf("its runs are %+v", a.Jobs)
	}
	id := a.Jobs.Runs[0].ID
	if a := ask(`{"schema":1,"ask":"result","run":"` + id + `"}`); a.Printed == nil || a.Printed.Text != "true\n" || a.Printed.Exit != 10 {
		t.Errorf("the answer is %+v", a.Printed)
	}
	if a := ask(`{"schema":1,"ask":"result","json":true,"run":"` + id + `"}`); !strings.Contains(a.Error, "and a visit carries") || !a.Fetch || a.Printed != nil {
		t.Errorf("an answer that is too long: %.100s", a.Error)
	}
	text = "\xff"
	if a := ask(`{"schema":1,"ask":"result","run":"` + id + `"}`); a.Printed != nil || !a.Fetch || !strings.HasPrefix(a.Error, "the answer is no text") {
		t.Errorf("an answer that is no text: %+v", a)
	}
	fails = true
	if a := ask(`{"schema":1,"ask":"result","json":true,"run":"` + id + `"}`); a.Printed == nil || *a.Printed != (across.Printed{Text: "{}\n", Exit: 1, Says: "it failed"}) {
		t.Errorf("of one that failed: %+v, %+v", a, a.Printed)
	}
	if a := ask(`{"schema":1,"ask":"result","run":"` + id + `"}`); a.Printed != nil || a.Error != "it failed" || a.Code != 5 {
		t.Errorf("of one that failed, as text: %+v", a)
	}
	for _, verb := range []string{"result", "logs", "share", "cancel"} {
		if a := ask(`{"schema":1,"ask":"` + verb + `","run":"zz"}`); a.Code != 2 || !strings.HasPrefix(a.Error, `there is no run "zz"; there `) {
			t.Errorf("%s of a run that is none: %+v", verb, a)
		}
	}
	a = ask(`{"schema":1,"ask":"logs","run":"` + id[:8] + `"}`)
	if s := a.Story; s == nil || !strings.HasPrefix(s.By, n.peer.ID()) || s.Run != id || len(s.Lines) == 0 || s.Next != len(s.Lines) || s.Over {
		t.Errorf("what has happened to it: %+v", a)
	}
	if again := ask(`{"schema":1,"ask":"logs","from":1,"run":"` + id + `"}`); again.Story == nil || len(again.Story.Lines) != a.Story.Next-1 {
		t.Errorf("what has happened from the second line on: %+v", again)
	}
	if a := ask(`{"schema":1,"ask":"share","share":7,"run":"` + id[:8] + `"}`); a.Error != "" || n.peer.Runs()[0].Share != 7 {
		t.Errorf("after it has another share: %+v, %v", a, n.peer.Runs())
	}
	if a := ask(`{"schema":1,"ask":"share","run":"` + id[:8] + `"}`); a.Code != 1 || !strings.HasPrefix(a.Error, "a share is from 1 to ") {
		t.Errorf("a share of 0: %+v", a)
	}
	if a := ask(`{"schema":1,"ask":"cancel","run":"` + id[:8] + `"}`); a.Error != "" || len(n.peer.Runs()) > 0 {
		t.Errorf("after it is cancelled: %+v, %v", a, n.peer.Runs())
	}
	if a := ask(`{"schema":1,"ask":"dance"}`); a.Code != 1 || !strings.HasSuffix(a.Error, `does not know what "dance" asks`) {
		t.Errorf("%+v", a)
	}
	if a := ask(`nonsense`); a.Error == "" {
		t.Errorf("%+v", a)
	}

	// A successor is told of to who asks, and once to who runs the node. One of this build is
	// this grid.
	const next = `{"schema":1,"ask":"successor","grid":{"build":"e8","made":"revision 2","addrs":["/ip4/10.0.0.1/tcp/1/p2p/x"]}}`
	for range 2 {
		if a := ask(next); a.Portrait == nil || len(a.Next) != 1 || a.Next[0].Build != "e8" || len(a.Next[0].Addrs) != 1 {
			t.Errorf("it knows %+v", a.Portrait)
		}
	}
	ask(strings.Replace(next, "e8", identity().Digest, 1))
	if a := ask(`{"schema":1,"ask":"grid"}`); len(a.Next) != 1 {
		t.Errorf("it is its own successor: %+v", a.Next)
	}
	if want := "satin: a grid of build e8, at /ip4/10.0.0.1/tcp/1/p2p/x, is the next one; satin leave --until-idle lets this node finish and leave\n"; said.String() != want {
		t.Errorf("it says %q, wanted %q", &said, want)
	}
}
