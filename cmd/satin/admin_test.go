//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"satingrid/satin/program"
	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
)

// leftInOrder waits for a node's process to end by itself, and checks that it ends in order.
func (n *node) leftInOrder(t *testing.T) {
	t.Helper()
	timer := time.AfterFunc(patience, func() { n.process.Process.Kill() })
	defer timer.Stop()
	n.process.Wait()
	if code := n.process.ProcessState.ExitCode(); code != console.ExitOK {
		t.Errorf("%s: exit %d", n.name, code)
	}
}

// told runs a command that tells a node something, and gives what it prints.
func told(t *testing.T, args ...string) string {
	t.Helper()
	code, out, err := inProcess(args...)
	if code != console.ExitOK {
		t.Fatalf("%v: exit %d, %q, %q", args, code, out, err)
	}
	return out
}

// membersOf are the names of the peers that a node sees.
func membersOf(t *testing.T, n *node) (names []string) {
	t.Helper()
	var peers struct{ Peers []peer }
	if err := json.Unmarshal([]byte(told(t, "peers", "--json", "--state", n.folder)), &peers); err != nil {
		t.Fatal(err)
	}
	for _, p := range peers.Peers {
		names = append(names, p.Name)
	}
	return names
}

func TestLeaveCommand(t *testing.T) {
	t.Parallel()
	a := startNode(t, "--site", "a")
	b := startNode(t, "--site", "b", "--join", a.ticket)
	c := startNode(t, "--site", "c", "--join", a.ticket)
	refused(t, console.ExitUsage, `there is no peer "b/nobody"; there are a/`, "leave", "b/nobody", "--state", a.folder)
	refused(t, console.ExitUsage, "no peer is at site d", "leave", "--site", "d", "--state", a.folder)
	if out := told(t, "leave", b.name, "--wait", "--state", a.folder); !strings.HasPrefix(out, b.name+" has left after ") {
		t.Errorf("leave prints %q", out)
	}
	b.leftInOrder(t)
	c.awaitMembers(t, a, c)
	if out := told(t, "leave", "--site", "c", "--state", c.folder); out != c.name+" is leaving\n" {
		t.Errorf("leave prints %q", out)
	}
	c.leftInOrder(t)
	if out := told(t, "leave", "--self", "--wait", "--state", a.folder); !strings.HasPrefix(out, a.name+" has left after ") {
		t.Errorf("leave prints %q", out)
	}
	again := startNodeIn(t, a.folder, "--site", "a") // at once
	a.leftInOrder(t)
	again.stop(t)
}

func TestLifetime(t *testing.T) {
	t.Parallel()
	n := startNode(t, "--lifetime", "1500ms", "--grace", "1s")
	n.leftInOrder(t)
}

// migration is a satin migrate under way.
type migration struct {
	lines *bufio.Scanner
	text  string // so far
}

// migrate starts one by way of a node.
func migrate(t *testing.T, by *node, from, to string) *migration {
	t.Helper()
	c := exec.Command(binary, "migrate", "--from", from, "--to", to, "--state", by.folder)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	begin(t, c, filepath.Join(t.TempDir(), "log"))
	return &migration{lines: bufio.NewScanner(out)}
}

// await waits until it says something.
func (m *migration) await(t *testing.T, words string) {
	t.Helper()
	for m.lines.Scan() {
		m.text += m.lines.Text() + "\n"
		if strings.Contains(m.lines.Text(), words) {
			return
		}
	}
	t.Fatalf("migrate says %q, and never %q", m.text, words)
}

// TestMigrateCommand moves a run to a site that is not there yet when it is told to.
func TestMigrateCommand(t *testing.T) {
	t.Parallel()
	a := startNode(t, "--site", "delft")
	b := startNode(t, "--site", "delft", "--join", a.ticket)
	run := startJoined(t, nil, a.ticket, "nqueens", "15")
	run.underway(t)
	m := migrate(t, b, "delft", "paris")
	m.await(t, "no peer is at paris yet; waiting for one to join. delft goes on computing")
	c := startNode(t, "--site", "paris", "--join", b.ticket)
	m.await(t, "moved: 2 peers left delft in ")
	for _, n := range []*node{a, b} {
		if !strings.Contains(m.text, n.name+" has left after ") {
			t.Errorf("migrate prints %q, and %s has left", m.text, n.name)
		}
	}
	a.leftInOrder(t)
	b.leftInOrder(t)
	got := run.result()
	var d program.Document
	if err := json.Unmarshal([]byte(got.out), &d); err != nil || got.code != console.ExitOK || solutions(d) != 2279184.0 {
		t.Errorf("%v, exit %d, %q, %+v", err, got.code, got.err, d)
	}
	c.awaitMembers(t, c)
}

