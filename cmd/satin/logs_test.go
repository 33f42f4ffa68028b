//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"satingrid/satin/await"
	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
	"satingrid/satin/program/runs"
)

// TestLogsFollowARun: one that follows a run through its node prints its bests, the loss of its
// master and where it begins again, as they happen, and ends with the run. A recording has how.
func TestLogsFollowARun(t *testing.T) {
	t.Parallel()
	a := startNode(t, "--site", "a")
	b := startNode(t, "--site", "b", "--join", a.ticket)
	a.awaitMembers(t, a, b)
	m := newMachine(t, a)
	if got := m.types(t, "submit", "knapsack", "--generate", "subsetsum,90,1000000000000000,1"); got.code != console.ExitOK {
		t.Fatalf("exit %d, %q", got.code, got.err)
	}
	id := m.remembers(t)
	happens := func(what string, is func(runs.Happening) bool) {
		t.Helper()
		await.Until(t, what, func() bool {
			s, err := admin.Story(b.folder, id, 0)
			return err == nil && slices.ContainsFunc(s.Lines, is)
		})
	}
	recording := filepath.Join(t.TempDir(), "grid.rec")
	begin(t, exec.Command(binary, "record", recording, "--state", b.folder), filepath.Join(t.TempDir(), "log"))
	recorded := func(what string) {
		t.Helper()
		await.Until(t, "the recording to have: "+what, func() bool {
			return strings.Contains(runBinary(t, nil, "report", recording).out, what)
		})
	}
	recorded(" is on; its master is ")
	var out bytes.Buffer
	c := exec.Command(binary, "logs", id, "--state", b.folder)
	c.Stdout = &out
	begin(t, c, filepath.Join(t.TempDir(), "log"))
	happens("it has a best", func(h runs.Happening) bool { return h.Event == "best" })
	a.kill()
	happens("it begins again", func(h runs.Happening) bool { return h.Event == "master" && h.What != "" })
	m.ticket = b.ticket
	if got := m.types(t, "cancel", id); got.code != console.ExitOK {
		t.Fatalf("exit %d, %q", got.code, got.err)
	}
	c.Wait()
	if code := c.ProcessState.ExitCode(); code != console.ExitOK {
		t.Fatalf("exit %d, %q", code, &out)
	}
	recorded(" was cancelled")
	// whether the loss or the new master is heard of first is chance
	for _, want := range []string{
		`^[0-9:]{8} submitted: knapsack [^\n]*\n[0-9:]{8} a/\S+ is master\n`,
		`\n[0-9:]{8} best [0-9]+, bound [0-9]+, gap [^\n]*\n([0-9:]{8} [^\n]*\n)*[0-9:]{8} b/\S+ is master: its root begins again there\n`,
		`\n[0-9:]{8} a/\S+ lost \(kill\)\n`,
		`\n[0-9:]{8} it was cancelled\n$`,
	} {
		if !regexp.MustCompile(want).MatchString(out.String()) {
			t.Errorf("it prints %q, want %s", &out, want)
		}
	}
}

// TestLogsOutliveTheNode: what had happened to a run before its node was killed is told when that
// was started again.
func TestLogsOutliveTheNode(t *testing.T) {
	t.Parallel()
	n := startNode(t)
	m := newMachine(t, n)
	if got := m.types(t, "submit", "nqueens", "19"); got.code != console.ExitOK {
		t.Fatalf("exit %d, %q", got.code, got.err)
	}
	id := m.remembers(t)
	if got := m.types(t, "share", id, "7"); got.code != console.ExitOK {
		t.Fatalf("exit %d, %q", got.code, got.err)
	}
	await.Until(t, "the story is written", func() bool {
		text, _ := os.ReadFile(filepath.Join(n.folder, "stories", id+".jsonl"))
		return strings.Contains(string(text), "its share is 7 now")
	})
	n.kill()
	n = startNodeIn(t, n.folder)
	if got := runBinary(t, nil, "cancel", id, "--state", n.folder); got.code != console.ExitOK {
		t.Fatalf("exit %d, %q", got.code, got.err)
	}
	got := runBinary(t, nil, "logs", id, "--state", n.folder)
	for _, line := range []string{"submitted: nqueens 19", " is master", "its share is 7 now, and was 100", "was started again", "it was cancelled"} {
		if !strings.Contains(got.out, line) {
			t.Errorf("there is no %q in %q", line, got.out)
		}
	}
}
