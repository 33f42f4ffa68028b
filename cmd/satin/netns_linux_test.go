package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// machines makes three network namespaces on one wire, without loopback between them, and takes them away again.
// They are at 10.78.0.1 to 3, and the first at fd78::1 too.
func machines(t *testing.T) (a, b, c string) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("network namespaces need root")
	}
	if _, err := exec.LookPath("ip"); err != nil {
		t.Skip("not installed here: ip")
	}
	name := fmt.Sprintf("satin-cmd-%d-", os.Getpid())
	a, b, c = name+"a", name+"b", name+"c"
	for _, ns := range []string{a, b, c} {
		if out, err := exec.Command("ip", "netns", "add", ns).CombinedOutput(); err != nil {
			t.Skipf("ip netns add: %v: %s", err, out)
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
			t.Skipf("ip %s: %v: %s", line, err, out)
		}
	}
	return a, b, c
}

// TestMachines is two nodes on two machines, joined by a ticket, and a client on a third, by IPv4 and by IPv6.
func TestMachines(t *testing.T) {
	at, bt, ct := machines(t)
	in := func(ns string) []string { return []string{"ip", "netns", "exec", ns} }
	a := startNodeBy(t, in(at), "--site", "delft")
	startNodeBy(t, in(bt), "--site", "paris", "--join", a.ticket)
	out, err := exec.Command("ip", "netns", "exec", ct, binary, "run", "nqueens", "12", "--json", "--join", a.ticket).CombinedOutput()
	if err != nil || !strings.Contains(string(out), `{"solutions":14200}`) || !strings.Contains(string(out), `"site":"paris"`) {
		t.Errorf("by a ticket: %v, %s", err, out)
	}
	id := a.addr[strings.LastIndexByte(a.addr, '/')+1:]
	client := exec.Command("ip", "netns", "exec", ct, binary, "run", "fib", "20", "--join", "/ip6/fd78::1/tcp/4001/p2p/"+id)
	client.Env = append(os.Environ(), "XDG_STATE_HOME="+filepath.Dir(linked(t, a.folder)))
	if out, err := client.Output(); err != nil || string(out) != "6765\n" {
		t.Errorf("by IPv6: %v, %s", err, out)
	}
}

// linked is a state folder of the default name that belongs to the same grid as another.
func linked(t *testing.T, other string) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "satin")
	text, err := os.ReadFile(filepath.Join(other, "grid.ticket"))
	if err == nil {
		err = os.Mkdir(folder, 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "grid.ticket"), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return folder
}
