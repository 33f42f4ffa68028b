//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// roundNodes runs something on nodes that get signals: SIGTERM, SIGKILL, SIGSTOP and SIGCONT, while others join.
func (c *campaign) roundNodes() {
	w := c.draw()
	nodes := []*node{startNode(c.t, "--site", "a", "--grace", "10s")}
	join := func(site string) {
		nodes = append(nodes, startNode(c.t, "--site", site, "--grace", "10s", "--join", nodes[len(nodes)-1].ticket))
	}
	join("a")
	join("b")
	run := c.start(w, nil, nodes[0].ticket)
	run.underway(c.t)
	for !run.over() {
		if run.wait(time.Duration(300+c.rng.IntN(900)) * time.Millisecond) {
			break
		}
		if len(nodes) < 3 {
			join([]string{"a", "b", "c"}[c.rng.IntN(3)])
			continue
		}
		n := nodes[c.rng.IntN(len(nodes)-1)] // the youngest stays, so that there is somebody to join
		switch c.rng.IntN(3) {
		case 0:
			c.faults["leave"]++
			nodes = without(nodes, n)
			n.stop(c.t)
		case 1:
			c.faults["kill"]++
			nodes = without(nodes, n)
			n.process.Process.Kill()
			n.process.Wait()
		case 2:
			c.faults["stop"]++
			n.process.Process.Signal(syscall.SIGSTOP)
			run.wait(time.Duration(500+c.rng.IntN(4000)) * time.Millisecond)
			n.process.Process.Signal(syscall.SIGCONT)
		}
	}
	c.judge(w, run.said, run.result())
	for _, n := range nodes {
		n.process.Process.Kill()
		n.process.Wait()
	}
}

func without(nodes []*node, n *node) []*node {
	return slices.DeleteFunc(slices.Clone(nodes), func(m *node) bool { return m == n })
}

// joined is a run of the command on a grid of nodes, under way.
type joined struct {
	said     string
	process  *exec.Cmd
	out, err bytes.Buffer
	done     chan struct{}
	start    time.Time
	log      string // of its events
}

// start starts a run on the grid of a ticket, by another command such as ip netns exec.
func (c *campaign) start(w *workload, by []string, ticket string) *joined {
	c.t.Helper()
	log := filepath.Join(c.t.TempDir(), "events")
	args := slices.Concat([]string{"run"}, w.args, []string{"--json", "--join", ticket, "--timeout", stuckAfter, "--events", log})
	words := slices.Concat(by, []string{binary}, args)
	r := &joined{said: "on nodes that get signals: " + quoted(args), process: exec.Command(words[0], words[1:]...), done: make(chan struct{}), start: time.Now(), log: log}
	r.process.Stdout, r.process.Stderr = &r.out, &r.err
	if err := r.process.Start(); err != nil {
		c.t.Fatal(err)
	}
	go func() { // ends with the process
		r.process.Wait()
		close(r.done)
	}()
	return r
}

// underway waits until the run has a master.
func (r *joined) underway(t *testing.T) {
	t.Helper()
	for deadline := time.Now().Add(patience); !r.wait(20 * time.Millisecond); {
		if text, _ := os.ReadFile(r.log); strings.Contains(string(text), `"event":"master"`) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s: no master after %v", r.said, patience)
		}
	}
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

// skip notes that a fault cannot be made here, by name.
func (c *campaign) skip(name string, why error) {
	c.skips = append(c.skips, fmt.Sprintf("%s: %v", name, why))
}

// sh runs a command line, and says what it printed when it fails.
func sh(words ...string) error {
	out, err := exec.Command(words[0], words[1:]...).CombinedOutput()
	if err != nil {
		return errors.New(strings.Join(words, " ") + ": " + err.Error() + ": " + strings.TrimSpace(string(out)))
	}
	return nil
}
