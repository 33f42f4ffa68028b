//go:build unix

package main

import (
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"satingrid/satin/program/admin"
)

// partsAfter is for how long a node must have worked until it surely has finished parts to show:
// they are kept from the first tick on, and there are five a second.
const partsAfter = 0.3

// awaitWork waits until a node has finished parts of the only run that there is. It is false where
// that was over before.
func (r *joined) awaitWork(t *testing.T, n *node) bool {
	t.Helper()
	n.await(t, "at work", func(s admin.Status) bool {
		return r.over() || len(s.Runs) == 1 && s.Runs[0].Busy >= partsAfter
	})
	return !r.over()
}

// TestThreeMastersAreKilled kills the master three times in one run: each time the next node
// succeeds it with what the others have finished, and the answer is right. A node that has just
// begun with a job has nothing finished: then the run is another.
func TestThreeMastersAreKilled(t *testing.T) {
	t.Parallel()
	outlasting(t, numbers, func(w load) bool { return threeMastersAreKilled(t, w) })
}

func threeMastersAreKilled(t *testing.T, w load) (played bool) {
	t.Helper()
	nodes := []*node{startNode(t)}
	for range 3 {
		nodes = append(nodes, startNode(t, "--join", nodes[0].ticket))
	}
	run := startJoined(t, nil, nodes[3].ticket, w.args...)
	for i, n := range nodes[:3] {
		if !run.awaitMaster(t, n) {
			return false
		}
		n.await(t, "where the root executes", func(s admin.Status) bool { return run.over() || len(s.Runs) == 1 && s.Runs[0].Here })
		if !run.awaitWork(t, nodes[i+1]) {
			return false
		}
		n.kill()
	}
	if !run.awaitMaster(t, nodes[3]) {
		return false
	}
	d := run.answers(t, w.name, w.value, nodes...)
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
	if !slices.Equal(lost, want) {
		t.Errorf("lost were %v, wanted %v", lost, want)
	}
	return reused > 0
}

// TestStoppedThiefComesBack stops a node that works for a run until the others hold it dead, and
// lets it go on: it is a member again, while the run goes on or is just over.
func TestStoppedThiefComesBack(t *testing.T) {
	t.Parallel()
	outlasting(t, numbers, func(w load) bool {
		a := startNode(t)
		b := startNode(t, "--join", a.ticket)
		c := startNode(t, "--join", a.ticket)
		run := startJoined(t, nil, a.ticket, w.args...)
		if !run.awaitWork(t, c) {
			return false
		}
		c.process.Process.Signal(syscall.SIGSTOP)
		heldDead(t, c, a, b)
		c.process.Process.Signal(syscall.SIGCONT)
		run.answers(t, w.name, w.value, a)
		backAgain(t, a, b, c)
		return true
	})
}

// TestStoppedMasterComesBack stops the master until the others hold it dead and have the answer,
// and lets it go on: it is a member again, and what it has of the run does not make a run again.
func TestStoppedMasterComesBack(t *testing.T) {
	t.Parallel()
	outlasting(t, numbers, func(w load) bool {
		a := startNode(t)
		b := startNode(t, "--join", a.ticket)
		c := startNode(t, "--join", a.ticket)
		run := startJoined(t, nil, b.ticket, w.args...)
		if !run.awaitMaster(t, a) || !run.awaitWork(t, a) {
			return false
		}
		a.process.Process.Signal(syscall.SIGSTOP)
		if !run.awaitMaster(t, b) { // the answer was on its way
			return false
		}
		heldDead(t, a, b, c)
		run.answers(t, w.name, w.value, a, b)
		a.process.Process.Signal(syscall.SIGCONT)
		backAgain(t, a, b, c)
		return true
	})
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
		n.await(t, "without a run", func(s admin.Status) bool { return len(s.Runs) == 0 })
	}
}

// TestLeaveDuringARun lets two nodes leave that work for a run, one by an order and one by a
// signal: both end in order before they must, and what they had finished is used. A node that has
// just begun with a job has nothing to hand on: then the run is another.
func TestLeaveDuringARun(t *testing.T) {
	t.Parallel()
	outlasting(t, numbers, func(w load) bool { return twoLeaveDuringARun(t, w) })
}

func twoLeaveDuringARun(t *testing.T, w load) (played bool) {
	t.Helper()
	const deadline = 20 * time.Second
	a := startNode(t, "--site", "a")
	b := startNode(t, "--site", "b", "--join", a.ticket)
	c := startNode(t, "--site", "b", "--join", a.ticket, "--grace", deadline.String())
	run := startJoined(t, nil, a.ticket, w.args...)
	inTime := func(n *node, leave func()) bool {
		if !run.awaitWork(t, n) {
			return false
		}
		began := time.Now()
		leave()
		n.leftInOrder(t)
		if took := time.Since(began); took >= deadline {
			t.Errorf("%s has left after %v, and had %v", n.name, took, deadline)
		}
		return !run.over()
	}
	byOrder := func() {
		got := runBinary(t, nil, "leave", b.name, "--deadline", deadline.String(), "--wait", "--state", a.folder)
		if !strings.HasPrefix(got.out, b.name+" has left after ") {
			t.Errorf("leave prints %q, %q", got.out, got.err)
		}
	}
	bySignal := func() { c.process.Process.Signal(syscall.SIGTERM) }
	if !inTime(b, byOrder) || !inTime(c, bySignal) {
		return false
	}
	reused := int64(0)
	for _, l := range run.answers(t, w.name, w.value, a).Losses {
		if l.How != "leave" {
			t.Errorf("%s was lost by %s", l.Peer, l.How)
		}
		reused += l.Reused
	}
	return reused > 0
}
