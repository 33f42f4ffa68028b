package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"satingrid/satin/await"
)

// binary is the command, built once as a user would build it, but for the profile.
var binary string

// TestMain plays the command where a script wants it, and else the tests, with the command built.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == ownPeer {
		main() // a peer of the build that the tests are of
	}
	testscript.Main(built{m}, map[string]func(){"satin": main})
}

// ownPeer is the word that makes this binary a peer, as it makes the command.
const ownPeer = "__peer"

// built are the tests, with the command built.
type built struct{ tests *testing.M }

func (b built) Run() int {
	if slices.Contains(os.Args, "-test.fuzzworker") {
		// It does not need the command, and what it takes to build it counts as fuzzing.
		return b.tests.Run()
	}
	folder, err := os.MkdirTemp("", "satin")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	binary = filepath.Join(folder, "satin")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	// without the profile, with which all that other tests have compiled is compiled anew
	build := exec.Command("go", "build", "-pgo=off", "-o", binary, ".")
	build.Stderr = os.Stderr
	if build.Run() != nil {
		return 1
	}
	await.Together(4 * runtime.GOMAXPROCS(0)) // most wait for each other's processes
	return b.tests.Run()
}

// patience is how long a test waits for what ought to have happened; no test passes by it.
const patience = await.Patience

// lookEvery is the pause between looks that take processes work: with as many tests that wait as
// there are, looking at once again would be what the machine does.
const lookEvery = 30 * time.Millisecond

// seldom has await look less often.
func seldom(so func() bool) func() bool {
	looked := false
	return func() bool {
		if looked {
			time.Sleep(lookEvery)
		}
		looked = true
		return so()
	}
}

// ended is what is left of a process.
type ended struct {
	code     int
	out, err string
	took     time.Duration
}

// named is a variable that the processes of a test have in their environment, and those that these
// start.
func named(t testing.TB) string { return "TEST_NAME=" + t.Name() }

// runBinary runs the command to its end.
func runBinary(t testing.TB, environment []string, args ...string) ended {
	t.Helper()
	var out, err bytes.Buffer
	c := exec.Command(binary, args...)
	c.Stdout, c.Stderr = &out, &err
	c.Env = append(append(os.Environ(), named(t)), environment...)
	start := time.Now()
	failure := c.Run()
	var exit *exec.ExitError
	if failure != nil && !errors.As(failure, &exit) {
		t.Fatal(failure)
	}
	return ended{c.ProcessState.ExitCode(), out.String(), err.String(), time.Since(start)}
}
