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
	for deadline := time.Now().Add(patience); !r.wait(20*time.Millisecond) && len(r.heard(t, "master")) == 0; {
		if time.Now().After(deadline) {
			t.Fatalf("%s: no master after %v", r.said, patience)
		}
	}
}

// await waits until the client has heard that a node has joined, or is the run's master, which must come before the run is over.
func (r *joined) await(t *testing.T, event string, n *node) {
	t.Helper()
	for deadline := time.Now().Add(patience); !slices.Contains(r.heard(t, event), n.name); {
		if r.wait(20*time.Millisecond) || time.Now().After(deadline) {
			t.Fatalf("%s: over: %v; of %s it heard %v, wanted %s", r.said, r.over(), event, r.heard(t, event), n.name)
		}
	}
}

// heard are the names of the peers that something has happened to, as far as the client has heard.
func (r *joined) heard(t *testing.T, what string) []string {
	t.Helper()
	return heard(t, r.log, what)
}

// heard are the names of the peers that something has happened to, one after another, by a file of events.
func heard(t *testing.T, log, what string) (names []string) {
	t.Helper()
	text, err := os.ReadFile(log)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var e event
		if json.Unmarshal([]byte(line), &e) == nil && e.Event == what {
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
func (r *joined) answers(t *testing.T, name string, want any, masters ...*node) document {
	t.Helper()
	got := r.result()
	var d document
	if err := json.Unmarshal([]byte(got.out), &d); err != nil {
		t.Fatalf("%s: %v: exit %d, %q, %q", r.said, err, got.code, got.out, got.err)
	}
	if answer, _ := d.Answer.(map[string]any); got.code != exitOK || !d.Complete || !reflect.DeepEqual(answer[name], want) {
		t.Errorf("%s: exit %d, %v, wanted the %s %v\n%s", r.said, got.code, answer, name, want, got.err)
	}
	var names []string
	for _, n := range masters {
		names = append(names, n.name)
	}
	if got := r.heard(t, "master"); !slices.Equal(got, names) {
		t.Errorf("%s: its masters were %v, wanted %v", r.said, got, names)
	}
	return d
}
