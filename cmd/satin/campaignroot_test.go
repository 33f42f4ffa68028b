//go:build unix

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// roundPartition runs something on nodes of two machines, network namespaces, with a client on a third, and drops all
// packets of the machine that founded the grid for a while: first one way, then both.
func (c *campaign) roundPartition() {
	at, bt, ct, err := makeMachines(c.t)
	if err == nil {
		err = sh("ip", "netns", "exec", at, "nft", "add table inet cut")
	}
	if err != nil {
		c.skip("partition by nft", err)
		return
	}
	in := func(ns string) []string { return []string{"ip", "netns", "exec", ns} }
	a := startNodeBy(c.t, in(at), "--site", "a")
	b := startNodeBy(c.t, in(bt), "--site", "b", "--join", a.ticket)
	for _, chains := range [][]string{{"input"}, {"input", "output"}} {
		w := c.draw()
		run := c.start(w, in(ct), b.ticket)
		run.underway(c.t)
		for _, hook := range chains {
			if err := sh("ip", "netns", "exec", at, "nft", fmt.Sprintf("add chain inet cut %s { type filter hook %s priority 0 ; policy drop ; }", hook, hook)); err != nil {
				c.t.Fatal(err)
			}
		}
		c.faults["partition"]++
		run.wait(time.Duration(3+c.rng.IntN(4)) * time.Second)
		if err := sh("ip", "netns", "exec", at, "nft", "flush ruleset"); err != nil {
			c.t.Fatal(err)
		}
		if err := sh("ip", "netns", "exec", at, "nft", "add table inet cut"); err != nil {
			c.t.Fatal(err)
		}
		c.judge(w, "under a partition by nft, "+run.said, run.result())
	}
	for _, n := range []*node{a, b} {
		n.process.Process.Kill()
		n.process.Wait()
	}
}

// roundMemory runs something on nodes one of which the kernel kills for want of memory.
func (c *campaign) roundMemory() {
	group, err := memoryGroup()
	if err != nil {
		c.skip("out of memory kill", err)
		return
	}
	defer os.Remove(group)
	inside := []string{"sh", "-c", "echo $$ >" + filepath.Join(group, "cgroup.procs") + ` && exec "$0" "$@"`}
	a := startNode(c.t, "--site", "a")
	b := startNodeBy(c.t, inside, "--site", "b", "--join", a.ticket, "--listen", anyPort)
	// Whoever in the group asks for too much, it is the node that dies.
	score := fmt.Sprintf("/proc/%d/oom_score_adj", b.process.Process.Pid)
	if err := os.WriteFile(score, []byte("1000"), 0); err != nil {
		c.t.Fatal(err)
	}
	w := c.draw()
	run := c.start(w, nil, a.ticket)
	run.underway(c.t)
	hog := c.startHog(inside)
	defer hog()
	c.faults["out of memory"]++
	c.judge(w, "with a node out of memory, "+run.said, run.result())
	b.process.Wait()
	if s, ok := b.process.ProcessState.Sys().(syscall.WaitStatus); !ok || s.Signal() != syscall.SIGKILL {
		c.t.Errorf("the node that should have run out of memory ended with %v", b.process.ProcessState)
	}
	a.process.Process.Kill()
	a.process.Wait()
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

// startHog starts a process in the group that takes all the memory that it can get. The function returned ends it.
func (c *campaign) startHog(inside []string) func() {
	hog := exec.Command(inside[0], append(inside[1:], "tail", "/dev/zero")...)
	if err := hog.Start(); err != nil {
		c.t.Fatal(err)
	}
	return func() {
		hog.Process.Kill()
		hog.Wait()
	}
}
