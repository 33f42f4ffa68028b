package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMachines is two nodes on two machines, joined by a ticket, and a client on a third, by IPv4
// and by IPv6. Then nodes are killed, which the other sees at once, as nobody listens there any
// more: all but one whose port outlives its connections for a moment.
func TestMachines(t *testing.T) {
	t.Parallel()
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
	for range 3 {
		b.kill()
		if a.awaitSaid(t, "satin: "+b.name+" is gone ("); strings.Contains(a.said(t), b.name+" is gone (kill)\n") {
			return
		}
		b = startNodeBy(t, inside(bt), "--site", "paris", "--join", a.ticket)
	}
	t.Errorf("no kill was seen as one: %s", a.said(t))
}
