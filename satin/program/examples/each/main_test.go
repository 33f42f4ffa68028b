//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"satingrid/satin"
	"satingrid/satin/await"
	"satingrid/satin/program"
	"satingrid/satin/program/programtest"
	"satingrid/satin/satintest"
)

// list is a file with these lines.
func list(t *testing.T, lines ...string) string {
	t.Setenv(allow, "")
	_, in := programtest.Folder(t, map[string]string{"list": strings.Join(lines, "\n") + "\n"})
	return in("list")
}

// TestArguments reach the executable as they stand, with the line in its place: no shell looks at
// them.
func TestArguments(t *testing.T) {
	odd := list(t, "a b", "$HOME;*", `"`)
	if code, out, err := programtest.Run(application(), "run", "--list", odd, "--", "printf", "[%s]", "-{}-"); code != 0 || out != `[-a b-][-$HOME;*-][-"-]` {
		t.Errorf("exit %d, %q, %q", code, out, err)
	}
	if code, out, err := programtest.Run(application(), "run", "--list", odd, "echo"); code != 0 || out != "a b\n$HOME;*\n\"\n" {
		t.Errorf("exit %d, %q, %q", code, out, err)
	}
	programtest.Refused(t, application(), "run what?", "", "--list", odd)
}

// TestExitCodes are kept, those of what could not be started too, and the run's tells that there
// was one.
func TestExitCodes(t *testing.T) {
	code, out, err := programtest.Run(application(), "run", "--json", "--list", list(t, "exit 0", "exit 3", "echo out; echo err >&2; kill -9 $$"), "--", "sh", "-c", "{}")
	var d struct {
		Answer []struct {
			Line, Code int
			Out, Err   string
		}
	}
	if json.Unmarshal([]byte(out), &d) != nil || code != failed || len(d.Answer) != 3 {
		t.Fatalf("exit %d, %q, %q", code, out, err)
	}
	for n, want := range []int{0, 3, 137} {
		if got := d.Answer[n]; got.Code != want || got.Line != n+1 {
			t.Errorf("line %d: %+v", n+1, got)
		}
	}
	if last := d.Answer[2]; last.Out != "out\n" || last.Err != "err\n" {
		t.Errorf("the last has written %+v", last)
	}
	folder := filepath.Dir(list(t))
	code, out, err = programtest.Run(application(), "run", "--json", "--list", list(t, folder+"/none", folder), "--", "{}")
	if code != failed || !strings.Contains(out, `"line":1,"code":127,`) || !strings.Contains(out, `"line":2,"code":126,`) {
		t.Errorf("exit %d, %q, %q", code, out, err)
	}
}

// TestOutputIsBounded keeps the beginning, and the executable may write the rest.
func TestOutputIsBounded(t *testing.T) {
	code, out, err := programtest.Run(application(), "run", "--list", list(t, strconv.Itoa(3*outputMax)), "head", "/dev/zero", "-c")
	if code != 2 { // -c is no flag of each: it stands after --
		t.Errorf("exit %d, %d bytes, %q", code, len(out), err)
	}
	code, out, err = programtest.Run(application(), "run", "--list", list(t, strconv.Itoa(3*outputMax)), "--", "head", "/dev/zero", "-c")
	if code != 0 || len(out) != outputMax {
		t.Errorf("exit %d, %d bytes, %q", code, len(out), err)
	}
}

// TestKilledWithItsGroup: what an executable has started is gone when the run is out of time.
func TestKilledWithItsGroup(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pid")
	code, _, err := programtest.Run(application(), "run", "--timeout", "1s", "--list", list(t, name), "--", "sh", "-c", `sleep 1000 & echo $! >"$0"; wait`, "{}")
	if code != 124 {
		t.Fatalf("exit %d, %q", code, err)
	}
	text, failure := os.ReadFile(name)
	pid, bad := strconv.Atoi(strings.TrimSpace(string(text)))
	if failure != nil || bad != nil {
		t.Fatal(failure, bad)
	}
	if !await.Comes(func() bool { return isGone(pid) }) {
		syscall.Kill(pid, syscall.SIGKILL)
		t.Fatalf("process %d is left", pid)
	}
}

