package control

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLinesOfAFile: no file has none; what is wrong with a line says which it is, and ends the
// reading; a folder, and a line without end, are no file of lines.
func TestLinesOfAFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lines")
	var got []string
	read := func(line []byte) error {
		if got = append(got, string(line)); string(line) == `"bad"` {
			return errors.New("it is bad")
		}
		return nil
	}
	reads := func(what string, lines int, wrong string) {
		t.Helper()
		got = nil
		err := eachLine(name, read)
		if len(got) != lines || (err == nil) != (wrong == "") || err != nil && !strings.Contains(err.Error(), wrong) {
			t.Errorf("%s: %d lines, and %v; want %d and %q", what, len(got), err, lines, wrong)
		}
	}
	reads("no file", 0, "")
	for _, c := range []struct {
		lines []string
		read  int
		wrong string
	}{
		{nil, 0, ""},
		{[]string{"a", "b"}, 2, ""},
		{[]string{"a", "bad", "c"}, 2, "lines:2: it is bad"},
		{[]string{"a", strings.Repeat("x", 1<<20)}, 1, "too long"},
	} {
		if err := replaceLines(name, c.lines); err != nil {
			t.Fatal(err)
		}
		reads(strings.Join(c.lines, " ")[:min(20, len(strings.Join(c.lines, " ")))], c.read, c.wrong)
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(name, 0o700); err != nil {
		t.Fatal(err)
	}
	reads("a folder", 0, "lines")
	if err := replaceLines(name, []func(){nil}); err == nil {
		t.Error("what JSON cannot say is written")
	}
}
