//go:build unix

package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestSATProofTooLarge has a proof that may not travel: the run fails and names the flag.
func TestSATProofTooLarge(t *testing.T) {
	folder := t.TempDir()
	_, got := runSites(t, "run", "sat", "--generate", "3sat,200,1", "--proof", filepath.Join(folder, "a.drat"),
		"--sites", "a:1,b:1", "--result-max", "64KiB")
	if got.code != exitFailed || got.out != "" || !strings.Contains(got.err, "65536 may travel (--result-max)") {
		t.Errorf("exit %d, %s%s", got.code, got.out, got.err)
	}
	alone(t, folder)
}
