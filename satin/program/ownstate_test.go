package program

import (
	"bytes"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"satingrid/satin/program/console"
	"satingrid/satin/ticket"
)

// TestStateFolderOfOthers: whatever takes --state refuses a folder in which others may write,
// before it reads or writes anything there.
func TestStateFolderOfOthers(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no modes of folders on Windows")
	}
	p := sample()
	tk, err := ticket.New("lab")
	if err != nil {
		t.Fatal(err)
	}
	invitation := t.TempDir() + "/lab.ticket"
	if err := ticket.Save(invitation, tk); err != nil {
		t.Fatal(err)
	}
	verbs := 0
	var walk func(path []string, all []*cli.Command)
	walk = func(path []string, all []*cli.Command) {
		for _, c := range all {
			line := append(slices.Clone(path), c.Name)
			walk(line, c.Subcommands)
			if !hasFlag(c, "state") {
				continue
			}
			verbs++
			folder := t.TempDir()
			if err := os.Chmod(folder, 0o777); err != nil {
				t.Fatal(err)
			}
			if line = append(line, "--state", folder); hasFlag(c, "join") {
				line = append(line, "--join", invitation)
			}
			if !refusesState(p, line) {
				t.Errorf("%s: a state folder in which others may write is not refused", strings.Join(line, " "))
			}
			if files, err := os.ReadDir(folder); err != nil || len(files) > 0 {
				t.Errorf("%s: left behind are %v, %v", strings.Join(line, " "), files, err)
			}
		}
	}
	walk(nil, p.settled().commands(testConsole()).Commands)
	if verbs < 15 {
		t.Errorf("%d verbs have a state folder: the test does less than it claims", verbs)
	}
}

// refusesState tells whether a command line is refused because of its state folder, with as many
// words as it takes.
func refusesState(p *Program, line []string) bool {
	for words := range 3 {
		var said bytes.Buffer
		code := p.Run(append(slices.Clone(line), []string{"fib", "5"}[:words]...), &console.Console{Out: &said, Err: &said, Terminal: -1})
		if code == console.ExitUsage && strings.Contains(said.String(), "others may write in") {
			return strings.Count(said.String(), "\n") == 1
		}
	}
	return false
}
