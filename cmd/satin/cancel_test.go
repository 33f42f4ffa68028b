//go:build unix

package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"satingrid/satin"
	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
)

// TestCancel withdraws a run that would take hours through a node, by the beginning of its id, and
// the next on the machine that has submitted it, where no node runs.
func TestCancel(t *testing.T) {
	n := startNode(t)
	here := t.TempDir()
	for _, folder := range []string{n.folder, here} {
		r := startJoined(t, []string{"env", "XDG_STATE_HOME=" + here}, n.ticket, "nqueens", "19")
		if folder == here {
			folder = filepath.Join(here, "satin")
		}
		id := underWay(t, n.folder)
		code, out, err := inProcess("cancel", id[:7], "--state", folder)
		if code != console.ExitOK || err != "" || !strings.HasPrefix(out, "run "+id[:7]) || !strings.HasSuffix(out, "is cancelled\n") {
			t.Fatalf("satin cancel: exit %d, %q, %q", code, out, err)
		}
		select {
		case <-r.done:
		case <-time.After(30 * time.Second):
			t.Fatal("the run goes on")
		}
		if r.process.ProcessState.ExitCode() != console.ExitFailed || !strings.Contains(r.err.String(), "cancelled") {
			t.Errorf("the run ended with %v and says %q", r.process.ProcessState, r.err.String())
		}
		if left, _ := filepath.Glob(filepath.Join(here, "satin", "submitted", "*")); len(left) > 0 {
			t.Errorf("it leaves %v", left)
		}
	}
	refused(t, console.ExitUsage, `there is no run "abc": nothing is computed`, "cancel", "abc", "--state", n.folder)
	refused(t, console.ExitRefused, "no node runs", "cancel", "abc", "--state", here)
}

// underWay is the id of the run that a node's grid computes.
func underWay(t *testing.T, folder string) string {
	t.Helper()
	for late := time.After(30 * time.Second); ; {
		s, err := admin.Ask(folder)
		if err == nil && len(s.Runs) == 1 && s.Runs[0].Jobs > 0 {
			return s.Runs[0].ID.String()
		}
		select {
		case <-late:
			t.Fatalf("no run is under way: %+v, %v", s.Runs, err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// standIn is a process that has submitted a run.
type standIn struct {
	run  satin.RunStats
	told chan string
}

func (s standIn) Status() admin.Status { return admin.Status{Runs: []satin.RunStats{s.run}} }

func (s standIn) Do(_ context.Context, r admin.Request, _ func(string)) error {
	s.told <- r.Run
	return nil
}

// TestCancelLast takes the run that was submitted last on this machine, whatever
// its process is called.
func TestCancelLast(t *testing.T) {
	folder := t.TempDir()
	refused(t, console.ExitUsage, "there is no run @last", "cancel", "@last", "--state", folder)
	told, now := make(chan string, 1), time.Now()
	runs := make([]satin.RunStats, 3)
	for n, process := range []string{"300", "20", "1"} {
		// their ages, and their names' order, are others
		runs[n].ID[0] = byte(n + 1)
		dir := filepath.Join(folder, "submitted", process)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		server, err := admin.Listen(dir, standIn{runs[n], told})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { server.Close() })
		age := []time.Duration{2, 1, 3}[n] * time.Second
		if err := os.Chtimes(dir, now.Add(-age), now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	if code, _, err := inProcess("cancel", "@last", "--state", folder); code != console.ExitOK {
		t.Fatalf("exit %d, %q", code, err)
	}
	if got := <-told; got != runs[1].ID.String() {
		t.Errorf("run %s is cancelled, and %s was the last", got, runs[1].ID)
	}
}

// TestDeadSubmitterIsForgotten: what a killed process has left goes, once it cannot be one
// that is about to answer.
func TestDeadSubmitterIsForgotten(t *testing.T) {
	folder := t.TempDir()
	dir := filepath.Join(folder, "submitted", "12")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, there := range []bool{true, false} {
		if !there {
			old := time.Now().Add(-2 * time.Minute)
			if err := os.Chtimes(dir, old, old); err != nil {
				t.Fatal(err)
			}
		}
		refused(t, console.ExitRefused, "no node runs", "cancel", "ab", "--state", folder)
		if _, err := os.Stat(dir); (err == nil) != there {
			t.Errorf("the folder is there: %v, wanted %v", err == nil, there)
		}
	}
}
