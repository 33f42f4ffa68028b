package program

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"satingrid/satin/program/console"
)

// typed runs a command line of the sample in this process.
func typed(args ...string) (code int, out, err string) {
	var o, e bytes.Buffer
	code = sample().Run(args, &console.Console{Name: "lab", Out: &o, Err: &e, Terminal: -1})
	return code, o.String(), e.String()
}

// TestHelp prints the help of all commands, which bears the program's name and no other.
func TestHelp(t *testing.T) {
	var paths [][]string
	eachCommand(testRoot().Commands, nil, func(at []string, _ *cli.Command) { paths = append(paths, at) })
	for _, at := range append(paths, nil) {
		for _, args := range [][]string{append([]string{"help"}, at...), append(slices.Clone(at), "--help")} {
			code, out, err := typed(args...)
			if code != 0 || err != "" || !strings.Contains(out, "lab") || strings.Contains(out, "%!") || strings.Contains(strings.ToLower(out), "satin") {
				t.Errorf("%q: exit %d, %q, %q", args, code, out, err)
			}
		}
	}
}

// TestSideBySide: command lines may run side by side in one process, as the race detector sees.
func TestSideBySide(t *testing.T) {
	for range 4 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			for _, args := range [][]string{{"run", "--help"}, {"version"}, {"store", "list", "--state", t.TempDir()}, {"apps"}} {
				if code, out, err := typed(args...); code != 0 || out == "" || err != "" {
					t.Errorf("%q: exit %d, %q, %q", args, code, out, err)
				}
			}
		})
	}
}

// TestVersion tells of the build that runs, to people and scripts.
func TestVersion(t *testing.T) {
	var b Build
	if _, out, _ := typed("version", "--json"); json.Unmarshal([]byte(out), &b) != nil || b != ThisBuild() {
		t.Errorf("%q is not %+v", out, ThisBuild())
	}
	b = Build{Build: "12ab", Of: "told by its executable", Version: "v1.2.3", Revision: "abc", Modified: true, Go: "go1.26", OS: "linux", Arch: "arm64"}
	if got := b.words("lab"); got != "lab v1.2.3, revision abc with changes, go1.26, linux/arm64\nbuild 12ab, told by its executable" {
		t.Error(got)
	}
}

func TestApps(t *testing.T) {
	_, all, _ := typed("apps")
	for _, a := range sample().Applications {
		if _, one, _ := typed("apps", a.Name); !strings.HasPrefix(one, a.Name+" - ") || !strings.Contains(all, one) {
			t.Errorf("apps %s prints %q", a.Name, one)
		}
	}
	var d struct {
		Schema int
		Apps   []appRow
	}
	_, out, _ := typed("apps", "--json")
	if err := json.Unmarshal([]byte(out), &d); err != nil || d.Schema != console.Schema || len(d.Apps) != 2 || strings.Contains(out, "null") {
		t.Errorf("%v: %s", err, out)
	}
}

func TestComplete(t *testing.T) {
	for line, want := range map[string]string{
		"":                       "run submit watch result cancel share check apps node leave migrate kick launch status top dash record report trace peers jobs logs store bench key version completion help",
		"ru":                     "run",
		"run f":                  "fib",
		"help run tr":            "tree",
		"run fib --wo":           "--workers",
		"run fib --json --ti":    "--timeout",
		"run --json f":           "fib",
		"run tree T1":            "T1 T1L",
		"run tree --workers 2 T": "T1 T1L T2",
		"run tree --br":          "--branching",
		"run fib --workers ":     "",
		"run fib ":               "",
		"apps t":                 "tree",
		"check ":                 "tree",
		"check tree ":            "",
		"completion b":           "bash",
		"nonsense ":              "",
	} {
		if got := strings.Join(sample().complete(&console.Console{}, testRoot(), strings.Split(line, " ")), " "); got != want {
			t.Errorf("%q completes to %q, wanted %q", line, got, want)
		}
	}
}

// TestRunsAlone is a command line from its words to the answer.
func TestRunsAlone(t *testing.T) {
	if code, out, err := typed("run", "fib", "--workers", "1", "20"); code != 0 || out != "6765\n" {
		t.Errorf("exit %d, %q, %q", code, out, err)
	}
	var d Document
	code, out, err := typed("run", "--json", "fib")
	if json.Unmarshal([]byte(out), &d) != nil || code != 0 || d.App != "fib" || d.Input != Embedded || !d.Complete || d.Peers[0].Site != here {
		t.Errorf("exit %d, %q, %q", code, out, err)
	}
	if code, _, err := typed("run", "fib", "x"); code != console.ExitUsage || err != "lab: \"x\" is no input: a whole number is expected\n" {
		t.Errorf("exit %d, %q", code, err)
	}
}
