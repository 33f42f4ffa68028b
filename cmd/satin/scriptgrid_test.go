package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"
)

const anyPort = "/ip4/127.0.0.1/tcp/0"

// grid NAME… starts a node for each name, of one grid, with a state folder of that name. They end
// with the script. lab.ticket leads there.
func grid(s *testscript.TestScript, neg bool, words []string) {
	if neg || len(words) == 0 {
		s.Fatalf("usage: grid NAME…")
	}
	for _, name := range words {
		scriptedNode(s, false, []string{"satin", name})
	}
}

// scriptedNode is node COMMAND NAME FLAG…, which starts a node with a state folder of that name.
// The first of a script founds a grid, to which lab.ticket leads, and the others join that. Where
// the command is $OTHER, it is of another build than satin.
func scriptedNode(s *testscript.TestScript, neg bool, words []string) {
	if neg || len(words) < 2 {
		s.Fatalf("usage: node COMMAND NAME FLAG…")
	}
	name, ticket := words[1], s.MkAbs("lab.ticket")
	args := append([]string{"node", "--workers", "1", "--site", name, "--state", s.MkAbs(name), "--listen", anyPort}, words[2:]...)
	founds := !isThere(ticket)
	if !founds {
		args = append(args, "--join", ticket)
	}
	file := startScripted(s, words[0], args)
	if founds {
		text, err := os.ReadFile(filepath.Join(s.MkAbs(name), file))
		s.Check(err)
		s.Check(os.WriteFile(ticket, text, 0o600))
	}
}

// startScripted starts a node that ends with the script, and returns when it has said how others
// join it, with the name of its ticket's file. By default it is the command that scripts type:
// another executable would be another build.
func startScripted(s *testscript.TestScript, command string, args []string) (file string) {
	c := &exec.Cmd{Args: append([]string{command}, args...), Env: append(os.Environ(), "PATH="+s.Getenv("PATH")), Dir: s.MkAbs(".")}
	if filepath.IsAbs(command) {
		c.Path = command
	}
	for _, folder := range filepath.SplitList(s.Getenv("PATH")) {
		if file := filepath.Join(folder, command); c.Path == "" && isThere(file) {
			c.Path = file
		}
	}
	out, err := c.StdoutPipe()
	s.Check(err)
	s.Check(c.Start())
	s.Defer(func() {
		c.Process.Signal(syscall.SIGTERM)
		c.Wait()
	})
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if words := strings.Fields(lines.Text()); len(words) > 3 && words[1] == "node" {
			return words[len(words)-1]
		}
	}
	s.Fatalf("satin %s has ended before it had introduced itself", strings.Join(args, " "))
	return ""
}

func isThere(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// sameAnswer is same FILE, which says that what was printed last is what a file holds, but for what
// is measured: seconds, and what each peer has done.
func sameAnswer(s *testscript.TestScript, neg bool, words []string) {
	if neg || len(words) != 1 {
		s.Fatalf("usage: same FILE")
	}
	got, want := answerIn(s, s.ReadFile("stdout")), answerIn(s, s.ReadFile(words[0]))
	if got != want {
		s.Fatalf("the answer is %s, wanted %s", got, want)
	}
}

// answerIn is the beginning of a run's document: what it is of, and its answer.
func answerIn(s *testscript.TestScript, document string) string {
	text, _, ok := strings.Cut(document, `,"seconds":`)
	if !ok {
		s.Fatalf("%s is no document of a run", strconv.Quote(document))
	}
	return text
}
