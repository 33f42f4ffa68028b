package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// binary is the command, built once as a user would build it.
var binary string

func TestMain(m *testing.M) {
	if slices.Contains(os.Args, "-test.fuzzworker") {
		// it does not need the command, and what it takes to build it counts as fuzzing
		os.Exit(m.Run())
	}
	folder, err := os.MkdirTemp("", "satin")
	if err != nil {
		panic(err)
	}
	binary = filepath.Join(folder, "satin")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	build := exec.Command("go", "build", "-o", binary, ".")
	build.Stderr = os.Stderr
	code := 1
	if err := build.Run(); err == nil {
		code = m.Run()
	}
	os.RemoveAll(folder)
	os.Exit(code)
}

// ended is what is left of a process.
type ended struct {
	code     int
	out, err string
	took     time.Duration
}

// runBinary runs the command to its end.
func runBinary(t testing.TB, environment []string, args ...string) ended {
	t.Helper()
	var out, err bytes.Buffer
	c := exec.Command(binary, args...)
	c.Stdout, c.Stderr = &out, &err
	c.Env = append(os.Environ(), environment...)
	start := time.Now()
	failure := c.Run()
	var exit *exec.ExitError
	if failure != nil && !errors.As(failure, &exit) {
		t.Fatal(failure)
	}
	return ended{c.ProcessState.ExitCode(), out.String(), err.String(), time.Since(start)}
}

// slow is what commands say that take longer than they should, on a busy machine.
var slow = regexp.MustCompile(`(?m)^satin: (opening the node|asking the node|preparing the embedded example|(joining|reading|starting|running|verifying) [^\n:]*)\n`)

// complaint is what a command has said, but for that.
func complaint(err string) string { return slow.ReplaceAllString(err, "") }

