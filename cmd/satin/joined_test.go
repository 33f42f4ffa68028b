//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"satingrid/satin/program"
	"satingrid/satin/program/console"
)

// joined is a run of the command on a grid of nodes, under way.
type joined struct {
	said     string
	process  *exec.Cmd
	out, err bytes.Buffer
	done     chan struct{}
	start    time.Time
	log      string // of its events
}

// startJoined starts a run on the grid of a ticket, by another command such as ip netns exec.
func startJoined(t *testing.T, by []string, ticket string, args ...string) *joined {
	t.Helper()
	log := filepath.Join(t.TempDir(), "events")
	args = slices.Concat([]string{"run"}, args, []string{"--json", "--join", ticket, "--timeout", stuckAfter, "--events", log})
	words := slices.Concat(by, []string{binary}, args)
	r := &joined{said: "on nodes that get signals: " + quoted(args), process: exec.Command(words[0], words[1:]...), done: make(chan struct{}), start: time.Now(), log: log}
	r.process.Stdout, r.process.Stderr = &r.out, &r.err
	if err := r.process.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { // ends with the process
		r.process.Wait()
		close(r.done)
	}()
	t.Cleanup(func() {
		r.process.Process.Kill()
		<-r.done
	})
	return r
}

// underway waits until the run has a master.
func (r *joined) underway(t *testing.T) {
	t.Helper()
	for deadline := time.Now().Add(patience); !r.wait(20*time.Millisecond) && len(r.masters(t)) == 0; {
		if time.Now().After(deadline) {
			t.Fatalf("%s: no master after %v", r.said, patience)
		}
	}
}

// comes waits for some time until the run has a master or is over.
func (r *joined) comes(t *testing.T, most time.Duration) {
	t.Helper()
	for began := time.Now(); !r.wait(20*time.Millisecond) && len(r.masters(t)) == 0 && time.Since(began) < most; {
	}
}

// awaitMaster waits until a node is the run's master. It is false where the run was over before.
func (r *joined) awaitMaster(t *testing.T, n *node) bool {
	t.Helper()
	for deadline := time.Now().Add(patience); !slices.Contains(r.masters(t), n.name); {
		if time.Now().After(deadline) {
			t.Fatalf("%s: its masters are %v after %v, wanted %s", r.said, r.masters(t), patience, n.name)
		}
		if r.wait(20 * time.Millisecond) {
			return slices.Contains(r.masters(t), n.name)
		}
	}
	return true
}

// masters are the names of the run's masters, one after another, as far as the client has heard.
func (r *joined) masters(t *testing.T) []string {
	t.Helper()
	return mastersIn(t, r.log)
}

// mastersIn are the names of a run's masters, one after another, by the file of its events. The
// document has only those that were master long enough to report.
func mastersIn(t *testing.T, log string) (names []string) {
	t.Helper()
	text, err := os.ReadFile(log)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var e program.Event
		if json.Unmarshal([]byte(line), &e) == nil && e.Event == "master" {
			names = append(names, e.Peer)
		}
	}
	return slices.Compact(names)
}

func (r *joined) over() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

// wait waits for some time, or until the run is over.
func (r *joined) wait(d time.Duration) bool {
	select {
	case <-r.done:
		return true
	case <-time.After(d):
		return false
	}
}

func (r *joined) result() ended {
	<-r.done
	return ended{r.process.ProcessState.ExitCode(), r.out.String(), r.err.String(), time.Since(r.start)}
}

// answers waits for the run's end, and checks what it answers and who its masters were.
func (r *joined) answers(t *testing.T, name string, want any, masters ...*node) program.Document {
	t.Helper()
	d := r.answersSoon(t, name, want)
	var names []string
	for _, n := range masters {
		names = append(names, n.name)
	}
	if got := r.masters(t); !slices.Equal(got, names) {
		t.Errorf("%s: its masters were %v, wanted %v", r.said, got, names)
	}
	return d
}

// answersSoon does so for a run that may be over before its client has heard who its master is.
func (r *joined) answersSoon(t *testing.T, name string, want any) program.Document {
	t.Helper()
	got := r.result()
	var d program.Document
	if err := json.Unmarshal([]byte(got.out), &d); err != nil {
		t.Fatalf("%s: %v: exit %d, %q, %q", r.said, err, got.code, got.out, got.err)
	}
	if answer, _ := d.Answer.(map[string]any); got.code != console.ExitOK || !d.Complete || !reflect.DeepEqual(answer[name], want) {
		t.Errorf("%s: exit %d, %v, wanted the %s %v\n%s", r.said, got.code, answer, name, want, got.err)
	}
	return d
}
