// Package golden is how tests hold what is shown to people against files that have it.
//
// [Same] compares a text with a file in testdata. With -rewrite, as in
// go test ./satin/program/top -rewrite, the files are written as it is now: whoever does that reads
// the difference, and explains it in the commit.
//
// gotest.tools/v3/golden does the same, and comes with a library of assertions, which nothing here
// needs.
//
// # Limitations
//
// A file that no test names any more stays. What depends on time, or on the machine, has to be left
// out of the text.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write the files in testdata as they are now; explain the difference in the commit")

// Same fails the test when a text is not that of a file in testdata.
func Same(t testing.TB, name, got string) {
	t.Helper()
	name = filepath.Join("testdata", name)
	if *rewrite {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: it shows\n%s\nwanted\n%s\nas it is now it is written by go test -rewrite", name, got, want)
	}
}
