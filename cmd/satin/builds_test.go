//go:build unix

package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"satingrid/satin/program/console"
)

// copyModule copies this module's sources into a repository of its own.
func copyModule(t *testing.T) (folder string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	folder = t.TempDir()
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		at, _ := filepath.Rel(root, name)
		switch {
		case d.Name() == ".git" && d.IsDir():
			return fs.SkipDir
		case d.Name() == ".git": // of a work tree: it would lead there
			return nil
		case d.IsDir():
			return os.MkdirAll(filepath.Join(folder, at), 0o700)
		case !d.Type().IsRegular() || strings.HasSuffix(at, "_test.go"):
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(folder, at), data, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	inFolder(t, folder, "git", "init", "-q")
	inFolder(t, folder, "git", "add", "-A")
	inFolder(t, folder, "git", "-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false", "commit", "-qm", "x")
	return folder
}

func inFolder(t *testing.T, folder string, words ...string) {
	t.Helper()
	c := exec.Command(words[0], words[1:]...)
	c.Dir = folder
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "GIT_") {
			c.Env = append(c.Env, v)
		}
	}
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", words, err, out)
	}
}

// TestBuildsThatDifferByALine: of one revision, one with an uncommitted line that changes
// the answers. They would be one grid that is wrong; a copy of an executable is the same
// build, wherever it is.
func TestBuildsThatDifferByALine(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git: ", err)
	}
	if os.Getenv(upgradeVariable) == "" {
		t.Skip(upgradeVariable + " is not set; .ci/steps/chaos.sh sets it: all of this module is compiled anew")
	}
	folder := copyModule(t)
	compile := func(name string) string {
		name = filepath.Join(t.TempDir(), name)
		// what is of other modules is compiled already, but with -trimpath or the profile
		inFolder(t, folder, "go", "build", "-pgo=off", "-buildvcs=true", "-o", name, "./cmd/satin")
		return name
	}
	clean := compile("clean")
	file := filepath.Join(folder, "apps/nqueens/nqueens.go")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, append(text, "\nfunc init() { uncommitted++ }\n\nvar uncommitted int\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	dirty := compile("dirty")
	copied := filepath.Join(t.TempDir(), "copied")
	inFolder(t, folder, "cp", dirty, copied)
	of := func(file string) build {
		return func(args ...string) *exec.Cmd { return exec.Command(file, args...) }
	}
	// meet lets a host of one build come to a node of another, and returns what became of it.
	meet := func(node, comer string) (code int, said string) {
		n := of(node).node(t, filepath.Join(t.TempDir(), "state"))
		defer n.stop(t)
		awaitIn(t, n)
		ticket := filepath.Join(t.TempDir(), "ticket")
		if got := of(node).runs(t, "key", "invite", "--ticket", ticket, "--state", n.folder); got.code != console.ExitOK {
			t.Fatalf("exit %d, %q", got.code, got.err)
		}
		got := of(comer).runs(t, "run", "nqueens", "8", "--join", ticket)
		return got.code, got.out + got.err
	}
	for _, pair := range [][2]string{{clean, dirty}, {dirty, clean}, {binary, dirty}} {
		code, said := meet(pair[0], pair[1])
		if code != console.ExitIncompatible || strings.Count(said, "build ") < 2 || !strings.Contains(said, "copy one executable to all machines") {
			t.Errorf("%s comes to %s: exit %d, %s", filepath.Base(pair[1]), filepath.Base(pair[0]), code, said)
		}
		if pair[0] == clean && (!strings.Contains(said, "with uncommitted changes") || !strings.Contains(said, "revision ")) {
			t.Errorf("the refusal does not say what differs: %s", said)
		}
	}
	for _, pair := range [][2]string{{dirty, copied}, {clean, clean}} {
		if code, said := meet(pair[0], pair[1]); code != console.ExitOK || !strings.Contains(said, "92\n") {
			t.Errorf("%s comes to %s: exit %d, %s", filepath.Base(pair[1]), filepath.Base(pair[0]), code, said)
		}
	}
}
