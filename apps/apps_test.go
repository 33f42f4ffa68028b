package apps

import (
	"os"
	"slices"
	"testing"
)

// TestAllAreListed finds every application under its folder's name.
func TestAllAreListed(t *testing.T) {
	all, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, x := range all {
		if x.IsDir() {
			want = append(want, x.Name())
		}
	}
	for _, a := range All() {
		got = append(got, a.Name)
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("the applications are %q, and the folders %q", got, want)
	}
}
