package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"satingrid/apps"
	"satingrid/satin/program/console"
)

// line runs a command line in this process.
func inProcess(args ...string) (code int, out, err string) {
	var o, e bytes.Buffer
	code = command().Run(args, &console.Console{Name: "satin", Out: &o, Err: &e, Terminal: -1})
	return code, o.String(), e.String()
}

// completed are the words that may follow these.
func completed(words ...string) []string {
	_, out, _ := inProcess(append([]string{"__complete"}, append(words, "")...)...)
	return strings.Fields(out)
}

// TestHelp prints the help of all commands.
func TestHelp(t *testing.T) {
	t.Parallel()
	paths := [][]string{nil}
	for _, verb := range completed() {
		paths = append(paths, []string{verb})
		if verb == "apps" || verb == "help" {
			continue // what follows has no help of its own
		}
		for _, what := range completed(verb) {
			paths = append(paths, []string{verb, what})
		}
	}
	if len(paths) < 30 {
		t.Fatalf("there are only %q", paths)
	}
	for _, at := range paths {
		for _, args := range [][]string{append([]string{"help"}, at...), append(slices.Clone(at), "--help")} {
			code, out, err := inProcess(args...)
			if code != 0 || err != "" || !strings.Contains(out, "satin") || strings.Contains(out, "%!") {
				t.Errorf("%q: exit %d, %q, %q", args, code, out, err)
			}
		}
	}
}

func TestComplete(t *testing.T) {
	var checkers []string
	for _, a := range apps.All() {
		if a.Checker != nil {
			checkers = append(checkers, a.Name)
		}
	}
	for line, want := range map[string]string{
		"":                        "run submit watch result cancel share check apps node leave migrate kick launch status top dash record report trace peers jobs logs store bench sim key version completion help",
		"run f":                   "fib",
		"help run nq":             "nqueens",
		"run uts T1X":             "T1XL T1XXL",
		"run uts --workers 2 T3X": "T3XXL",
		"check ":                  strings.Join(checkers, " "),
		"check raytracer --sa":    "--samples",
	} {
		_, out, _ := inProcess(append([]string{"__complete"}, strings.Split(line, " ")...)...)
		if got := strings.Join(strings.Fields(out), " "); got != want {
			t.Errorf("%q completes to %q, wanted %q", line, got, want)
		}
	}
}
