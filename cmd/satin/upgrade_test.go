//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"satingrid/satin"
	"satingrid/satin/await"
	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
)

// upgradeVariable is set where six nodes are upgraded under a run that outlasts that; without it
// they are three, and the run is short. And it is set where builds are made to be compared.
const upgradeVariable = "SATIN_UPGRADE"

// A build is a command; older and newer are of the same sources, and two builds all the same.
type build func(args ...string) *exec.Cmd

// older is the command that all tests run.
func older(args ...string) *exec.Cmd { return exec.Command(binary, args...) }

// newer is what the scripts type: this test itself.
func newer(args ...string) *exec.Cmd {
	c := exec.Command(os.Args[0], args...)
	c.Args[0] = "satin"
	return c
}

// runs runs the command to its end.
func (b build) runs(t *testing.T, args ...string) ended {
	t.Helper()
	var out, err bytes.Buffer
	c := b(args...)
	c.Stdout, c.Stderr = &out, &err
	start := time.Now()
	c.Run()
	return ended{c.ProcessState.ExitCode(), out.String(), err.String(), time.Since(start)}
}

// node starts a node and does not wait for it.
func (b build) node(t *testing.T, folder string, args ...string) *node {
	t.Helper()
	n := &node{folder: folder, log: filepath.Join(t.TempDir(), "log")}
	n.process = b(append([]string{"node", "--workers", "1", "--listen", anyPort, "--state", folder}, args...)...)
	begin(t, n.process, n.log)
	return n
}

// awaitIn waits until a node is in its grid.
func awaitIn(t *testing.T, n *node) {
	t.Helper()
	await.UntilOr(t, seldom(func() bool {
		_, err := admin.Ask(n.folder)
		return err == nil
	}), func() string { return "the node is not in: " + n.said(t) })
}

// TestRollingUpgrade replaces the nodes of one build by those of another, one after the other, with
// their state folders and one folder of tickets for all. A run is on that the older build has
// begun, and another waits for the newer. Both have the right answer. Work is there for either
// build all the time, and no host is idle for long.
func TestRollingUpgrade(t *testing.T) {
	if os.Getenv(upgradeVariable) == "" {
		t.Parallel()
		upgrade(t, 3, boards[1])
		return
	}
	outlasting(t, boards[2:], func(w load) bool { return upgrade(t, 6, w) })
}

// upgrade tells whether the run was on until the last of the older nodes was left.
func upgrade(t *testing.T, hosts int, w load) (lasted bool) {
	dir := t.TempDir()
	var nodes []*node
	for range hosts {
		nodes = append(nodes, build(older).node(t, filepath.Join(t.TempDir(), "state"), "--join", dir))
	}
	awaitAll(t, nodes)
	var answer bytes.Buffer
	long := older(append([]string{"run", "--join", dir}, w.args...)...)
	long.Stdout = &answer
	begin(t, long, filepath.Join(t.TempDir(), "log"))
	nodes[0].await(t, "computing", func(s admin.Status) bool { return len(s.Runs) > 0 })
	idle := watchIdle(nodes)
	defer idle.stop()
	if got := build(newer).runs(t, "submit", "nqueens", "14", "--join", dir, "--state", filepath.Join(dir, "client")); got.code != console.ExitIncompatible ||
		!strings.Contains(got.err, "; no grid of this build is known there: start one with satin node --next --join TICKET\n") {
		t.Fatalf("before there is a node of its build: exit %d, %q", got.code, got.err)
	}

	waiting, forever := "", ""
	submit := func(words ...string) (id string) {
		got := build(newer).runs(t, append(words, "--join", dir, "--state", filepath.Join(dir, "client"))...)
		if got.code != console.ExitOK {
			t.Fatalf("with one node of its build: exit %d, %q", got.code, got.err)
		}
		return strings.TrimSpace(got.out)
	}
	replace := func(i int) {
		nodes[i] = build(newer).node(t, nodes[i].folder, "--join", dir, "--next")
		awaitIn(t, nodes[i])
	}
	for i := range hosts - 1 {
		nodes[i].end()
		if code := nodes[i].process.ProcessState.ExitCode(); code != console.ExitOK {
			t.Errorf("an older node leaves: exit %d, %s", code, nodes[i].said(t))
		}
		replace(i)
		if i == 0 {
			waiting, forever = submit("submit", "nqueens", "14"), submit("submit", "nqueens", "20")
		}
	}
	last := nodes[hosts-1]
	s := last.status(t)
	lasted = len(s.Runs) > 0 && s.Runs[0].State != "answered"
	if got := build(older).runs(t, "leave", "--self", "--until-idle", "--state", last.folder); got.code != console.ExitOK {
		t.Errorf("exit %d, %q", got.code, got.err)
	}
	long.Wait()
	if code, want := long.ProcessState.ExitCode(), fmt.Sprintf("%.0f\n", w.value); code != console.ExitOK || answer.String() != want {
		t.Errorf("the older build's run: exit %d, %q, wanted %q", code, &answer, want)
	}
	last.process.Wait()
	if code := last.process.ProcessState.ExitCode(); code != console.ExitOK {
		t.Errorf("the last older node leaves: exit %d, %s", code, last.said(t))
	}
	replace(hosts - 1)
	awaitAll(t, nodes)
	nodes[hosts-1].await(t, "computing", func(s admin.Status) bool { return s.Totals.Executing > 0 })
	longest := idle.stop()
	submit("cancel", forever)
	if got := build(newer).runs(t, "result", waiting, "--wait", "--join", dir, "--state", filepath.Join(dir, "client")); got.out != "365596\n" {
		t.Errorf("the newer build's run: exit %d, %q, %q", got.code, got.out, got.err)
	}
	fmt.Printf("upgrade: %d nodes, %v, the run lasted until one was left: %v; a host was idle for %v at most\n", hosts, w.args, lasted, longest.Round(time.Millisecond))
	if longest > time.Minute {
		t.Errorf("a host was idle for %v, and there was work", longest)
	}
	for _, n := range nodes {
		n.end()
	}
	return lasted
}

