//go:build unix

package main

import (
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"satingrid/cmd/satin/control"
)

// long is a run of several seconds on two cores, and what it answers.
const (
	long      = "42"
	longValue = 267914296.0
)

// partsAfter is for how long a node must have worked until it surely has finished parts to show: they are kept from the first
// tick on, and there are five a second.
const partsAfter = 0.3

// awaitWork waits until a node has finished parts of the only run that there is.
func (n *node) awaitWork(t *testing.T) {
	t.Helper()
	n.await(t, "at work", func(s control.Status) bool { return len(s.Runs) == 1 && s.Runs[0].Busy >= partsAfter })
}

// TestThreeMastersAreKilled kills the master three times in one run: each time the next node succeeds it with what the others
// have finished, and the answer is right.
func TestThreeMastersAreKilled(t *testing.T) {
	t.Parallel()
	nodes := []*node{startNode(t)}
	for range 3 {
		nodes = append(nodes, startNode(t, "--join", nodes[0].ticket))
	}
	run := startJoined(t, nil, nodes[3].ticket, "fib", "43")
	for i, n := range nodes[:3] {
		run.awaitMaster(t, n)
		n.await(t, "where the root executes", func(s control.Status) bool { return len(s.Runs) == 1 && s.Runs[0].Here })
		nodes[i+1].awaitWork(t)
		n.kill()
	}
	d := run.answers(t, "value", 433494437.0, nodes...)
	var lost []string
	var reused int64
	for _, l := range d.Losses {
		lost = append(lost, l.Peer)
		reused += l.Reused
		if l.How != "kill" && l.How != "silent" { // which a busy machine may find first
			t.Errorf("%s, which was killed, was lost by %s", l.Peer, l.How)
		}
	}
	want := []string{nodes[0].name, nodes[1].name, nodes[2].name}
	if !slices.Equal(lost, want) || reused == 0 {
		t.Errorf("lost were %v, wanted %v; %d results reused", lost, want, reused)
	}
}

// TestStoppedThiefComesBack stops a node that works for a run until the others hold it dead, and lets it go on: it
// is a member again, while the run goes on or is just over.
func TestStoppedThiefComesBack(t *testing.T) {
	t.Parallel()
	a := startNode(t)
	b := startNode(t, "--join", a.ticket)
	c := startNode(t, "--join", a.ticket)
	run := startJoined(t, nil, a.ticket, "fib", long)
	c.awaitWork(t)
	c.process.Process.Signal(syscall.SIGSTOP)
	heldDead(t, c, a, b)
	c.process.Process.Signal(syscall.SIGCONT)
	run.answers(t, "value", longValue, a)
	backAgain(t, a, b, c)
}

// TestStoppedMasterComesBack stops the master until the others hold it dead and have the answer, and lets it go on: it
// is a member again, and what it has of the run does not make a run again.
func TestStoppedMasterComesBack(t *testing.T) {
	t.Parallel()
	a := startNode(t)
	b := startNode(t, "--join", a.ticket)
	c := startNode(t, "--join", a.ticket)
	run := startJoined(t, nil, b.ticket, "fib", long)
	run.awaitMaster(t, a)
	a.awaitWork(t)
	a.process.Process.Signal(syscall.SIGSTOP)
	heldDead(t, a, b, c)
	run.answers(t, "value", longValue, a, b)
	a.process.Process.Signal(syscall.SIGCONT)
	backAgain(t, a, b, c)
}

// heldDead waits until some hold a node that says nothing dead.
func heldDead(t *testing.T, n *node, by ...*node) {
	t.Helper()
	for _, other := range by {
		other.awaitSaid(t, "satin: "+n.name+" is gone (silent)\n")
		other.awaitMembers(t, by...)
	}
}

// backAgain waits until all see each other, and have no run any more.
func backAgain(t *testing.T, all ...*node) {
	t.Helper()
	for _, n := range all {
		n.awaitMembers(t, all...)
	}
	for _, n := range all {
		n.await(t, "without a run", func(s control.Status) bool { return len(s.Runs) == 0 })
	}
}

// TestLeaveDuringARun lets two nodes leave that work for a run, one by an order and one by a signal: both end in order before
// they must, and what they had finished is used. A node that has just begun with a job has nothing to hand on, so that there are several runs.
func TestLeaveDuringARun(t *testing.T) {
	t.Parallel()
	const runs = 3
	for range runs {
		d := leftDuringARun(t)
		reused := int64(0)
		for _, l := range d.Losses {
			if l.How != "leave" {
				t.Errorf("%s was lost by %s", l.Peer, l.How)
			}
			reused += l.Reused
		}
		if reused > 0 {
			return
		}
	}
	t.Errorf("nothing that the nodes had finished was used, in %d runs", runs)
}

// leftDuringARun is a run of three nodes that two leave.
func leftDuringARun(t *testing.T) document {
	t.Helper()
	const deadline = 20 * time.Second
	a := startNode(t, "--site", "a")
	b := startNode(t, "--site", "b", "--join", a.ticket)
	c := startNode(t, "--site", "b", "--join", a.ticket, "--grace", deadline.String())
	run := startJoined(t, nil, a.ticket, "fib", long)
	inTime := func(n *node, leave func()) {
		n.awaitWork(t)
		began := time.Now()
		leave()
		n.leftInOrder(t)
		if took := time.Since(began); took >= deadline {
			t.Errorf("%s has left after %v, and had %v", n.name, took, deadline)
		}
		if run.over() {
			t.Fatalf("the run was over when %s had left", n.name)
		}
	}
	inTime(b, func() {
		got := runBinary(t, nil, "leave", b.name, "--deadline", deadline.String(), "--wait", "--state", a.folder)
		if !strings.HasPrefix(got.out, b.name+" has left after ") {
			t.Errorf("leave prints %q, %q", got.out, got.err)
		}
	})
	inTime(c, func() { c.process.Process.Signal(syscall.SIGTERM) })
	return run.answers(t, "value", longValue, a)
}
