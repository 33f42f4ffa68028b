//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"satingrid/satin/await"

	"satingrid/satin/program"
	"satingrid/satin/program/console"
)

// runSites runs the command with --json on a grid of processes, and checks that
// nothing of it is left.
func runSites(t testing.TB, args ...string) (program.Document, ended) {
	t.Helper()
	got := runBinary(t, nil, append(args, "--json")...)
	var d program.Document
	if got.out != "" {
		if err := json.Unmarshal([]byte(got.out), &d); err != nil {
			t.Fatalf("%v: %q", err, got.out)
		}
	}
	noneLeft(t)
	return d, got
}

// noneLeft waits until no peer of this test's grids of processes is left: one that was killed is
// gone a moment later.
func noneLeft(t testing.TB) {
	t.Helper()
	await.UntilOr(t, seldom(func() bool { return len(peersOf(t)) == 0 }), func() string {
		return fmt.Sprintf("processes are left: %v", peersOf(t))
	})
}

// peersOf are the processes that run --sites has started in this test, by their command lines and
// environments.
func peersOf(t testing.TB) []string {
	t.Helper()
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil || len(lines) == 0 {
		t.Skip("no /proc here, so nobody can tell what is left")
	}
	var left []string
	for _, name := range lines {
		text, err := os.ReadFile(name)
		if err != nil || !strings.HasPrefix(string(text), binary+"\x00"+"__peer") {
			continue
		}
		folder := filepath.Dir(name)
		around, err := os.ReadFile(filepath.Join(folder, "environ"))
		if err == nil && slices.Contains(strings.Split(string(around), "\x00"), named(t)) {
			left = append(left, filepath.Base(folder))
		}
	}
	return left
}

func solutions(d program.Document) any {
	m, _ := d.Answer.(map[string]any)
	return m["solutions"]
}

func TestSites(t *testing.T) {
	t.Parallel()
	for line, peers := range map[string][]string{
		"run nqueens 12 --sites a:2,b:2":                 {"a/1", "a/2", "b/1", "b/2"},
		"run nqueens 12 --sites a:1,b:1,c:1 --wan 50ms":  {"a/1", "b/1", "c/1"},
		"run nqueens 12 --sites a:1x2 --wan 20ms,50Mbit": {"a/1"},
		"run nqueens 12 --sites a:2 --verify 0.5":        {"a/1", "a/2"},
		"run nqueens 12 --sites a:2 --ft off":            {"a/1", "a/2"},
		"run nqueens 12 --sites a:2 --copies 50ms":       {"a/1", "a/2"},
	} {
		d, got := runSites(t, strings.Fields(line)...)
		var names []string
		for _, p := range d.Peers {
			names = append(names, p.Name)
		}
		if got.code != 0 || solutions(d) != 14200.0 || !slices.Equal(names, peers) || !d.Complete || len(d.Losses) > 0 {
			t.Errorf("%s: exit %d, %q, %+v", line, got.code, got.err, d)
		}
	}
}

// TestLossWithoutTolerance loses a peer where nothing is done against that: the run
// fails, and says why.
func TestLossWithoutTolerance(t *testing.T) {
	t.Parallel()
	_, got := runSites(t, "run", "nqueens", "17", "--sites", "a:2", "--ft", "off", "--chaos", "kill a/2@200ms")
	if got.code != console.ExitFailed || !strings.HasSuffix(got.err, "a/2 was lost, and fault tolerance is off\n") {
		t.Errorf("exit %d, %q", got.code, got.err)
	}
}

func TestTreeOnSites(t *testing.T) {
	t.Parallel()
	d, got := runSites(t, "run", "uts", "T1", "--sites", "a:2,b:1", "--wan", "2ms")
	if answer, _ := json.Marshal(d.Answer); got.code != 0 || string(answer) != `{"depth":10,"leaves":3305118,"nodes":4130071}` {
		t.Errorf("exit %d, %q, %s", got.code, got.err, answer)
	}
}

