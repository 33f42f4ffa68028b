//go:build unix

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// roundPartition runs something on nodes of two machines, network namespaces, with a client on
// a third, and drops all packets of the machine that founded the grid, the master, for a
// while: first both ways, so that there are two masters, then one way. When they pass again
// the nodes find each other.
func (c *campaign) roundPartition() {
	at, bt, ct, err := makeMachines(c.t)
	if err == nil {
		err = nft(at, "add table inet cut")
	}
	if err != nil {
		c.skip("partition by nft", err)
		return
	}
	a := startNodeBy(c.t, inside(at), "--site", "a")
	b := startNodeBy(c.t, inside(bt), "--site", "b", "--join", a.ticket)
	for _, chains := range [][]string{{"input", "output"}, {"input"}} {
		w := c.draw()
		run := startJoined(c.t, inside(ct), b.ticket, w.args...)
		run.underway(c.t)
		for _, hook := range chains {
			if err := nft(at, fmt.Sprintf("add chain inet cut %s { type filter hook %s priority 0 ; policy drop ; }", hook, hook)); err != nil {
				c.t.Fatal(err)
			}
		}
		c.faults["partition"]++
		run.wait(time.Duration(3+c.rng.IntN(4)) * time.Second)
		if len(chains) == 2 && !run.over() && !run.awaitMaster(c.t, b) {
			c.t.Errorf("%s was answered, but %s, which alone could, was never its master", run.said, b.name)
		}
		if err := nft(at, "flush ruleset", "add table inet cut"); err != nil {
			c.t.Fatal(err)
		}
		c.judge(w, "under a partition by nft, "+run.said, run.result())
		a.awaitMembers(c.t, a, b)
		b.awaitMembers(c.t, a, b)
	}
	a.kill()
	b.kill()
}

// roundDeadLink lets nothing pass between the client of a run and its master any more,
// while both live and another node reaches both: the answer comes by way of that one,
// though the link stays dead.
func (c *campaign) roundDeadLink() {
	at, bt, ct, err := makeMachines(c.t)
	if err == nil {
		err = nft(ct, "add table inet cut")
	}
	if err != nil {
		c.skip("dead link by nft", err)
		return
	}
	a := startNodeBy(c.t, inside(at), "--site", "a")
	b := startNodeBy(c.t, inside(bt), "--site", "b", "--join", a.ticket)
	outlasting(c.t, boards[1:], func(l load) bool {
		w := l.workload()
		run := startJoined(c.t, inside(ct), a.ticket, w.args...)
		run.awaitMaster(c.t, a)
		if err := nft(ct,
			"add chain inet cut in { type filter hook input priority 0 ; }", "add chain inet cut out { type filter hook output priority 0 ; }",
			"add rule inet cut in ip saddr 10.78.0.1 drop", "add rule inet cut in meta nfproto ipv6 drop",
			"add rule inet cut out ip daddr 10.78.0.1 drop", "add rule inet cut out meta nfproto ipv6 drop",
		); err != nil {
			c.t.Fatal(err)
		}
		if run.over() {
			if err := nft(ct, "flush ruleset", "add table inet cut"); err != nil {
				c.t.Fatal(err)
			}
			return false
		}
		c.faults["dead link"]++
		c.judge(w, "with a dead link to the master, "+run.said, run.result())
		if masters := run.masters(c.t); len(masters) != 1 || masters[0] != a.name {
			c.t.Errorf("the masters were %v, and %s was alive", masters, a.name)
		}
		return true
	})
	for _, n := range []*node{a, b} {
		n.awaitMembers(c.t, a, b)
		if text := n.said(c.t); strings.Contains(text, " is gone ") {
			c.t.Errorf("%s has lost the other: %s", n.name, text)
		}
		n.kill()
	}
}

// nft changes what a network namespace lets pass.
func nft(ns string, lines ...string) error {
	for _, line := range lines {
		if err := sh(slices.Concat(inside(ns), []string{"nft"}, strings.Fields(line))...); err != nil {
			return err
		}
	}
	return nil
}

// roundMemory runs something on nodes one of which the kernel kills for want of memory.
func (c *campaign) roundMemory() {
	group, err := memoryGroup()
	if err != nil {
		c.skip("out of memory kill", err)
		return
	}
	defer os.Remove(group)
	outlasting(c.t, numbers, func(l load) bool { return c.outOfMemory(group, l.workload()) })
}

// outOfMemory tells whether the run went on when a node was out of memory.
func (c *campaign) outOfMemory(group string, w *workload) (played bool) {
	by := []string{"sh", "-c", "echo $$ >" + filepath.Join(group, "cgroup.procs") + ` && exec "$0" "$@"`}
	a := startNode(c.t, "--site", "a")
	defer a.kill()
	b := startNodeBy(c.t, by, "--site", "b", "--join", a.ticket, "--listen", anyPort)
	// Whoever in the group asks for too much, it is the node that dies.
	score := fmt.Sprintf("/proc/%d/oom_score_adj", b.process.Process.Pid)
	if err := os.WriteFile(score, []byte("1000"), 0); err != nil {
		c.t.Fatal(err)
	}
	run := startJoined(c.t, nil, a.ticket, w.args...)
	run.underway(c.t)
	hog := c.startHog(by)
	defer hog()
	b.process.Wait()
	if s, ok := b.process.ProcessState.Sys().(syscall.WaitStatus); !ok || s.Signal() != syscall.SIGKILL {
		c.t.Errorf("the node that should have run out of memory ended with %v", b.process.ProcessState)
	}
	if run.over() {
		return false
	}
	c.faults["out of memory"]++
	c.judge(w, "with a node out of memory, "+run.said, run.result())
	return true
}

// memoryMax is enough for a node, and little for a hog.
const memoryMax = 192 << 20

// memoryGroup makes a control group that bounds memory, of either version.
func memoryGroup() (string, error) {
	if os.Getuid() != 0 {
		return "", errors.New("control groups need root")
	}
	for folder, file := range map[string]string{"/sys/fs/cgroup/memory": "memory.limit_in_bytes", "/sys/fs/cgroup": "memory.max"} {
		group := filepath.Join(folder, fmt.Sprintf("satin-%d", os.Getpid()))
		if err := os.Mkdir(group, 0o755); err != nil {
			continue
		}
		if _, err := os.Stat(filepath.Join(group, file)); err == nil {
			err = os.WriteFile(filepath.Join(group, file), []byte(fmt.Sprint(memoryMax)), 0)
			if err == nil {
				swap := filepath.Join(group, "memory.swap.max")
				if _, none := os.Stat(swap); none == nil {
					err = os.WriteFile(swap, []byte("0"), 0)
				}
			}
			if err == nil {
				return group, nil
			}
		}
		os.Remove(group)
	}
	return "", errors.New("no control group that bounds memory can be made here")
}

// startHog starts a process in the group that takes all the memory that it can get. The
// function returned ends it.
func (c *campaign) startHog(by []string) func() {
	hog := exec.Command(by[0], append(by[1:], "tail", "/dev/zero")...)
	if err := hog.Start(); err != nil {
		c.t.Fatal(err)
	}
	return func() {
		hog.Process.Kill()
		hog.Wait()
	}
}
