package peer

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// together are files whose tests stand in each other's test files: a.go's in a_test.go and
// b_test.go. All others' stand in the test file of their own name.
var together = [][]string{
	{"best", "trial"},
	{"joining", "hearsay", "strand"},
	{"leave", "will", "stay", "leaving"},
	{"hosts", "keepsoon"},
	{"stealing", "borrowing"},
	{"order", "ordered"},
	{"report", "reports"},
	{"storing", "ondisk", "disk"},
}

// untold are files with no tests of their own, and why.
var untold = map[string]string{
	"doc": "words", "doc_files": "words", "doc_workers": "words", "config": "words", "life": "words", "role": "words",
	"effects": "words", "messages": "words", "store": "words",

	"name": "satin/wire's tests go through all kinds", "kind": "satin/wire's tests go through all kinds",
	"kinds": "satin/wire's tests go through all kinds", "receive": "what comes in is in each script",

	"peer": "it only passes on: the scripts", "apply": "it only passes on: the scripts", "crash": "the scripts of losses",
	"workers": "it only passes on: the scripts", "people": "it only passes on: the scripts", "compose": "it has no branch",
	"check": "it is a test: the scripts and the simulator ask it after each event",
}

// owed is how many lines of tests a component lacks. They may become fewer.
var owed = map[string]int{}

// TestComponentsHaveTestsBesideThem: a component has at least a line of test for a line of its
// code.
func TestComponentsHaveTestsBesideThem(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]int{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines[strings.TrimSuffix(name, ".go")] = bytes.Count(text, []byte("\n"))
	}
	for _, wrong := range unbalanced(lines, together, untold, owed) {
		t.Error(wrong)
	}
	if len(lines) < 150 {
		t.Errorf("only %d files were looked at", len(lines))
	}
}

// unbalanced says which components lack tests beside them, given how many lines each file has, and
// what of the tables is not so any more.
func unbalanced(lines map[string]int, together [][]string, untold map[string]string, owed map[string]int) (wrong []string) {
	groupOf := map[string][]string{}
	for _, all := range together {
		for _, name := range all {
			groupOf[name] = all
		}
	}
	components := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		all := groupOf[name]
		if all == nil {
			all = []string{name}
		}
		if strings.HasSuffix(name, "_test") || untold[name] != "" || components[all[0]] {
			continue
		}
		components[all[0]] = true
		code, tests := 0, 0
		for _, one := range all {
			code += lines[one]
			tests += lines[one+"_test"]
		}
		if lacks, most := max(code-tests, 0), owed[all[0]]; lacks > most {
			wrong = append(wrong, fmt.Sprintf("%v: %d lines, and %d of tests in the test files of these names", all, code, tests))
		} else if lacks < most {
			wrong = append(wrong, fmt.Sprintf("owed: %s lacks %d lines of tests, and may lack %d: that is the number now", all[0], lacks, most))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(untold)) {
		if lines[name] == 0 || lines[name+"_test"] >= lines[name] {
			wrong = append(wrong, fmt.Sprintf("untold: %s.go is not there, or has tests enough", name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(owed)) {
		if !components[name] {
			wrong = append(wrong, fmt.Sprintf("owed: there is no component %s", name))
		}
	}
	return wrong
}

// TestUnbalancedComponentsAreFound plants some.
func TestUnbalancedComponentsAreFound(t *testing.T) {
	for name, c := range map[string]struct {
		lines  map[string]int
		untold map[string]string
		owed   map[string]int
		wrong  int
	}{
		"as many":                     {lines: map[string]int{"a": 5, "a_test": 5}},
		"one too few":                 {lines: map[string]int{"a": 6, "a_test": 5}, wrong: 1},
		"none":                        {lines: map[string]int{"a": 6}, wrong: 1},
		"two that are tested in one":  {lines: map[string]int{"b": 5, "c": 5, "b_test": 10}},
		"… one line too few":          {lines: map[string]int{"b": 5, "c": 6, "b_test": 10}, wrong: 1},
		"words":                       {lines: map[string]int{"a": 6}, untold: map[string]string{"a": "words"}},
		"words, and tests":            {lines: map[string]int{"a": 6, "a_test": 6}, untold: map[string]string{"a": "words"}, wrong: 1},
		"no such words":               {untold: map[string]string{"a": "words"}, wrong: 1},
		"as many too few as it lacks": {lines: map[string]int{"a": 6, "a_test": 4}, owed: map[string]int{"a": 2}},
		"more":                        {lines: map[string]int{"a": 7, "a_test": 4}, owed: map[string]int{"a": 2}, wrong: 1},
		"fewer":                       {lines: map[string]int{"a": 6, "a_test": 5}, owed: map[string]int{"a": 2}, wrong: 1},
		"no such component":           {owed: map[string]int{"a": 2}, wrong: 1},
	} {
		if got := unbalanced(c.lines, [][]string{{"b", "c"}}, c.untold, c.owed); len(got) != c.wrong {
			t.Errorf("%s: %q", name, got)
		}
	}
}