func TestKickCommand(t *testing.T) {
	t.Parallel()
	a := startNode(t, "--site", "a")
	c := startNode(t, "--site", "c", "--join", a.ticket)
	b := startNode(t, "--site", "b", "--join", a.ticket)
	refused(t, console.ExitUsage, "a node does not kick itself", "kick", a.name, "--state", a.folder)
	if out := told(t, "kick", b.name, "--state", a.folder); !strings.HasPrefix(out, b.name+" is out of the grid, and barred until satin kick --undo ") {
		t.Errorf("kick prints %q", out)
	}
	b.process.Wait()
	if code := b.process.ProcessState.ExitCode(); code != console.ExitRefused {
		t.Errorf("the barred node ended with %d", code)
	}
	again := []string{"node", "--site", "b", "--workers", "1", "--listen", anyPort, "--state", b.folder, "--join"}
	for _, n := range []*node{a, c} {
		refused(t, console.ExitRefused, "barred", append(again, n.ticket)...)
	}
	if out := told(t, "kick", "--undo", b.name, "--state", c.folder); !strings.HasSuffix(out, " may join again\n") {
		t.Errorf("kick --undo prints %q", out)
	}
	back := startNodeIn(t, b.folder, "--site", "b", "--join", a.ticket)
	if names := membersOf(t, back); len(names) != 3 {
		t.Errorf("after it was let in again there are %v", names)
	}
}

// TestBarsAreKept bars a peer at a node that is alone, and starts that node anew.
func TestBarsAreKept(t *testing.T) {
	t.Parallel()
	guest := filepath.Join(t.TempDir(), "guest")
	id := strings.Fields(told(t, "key", "show", "--state", guest))[0]
	a := startNode(t)
	told(t, "kick", id, "--state", a.folder)
	a.stop(t)
	a = startNodeIn(t, a.folder)
	refused(t, console.ExitRefused, "is barred from the grid; satin kick --undo", "node", "--listen", anyPort, "--state", guest, "--join", a.ticket)
}

// TestClientComesBack kills a client and starts it again, while its run goes on and when
// it has ended: it is one computation, of which the second client hears how far it is,
// and gets the answer.
func TestClientComesBack(t *testing.T) {
	t.Parallel()
	t.Run("goes on", func(t *testing.T) {
		outlasting(t, boards, func(w load) bool { return clientComesBack(t, w, false) })
	})
	t.Run("has ended", func(t *testing.T) {
		outlasting(t, boards, func(w load) bool { return clientComesBack(t, w, true) })
	})
}

// clientComesBack lets the second client come when the run has ended, or before.
func clientComesBack(t *testing.T, w load, ended bool) (played bool) {
	t.Helper()
	a := startNode(t, "--site", "a")
	first := startJoined(t, nil, a.ticket, w.args...)
	first.underway(t)
	a.await(t, "at work", func(s admin.Status) bool { return first.over() || len(s.Runs) == 1 && s.Runs[0].Jobs > 0 })
	first.process.Process.Kill()
	<-first.done
	if ended {
		a.await(t, "done", func(s admin.Status) bool { return len(s.Runs) == 0 || s.Runs[0].Progress == 1 })
	}
	before := a.status(t).Runs
	if len(before) == 0 || !ended && before[0].Progress == 1 {
		return false // the first client has its answer, or the second would come too late
	}
	second := startJoined(t, nil, a.ticket, w.args...)
	ticks, jobs := 0, int64(0) // of the run, since the second client has heard of it
	for !second.wait(20 * time.Millisecond) {
		heard := len(second.masters(t)) > 0
		now := a.status(t).Runs
		if len(now) > 1 || len(now) == 1 && now[0].Jobs < before[0].Jobs {
			t.Fatalf("it is computed anew: before the client came back there was %+v, now there is %+v", before, now)
		}
		if heard && len(now) == 1 && now[0].Jobs > jobs {
			ticks, jobs = ticks+1, now[0].Jobs
		}
	}
	d := second.answers(t, w.name, w.value, a)
	a.stop(t)
	if ended {
		return true
	}
	if ticks < 3 {
		return false // it came too late to be told anything
	}
	if d.Jobs.Executed < before[0].Jobs {
		t.Errorf("the second client was told of %d jobs, and %d were executed before it came", d.Jobs.Executed, before[0].Jobs)
	}
	return true
}
