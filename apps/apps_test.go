package apps

import (
	"path/filepath"
	"slices"
	"testing"
)

// TestAllAreListed finds every application under its folder's name.
func TestAllAreListed(t *testing.T) {
	folders, err := filepath.Glob("*/cli")
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, folder := range folders {
		want = append(want, filepath.Dir(folder))
	}
	for _, a := range All() {
		got = append(got, a.Name)
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("the applications are %q, and the folders %q", got, want)
	}
}