// TestLines runs command lines and compares exit code, answer and what is said
// about it, in one line.
func TestLines(t *testing.T) {
	for _, c := range []struct {
		line string
		code int
		out  string // all of it
		err  string // how it begins
	}{
		{"run fib 20", 0, "6765\n", ""},
		{"run nqueens 8", 0, "92\n", ""},
		{"run uts -t 1 -a 0 -d 6 -b 4 -r 0", 0, "nodes 1732\nleaves 1050\ndepth 6\n", ""},
		{"run --workers 1 fib 20", 0, "6765\n", ""},
		{"--workers 1 run fib 20", 0, "6765\n", ""},
		{"run fib 20 --workers=1", 0, "6765\n", ""},
		{"run fib -- 20", 0, "6765\n", ""},
		{"rnu fib 20", 2, "", `satin: there is no command "rnu"; did you mean run?`},
		{"run fbi 20", 2, "", `satin: there is no application "fbi"; did you mean fib?`},
		{"run fib 20 --wrokers 1", 2, "", "satin: run fib has no flag --wrokers; did you mean --workers?"},
		{"run fib 20 --site a:2", 2, "", "satin: run fib has no flag --site; node and leave have\n"},
		{"run fib 20 --nonsense", 2, "", "satin: run fib has no flag --nonsense; see satin help run fib"},
		{"run fib 20 -d 3", 2, "", "satin: run fib has no flag -d; run uts has"},
		{"run fib 20 --workers", 2, "", "satin: --workers needs a value"},
		{"run fib 20 --workers many", 2, "", `satin: --workers is "many": a whole number is expected`},
		{"run fib 20 --workers 0", 2, "", "satin: --workers is 0: 1 to "},
		{"run fib 20 --timeout 3", 2, "", `satin: --timeout is "3": a duration such as 30s or 5m is expected`},
		{"run fib 20 --timeout -3s", 2, "", "satin: --timeout is -3s: "},
		{"run fib 20 --json=perhaps", 2, "", `satin: --json is "perhaps": true or false is expected`},
		{"run fib 20 30", 2, "", `satin: run fib takes one input, but there are 2: "30" is too many`},
		{"run fib twenty", 2, "", `satin: "twenty" is no input: a whole number is expected`},
		{"run fib -- -1", 2, "", "satin: -1 is out of range: a number from 0 to 92 is expected"},
		{"run nqueens 99", 2, "", "satin: 99 queens are out of range: 0 to 24 are expected"},
		{"run uts T9", 2, "", `satin: there is no tree "T9"; did you mean T1?`},
		{"run uts T1 -r 5", 2, "", "satin: give a tree's name or its parameters, not both"},
		{"run uts -t 7", 2, "", "satin: -t 7 -a 0: a type and a shape from 0 to 3 are expected"},
		{"run uts -t 0 -q 0.5 -m 9", 2, "", "satin: -q 0.5 times -m 9 is 4.5: "},
		{"run", 2, "", "satin: run what? Choose one of "},
		{"nonsense", 2, "", `satin: there is no command "nonsense"; there are run, `},
		{"help rnu", 2, "", `satin: there is no command "rnu"; did you mean run?`},
		{"completion", 2, "", "satin: completion what? Choose one of bash, zsh and fish"},
		{"check", 2, "", "satin: check what? Choose one of raytracer, tsp, sat and knapsack"},
		{"check fib 20 x", 2, "", `satin: there is no checker "fib"; there are raytracer, tsp, sat and knapsack`},
		{"check tsp a.tsp", 2, "", "satin: check tsp takes INSTANCE ANSWER [PROOF], but there are 1 argument"},
		{"check knapsack a.kp b c", 2, "", "satin: check knapsack takes INSTANCE ANSWER, but there are 3 arguments"},
		{"check sat --generate php,3", 2, "", "satin: check sat takes ANSWER [PROOF] with --generate, but there are 0 arguments"},
		{"check tsp a.tsp b --generate php,3", 2, "", "satin: check tsp has no flag --generate; "},
		{"check tsp none.tsp b", 2, "", "satin: none.tsp: no such file or directory"},
		{"apps fob", 2, "", `satin: there is no application "fob"; did you mean fib?`},
		{"leave", 2, "", "satin: leave who? Name peers, or give --site NAME or --self"},
		{"leave --self --deadline 0s", 2, "", "satin: --deadline is 0s: more than 0s is expected"},
		{"leave --self --state /nowhere", 3, "", "satin: no node runs with state folder /nowhere; "},
		{"migrate --from a", 2, "", "satin: migrate needs two sites: --from A --to B"},
		{"migrate --from a --to a", 2, "", "satin: --from and --to are both a: "},
		{"migrate a b", 2, "", `satin: migrate takes no argument, but there is "a"`},
		{"kick", 2, "", "satin: kick takes one peer, by name or id, but there are 0"},
		{"kick a/1 --state /nowhere", 3, "", "satin: no node runs with state folder /nowhere; "},
		{"run fib 20 --copies 10s", 2, "", "satin: --copies needs --sites, "},
		{"run fib 20 --sites a:1 --copies often", 2, "", `satin: --copies is "often": a duration such as 10s, or off, is expected`},
		{"run fib 20 --sites a:1 --ft maybe", 2, "", `satin: --ft is "maybe": on or off is expected`},
		{"run fib 20 --sites a:1 --verify 2", 2, "", "satin: --verify is 2: a share from 0 to 1 is expected"},
		{"run fib 20 --verify 0.5", 2, "", "satin: --verify needs a grid, "},
		{"run fib 20 --share 200", 2, "", "satin: --share needs --join: "},
		{"run fib 20 --sites a:1 --keep", 2, "", "satin: --keep needs --join: "},
		{"run fib 20 --join x --share 0", 2, "", "satin: --share is 0: a number from 1 to 10000 is expected"},
		{"run fib 20 --sites a:1 --verify NaN", 2, "", "satin: --verify is NaN: a share from 0 to 1 is expected"},
		{"run fib 20 --sites a:1 --result-max 1KiB", 2, "", `satin: --result-max is "1KiB": a size from 64KiB to 1GiB is expected`},
		{"run fib 20 --result-max 0.5GiB", 0, "6765\n", ""},
		{"run fib 20 --record x", 2, "", "satin: --record is not there yet; "},
		{"node --copies 0s", 2, "", `satin: --copies is "0s": a duration`},
		{"run fib --pin 20", 2, "", "satin: --pin needs --sites, "},
		{"run fib 20 --wan 5ms", 2, "", "satin: --wan needs --sites, "},
		{"run fib 20 --sites a:0", 2, "", `satin: --sites: "a:0": a number of peers from 1 to `},
		{"run fib 20 --sites a:2,a:1", 2, "", "satin: --sites: site a is there twice"},
		{"run fib 20 --sites any:2", 2, "", `satin: --sites: a site cannot be called "any"`},
		{"run fib 20 --sites a:2 --workers 2", 2, "", "satin: --workers is for a run in one process; "},
		{"run fib 20 --sites a:2 --join x", 2, "", "satin: --sites makes a grid and --join uses one"},
		{"run fib 20 --sites a:2 --wan 5", 2, "", `satin: --wan: "5": a delay is expected`},
		{"run fib 20 --sites a:2 --chaos kill", 2, "", `satin: --chaos: event 1, "kill": who?`},
		{"run fib 20 --sites a:2 --chaos leave@3s", 2, "", `satin: --chaos: event 1, "leave@3s": who? `},
		{"run fib 20 --sites a:2 --grace 0s", 2, "", "satin: --grace is 0s: more than 0s is expected"},
		{"run fib 20 --join /nowhere/ticket", 2, "", "satin: --join: ticket: open /nowhere/ticket: no such file"},
		{"run fib 20 --join /ip4/127.0.0.1/tcp/1", 2, "", "satin: --join /ip4/127.0.0.1/tcp/1: an address that ends in /p2p/"},
		{"node here", 2, "", `satin: node takes no argument, but there is "here"`},
		{"node --site a/b", 2, "", `satin: --site: "a/b" is no name of a site`},
		{"node --relay perhaps", 2, "", `satin: --relay is "perhaps": auto, on or off is expected`},
		{"node --workers 0", 2, "", "satin: --workers is 0: 1 to "},
		{"node --grace 0s", 2, "", "satin: --grace is 0s: more than 0s is expected"},
		{"node --lifetime 15s", 2, "", "satin: --lifetime is 15s: more than the 20s of --grace is expected"},
		{"node --allow /nowhere/ids", 2, "", "satin: --allow /nowhere/ids: no such file or directory"},
		{"peers --state /nowhere", 3, "", "satin: no node runs with state folder /nowhere; start one with satin node"},
		{"status --state /nowhere --json", 3, "", "satin: no node runs with state folder /nowhere; "},
		{"key", 2, "", "satin: key what? Choose one of new, show and invite"},
		{"run fib 20 --events /nowhere/events", 2, "", "satin: --events /nowhere/events: no such file or directory"},
	} {
		t.Run(c.line, func(t *testing.T) {
			t.Parallel()
			got := runBinary(t, nil, strings.Fields(c.line)...)
			got.err = complaint(got.err)
			if got.code != c.code || got.out != c.out || !strings.HasPrefix(got.err, c.err) {
				t.Errorf("exit %d\nout %q\nerr %q\nwanted exit %d, out %q, err %q…", got.code, got.out, got.err, c.code, c.out, c.err)
			}
			if c.code != 0 && (strings.Count(got.err, "\n") != 1 || !strings.HasSuffix(got.err, "\n")) {
				t.Errorf("%q is not one line", got.err)
			}
		})
	}
}

