package main

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// severFor is how long two halves are apart: each holds the other dead, and all sessions
// between them have ended.
const severFor = 25 * time.Second

// sever cuts a machine off from all others, both ways at once: one that only hears nobody any more
// would tell the others so.
func sever(t *testing.T, ns string) {
	t.Helper()
	all := strings.Join([]string{
		"add table inet severed",
		"add chain inet severed in { type filter hook input priority 0 ; }", "add rule inet severed in iifname != lo drop",
		"add chain inet severed out { type filter hook output priority 0 ; }", "add rule inet severed out oifname != lo drop",
	}, "\n")
	if out, err := exec.Command("ip", "netns", "exec", ns, "nft", all).CombinedOutput(); err != nil {
		t.Skipf("not possible in network namespaces here: nft %s: %v: %s", all, err, out)
	}
}

// rejoin ends that.
func rejoin(t *testing.T, ns string) {
	t.Helper()
	if out, err := exec.Command("ip", "netns", "exec", ns, "nft", "delete", "table", "inet", "severed").CombinedOutput(); err != nil {
		t.Fatalf("nft: %v: %s", err, out)
	}
}

// Each of three parts is cut off from the others for long. Two of them meet, and then the third:
// whichever it is.
func TestThreePartsMeetInTurn(t *testing.T) {
	t.Parallel()
	for last, name := range []string{"a", "b", "c"} {
		t.Run(name+" is the last", func(t *testing.T) {
			t.Parallel()
			threePartsMeet(t, last)
		})
	}
}

func threePartsMeet(t *testing.T, last int) {
	at, bt, ct := machines(t)
	if _, err := exec.LookPath("nft"); err != nil {
		t.Skip("not installed here: nft")
	}
	places := []string{at, bt, ct}
	b := startNodeBy(t, inside(bt), "--site", "b")
	a := startNodeBy(t, inside(at), "--site", "a", "--join", b.ticket)
	c := startNodeBy(t, inside(ct), "--site", "c", "--join", b.ticket)
	all := []*node{a, b, c}
	for _, n := range all {
		n.awaitMembers(t, all...)
	}
	for _, ns := range places {
		sever(t, ns)
	}
	began := time.Now()
	for _, n := range all {
		n.awaitMembers(t, n)
	}
	time.Sleep(severFor - time.Since(began)) // being apart for long is what is tested
	for _, ns := range slices.Delete(slices.Clone(places), last, last+1) {
		rejoin(t, ns)
	}
	areOne(t, newPulse(t).watch(), slices.Delete(slices.Clone(all), last, last+1)...)
	all[last].awaitMembers(t, all[last])
	rejoin(t, places[last])
	areOne(t, newPulse(t).watch(), all...)
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
	areOne(t, newPulse(t).watch(), all...)
}

// onMachines makes hosts that are machines of their own: one whose power is gone answers nothing.
func onMachines(t *testing.T, n int) (all []*host, fresh func() string) {
	t.Helper()
	net, err := newSpaces(t, n)
	if err != nil {
		t.Skip("no network namespaces here: ", err)
	}
	listens := func(ip string) string { return "/ip4/" + ip + "/tcp/4001" }
	for _, x := range net.all {
		h := &host{t: t, by: inside(x.ns), folder: x.folder, listens: listens(x.ip), isDark: true}
		isOff := false
		h.off = func() { sever(t, x.ns); isOff = true }
		h.on = func() {
			if isOff {
				rejoin(t, x.ns)
			}
			isOff = false
		}
		h.moves = func(to string) {
			if err := net.moveTo(x, strings.Split(to, "/")[2]); err != nil {
				t.Fatal(err)
			}
			h.listens = to
		}
		all = append(all, h)
	}
	return all, func() string { return listens(net.freeAddr()) }
}

// TestDeadMachines plays the scenes of losses where a machine that is down answers nothing, as a
// real one does, and is not merely a port where nobody listens.
func TestDeadMachines(t *testing.T) {
	needsChaos(t)
	if _, err := newSpaces(t, 1); err != nil {
		fmt.Printf("dead machines: skipped: %v\n", err)
		t.Skip("no network namespaces here: ", err)
	}
	scenes := map[string]func(*testing.T){
		"restart without the founder": func(t *testing.T) { restartWithoutTheFounder(t, onMachines) },
		"any one starts first":        func(t *testing.T) { anyOneStartsFirst(t, onMachines) },
		"two swap":                    func(t *testing.T) { twoSwap(t, onMachines) },
		"a ticket made with a client": func(t *testing.T) { ticketLeadsToTheClient(t, onMachines, true) },
		"a ticket kept by a node":     func(t *testing.T) { ticketLeadsToTheClient(t, onMachines, false) },
	}
	t.Run("scenes", func(t *testing.T) {
		for name, scene := range scenes {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				scene(t)
			})
		}
	})
	fmt.Printf("dead machines: %d scenes\n", len(scenes))
}