// TestPictureOnSites renders one picture alone and on grids: it is the same to the last bit.
func TestPictureOnSites(t *testing.T) {
	t.Parallel()
	picture := []string{"run", "raytracer", "--size", "96x54", "--samples", "4"}
	digest := func(more ...string) any {
		d, got := runSites(t, append(slices.Clone(picture), more...)...)
		m, _ := d.Answer.(map[string]any)
		if got.code != 0 || m["sha256"] == nil {
			t.Fatalf("%v: exit %d, %q", more, got.code, got.err)
		}
		return m["sha256"]
	}
	alone := digest()
	for _, more := range [][]string{
		{"--sites", "a:2,b:2"},
		{"--sites", "a:1,b:1,c:1", "--wan", "50ms"},
		{"--sites", "a:1", "--chaos", "join b:2@0s"},
	} {
		if on := digest(more...); on != alone {
			t.Errorf("%v: %v, alone it is %v", more, on, alone)
		}
	}
}

// TestChaos kills a site and the master, stops a peer and lets one join: the answer stays the same.
func TestChaos(t *testing.T) {
	t.Parallel()
	outlasting(t, boards, func(w load) bool {
		d, got := runSites(t, slices.Concat([]string{"run"}, w.args, []string{"--sites", "a:2,b:2", "--chaos",
			"kill b@50ms; join c:1@60ms; kill master@100ms; stop a/2@100ms; cont a/2@200ms"})...)
		if got.code != console.ExitOK && len(d.Chaos.Missed) == 0 || solutions(d) != w.value {
			t.Errorf("exit %d, %q, %+v", got.code, got.err, d)
		}
		kills := 0
		for _, l := range d.Losses {
			if l.How == "kill" {
				kills++
			}
			if l.How == "kill" && l.Noticed == nil {
				t.Errorf("it is not known when %s was lost, though this command killed it", l.Peer)
			}
		}
		// or it was over before the last was noticed
		return len(d.Chaos.Missed) == 0 && kills == 3
	})
}

// TestCutIsNoticed cuts two sites off from each other for longer than it takes to hold somebody
// dead, which is longer where the machine is busy: both compute, each with a master, and put back
// what they had lent the other. When it has healed there is one answer, the right one.
func TestCutIsNoticed(t *testing.T) {
	t.Parallel()
	heal := 5 * time.Second
	outlasting(t, numbers, func(w load) bool {
		for ; heal < 20*time.Second; heal += 3 * time.Second {
			log := filepath.Join(t.TempDir(), "events")
			d, got := runSites(t, slices.Concat([]string{"run"}, w.args, []string{"--sites", "a:1,b:1", "--events", log, "--chaos", "cut a|b@300ms; heal@" + heal.String()})...)
			if len(d.Chaos.Missed) > 0 {
				return false // a longer run, cut off for as long
			}
			if answer, _ := d.Answer.(map[string]any); got.code != console.ExitOK || answer[w.name] != w.value {
				t.Errorf("exit %d, %q, %+v", got.code, got.err, d)
			}
			masters := mastersIn(t, log)
			t.Logf("cut until %v: the masters were %v and %d jobs were put back", heal, masters, d.Jobs.Again)
			if len(masters) >= 2 && d.Jobs.Again > 0 || t.Failed() {
				return true
			}
		}
		return false
	})
}

// TestEverybodyDies kills all peers: the run waits, says so, and goes on with the one that joins.
func TestEverybodyDies(t *testing.T) {
	t.Parallel()
	outlasting(t, boards, func(w load) bool {
		log := filepath.Join(t.TempDir(), "events")
		d, got := runSites(t, slices.Concat([]string{"run"}, w.args, []string{"--sites", "a:2", "--events", log, "--chaos", "kill a@50ms; join b:1@1s"})...)
		if len(d.Chaos.Missed) > 0 {
			return false // it was over before
		}
		if got.code != console.ExitOK || solutions(d) != w.value || d.Chaos.Fired != 2 {
			t.Errorf("exit %d, %q, %+v", got.code, got.err, d)
		}
		if want := "satin: no peer is left; the run waits for one to join\n"; strings.Count(got.err, want) != 1 {
			t.Errorf("it said %q, wanted %q", got.err, want)
		}
		if masters := mastersIn(t, log); len(masters) == 0 || masters[len(masters)-1] != "b/1" {
			t.Errorf("the masters were %v, and b/1 alone was left", masters)
		}
		return true
	})
}

