package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMachines is two nodes on two machines, joined by a ticket, and a client on a third, by IPv4 and by IPv6. One node is
// killed, which the other sees at once: nobody listens there any more.
func TestMachines(t *testing.T) {
	at, bt, ct := machines(t)
	a := startNodeBy(t, inside(at), "--site", "delft")
	b := startNodeBy(t, inside(bt), "--site", "paris", "--join", a.ticket)
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
	b.kill()
	a.awaitSaid(t, b.name+" is gone (kill)\n")
}
