package satin_test

import (
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// ofOneKind are folders whose row stands for all below them: each of those is one of many alike.
var ofOneKind = []string{"apps", "satin/program/examples"}

var folderRow = regexp.MustCompile("(?m)^\\| (`[^|]+`) \\| ")

// TestFoldersAreInTheTable holds the table of docs/architecture.md under "The folders" against the
// folders that there are.
func TestFoldersAreInTheTable(t *testing.T) {
	root := moduleRoot(t)
	page, err := os.ReadFile(filepath.Join(root, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, text, found := strings.Cut(string(page), "\n## The folders\n")
	if text, _, _ = strings.Cut(text, "\n## "); !found {
		t.Fatal("the page has no table of folders")
	}
	sources := map[string]bool{}
	for _, name := range goFiles(t, root) {
		sources[path.Dir(name)] = true
	}
	listed := foldersListed(text)
	for _, folder := range listed {
		if _, err := os.Stat(filepath.Join(root, folder)); err != nil {
			t.Errorf("the table has %s, which is not there", folder)
		}
	}
	for _, folder := range foldersMissing(slices.Sorted(maps.Keys(sources)), listed) {
		t.Errorf("the table does not have %s", folder)
	}
}

func TestFoldersMissingAreFound(t *testing.T) {
	listed := foldersListed("| folder | what |\n|---|---|\n| `a`, `a/b` | with `c` |\n| `apps` | all |\n")
	if want := []string{"a", "a/b", "apps"}; !slices.Equal(listed, want) {
		t.Errorf("listed are %q, not %q", listed, want)
	}
	there := []string{"a", "a/b", "a/b/c", "apps/x/cli", "c"}
	if got, want := foldersMissing(there, listed), []string{"a/b/c", "c"}; !slices.Equal(got, want) {
		t.Errorf("missing are %q, not %q", got, want)
	}
}

// foldersListed are those of the first column of a table.
func foldersListed(text string) (listed []string) {
	for _, row := range folderRow.FindAllStringSubmatch(text, -1) {
		for _, span := range docsSpan.FindAllStringSubmatch(row[1], -1) {
			listed = append(listed, span[1])
		}
	}
	return listed
}

// foldersMissing are those that are there and that no row is about.
func foldersMissing(there, listed []string) (missing []string) {
	for _, folder := range there {
		isOne := slices.ContainsFunc(ofOneKind, func(all string) bool { return strings.HasPrefix(folder, all+"/") })
		if !isOne && !slices.Contains(listed, folder) {
			missing = append(missing, folder)
		}
	}
	return missing
}