// TestEveryVerb plays a script with all that the language has, on real processes. Peers join
// seldom: each makes the run take longer, and so lets more join.
func TestEveryVerb(t *testing.T) {
	t.Parallel()
	outlasting(t, boards[1:], func(w load) bool {
		log := filepath.Join(t.TempDir(), "events")
		d, got := runSites(t, slices.Concat([]string{"run"}, w.args, []string{"--sites", "a:2,b:2", "--events", log, "--grace", "10s", "--copies", "300ms", "--chaos",
			"join any@every 1500ms; stop a/2@100ms; cont a/2@400ms; leave b/1@150ms; cut a|b@200ms; heal@350ms; cut b>a@25%; heal@35%; " +
				"join c:2x2@2%; leave c@20%; kill b@40%; kill any@50%; kill master@60%"})...)
		if got.code != console.ExitOK && len(d.Chaos.Missed) == 0 || solutions(d) != w.value {
			t.Fatalf("exit %d, %q, %+v", got.code, got.err, d)
		}
		for _, l := range d.Losses {
			if !slices.Contains([]string{"kill", "silent", "cut", "leave"}, l.How) {
				t.Errorf("%s was lost by %q", l.Peer, l.How)
			}
		}
		text, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		for _, what := range []string{"stop a/2", "cont a/2", "leave b/1", "cut a|b", "heal", "cut b>a", "join c/1", "join c/2", "leave c/", "kill b/2"} {
			if !strings.Contains(string(text), `"event":"chaos","what":"`+what) {
				t.Logf("%v: %s did not happen, or to another: %v", w.args, what, d.Chaos)
				return false
			}
		}
		return true
	})
}

func TestMissedChaos(t *testing.T) {
	t.Parallel()
	d, got := runSites(t, "run", "nqueens", "8", "--sites", "a:1", "--chaos", "heal@0s; kill a/1@1h")
	if got.code != console.ExitFailed || solutions(d) != 92.0 || d.Chaos.Fired != 1 || !slices.Equal(d.Chaos.Missed, []string{"kill a/1@1h"}) {
		t.Errorf("exit %d, %q, %+v", got.code, got.err, d)
	}
	if want := "satin: --chaos: the run ended before these could happen: kill a/1@1h\n"; !strings.HasSuffix(got.err, want) {
		t.Errorf("it said %q", got.err)
	}
}

func TestSitesOutOfTime(t *testing.T) {
	t.Parallel()
	d, got := runSites(t, "run", "nqueens", "20", "--sites", "a:2", "--timeout", "300ms")
	if got.code != console.ExitTimeout || d.Complete {
		t.Errorf("exit %d, %q", got.code, got.err)
	}
}

// TestInterruptedSites interrupts grids of processes at several moments and in several ways.
func TestInterruptedSites(t *testing.T) {
	t.Parallel()
	peersOf(t)
	for _, c := range []struct {
		name string
		do   func(p *os.Process)
		code int
	}{
		{"once", func(p *os.Process) { p.Signal(syscall.SIGINT) }, 130},
		{"terminal", func(p *os.Process) { syscall.Kill(-p.Pid, syscall.SIGINT) }, 130},
		{"twice", func(p *os.Process) {
			p.Signal(syscall.SIGINT)
			time.Sleep(time.Millisecond) // or both might arrive as one
			p.Signal(syscall.SIGINT)
		}, 130},
		{"kill", func(p *os.Process) { p.Kill() }, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := exec.Command(binary, "run", "fib", "90", "--sites", "a:2", "--chaos", "stop a/2@0s")
			run.Env = append(os.Environ(), named(t))
			run, said := underway(t, run, "satin: chaos: stop a/2\n")
			if len(peersOf(t)) == 0 {
				t.Error("its peers are not told from others")
			}
			c.do(run.Process)
			timer := time.AfterFunc(patience, func() { run.Process.Kill() })
			defer timer.Stop()
			rest, _ := io.ReadAll(said)
			run.Wait()
			if got := run.ProcessState.ExitCode(); got != c.code {
				t.Errorf("exit %d, wanted %d; it said %q", got, c.code, rest)
			}
			noneLeft(t)
		})
	}
}
