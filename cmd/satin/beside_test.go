//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"satingrid/satin/await"
	"satingrid/satin/program/console"
)

// What a short run may take beside a long one, for each second that it takes alone, and besides;
// noisy is for a machine that has other work. No job of nqueens is long.
const (
	besideFactor = 3 * 2 // runs
	besideMore   = time.Second
	noisy        = 2
)

// TestShortRunBesideALongOne measures a run alone, and behind one that has had all peers for
// itself.
func TestShortRunBesideALongOne(t *testing.T) {
	needsChaos(t)
	const rounds = 5
	a := startNode(t, "--site", "a")
	b := startNode(t, "--site", "b", "--join", a.ticket)
	a.awaitMembers(t, a, b)
	short := queens(13, 73712)
	median := func() time.Duration {
		var all []time.Duration
		for range rounds {
			d := startJoined(t, nil, a.ticket, short.args...).answersSoon(t, short.name, short.value)
			all = append(all, time.Duration(d.Seconds*float64(time.Second)))
		}
		slices.Sort(all)
		return all[rounds/2]
	}
	alone := median()
	long := startJoined(t, nil, a.ticket, "nqueens", "18")
	id := underWay(t, a.folder)
	underWay(t, b.folder)
	beside := median()
	for _, n := range []*node{a, b} {
		if underWay(t, n.folder) != id {
			t.Errorf("%s has the long run no more", n.name)
		}
	}
	if long.over() {
		t.Error("the long run was over: nothing was beside it")
	}
	most := besideFactor*alone + besideMore
	fmt.Printf("beside: %s takes %.2f s alone and %.2f s behind nqueens 18, which is %.1f times as long, %.2f of what it may take\n",
		short.args, alone.Seconds(), beside.Seconds(), beside.Seconds()/alone.Seconds(), beside.Seconds()/most.Seconds())
	if beside > noisy*most {
		t.Errorf("%v are more than %d times %v", beside, noisy, most)
	}
}

// withdrawnIn is after how long a run is to be gone whose client was killed: a minute, and what it
// takes to notice.
const withdrawnIn = 75 * time.Second

// TestRunOfAKilledClient kills two clients. The run of one goes, and that which was asked to be
// kept stays.
func TestRunOfAKilledClient(t *testing.T) {
	needsChaos(t)
	t.Parallel()
	a := startNode(t, "--site", "a")
	b := startNode(t, "--site", "b", "--join", a.ticket)
	a.awaitMembers(t, a, b)
	begin := func(words ...string) (id string, kill func()) {
		m := newMachine(t, a)
		c, _, _ := m.begins(t, append([]string{"run"}, words...)...)
		return m.remembers(t), func() { c.Process.Kill(); c.Wait() }
	}
	lost, killLost := begin("nqueens", "20")
	kept, killKept := begin("nqueens", "19", "--keep", "1h")
	var seen []string
	shows := func(n *node, want ...string) func() bool {
		slices.Sort(want)
		return func() bool {
			var s struct{ Runs []struct{ ID string } }
			code, out, said := inProcess("status", "--json", "--state", n.folder)
			if err := json.Unmarshal([]byte(out), &s); err != nil || code != console.ExitOK {
				t.Fatalf("exit %d, %v: %q", code, err, said)
			}
			seen = nil
			for _, r := range s.Runs {
				seen = append(seen, r.ID)
			}
			slices.Sort(seen)
			return slices.Equal(seen, want)
		}
	}
	instead := func() string {
		return fmt.Sprintf("status shows %v; %s is of the killed client, %s to be kept", seen, lost, kept)
	}
	for _, n := range []*node{a, b} {
		await.UntilOr(t, shows(n, lost, kept), instead)
	}
	killLost()
	killKept()
	killed := time.Now()
	for _, n := range []*node{a, b} {
		await.UntilOr(t, shows(n, kept), instead)
	}
	took := time.Since(killed)
	fmt.Printf("killed client: its run was withdrawn after %.0f s\n", took.Seconds())
	if took > withdrawnIn {
		t.Errorf("the run of a client that was killed was there for %v, and %v are meant", took, withdrawnIn)
	}
	for _, n := range []*node{a, b} {
		await.UntilOr(t, shows(n, kept), instead)
	}
}
