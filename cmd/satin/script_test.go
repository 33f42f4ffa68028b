package main

import (
	bits "encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"satingrid/satin/program/console"
)

// TestScripts plays testdata/script and those of the applications: the command as its users type
// it, with what it prints, its exit codes and its files. The language is told by
// go doc github.com/rogpeppe/go-internal/testscript; scriptWords are its words that are our own.
// Where a process gets signals, or a grid is needed, tests are in Go.
func TestScripts(t *testing.T) {
	t.Parallel()
	own, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := filepath.Glob("../../apps/*/cli/testdata/script/*.txtar")
	if err != nil || len(own) == 0 || len(theirs) < len(command().Applications) {
		t.Fatalf("there are %d scripts, and %d of applications: %v", len(own), len(theirs), err)
	}
	testscript.Run(t, testscript.Params{
		Files: append(own, theirs...),
		Setup: func(e *testscript.Env) error {
			e.Setenv("XDG_STATE_HOME", filepath.Join(e.WorkDir, ".state"))
			e.Setenv("OTHER", binary) // the command, of another build
			return nil
		},
		Cmds:                scriptWords,
		Condition:           scriptCondition,
		RequireUniqueNames:  true,
		RequireExplicitExec: false, // satin fib 20 is what a user types
	})
}

// scriptWords are the words of scripts that testscript does not have.
var scriptWords = map[string]func(s *testscript.TestScript, neg bool, words []string){
	"exits":  exits,
	"flip":   flip,
	"grid":   grid,
	"holds":  holds,
	"node":   scriptedNode,
	"pixel":  pixel,
	"same":   sameAnswer,
	"setenv": setenv,
}

// scriptCondition tells of [full] whether there is a disk that is full.
func scriptCondition(name string) (bool, error) {
	if name != "full" {
		return false, fmt.Errorf("there is no condition %q", name)
	}
	_, err := os.Stat("/dev/full")
	return err == nil, nil
}

// slow is what commands say that take longer than they should, on a busy machine.
var slow = regexp.MustCompile(`(?m)^satin: (opening the node|preparing the embedded example|(asking|joining|submitting to|reading|starting|running|verifying) [^\n:]*)\n`)

// complaint is what a command has said, but for that.
func complaint(err string) string { return slow.ReplaceAllString(err, "") }

// exits CODE COMMAND… runs a command, and checks its exit code and what goes with it: one that
// succeeds has nothing to complain of, and one that fails answers nothing (a document tells more)
// and says in one line why.
func exits(s *testscript.TestScript, neg bool, words []string) {
	if neg || len(words) < 2 {
		s.Fatalf("usage: exits CODE COMMAND…")
	}
	want, err := strconv.Atoi(words[0])
	s.Check(err)
	got := console.ExitOK
	var exit *exec.ExitError
	if err := s.Exec(words[1], words[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		s.Check(err)
	}
	if got != want {
		s.Fatalf("exit %d, wanted %d", got, want)
	}
	said, out := complaint(s.ReadFile("stderr")), s.ReadFile("stdout")
	switch got {
	case console.ExitOK:
		if said != "" {
			s.Fatalf("it complains: %q", said)
		}
	case console.ExitFailed, console.ExitUsage, console.ExitRefused, console.ExitIncompatible:
		if strings.Count(said, "\n") != 1 || !strings.HasPrefix(said, "satin: ") || !strings.HasSuffix(said, "\n") {
			s.Fatalf("%q is not one line of the command", said)
		}
		if out != "" && !(got == console.ExitFailed && slices.Contains(words, "--json")) {
			s.Fatalf("it failed, and answers %q", out)
		}
	}
}

// setenv NAME FILE sets a variable to what a file says.
func setenv(s *testscript.TestScript, neg bool, words []string) {
	if neg || len(words) != 2 {
		s.Fatalf("usage: setenv NAME FILE")
	}
	s.Setenv(words[0], strings.TrimSpace(s.ReadFile(words[1])))
}

// holds FOLDER NAME… checks that a folder has these files, in this order, and no others.
func holds(s *testscript.TestScript, neg bool, words []string) {
	if neg || len(words) == 0 {
		s.Fatalf("usage: holds FOLDER NAME…")
	}
	entries, err := os.ReadDir(s.MkAbs(words[0]))
	s.Check(err)
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if !slices.Equal(got, words[1:]) {
		s.Fatalf("the folder has %q, wanted %q", got, words[1:])
	}
}

// floatMap is a .pfm file and where in it the pixels begin: rows from the bottom, three floats to
// a pixel.
func floatMap(s *testscript.TestScript, name string) (data []byte, pixels int) {
	data = []byte(s.ReadFile(name))
	const last = "\n-1.0\n" // of the header: the bytes are little-endian
	at := strings.Index(string(data), last)
	if at < 0 {
		s.Fatalf("%s is no float map", name)
	}
	return data, at + len(last)
}

// pixel FILE R,G,B checks the lower left pixel of a float map, to three digits.
func pixel(s *testscript.TestScript, neg bool, words []string) {
	if neg || len(words) != 2 {
		s.Fatalf("usage: pixel FILE R,G,B")
	}
	data, at := floatMap(s, words[0])
	var got []string
	for k := range 3 {
		got = append(got, fmt.Sprintf("%.3g", math.Float32frombits(bits.LittleEndian.Uint32(data[at+4*k:]))))
	}
	if strings.Join(got, ",") != words[1] {
		s.Fatalf("the pixel is %s", strings.Join(got, ","))
	}
}

// flip FILE changes one bit of a float map: in the pixel in the middle.
func flip(s *testscript.TestScript, neg bool, words []string) {
	if neg || len(words) != 1 {
		s.Fatalf("usage: flip FILE")
	}
	data, at := floatMap(s, words[0])
	var width, height int
	if _, err := fmt.Sscanf(string(data), "PF\n%d %d\n", &width, &height); err != nil {
		s.Fatalf("%s: %v", words[0], err)
	}
	data[at+12*(width*(height-1-height/2)+width/2)] ^= 1
	s.Check(os.WriteFile(s.MkAbs(words[0]), data, 0o644))
}
