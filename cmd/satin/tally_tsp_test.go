//go:build unix

package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestTallyOfSites counts nodes that peers in processes of their own explore: the
// client has no workers.
func TestTallyOfSites(t *testing.T) {
	folder := t.TempDir()
	file, tally := filepath.Join(folder, "a.tsp"), filepath.Join(folder, "tally")
	if err := os.WriteFile(file, []byte(nine), 0o644); err != nil {
		t.Fatal(err)
	}
	d, got := runSites(t, "run", "tsp", file, "--sites", "a:1,b:1", "--tally", tally)
	if got.code != 0 {
		t.Fatalf("exit %d, %s", got.code, got.err)
	}
	work, _ := d.Answer.(map[string]any)["work"].(map[string]any)
	if work["nodes"] != 1.0 || work["explored"] != 1.0 {
		t.Errorf("%v", work)
	}
}
