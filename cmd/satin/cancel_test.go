//go:build unix

package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"satingrid/satin/await"
	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
)

// TestCancel withdraws a run that would take hours: through a node, by the beginning of its id; as
// @last where it was submitted from; and from a machine that has a ticket and nothing else.
func TestCancel(t *testing.T) {
	t.Parallel()
	n := startNode(t)
	here := t.TempDir()
	for _, way := range [][]string{
		{"--state", n.folder},
		{"--state", filepath.Join(here, "satin")},
		{"--state", t.TempDir(), "--join", n.ticket},
	} {
		r := startJoined(t, []string{"env", "XDG_STATE_HOME=" + here}, n.ticket, "nqueens", "19")
		id := underWay(t, n.folder)
		word := id[:7]
		if strings.HasPrefix(way[1], here) {
			word = "@last"
		}
		got := runBinary(t, nil, append([]string{"cancel", word}, way...)...)
		if got.code != console.ExitOK || complaint(got.err) != "" || got.out != "run "+id[:8]+" of nqueens.Queens is cancelled\n" {
			t.Fatalf("satin cancel %v: exit %d, %q, %q", way, got.code, got.out, got.err)
		}
		select {
		case <-r.done:
		case <-time.After(patience):
			t.Fatal("the run goes on")
		}
		if r.process.ProcessState.ExitCode() != console.ExitFailed || !strings.Contains(r.err.String(), "cancelled") {
			t.Errorf("the run ended with %v and says %q", r.process.ProcessState, r.err.String())
		}
	}
	refused(t, console.ExitUsage, `there is no run "abc": the grid has none`, "cancel", "abc", "--state", n.folder)
}

// underWay is the id of the run that a node's grid computes.
func underWay(t *testing.T, folder string) string {
	t.Helper()
	var s admin.Status
	var err error
	await.UntilOr(t, seldom(func() bool {
		s, err = admin.Ask(folder)
		return err == nil && len(s.Runs) == 1 && s.Runs[0].Jobs > 0
	}), func() string { return fmt.Sprintf("no run is under way: %+v, %v", s.Runs, err) })
	return s.Runs[0].ID.String()
}
