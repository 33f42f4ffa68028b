//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"satingrid/satin/await"
	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
	"satingrid/satin/ticket"
)

// TestDesertedClientSaysSo lets all peers of a grid die while a client waits: it says that nobody
// is reached, and nothing of how long it will take.
func TestDesertedClientSaysSo(t *testing.T) {
	t.Parallel()
	n := startNode(t, "--site", "a")
	log := filepath.Join(t.TempDir(), "log")
	c := exec.Command(binary, "run", "fib", "90", "--join", n.ticket)
	begin(t, c, log)
	said := func(want string) {
		t.Helper()
		var text []byte
		await.UntilOr(t, func() bool {
			var err error
			if text, err = os.ReadFile(log); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(text), "to go") || strings.Contains(string(text), "%") {
				t.Fatalf("it says what it cannot know: %q", text)
			}
			return strings.Contains(string(text), want)
		}, func() string { return fmt.Sprintf("it says %q, wanted %q", text, want) })
	}
	said("satin: running fib 90")
	n.kill()
	said("satin: no peer of the grid is reached; ")
	c.Process.Signal(syscall.SIGINT)
	c.Wait()
	if code := c.ProcessState.ExitCode(); code != 130 {
		t.Errorf("exit %d", code)
	}
}

func TestTicketLeadsToTheClient(t *testing.T) {
	t.Parallel()
	for _, isMade := range []bool{true, false} {
		t.Run(fmt.Sprint("made ", isMade), func(t *testing.T) {
			t.Parallel()
			ticketLeadsToTheClient(t, onLoopback, isMade)
		})
	}
}

// ticketLeadsToTheClient: all peers die while a client lives. A new host finds it with a ticket
// that was made while the client was there, or with the file that the first node keeps for others,
// and its run goes on.
func ticketLeadsToTheClient(t *testing.T, on ground, isMade bool) {
	loads := numbers
	if !isMade {
		loads = fibs(90, 90) // it goes on for longer than the file may be old
	}
	outlasting(t, loads, func(w load) bool { return ticketLeadsTo(t, on, isMade, w) })
}

// ticketLeadsTo is false where the run was over before all its peers had died.
func ticketLeadsTo(t *testing.T, on ground, isMade bool, w load) bool {
	hosts, _ := on(t, 3)
	n, from, fresh := hosts[0], hosts[1], hosts[2]
	n.start("--site", "a")
	run := startJoined(t, from.by, n.ticket, w.args...)
	var client []string
	n.await(t, "reached by a client", func(s admin.Status) bool {
		client = s.Others
		return run.over() || len(client) > 0 && len(s.Runs) > 0
	})
	if run.over() {
		return false
	}
	invitation := filepath.Join(t.TempDir(), "ticket")
	if !isMade {
		invitation = n.ticket
		await.Until(t, "the ticket names the client", func() bool {
			of, err := ticket.Load(invitation)
			return err == nil && slices.Contains(of.Addrs, client[0])
		})
	} else if got := runBinary(t, nil, "key", "invite", "--state", n.folder, "--ticket", invitation); got.code != console.ExitOK {
		t.Fatalf("exit %d, %q", got.code, got.err)
	}
	n.dies()
	if !fresh.launch("--site", "b", "--join", invitation) {
		if !run.over() {
			t.Fatalf("nobody is found by the ticket while the client waits: %s", fresh.said(t))
		}
		return false // who has its answer waits for nobody
	}
	if isMade {
		run.answers(t, w.name, w.value, n.node, fresh.node)
		return true
	}
	fresh.await(t, "at work for the client", func(s admin.Status) bool { return len(s.Runs) > 0 })
	return true
}
