package node

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"satingrid/satin"
	"satingrid/satin/await"
	"satingrid/satin/program/across"
	"satingrid/satin/program/hosting"
	"satingrid/satin/program/observe"
	"satingrid/satin/ticket"
)

// opened is a node on libp2p, which answers visits.
func opened(t *testing.T, lab ticket.Ticket, site string) *nodeState {
	t.Helper()
	n := &nodeState{con: testConsole(), folder: t.TempDir(), site: site, ticket: lab, start: time.Now(), display: Display{AppOf: appOf}}
	p, err := satin.Open(t.Context(), satin.Config{
		App: satin.App{Name: "hold", Tasks: []satin.TaskType{satin.Type[Hold]()}}, Workers: 1, Site: site,
		Ticket: lab, State: n.folder, Listen: []string{"/ip4/127.0.0.1/tcp/0"}, Events: n.roster.event, Visit: n.visit,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	n.peer = p
	n.beAsked()
	n.in.Store(true)
	return n
}

// TestObserved looks at a grid of two sites, kills a peer, and looks again.
func TestObserved(t *testing.T) {
	lab, err := ticket.New("lab")
	if err != nil {
		t.Fatal(err)
	}
	first := opened(t, lab, "a")
	lab.Addrs = first.peer.Addrs()
	nodes := []*nodeState{first, opened(t, lab, "a"), opened(t, lab, "b")}
	doomed := opened(t, lab, "b")
	nodes = append(nodes, doomed)
	awaitMembers := func(want int) {
		t.Helper()
		await.Until(t, "all to see each other", func() bool {
			for _, n := range nodes {
				if len(n.peer.Members()) != want {
					return false
				}
			}
			return true
		})
	}
	awaitMembers(4)
	first.lifetime = first.start.Add(10 * time.Minute)
	doomed.ends.Store(&hosting.Notice{At: time.Now().Add(time.Hour)})
	holdBegun, holdUntil = make(chan struct{}, 8), make(chan struct{})
	hold := holdUntil
	r, err := satin.Submit(t.Context(), first.peer, Hold{})
	if err != nil {
		t.Fatal(err)
	}
	<-holdBegun

	w := &Where{con: testConsole(), state: t.TempDir(), by: &Invitation{Ticket: lab, Said: "lab.ticket"}}
	o, err := w.outlook(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	view := func() observe.View {
		t.Helper()
		v, err := o.next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	var v observe.View
	await.Until(t, "all to answer in time", func() bool {
		o.last = observe.Sample{}
		v = view()
		return !slices.ContainsFunc(v.Peers, func(p observe.PeerView) bool { return !p.Answers })
	})
	if v.Grid != "lab" || len(v.Sites) != 2 || v.Sites[1].Site != "b" || v.Sites[1].Answers != 2 || len(v.Peers) != 4 || len(v.Runs) != 1 {
		t.Fatalf("it sees %+v", v)
	}
	for _, p := range v.Peers {
		if p.State != "here" || p.Workers != 1 || p.Uptime <= 0 || p.Memory < 1<<20 || p.Rates != (observe.Rates{}) {
			t.Errorf("%+v", p)
		}
		switch left := p.Left; {
		case p.ID == first.peer.ID():
			if len(p.Runs) != 1 || !p.Runs[0].Root || p.Runs[0].ID != v.Runs[0].ID || left == nil || *left > 600 {
				t.Errorf("the master does %+v, and has to be gone in %v", p.Runs, left)
			}
		case (left != nil) != (p.ID == doomed.peer.ID()):
			t.Errorf("%s has to be gone in %v", p.Name, left)
		}
	}
	if text := strings.Join(v.Warnings, "\n"); !strings.Contains(text, first.peer.Name()+" has to be gone in ") || strings.Contains(text, "answer") {
		t.Errorf("it warns of %q", v.Warnings)
	}

	doomed.peer.Close()
	nodes = nodes[:3]
	awaitMembers(3)
	// what was told a moment ago is told until it is over
	await.Until(t, "a look at who is left", func() bool { v = view(); return len(v.Peers) == 3 && v.Peers[0].Busy != nil })
	if v.Lost["kill"] != 1 || v.Sites[1].Peers != 1 {
		t.Errorf("after the loss it sees %+v, lost %v", v.Sites, v.Lost)
	}
	if len(v.Gone) != 1 || v.Gone[0].ID != doomed.peer.ID() || v.Gone[0].Site != "b" || v.Gone[0].How != "kill" || len(v.GoneLines()) != 2 {
		t.Errorf("gone are %+v: %q", v.Gone, v.GoneLines())
	}
	close(hold)
	if _, err := r.Wait(); err != nil {
		t.Error(err)
	}
	for _, n := range nodes {
		await.Until(t, "all to tell how the run has ended", func() bool {
			all := n.informant.activity(t.Context(), across.Question{}).Ended
			return len(all) == 1 && all[0].Run == v.Runs[0].ID && all[0].How == "answered" && all[0].At > 0
		})
	}
}

// TestRosterIsBounded: the latest are told of, and the latest first.
func TestRosterIsBounded(t *testing.T) {
	var r roster
	began := time.Now().Add(-time.Minute)
	for n := range across.EndedMax + 9 {
		r.event(satin.Event{Kind: satin.EventEnded, Run: satin.RunID{byte(n)}, How: "cancelled"})
	}
	all := r.toldEnds(began)
	last := satin.RunID{byte(across.EndedMax + 8)}.String()
	if len(all) != across.EndedMax || all[0].Run != last || all[0].How != "cancelled" || all[0].At < 60 {
		t.Errorf("%d are told of, the first is %+v", len(all), all[0])
	}
}

// TestDoingIsToldAlone: a visitor that asks a node for what it does itself costs nobody else
// anything.
func TestDoingIsToldAlone(t *testing.T) {
	lab, err := ticket.New("lab")
	if err != nil {
		t.Fatal(err)
	}
	n := opened(t, lab, "a")
	n.informant.census.Ask = func(context.Context, across.Question, ...string) (a across.Response, err error) {
		t.Error("somebody is asked")
		return a, err
	}
	for _, alone := range []bool{true, false} {
		a := n.informant.activity(t.Context(), across.Question{Alone: alone})
		if a.By != n.peer.Name() || len(a.Doing) != 1 || a.Doing[0].ID != n.peer.ID() || (len(a.Sees) == 0) != alone {
			t.Errorf("alone %v: %+v", alone, a)
		}
	}
}
