package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"satingrid/satin/program/console"
)

// line runs a command line in this process.
func inProcess(args ...string) (code int, out, err string) {
	var o, e bytes.Buffer
	code = command(args, &console.Console{Name: "satin", Out: &o, Err: &e, Terminal: -1})
	return code, o.String(), e.String()
}

// TestHelp prints the help of all commands.
func TestHelp(t *testing.T) {
	var paths [][]string
	eachCommand(testRoot().Commands, nil, func(at []string, _ *cli.Command) { paths = append(paths, at) })
	for _, at := range append(paths, nil) {
		for _, args := range [][]string{append([]string{"help"}, at...), append(slices.Clone(at), "--help")} {
			code, out, err := inProcess(args...)
			if code != 0 || err != "" || !strings.Contains(out, "satin") || strings.Contains(out, "%!") {
				t.Errorf("%q: exit %d, %q, %q", args, code, out, err)
			}
		}
	}
}

// TestVersion tells of the build that runs, to people and scripts.
func TestVersion(t *testing.T) {
	var b build
	if _, out, _ := inProcess("version", "--json"); json.Unmarshal([]byte(out), &b) != nil || b != thisBuild() {
		t.Errorf("%q is not %+v", out, thisBuild())
	}
	b = build{Build: "12ab", Of: "told by its executable", Version: "v1.2.3", Revision: "abc", Modified: true, Go: "go1.26", OS: "linux", Arch: "arm64"}
	if got := b.String(); got != "satin v1.2.3, revision abc with changes, go1.26, linux/arm64\nbuild 12ab, told by its executable" {
		t.Error(got)
	}
}

func TestApps(t *testing.T) {
	_, all, _ := inProcess("apps")
	for _, a := range applications() {
		if _, one, _ := inProcess("apps", a.Name); !strings.HasPrefix(one, a.Name+" - ") || !strings.Contains(all, one) {
			t.Errorf("apps %s prints %q", a.Name, one)
		}
	}
	var d struct {
		Schema int
		Apps   []appRow
	}
	_, out, _ := inProcess("apps", "--json")
	if err := json.Unmarshal([]byte(out), &d); err != nil || d.Schema != console.Schema || len(d.Apps) != len(applications()) {
		t.Errorf("%v: %s", err, out)
	}
	if strings.Contains(out, "null") {
		t.Errorf("a list that is null: %s", out)
	}
}

func TestComplete(t *testing.T) {
	for line, want := range map[string]string{
		"":                        "run cancel check apps node leave migrate kick status peers bench key version completion help",
		"ru":                      "run",
		"run f":                   "fib",
		"help run nq":             "nqueens",
		"run fib --wo":            "--workers",
		"run fib --json --ti":     "--timeout",
		"run --json f":            "fib",
		"run uts T1X":             "T1XL T1XXL",
		"run uts --workers 2 T3X": "T3XXL",
		"run fib --workers ":      "",
		"run fib ":                "",
		"apps n":                  "nqueens",
		"check ":                  "raytracer tsp sat knapsack",
		"check raytracer --sa":    "--samples",
		"check tsp ":              "",
		"completion b":            "bash",
		"nonsense ":               "",
	} {
		if got := strings.Join(complete(testRoot(), strings.Split(line, " ")), " "); got != want {
			t.Errorf("%q completes to %q, wanted %q", line, got, want)
		}
	}
}
