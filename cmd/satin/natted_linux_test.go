package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"satingrid/satin/program/admin"
)

// natted makes a machine that anybody can reach, at 10.76.0.1, and two that are behind a router
// each, which gives them its address and lets nobody in. Both are 192.168.9.2, as happens.
func natted(t *testing.T) (public, a, b string) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("network namespaces need root")
	}
	for _, tool := range []string{"ip", "nft", "sysctl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("not installed here: ", tool)
		}
	}
	name := fmt.Sprintf("satin-cmd-nat-%d-", os.Getpid())
	public, a, b = name+"p", name+"a", name+"b"
	lines := []string{
		"ip -n PUBLIC link add wire type bridge", "ip -n PUBLIC addr add 10.76.0.1/24 dev wire",
		"ip -n PUBLIC link set wire up", "ip -n PUBLIC link set lo up",
	}
	for i, site := range []string{a, b} {
		for _, line := range []string{
			"ip -n SITE link add eth0 type veth peer name in netns ROUTER",
			"ip -n PUBLIC link add toNUMBER type veth peer name out netns ROUTER",
			"ip -n PUBLIC link set toNUMBER master wire", "ip -n PUBLIC link set toNUMBER up",
			"ip -n ROUTER addr add 10.76.0.NUMBER/24 dev out", "ip -n ROUTER addr add 192.168.9.1/24 dev in",
			"ip -n SITE addr add 192.168.9.2/24 dev eth0",
			"ip -n ROUTER link set in up", "ip -n ROUTER link set out up",
			"ip -n SITE link set eth0 up", "ip -n SITE link set lo up",
			"ip -n SITE route add default via 192.168.9.1",
			"ip netns exec ROUTER sysctl -qw net.ipv4.ip_forward=1",
			"ip netns exec ROUTER nft add table ip nat",
			"ip netns exec ROUTER nft add chain ip nat leaving { type nat hook postrouting priority 100 ; }",
			"ip netns exec ROUTER nft add rule ip nat leaving oifname out masquerade",
			"ip netns exec ROUTER nft add chain ip nat through { type filter hook forward priority 0 ; }",
			"ip netns exec ROUTER nft add rule ip nat through iifname out ct state new drop",
		} {
			lines = append(lines, strings.NewReplacer("ROUTER", site+"r", "SITE", site, "NUMBER", fmt.Sprint(2+i)).Replace(line))
		}
	}
	for _, ns := range []string{public, a, b, a + "r", b + "r"} {
		if out, err := exec.Command("ip", "netns", "add", ns).CombinedOutput(); err != nil {
			t.Skipf("no network namespaces here: ip netns add: %v: %s", err, out)
		}
		t.Cleanup(func() { exec.Command("ip", "netns", "del", ns).Run() })
	}
	for _, line := range lines {
		f := strings.Fields(strings.ReplaceAll(line, "PUBLIC", public))
		if out, err := exec.Command(f[0], f[1:]...).CombinedOutput(); err != nil {
			if mayLack(line) {
				t.Skipf("not possible in network namespaces here: %s: %v: %s", line, err, out)
			}
			t.Fatalf("%s: %v: %s", line, err, out)
		}
	}
	return public, a, b
}

// mayLack tells whether a kernel may lack what a command needs. Whatever else fails is a fault of
// the test, and no reason to skip it.
func mayLack(line string) bool {
	return strings.Contains(line, " link add ") || strings.Contains(line, " nft add ")
}

// bigPicture is a run whose answer is longer than 1 MiB. How long it takes depends on the samples.
func bigPicture(samples string) []string {
	return []string{"raytracer", "--size", "360x270", "--samples", samples, "--bounces", "1"}
}

// rendered renders the picture, and gives what the document says.
func rendered(t *testing.T, samples string, by []string, args ...string) (sha string, masters []string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "out.pfm")
	words := slices.Concat(by, []string{binary, "run"}, bigPicture(samples), []string{"--json", "-o", file}, args)
	c := exec.Command(words[0], words[1:]...)
	var said strings.Builder
	c.Stderr = &said
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v: %s%s", err, out, &said)
	}
	if info, err := os.Stat(file); err != nil || info.Size() < 1<<20 {
		t.Fatalf("the picture: %v, %v", info, err)
	}
	var d struct {
		Answer  struct{ SHA256 string }
		Masters []string
	}
	if err := json.Unmarshal(out, &d); err != nil {
		t.Fatal(err)
	}
	return d.Answer.SHA256, d.Masters
}

// TestTwoSitesBehindNAT is a grid of two machines that nobody can dial and two that relay between
// them. When the oldest, a relay, is killed during a run, its successor as the master is behind one
// NAT and the client behind the other, so that the answer takes the way through the other relay.
// When that one is killed too, each side is alone: the one where the client is computes on.
func TestTwoSitesBehindNAT(t *testing.T) {
	t.Parallel()
	public, at, bt := natted(t)
	for _, samples := range []string{"2", "8", "32", "128"} { // a fast machine gets more
		if behindNAT(t, public, at, bt, samples) || t.Failed() {
			return
		}
	}
	t.Error("no picture took long enough")
}

// behindNAT tells whether both runs lasted until a relay was killed.
func behindNAT(t *testing.T, public, at, bt, samples string) (played bool) {
	t.Helper()
	want, _ := rendered(t, samples, nil)
	hub := startNodeBy(t, inside(public), "--site", "hub", "--listen", "/ip4/10.76.0.1/tcp/4001")
	a := startNodeBy(t, inside(at), "--site", "delft", "--join", hub.ticket)
	b := startNodeBy(t, inside(bt), "--site", "paris", "--join", hub.ticket)
	second := startNodeBy(t, inside(public), "--site", "hub", "--listen", "/ip4/10.76.0.1/tcp/4002", "--join", hub.ticket)
	defer func() {
		for _, n := range []*node{hub, a, b, second} {
			n.kill()
		}
	}()
	for _, n := range []*node{a, b} {
		n.awaitSlots(t, 2)
	}
	sha, masters := rendered(t, samples, inside(bt), "--join", hub.ticket)
	if sha != want || len(masters) != 1 || masters[0] != hub.name {
		t.Errorf("a picture %s, %s is right; masters %v, the oldest is %s", sha, want, masters, hub.name)
	}
	run := startJoined(t, inside(bt), hub.ticket, bigPicture(samples)...)
	run.awaitMaster(t, hub)
	hub.kill()
	if !run.awaitMaster(t, a) {
		return false
	}
	run.answers(t, "sha256", want, hub, a)
	for _, n := range []*node{a, b, second} {
		n.awaitMembers(t, a, b, second)
	}
	run = startJoined(t, inside(bt), second.ticket, bigPicture(samples)...)
	run.awaitMaster(t, a)
	second.kill()
	if !run.awaitMaster(t, b) {
		return false
	}
	run.answers(t, "sha256", want, a, b)
	return true
}

// awaitSlots waits until a node can be dialled through so many others.
func (n *node) awaitSlots(t *testing.T, slots int) {
	t.Helper()
	n.await(t, fmt.Sprintf("behind %d relays", slots), func(s admin.Status) bool {
		return strings.Count(strings.Join(s.Addrs, " "), "/p2p-circuit/") == slots
	})
}
