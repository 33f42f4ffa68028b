package main

import (
	"path/filepath"
	"slices"
	"testing"
)

// TestApplications finds every application of folder apps in the list of this binary, under its
// folder's name.
func TestApplications(t *testing.T) {
	folders, err := filepath.Glob("../../apps/*/cli")
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, folder := range folders {
		want = append(want, filepath.Base(filepath.Dir(folder)))
	}
	for _, a := range command().Applications {
		got = append(got, a.Name)
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("the applications are %q, and the folders %q", got, want)
	}
}
