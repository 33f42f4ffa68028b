package main

import (
	"os/exec"
	"strings"
	"testing"
	"time"
)

// severFor is how long two halves are apart: each holds the other dead, and all sessions
// between them have ended.
const severFor = 25 * time.Second

// sever cuts a machine off from all others.
func sever(t *testing.T, ns string) {
	t.Helper()
	for _, line := range []string{
		"add table inet severed",
		"add chain inet severed in { type filter hook input priority 0 ; }", "add rule inet severed in iifname != lo drop",
		"add chain inet severed out { type filter hook output priority 0 ; }", "add rule inet severed out oifname != lo drop",
	} {
		if out, err := exec.Command("ip", append([]string{"netns", "exec", ns, "nft"}, strings.Fields(line)...)...).CombinedOutput(); err != nil {
			t.Skipf("not possible in network namespaces here: nft %s: %v: %s", line, err, out)
		}
	}
}

// rejoin ends that.
func rejoin(t *testing.T, ns string) {
	t.Helper()
	if out, err := exec.Command("ip", "netns", "exec", ns, "nft", "delete", "table", "inet", "severed").CombinedOutput(); err != nil {
		t.Fatalf("nft: %v: %s", err, out)
	}
}

// Each of three parts is cut off from the others for long. Two of them meet, and then the third.
func TestThreePartsMeetInTurn(t *testing.T) {
	t.Parallel()
	at, bt, ct := machines(t)
	if _, err := exec.LookPath("nft"); err != nil {
		t.Skip("not installed here: nft")
	}
	b := startNodeBy(t, inside(bt), "--site", "b")
	a := startNodeBy(t, inside(at), "--site", "a", "--join", b.ticket)
	c := startNodeBy(t, inside(ct), "--site", "c", "--join", b.ticket)
	for _, n := range []*node{a, b, c} {
		n.awaitMembers(t, a, b, c)
	}
	sever(t, at)
	sever(t, ct)
	began := time.Now()
	for _, n := range []*node{a, b, c} {
		n.awaitMembers(t, n)
	}
	time.Sleep(severFor - time.Since(began)) // being apart for long is what is tested
	rejoin(t, ct)
	areOne(t, time.Now(), b, c)
	a.awaitMembers(t, a)
	rejoin(t, at)
	areOne(t, time.Now(), a, b, c)
}

// The founder leaves in order. Then the halves are cut off from each other, and heal.
func TestHalvesHealWithoutTheFounder(t *testing.T) {
	t.Parallel()
	at, bt, ct := machines(t)
	if _, err := exec.LookPath("nft"); err != nil {
		t.Skip("not installed here: nft")
	}
	f := startNodeBy(t, inside(bt), "--site", "b")
	a1 := startNodeBy(t, inside(at), "--site", "a", "--join", f.ticket)
	a2 := startNodeBy(t, inside(at), "--site", "a", "--join", f.ticket)
	c1 := startNodeBy(t, inside(ct), "--site", "c", "--join", f.ticket)
	c2 := startNodeBy(t, inside(ct), "--site", "c", "--join", f.ticket)
	all := []*node{a1, a2, c1, c2}
	for _, n := range all {
		n.awaitMembers(t, append(all, f)...)
	}
	f.end()
	sever(t, at)
	began := time.Now()
	a1.awaitMembers(t, a1, a2)
	c1.awaitMembers(t, c1, c2)
	time.Sleep(severFor - time.Since(began)) // being apart for long is what is tested
	a2.awaitMembers(t, a1, a2)
	c2.awaitMembers(t, c1, c2)
	rejoin(t, at)
	areOne(t, time.Now(), all...)
}