// TestDocument compares the JSON answer with the one that CLI.md promises, word by word.
func TestDocument(t *testing.T) {
	got := runBinary(t, nil, "run", "nqueens", "8", "--json", "--workers", "2")
	if got.code != 0 || strings.Count(got.out, "\n") != 1 {
		t.Fatalf("exit %d, %q, %q", got.code, got.out, got.err)
	}
	var d map[string]any
	if err := json.Unmarshal([]byte(got.out), &d); err != nil {
		t.Fatal(err)
	}
	peer := d["peers"].([]any)[0].(map[string]any)
	for _, key := range []string{"workers", "jobs", "busy_seconds"} { // what a run measures
		if _, ok := peer[key].(float64); !ok {
			t.Errorf("peers: no %s in %v", key, peer)
		}
		delete(peer, key)
	}
	if peer["name"] == "" || peer["site"] == "" || fmt.Sprint(d["masters"]) != fmt.Sprintf("[%s]", peer["name"]) {
		t.Errorf("peer %v, masters %v", peer, d["masters"])
	}
	delete(peer, "name")
	delete(peer, "site")
	jobs := d["jobs"].(map[string]any)
	if _, ok := jobs["executed"].(float64); !ok || d["seconds"].(float64) <= 0 {
		t.Errorf("jobs %v in %v s", jobs, d["seconds"])
	}
	delete(jobs, "executed")
	delete(d, "seconds")
	delete(d, "masters")
	rest, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"answer":{"solutions":92},"app":"nqueens","bytes_far":0,"chaos":{"fired":0,"missed":[]},"complete":true,` +
		`"input":"8","jobs":{"aborted":0,"again":0,"lent_far":0,"lent_near":0},"losses":[],` +
		`"orphans":{"advertised":0,"copies_sent":0,"copies_used":0,"fetched":0},"peers":[{"state":"here"}],"schema":1}`
	if string(rest) != want {
		t.Errorf("the document has\n%s\nwanted\n%s", rest, want)
	}
}

func TestTimeout(t *testing.T) {
	got := runBinary(t, nil, "run", "fib", "80", "--json", "--timeout", "300ms")
	if got.code != exitTimeout || !strings.Contains(got.err, "satin: out of time after ") {
		t.Errorf("exit %d, %q", got.code, got.err)
	}
	if !strings.Contains(got.out, `"answer":null,"complete":false,`) {
		t.Errorf("the document is %s", got.out)
	}
}

func TestEnvironment(t *testing.T) {
	if got := runBinary(t, []string{"SATIN_JSON=1"}, "run", "fib", "20"); !strings.HasPrefix(got.out, `{"schema":1,`) {
		t.Errorf("SATIN_JSON=1 prints %q", got.out)
	}
	if got := runBinary(t, []string{"SATIN_JSON=1"}, "run", "fib", "20", "--json=false"); got.out != "6765\n" {
		t.Errorf("the flag over the environment prints %q", got.out)
	}
	if got := runBinary(t, []string{"SATIN_WORKERS=2", "SATIN_JOIN=/nowhere"}, "run", "fib", "20", "--sites", "a:1"); got.out != "6765\n" {
		t.Errorf("--sites with what it cannot go with in the environment: exit %d, %q", got.code, got.err)
	}
	for variable, want := range map[string]string{
		"SATIN_WORKERS=all":    `satin: SATIN_WORKERS is "all": a whole number is expected`,
		"SATIN_RECORD=x":       "satin: SATIN_RECORD (--record) is not there yet; ",
		"SATIN_TICKET=nothing": "satin: SATIN_TICKET: ",
	} {
		got := runBinary(t, []string{variable}, "run", "fib", "20")
		got.err = complaint(got.err)
		if got.code != exitUsage || !strings.HasPrefix(got.err, want) || strings.Count(got.err, "\n") != 1 {
			t.Errorf("%s: exit %d, %q", variable, got.code, got.err)
		}
	}
}

func TestEvents(t *testing.T) {
	file := filepath.Join(t.TempDir(), "events")
	if got := runBinary(t, nil, "run", "fib", "20", "--events", file); got.code != 0 {
		t.Fatalf("exit %d, %q", got.code, got.err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for line := range strings.Lines(string(text)) {
		var e event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		names = append(names, e.Event)
	}
	if names[0] != "started" || names[len(names)-1] != "answered" {
		t.Errorf("the events are %v", names)
	}
}

// TestEventsOnFullDisk computes on although the events do not fit.
func TestEventsOnFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no /dev/full")
	}
	got := runBinary(t, nil, "run", "fib", "20", "--events", "/dev/full")
	if got.code != 0 || got.out != "6765\n" || strings.Count(complaint(got.err), "\n") != 1 {
		t.Errorf("exit %d, %q, %q", got.code, got.out, got.err)
	}
}

// TestFullDisk prints an answer where nothing fits any more.
func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no /dev/full")
	}
	defer full.Close()
	var said bytes.Buffer
	c := exec.Command(binary, "run", "fib", "20")
	c.Stdout, c.Stderr = full, &said
	if err := c.Run(); c.ProcessState.ExitCode() != exitFailed || strings.Count(complaint(said.String()), "\n") != 1 {
		t.Errorf("%v, %q", err, said.String())
	}
}
