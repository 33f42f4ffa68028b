package p2p

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// threeNamespaces makes network namespaces and takes them away again. The server is at
// 10.77.0.1 and fd77::1; the site, 10.77.1.0/24, is behind a router that gives
// all of it one address, 10.77.0.2.
func threeNamespaces(t *testing.T) (server, site string) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("network namespaces need root")
	}
	for _, tool := range []string{"ip", "nft", "sysctl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("not installed here: ", tool)
		}
	}
	name := fmt.Sprintf("satin-%d-", os.Getpid())
	server, router, site := name+"s", name+"r", name+"c"
	for _, ns := range []string{server, router, site} {
		if out, err := exec.Command("ip", "netns", "add", ns).CombinedOutput(); err != nil {
			t.Skipf("no network namespaces here: ip netns add: %v: %s", err, out)
		}
		t.Cleanup(func() { exec.Command("ip", "netns", "del", ns).Run() })
	}
	for _, line := range []string{
		"ip -n SERVER link add name sat0 type veth peer name sat1 netns ROUTER",
		"ip -n SITE link add name sat0 type veth peer name sat2 netns ROUTER",
		"ip -n SERVER addr add 10.77.0.1/24 dev sat0",
		"ip -n SERVER addr add fd77::1/64 dev sat0 nodad",
		"ip -n ROUTER addr add 10.77.0.2/24 dev sat1",
		"ip -n ROUTER addr add fd77::2/64 dev sat1 nodad",
		"ip -n ROUTER addr add 10.77.1.1/24 dev sat2",
		"ip -n SITE addr add 10.77.1.2/24 dev sat0",
		"ip -n SERVER link set sat0 up", "ip -n SERVER link set lo up",
		"ip -n ROUTER link set sat1 up", "ip -n ROUTER link set sat2 up", "ip -n ROUTER link set lo up",
		"ip -n SITE link set sat0 up", "ip -n SITE link set lo up",
		"ip -n SITE route add default via 10.77.1.1",
		"ip netns exec ROUTER sysctl -qw net.ipv4.ip_forward=1",
		"ip netns exec ROUTER nft add table ip nat",
		"ip netns exec ROUTER nft add chain ip nat out { type nat hook postrouting priority 100 ; }",
		"ip netns exec ROUTER nft add rule ip nat out oifname sat1 masquerade",
	} {
		line = strings.NewReplacer("SERVER", server, "ROUTER", router, "SITE", site).Replace(line)
		f := strings.Fields(line)
		if out, err := exec.Command(f[0], f[1:]...).CombinedOutput(); err != nil {
			if mayLack(line) {
				t.Skipf("not possible in network namespaces here: %s: %v: %s", line, err, out)
			}
			t.Fatalf("%s: %v: %s", line, err, out)
		}
	}
	return server, site
}

// mayLack tells whether a kernel may lack what a command needs. Whatever else fails is a fault of
// the test, and no reason to skip it.
func mayLack(line string) bool {
	return strings.Contains(line, " link add ") || strings.Contains(line, " nft add ")
}

// A site of 24 peers behind one NAT address joins at once. libp2p's defaults
// let 8 in, and exempt loopback, so that no test over loopback notices.
func TestASiteBehindOneAddressJoins(t *testing.T) {
	server, site := threeNamespaces(t)
	s := spawn(t, "", []string{asHost + "_LISTEN=/ip4/10.77.0.1/tcp/4001"}, "ip", "netns", "exec", server)
	c := spawn(t, s.addr, []string{asHost + "_LISTEN=/ip4/10.77.1.2/tcp/0", asHost + "_COUNT=24"}, "ip", "netns", "exec", site)
	if c.addr == "" {
		t.Fatal("the site did not join")
	}
}

func TestIPv6BetweenNamespaces(t *testing.T) {
	server, _ := threeNamespaces(t)
	router := strings.TrimSuffix(server, "s") + "r"
	s := spawn(t, "", []string{asHost + "_LISTEN=/ip6/fd77::1/tcp/4001"}, "ip", "netns", "exec", server)
	c := spawn(t, s.addr, []string{asHost + "_LISTEN=/ip6/fd77::2/tcp/4001"}, "ip", "netns", "exec", router)
	if !strings.HasPrefix(c.addr, "/ip6/fd77::2/tcp/4001/p2p/") {
		t.Fatalf("it listens at %s", c.addr)
	}
}
