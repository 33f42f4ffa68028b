//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"satingrid/satin/await"
	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
)

// machine is a machine of somebody's, with a ticket and nothing else.
type machine struct {
	home   string
	ticket string
}

func newMachine(t *testing.T, n *node) machine { return machine{t.TempDir(), n.ticket} }

// types runs a command there to its end, with the ticket.
func (m machine) types(t *testing.T, args ...string) ended {
	t.Helper()
	return runBinary(t, []string{"XDG_STATE_HOME=" + m.home}, append(args, "--join", m.ticket)...)
}

// begins starts a command there, in a process group of its own, as a shell does.
func (m machine) begins(t *testing.T, args ...string) (c *exec.Cmd, out, said *bytes.Buffer) {
	t.Helper()
	out, said = new(bytes.Buffer), new(bytes.Buffer)
	c = exec.Command(binary, append(args, "--join", m.ticket)...)
	c.Env = append(os.Environ(), "XDG_STATE_HOME="+m.home)
	c.Stdout, c.Stderr = out, said
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
		c.Wait()
	})
	return c, out, said
}

// remembers waits until a run is remembered on a machine: the grid has accepted it.
func (m machine) remembers(t *testing.T) (id string) {
	t.Helper()
	await.Until(t, "a run is remembered", func() bool {
		files, err := filepath.Glob(filepath.Join(m.home, "satin", "submitted", "*.json"))
		if err != nil || len(files) == 0 {
			return false
		}
		id = strings.TrimSuffix(filepath.Base(files[0]), ".json")
		return true
	})
	return id
}

// answered waits until a node says that the run has its answer.
func answered(t *testing.T, n *node, id string) {
	t.Helper()
	n.await(t, "with an answer", func(s admin.Status) bool { return hasAnswer(s, id) })
}

// TestAnswerOutlivesItsSubmitter kills the process that has asked for a run which is to be kept.
// The run goes on, and another machine, which has a ticket only, fetches its answer; so it does
// when the node is gone that was the run's master, too.
func TestAnswerOutlivesItsSubmitter(t *testing.T) {
	t.Parallel()
	a := startNode(t, "--site", "a")
	b := startNode(t, "--site", "b", "--join", a.ticket)
	a.awaitMembers(t, a, b)
	outlasting(t, boards, func(w load) bool {
		mine, other := newMachine(t, a), newMachine(t, b)
		c, _, _ := mine.begins(t, slices.Concat([]string{"run"}, w.args, []string{"--keep", "1h"})...)
		id := mine.remembers(t)
		c.Process.Kill()
		c.Wait()
		if hasAnswer(a.status(t), id) {
			return false
		}
		answer := fmt.Sprintf("%.0f\n", w.value)
		if got := other.types(t, "result", id[:8], "--wait"); got.code != console.ExitOK || got.out != answer {
			t.Fatalf("exit %d, %q, %q", got.code, got.out, got.err)
		}
		answered(t, b, id)
		a.kill()
		if got := other.types(t, "result", id[:8], "--wait", "--timeout", stuckAfter); got.code != console.ExitOK || got.out != answer {
			t.Errorf("without its master: exit %d, %q, %q", got.code, got.out, got.err)
		}
		return true
	})
}

// TestInterruptLeavesTheRun: a run that is to be kept is left to the grid at the first interrupt,
// and it is said how to come back to it. That does.
func TestInterruptLeavesTheRun(t *testing.T) {
	t.Parallel()
	outlasting(t, boards, func(w load) bool {
		n := startNode(t)
		m := newMachine(t, n)
		c, out, said := m.begins(t, append(append([]string{"run"}, w.args...), "--keep", "90m")...)
		id := m.remembers(t)
		c.Process.Signal(syscall.SIGINT)
		c.Wait()
		code, answer := c.ProcessState.ExitCode(), fmt.Sprintf("%.0f\n", w.value)
		if code == console.ExitOK && out.String() == answer {
			return false // it had ended before
		}
		want := fmt.Sprintf("; run %.8s goes on, and its answer is kept for 1h30m: satin watch %.8s\n", id, id)
		if code != 130 || out.Len() > 0 || !strings.HasSuffix(said.String(), want) {
			t.Fatalf("exit %d, %q, %q, wanted %q", code, out, said, want)
		}
		back := runBinary(t, []string{"XDG_STATE_HOME=" + m.home}, "watch", id[:8])
		if back.code != console.ExitOK || back.out != answer {
			t.Errorf("exit %d, %q, %q", back.code, back.out, back.err)
		}
		return true
	})
}

