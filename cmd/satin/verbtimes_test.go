//go:build unix

package main

import (
	"context"
	"os/exec"
	"slices"
	"testing"
	"time"

	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
)

// TestTimesOfVerbs prints under -v how long verbs about runs take on a grid of four nodes of this
// machine, each from the start of its process. They are submit, until the first job of its run is
// computed and until it has ended, and then, while nothing is computed, jobs, through a node and
// with a ticket. No time is a test here.
func TestTimesOfVerbs(t *testing.T) {
	if !testing.Verbose() {
		t.Skip("-v is not given: it only prints times")
	}
	nodes := []*node{startNode(t, "--site", "a")}
	for range 3 {
		nodes = append(nodes, startNode(t, "--site", "b", "--join", nodes[0].ticket))
	}
	for _, n := range nodes {
		n.awaitMembers(t, nodes...)
	}
	m := newMachine(t, nodes[0])
	took := map[string][]time.Duration{}
	for range 9 {
		first, ended := firstJob(t, m, nodes[0])
		took["submit to the first job"] = append(took["submit to the first job"], first)
		took["submit"] = append(took["submit"], ended)
		for what, way := range map[string][]string{
			"jobs of a node": {"--state", nodes[0].folder}, "jobs with a ticket": {"--join", m.ticket, "--state", m.home},
		} {
			got := runBinary(t, nil, append([]string{"jobs"}, way...)...)
			if got.code != console.ExitOK {
				t.Fatalf("exit %d, %q", got.code, got.err)
			}
			took[what] = append(took[what], got.took)
		}
	}
	for what, all := range took {
		slices.Sort(all)
		t.Logf("%s: median %v, from %v to %v", what, all[len(all)/2], all[0], all[len(all)-1])
	}
}

// firstJob submits a run to a grid, and ends it when this node, the oldest, computes its root. It
// tells when that was, and when submit had ended.
func firstJob(t *testing.T, m machine, n *node) (first, ended time.Duration) {
	t.Helper()
	began, over := time.Now(), make(chan struct{})
	go func() { // ends with the process
		defer close(over)
		exec.Command(binary, "submit", "nqueens", "19", "--join", m.ticket, "--state", m.home).Run()
		ended = time.Since(began)
	}()
	var id string
	n.await(t, "computing the root", func(s admin.Status) bool {
		for _, r := range s.Runs {
			// jobs are counted five times a second only
			if r.Here {
				id = r.ID.String()
			}
		}
		return id != ""
	})
	first = time.Since(began)
	<-over
	if err := admin.Tell(context.Background(), n.folder, admin.Request{Do: admin.Cancel, Run: id}, func(string) {}); err != nil {
		t.Fatal(err)
	}
	n.await(t, "without a run", func(s admin.Status) bool { return len(s.Runs) == 0 })
	return first, ended
}
