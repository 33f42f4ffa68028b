package satin_test

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestNothingIsPlanted: what ships knows nothing of the defects that tests plant; they are edits of
// its sources, in gridsim/plants.
func TestNothingIsPlanted(t *testing.T) {
	root := moduleRoot(t)
	looked := 0
	for _, name := range goFiles(t, root) {
		ships := slices.Contains([]string{"satin", "steal", "orphan", "membership"}, strings.Split(name, "/")[0])
		if !ships || strings.HasSuffix(name, "_test.go") || path.Dir(name) == "satin/peer/workerstest" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		looked++
		for n, line := range strings.Split(string(text), "\n") {
			if strings.Contains(strings.ToLower(line), "plant") {
				t.Errorf("%s:%d: plant it by an edit in gridsim/plants/testdata: %s", name, n+1, strings.TrimSpace(line))
			}
		}
	}
	if looked < 100 {
		t.Errorf("only %d files were looked at", looked)
	}
}