// TestInterruptedWatchEndsNothing: who watches another's run may go.
func TestInterruptedWatchEndsNothing(t *testing.T) {
	t.Parallel()
	n := startNode(t)
	outlasting(t, boards, func(w load) bool {
		mine, other := newMachine(t, n), newMachine(t, n)
		if got := mine.types(t, append([]string{"submit"}, w.args...)...); got.code != console.ExitOK {
			t.Fatalf("exit %d, %q", got.code, got.err)
		}
		id := mine.remembers(t)
		c, out, said := other.begins(t, "watch", id, "--events", filepath.Join(other.home, "events"))
		await.Until(t, "it watches", func() bool {
			_, err := os.Stat(filepath.Join(other.home, "events"))
			return err == nil
		})
		c.Process.Signal(syscall.SIGTERM)
		c.Wait()
		code := c.ProcessState.ExitCode()
		if code == console.ExitOK {
			return false // it had ended before
		}
		if code != 143 || out.Len() > 0 || !strings.HasSuffix(said.String(), "the run goes on\n") {
			t.Errorf("exit %d, %q, %q", code, out, said)
		}
		if got := mine.types(t, "result", "@last", "--wait"); got.code != console.ExitOK || got.out != fmt.Sprintf("%.0f\n", w.value) {
			t.Errorf("exit %d, %q, %q", got.code, got.out, got.err)
		}
		return true
	})
}

// stopped is how long a client is stopped: its sessions end meanwhile.
const stopped = 7 * time.Second

// TestStoppedClient stops a client, as Ctrl-Z does, and lets it go on, as fg does: it is not taken
// for dead, and has the right answer.
func TestStoppedClient(t *testing.T) {
	t.Parallel()
	n := startNode(t)
	m := newMachine(t, n)
	c, out, said := m.begins(t, "run", "nqueens", "15")
	id := m.remembers(t)
	stopFor(t, c, stopped)
	c.Wait()
	if code := c.ProcessState.ExitCode(); code != console.ExitOK || out.String() != "2279184\n" {
		t.Errorf("run %s: exit %d, %q, %q", id, code, out, said)
	}
}

// TestStoppedSites stops a run of --sites with all its peers, which a terminal does to the whole
// group.
func TestStoppedSites(t *testing.T) {
	t.Parallel()
	c := exec.Command(binary, "run", "nqueens", "14", "--sites", "a:1,b:1", "--json")
	var out bytes.Buffer
	c.Stdout = &out
	c, rest := underway(t, c, "satin: running nqueens 14\n")
	stopFor(t, c, stopped)
	end(t, c, rest, console.ExitOK, "")
	if !strings.Contains(out.String(), `"answer":{"solutions":365596},"complete":true`) {
		t.Errorf("%s", &out)
	}
}

// stopFor stops a command's process group, sees that it has stopped, and lets it go on after a
// time.
func stopFor(t *testing.T, c *exec.Cmd, d time.Duration) {
	t.Helper()
	syscall.Kill(-c.Process.Pid, syscall.SIGTSTP)
	awaitStopped(t, c)
	time.Sleep(d)
	syscall.Kill(-c.Process.Pid, syscall.SIGCONT)
}

// awaitStopped waits until a process is stopped that was told so.
func awaitStopped(t *testing.T, c *exec.Cmd) {
	t.Helper()
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("no /proc here, so nobody can tell what is stopped")
	}
	stat := fmt.Sprintf("/proc/%d/stat", c.Process.Pid)
	await.Until(t, "it is stopped", func() bool {
		text, err := os.ReadFile(stat)
		if err != nil {
			t.Fatalf("it has ended: %v", err)
		}
		_, after, _ := strings.Cut(string(text), ") ")
		return strings.HasPrefix(after, "T")
	})
}

// TestClientsKeepTheirIdentity: a node that lets in listed hosts only may list a client, which is
// the same at each start.
func TestClientsKeepTheirIdentity(t *testing.T) {
	t.Parallel()
	n := startNode(t)
	m := newMachine(t, n)
	if got := m.types(t, "run", "fib", "20"); got.code != console.ExitOK {
		t.Fatalf("exit %d, %q", got.code, got.err)
	}
	folders, err := filepath.Glob(filepath.Join(m.home, "satin", "clients", "*"))
	if err != nil || len(folders) != 1 {
		t.Fatalf("%q, %v", folders, err)
	}
	id := func() string { return runBinary(t, nil, "key", "show", "--state", folders[0], "--json").out }
	first := id()
	var key struct{ ID string }
	if err := json.Unmarshal([]byte(first), &key); err != nil {
		t.Fatalf("%v: %s", err, first)
	}
	list := filepath.Join(t.TempDir(), "ids")
	if err := os.WriteFile(list, []byte(key.ID+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	// another node of the same grid, which is all that there is of it now
	n.stop(t)
	strict := startNodeIn(t, n.folder, "--allow", list)
	m.ticket = strict.ticket
	if got := newMachine(t, strict).types(t, "jobs"); got.code != console.ExitRefused || !strings.Contains(got.err, "allow-list") {
		t.Errorf("another client: exit %d, %q", got.code, got.err)
	}
	if got := m.types(t, "jobs"); got.code != console.ExitOK || id() != first {
		t.Errorf("exit %d, %q; it is %s, and was %s", got.code, got.err, id(), first)
	}
}
