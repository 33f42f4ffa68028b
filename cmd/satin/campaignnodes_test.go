//go:build unix

package main

import (
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"satingrid/satin/program/console"
)

// roundNodes runs something on nodes that get signals: SIGTERM, SIGKILL, SIGSTOP and
// SIGCONT, while others join.
func (c *campaign) roundNodes() {
	w := c.draw()
	nodes := []*node{startNode(c.t, "--site", "a", "--grace", "10s")}
	join := func(site string) {
		nodes = append(nodes, startNode(c.t, "--site", site, "--grace", "10s", "--join", nodes[len(nodes)-1].ticket))
	}
	join("a")
	join("b")
	run := startJoined(c.t, nil, nodes[0].ticket, w.args...)
	run.underway(c.t)
	for !run.over() {
		if run.wait(time.Duration(300+c.rng.IntN(900)) * time.Millisecond) {
			break
		}
		if len(nodes) < 3 {
			join([]string{"a", "b", "c"}[c.rng.IntN(3)])
			continue
		}
		// the youngest stays, so that there is somebody to join
		n := nodes[c.rng.IntN(len(nodes)-1)]
		switch c.rng.IntN(3) {
		case 0:
			c.faults["leave"]++
			nodes = without(nodes, n)
			if n.end(); n.process.ProcessState.ExitCode() != console.ExitOK && !strings.Contains(n.said(c.t), "left before everything was handed over") {
				// who was stopped before may have too little time
				c.t.Errorf("%s: %v, %s", n.name, n.process.ProcessState, n.said(c.t))
			}
		case 1:
			c.faults["kill"]++
			nodes = without(nodes, n)
			n.kill()
		case 2:
			c.faults["stop"]++
			n.process.Process.Signal(syscall.SIGSTOP)
			run.wait(time.Duration(500+c.rng.IntN(4000)) * time.Millisecond)
			n.process.Process.Signal(syscall.SIGCONT)
		}
	}
	for _, l := range c.judge(w, run.said, run.result()) {
		if l.How == "kill" {
			if c.killed++; l.Noticed != nil {
				c.timed++
			}
		}
	}
	for _, n := range nodes {
		n.kill()
	}
}

func without(nodes []*node, n *node) []*node {
	return slices.DeleteFunc(slices.Clone(nodes), func(m *node) bool { return m == n })
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
