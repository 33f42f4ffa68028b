package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
)

// machinesMade makes the names of namespaces different.
var machinesMade atomic.Int32

// inside is a command that starts another in a network namespace.
func inside(ns string) []string { return []string{"ip", "netns", "exec", ns} }

// machines makes three network namespaces on one wire and takes them away again with the test. They
// are at 10.78.0.1 to 3, and the first and third at fd78::1 and fd78::3 too. Nodes in them listen
// at the usual port, so that loopback leads each to itself.
func machines(t *testing.T) (a, b, c string) {
	t.Helper()
	a, b, c, err := makeMachines(t)
	if err != nil {
		t.Skip("no network namespaces here: ", err)
	}
	return a, b, c
}

// makeMachines is machines where they may be impossible.
func makeMachines(t *testing.T) (a, b, c string, err error) {
	t.Helper()
	if os.Getuid() != 0 {
		return "", "", "", errors.New("network namespaces need root")
	}
	if _, err := exec.LookPath("ip"); err != nil {
		return "", "", "", errors.New("not installed here: ip")
	}
	name := fmt.Sprintf("satin-cmd-%d-%d-", os.Getpid(), machinesMade.Add(1))
	a, b, c = name+"a", name+"b", name+"c"
	for _, ns := range []string{a, b, c} {
		if out, err := exec.Command("ip", "netns", "add", ns).CombinedOutput(); err != nil {
			return "", "", "", fmt.Errorf("no network namespaces here: ip netns add: %v: %s", err, out)
		}
		t.Cleanup(func() { exec.Command("ip", "netns", "del", ns).Run() })
	}
	for _, line := range []string{
		"-n B link add wire type bridge", "-n B link set wire up",
		"-n A link add eth0 type veth peer name to-a netns B",
		"-n C link add eth0 type veth peer name to-c netns B",
		"-n B link set to-a master wire", "-n B link set to-c master wire",
		"-n A addr add 10.78.0.1/24 dev eth0", "-n A addr add fd78::1/64 dev eth0 nodad",
		"-n B addr add 10.78.0.2/24 dev wire",
		"-n C addr add 10.78.0.3/24 dev eth0", "-n C addr add fd78::3/64 dev eth0 nodad",
		"-n A link set lo up", "-n B link set lo up", "-n C link set lo up",
		"-n B link set to-a up", "-n B link set to-c up", "-n A link set eth0 up", "-n C link set eth0 up",
	} {
		f := strings.Fields(line)
		f[1] = map[string]string{"A": a, "B": b, "C": c}[f[1]]
		for i, word := range f {
			if word == "B" { // of netns
				f[i] = b
			}
		}
		if out, err := exec.Command("ip", f...).CombinedOutput(); err != nil {
			return "", "", "", fmt.Errorf("ip %s: %v: %s", line, err, out)
		}
	}
	return a, b, c, nil
}
