package program

import (
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"satingrid/satin/program/console"
	"satingrid/satin/program/wording"
)

func testRoot() *cli.App {
	return sample().commands(testConsole())
}

func testConsole() *console.Console {
	return &console.Console{Name: "lab", Out: io.Discard, Err: io.Discard, Terminal: -1}
}

func TestArgv(t *testing.T) {
	for line, want := range map[string]string{
		"":                              "",
		"run fib":                       "run fib --",
		"run fib 30 --json":             "run fib --json -- 30",
		"--json run --workers 2 fib 30": "run fib --json --workers 2 -- 30",
		"run tree -t 1 -d=5":            "run tree -t 1 -d=5 --",
		"run fib -- --json":             "run fib -- --json",
		"run fib -":                     "run fib -- -",
		"run fib --workers -- 30":       "run fib --workers -- -- 30",
		"help run fib":                  "run fib --help",
		"run fib 30 -h":                 "run fib --help",
		"run --help":                    "run --help",
		"help":                          "",
		"--version":                     "version",
		"version --json":                "version --json --",
	} {
		got, err := argv(testConsole(), testRoot(), strings.Fields(line))
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%q becomes %q (%v), wanted %q", line, got, err, want)
		}
	}
}

// TestArgvAnyOrder shuffles flags among commands and arguments: they mean the same everywhere.
func TestArgvAnyOrder(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	flags := [][]string{{"--json"}, {"--workers", "3"}, {"--seed=7"}, {"-t", "1"}, {"-b", "-2"}}
	rest := [][]string{{"run"}, {"tree"}, {"T1"}}
	want, err := argv(testConsole(), testRoot(), append([]string{"run", "tree"}, append(slices.Concat(flags...), "T1")...))
	if err != nil {
		t.Fatal(err)
	}
	for range 200 {
		order := rnd.Perm(len(flags) + len(rest))
		// the places of the flags, and of the rest, each in their order
		slices.Sort(order[:len(flags)])
		slices.Sort(order[len(flags):])
		words := make([][]string, len(order))
		for i, place := range order {
			words[place] = slices.Concat(flags, rest)[i]
		}
		got, err := argv(testConsole(), testRoot(), slices.Concat(words...))
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("%q becomes %q (%v), wanted %q", slices.Concat(words...), got, err, want)
		}
	}
}

// FuzzArgv checks that no word is lost or made up, and that what has come out of argv comes out of
// it again unchanged.
func FuzzArgv(f *testing.F) {
	for _, line := range []string{"run fib 30 --json", "--workers 2 run tree -t 1 -- x", "help run", "run fib --workers", "-- a", "- -- --", "run fib --=3", "--version=3 run"} {
		f.Add(line)
	}
	root := testRoot()
	f.Fuzz(func(t *testing.T, line string) {
		words := strings.Split(line, " ")
		got, err := argv(testConsole(), root, words)
		if err != nil {
			if text := err.Error(); text == "" || strings.Contains(text, "BUG") {
				t.Fatalf("%q: %v", words, err)
			}
			return
		}
		if len(got) == 0 || slices.Contains(got, "--help") || slices.Equal(got, []string{"version"}) {
			return // the other words do not matter
		}
		// All that may differ is one "--".
		before, after := slices.Sorted(slices.Values(words)), slices.Sorted(slices.Values(got))
		if i := slices.Index(after, "--"); i >= 0 && len(after) == len(before)+1 {
			after = slices.Delete(after, i, i+1)
		}
		if !slices.Equal(before, after) {
			t.Fatalf("%q became %q", words, got)
		}
		again, err := argv(testConsole(), root, got)
		if err != nil || !slices.Equal(again, got) {
			t.Fatalf("%q became %q, which became %q (%v)", words, got, again, err)
		}
	})
}

func TestNearest(t *testing.T) {
	for word, want := range map[string]string{"rnu": "run", "vresion": "version", "aps": "apps", "zebra": "", "": ""} {
		if got, _ := wording.Nearest(word, names(testRoot().Commands)); got != want {
			t.Errorf("%q suggests %q, wanted %q", word, got, want)
		}
	}
}