// idleWatch finds out for how long hosts do not compute, as the nodes on them say.
type idleWatch struct {
	end     chan struct{}
	ended   chan struct{}
	longest time.Duration // that one has not, without a break
}

// watchIdle watches the hosts that these nodes are on, whatever other nodes are there later, until
// it is stopped.
func watchIdle(nodes []*node) *idleWatch {
	w := &idleWatch{end: make(chan struct{}), ended: make(chan struct{})}
	var folders []string
	for _, n := range nodes {
		folders = append(folders, n.folder)
	}
	go func() {
		defer close(w.ended)
		w.watch(folders)
	}()
	return w
}

// idleEvery is how often it is looked. Where it was not looked for longer, this process was held
// up: that is no time in which somebody was idle.
const idleEvery = 200 * time.Millisecond

func (w *idleWatch) watch(folders []string) {
	last := time.Now()
	idle, busy := make([]time.Duration, len(folders)), make([]float64, len(folders))
	for {
		select {
		case <-w.end:
			return
		case <-time.After(idleEvery):
		}
		passed := min(time.Since(last), 2*idleEvery)
		last = time.Now()
		for i, folder := range folders {
			s, err := admin.Ask(folder)
			computes := err == nil && (s.Totals.Executing > 0 || s.Totals.Busy > busy[i])
			busy[i] = s.Totals.Busy
			switch {
			case computes:
				idle[i] = 0
			case err == nil && !hasWork(s):
			default:
				idle[i] += passed
				w.longest = max(w.longest, idle[i])
			}
		}
	}
}

// hasWork tells whether a node's grid has a run that is not answered. Where that of the older build
// has none, its nodes wait to be replaced.
func hasWork(s admin.Status) bool {
	return slices.ContainsFunc(s.Runs, func(r satin.RunStats) bool { return !r.State.HasAnswer() })
}

// stop ends it, and tells for how long a host has not computed.
func (w *idleWatch) stop() time.Duration {
	select {
	case <-w.ended:
	default:
		close(w.end)
		<-w.ended
	}
	return w.longest
}

// TestSuccessorsBecomeOne starts two nodes that both found the grid of their build, as each knows
// of the older one alone. Its members tell each of the other.
func TestSuccessorsBecomeOne(t *testing.T) {
	t.Parallel()
	old := startNode(t)
	var nodes []*node
	for range 2 {
		nodes = append(nodes, build(newer).node(t, filepath.Join(t.TempDir(), "state"), "--join", old.ticket, "--next"))
	}
	awaitAll(t, nodes)
	for _, n := range nodes {
		await.UntilOr(t, func() bool {
			return strings.Contains(n.said(t), " knows that this one is its next\n")
		}, func() string { return "it says " + n.said(t) })
	}
	// The older grid is none of theirs: it goes on as it was.
	old.awaitMembers(t, old)
}
