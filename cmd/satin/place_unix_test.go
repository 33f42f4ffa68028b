//go:build unix

package main

import (
	"strings"
	"testing"

	"satingrid/satin/program/console"
)

// TestJoinByAddress computes on a grid whose secret is in a node's state folder.
func TestJoinByAddress(t *testing.T) {
	t.Parallel()
	n := startNode(t)
	elsewhere := "XDG_STATE_HOME=" + t.TempDir()
	run := []string{"run", "fib", "20", "--join", n.addr}
	if got := runBinary(t, []string{elsewhere}, append(run, "--state", n.folder)...); got.code != console.ExitOK || got.out != "6765\n" {
		t.Errorf("exit %d, %q, %q", got.code, got.out, got.err)
	}
	if got := runBinary(t, []string{elsewhere, "SATIN_STATE=" + n.folder}, run...); got.code != console.ExitOK || got.out != "6765\n" {
		t.Errorf("with the folder in the environment: exit %d, %q, %q", got.code, got.out, got.err)
	}
	if got := runBinary(t, []string{elsewhere}, run...); got.code != console.ExitRefused || !strings.Contains(got.err, "has no grid's secret yet") {
		t.Errorf("without the folder: exit %d, %q, %q", got.code, got.out, got.err)
	}
	n.stop(t)
}

// TestVerifyOfChoosingJobs says what --verify leaves out.
func TestVerifyOfChoosingJobs(t *testing.T) {
	t.Parallel()
	const says = "satin: --verify does nothing for sat, whose jobs read the best solution so far: two results of one may differ and both be right\n"
	for line, want := range map[string]string{
		"run sat --generate php,3 --sites a:1 --verify 1": says,
		"run sat --generate php,3 --sites a:1":            "",
		"run nqueens 6 --sites a:1 --verify 1":            "",
	} {
		if _, got := runSites(t, strings.Fields(line)...); got.code != console.ExitOK || strings.Contains(got.err, "--verify") != (want != "") || !strings.HasPrefix(got.err, want) {
			t.Errorf("%s: exit %d, %q, wanted %q", line, got.code, got.err, want)
		}
	}
	for _, a := range command().Applications {
		_, out, _ := inProcess("help", "run", a.Name)
		if strings.Contains(out, "it does nothing for "+a.Name+", ") != a.Chooses {
			t.Errorf("the help of %s says\n%s", a.Name, out)
		}
	}
}
