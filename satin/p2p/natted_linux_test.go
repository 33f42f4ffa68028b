package p2p

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// twoSites makes a public machine, at 10.79.0.1, and two sites, each behind a
// router of its own that gives all of it one address and lets nothing in that
// was not asked for. The sites use the same private addresses, 192.168.7.0/24,
// as home and laboratory networks do, so that an address of the one is another
// machine's at the other.
func twoSites(t *testing.T) (public, a, b string) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("network namespaces need root")
	}
	for _, tool := range []string{"ip", "nft", "sysctl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("not installed here: ", tool)
		}
	}
	name := fmt.Sprintf("satin-nat-%d-", os.Getpid())
	lines := []string{
		"ip -n P link add wire type bridge", "ip -n P addr add 10.79.0.1/24 dev wire",
		"ip -n P link set wire up", "ip -n P link set lo up",
	}
	for i, site := range []string{"A", "B"} {
		for _, line := range []string{
			"ip -n SITE link add eth0 type veth peer name in netns ROUTER",
			"ip -n P link add toSITE type veth peer name out netns ROUTER",
			"ip -n P link set toSITE master wire", "ip -n P link set toSITE up",
			fmt.Sprintf("ip -n ROUTER addr add 10.79.0.%d/24 dev out", 2+i),
			"ip -n ROUTER addr add 192.168.7.1/24 dev in",
			"ip -n SITE addr add 192.168.7.2/24 dev eth0",
			"ip -n ROUTER link set in up", "ip -n ROUTER link set out up",
			"ip -n SITE link set eth0 up", "ip -n SITE link set lo up",
			"ip -n SITE route add default via 192.168.7.1",
			"ip netns exec ROUTER sysctl -qw net.ipv4.ip_forward=1",
			"ip netns exec ROUTER nft add table ip nat",
			"ip netns exec ROUTER nft add chain ip nat leaving { type nat hook postrouting priority 100 ; }",
			"ip netns exec ROUTER nft add rule ip nat leaving oifname out masquerade",
			"ip netns exec ROUTER nft add chain ip nat through { type filter hook forward priority 0 ; }",
			"ip netns exec ROUTER nft add rule ip nat through iifname out ct state new drop",
			"ip netns exec ROUTER nft add chain ip nat arriving { type filter hook input priority 0 ; }",
			"ip netns exec ROUTER nft add rule ip nat arriving iifname out ct state new drop",
		} {
			lines = append(lines, strings.NewReplacer("toSITE", "to"+site, "ROUTER", name+"r"+site, "SITE", name+site).Replace(line))
		}
	}
	for _, ns := range []string{"P", "A", "B", "rA", "rB"} {
		if out, err := exec.Command("ip", "netns", "add", name+ns).CombinedOutput(); err != nil {
			t.Skipf("no network namespaces here: ip netns add: %v: %s", err, out)
		}
		t.Cleanup(func() { exec.Command("ip", "netns", "del", name+ns).Run() })
	}
	for _, line := range lines {
		f := strings.Fields(line)
		for i, word := range f {
			if word == "P" {
				f[i] = name + "P"
			}
		}
		if out, err := exec.Command(f[0], f[1:]...).CombinedOutput(); err != nil {
			if mayLack(line) {
				t.Skipf("not possible in network namespaces here: %s: %v: %s", line, err, out)
			}
			t.Fatalf("%s: %v: %s", line, err, out)
		}
	}
	return name + "P", name + "A", name + "B"
}

// Two hosts that nobody can dial find each other through public ones, carry
// the largest value, and go on through the other when one is killed.
func TestTwoSitesBehindNAT(t *testing.T) {
	public, a, b := twoSites(t)
	at := func(ns string) []string { return []string{"ip", "netns", "exec", ns} }
	listen := asHost + "_LISTEN=/ip4/192.168.7.2/tcp/4001"
	var relays [2]process
	for i := range relays {
		relays[i] = spawn(t, "", []string{fmt.Sprintf("%s_LISTEN=/ip4/10.79.0.1/tcp/%d", asHost, 4001+i)}, at(public)...)
	}
	both := relays[0].addr + " " + relays[1].addr
	x := spawn(t, both, []string{listen, asHost + "_RESERVATIONS=2"}, at(a)...)
	// At b the address that x announces is y's own.
	y := spawn(t, both, []string{listen, asHost + "_RESERVATIONS=2", asHost + "_THEN=" + x.addr}, at(b)...)
	first := y.addr
	t.Log("to the largest value there: ", first)
	for i, r := range relays {
		if !strings.Contains(first, fmt.Sprintf("/tcp/%d/", 4001+i)) {
			continue
		}
		r.Process.Kill()
		second := y.line(t)
		t.Log("after the kill of the relay: ", second)
		if !strings.Contains(second, fmt.Sprintf("/tcp/%d/", 4002-i)) || !strings.Contains(second, circuitPart) {
			t.Error("it did not go through the other relay")
		}
		return
	}
	t.Error("it did not go through a relay")
}