// isGone tells whether a process has ended, also where nobody has waited for it yet.
func isGone(pid int) bool {
	stat, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return syscall.Kill(pid, 0) != nil || strings.Contains(string(stat), ") Z ")
}

// TestOnAGrid runs each line at least once, on peers that come and go. That an executable prints
// something else each time is no contradiction, though each that was lent is run twice.
func TestOnAGrid(t *testing.T) {
	t.Setenv(allow, "true")
	folder := t.TempDir()
	b := Batch{Argv: []string{"sh", "-c", `sleep 0.02; echo $$; echo >>"$0"; exit $1`, folder + "/{}"}}
	for n := range 60 {
		b.Lines = append(b.Lines, strconv.Itoa(n))
	}
	same := func(alone, grid Report) bool {
		return len(grid) == 60 && slices.EqualFunc(alone, grid, func(a, b Ended) bool { return a.Code == b.Code })
	}
	verified := func(c *satin.Config) { c.Verify = 1 }
	satintest.Check(t, satintest.Config{App: application().App, Peer: verified}, satintest.Storm{Seed: 1, Every: 20 * time.Millisecond}, b, time.Minute, same)
	for _, line := range b.Lines { // once alone, and once or more on the grid
		if text, err := os.ReadFile(filepath.Join(folder, line)); err != nil || len(text) < 2 {
			t.Errorf("line %s was run %d times, %v", line, len(text), err)
		}
	}
}

// TestRefused: who has not allowed it runs nothing.
func TestRefused(t *testing.T) {
	t.Setenv(allow, "")
	name := filepath.Join(t.TempDir(), "file")
	if _, err := satin.Run(t.Context(), nil, Batch{[]string{"touch"}, []string{name}}); !errors.Is(err, errRefused) {
		t.Error(err)
	}
	if _, err := os.Stat(name); err == nil {
		t.Error("it has run all the same")
	}
}

// TestNodes: a node runs executables when it was started with --allow-exec, and the processes of
// run --sites do anyway.
func TestNodes(t *testing.T) {
	each := filepath.Join(t.TempDir(), "each")
	if out, err := exec.Command("go", "build", "-o", each, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	lines := list(t, "1", "2", "3")
	run := func(flags ...string) (string, int) {
		c := exec.Command(each, append(append([]string{"run", "--list", lines}, flags...), "--", "echo", "line {}")...)
		var said strings.Builder
		c.Stderr = &said
		out, _ := c.Output()
		return string(out) + said.String(), c.ProcessState.ExitCode()
	}
	if said, code := run("--sites", "a:1,b:1"); code != 0 || !strings.HasPrefix(said, "line 1\nline 2\nline 3\n") {
		t.Errorf("on sites: exit %d, %q", code, said)
	}
	for _, allowed := range []bool{false, true} {
		folder := t.TempDir()
		n := exec.Command(each, "node", "--state", folder, "--listen", "/ip4/127.0.0.1/tcp/0", "--allow-exec="+strconv.FormatBool(allowed))
		said, err := n.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := n.Start(); err != nil {
			t.Fatal(err)
		}
		ticket := ""
		for line := bufio.NewScanner(said); ticket == "" && line.Scan(); {
			if _, name, ok := strings.Cut(line.Text(), " --join "); ok {
				ticket = filepath.Join(folder, name)
			}
		}
		said1, code := run("--join", ticket)
		if allowed && (code != 0 || !strings.HasPrefix(said1, "line 1\nline 2\nline 3\n")) || !allowed && (code != 1 || !strings.Contains(said1, errRefused.Error())) {
			t.Errorf("--allow-exec=%v: exit %d, %q", allowed, code, said1)
		}
		n.Process.Kill()
		n.Wait()
	}
}

var _ program.Coder = Report{}
