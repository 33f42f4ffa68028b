package node

import (
	"context"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"satingrid/satin/program/across"
	"satingrid/satin/program/console"
	"satingrid/satin/ticket"
)

// TestEntranceOf: an address without a peer's id is a name by which a grid is found.
func TestEntranceOf(t *testing.T) {
	for join, want := range map[string]string{
		"/dns4/pods.lab/tcp/4001": "ip4 pods.lab 4001", "/dns/pods/tcp/1": "ip pods 1", "/ip6/::1/tcp/1": "ip6 ::1 1",
		"/dns4/pods/tcp/1/p2p/12D3": "", "grid.ticket": "", "-": "", "/home/you/grid": "", "": "",
	} {
		e, err := entranceOf(join)
		got := ""
		if e != nil {
			got = strings.Join([]string{e.network, e.host, e.port}, " ")
		}
		if err != nil || got != want {
			t.Errorf("%s: %q, %v, wanted %q", join, got, err, want)
		}
	}
	for _, join := range []string{"/dns4/pods", "/dns4/pods/udp/1", "/dns4//tcp/1", "/ip4/127.0.0.1/tcp/1/ws"} {
		if _, err := entranceOf(join); err == nil || !strings.Contains(err.Error(), "a name and a port are expected") {
			t.Errorf("%s: %v", join, err)
		}
	}
}

// TestEntranceNeedsASecret: of the environment, or of the state folder.
func TestEntranceNeedsASecret(t *testing.T) {
	con := &console.Console{Name: "satin"}
	e, err := entranceOf("/dns4/pods/tcp/4001")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir() + "/state"
	if _, err := findByEntrance(con, e, folder); err == nil || !strings.Contains(err.Error(), "has a grid's secret: satin key new makes one") {
		t.Errorf("without one: %v", err)
	}
	g, err := ticket.New("lab")
	if err == nil {
		err = ticket.SetGrid(folder, g)
	}
	if err != nil {
		t.Fatal(err)
	}
	if by, err := findByEntrance(con, e, folder); err != nil || by.Ticket.Grid != "lab" {
		t.Errorf("of the folder: %+v, %v", by, err)
	}
	t.Setenv("SATIN_TICKET", "nonsense")
	if _, err := findByEntrance(con, e, folder); err == nil || !strings.Contains(err.Error(), "SATIN_TICKET: ") {
		t.Errorf("nonsense: %v", err)
	}
}

// TestTurns: whose address comes first begins at once, and each other after the one before. Those
// who are asked are others, the least asked first.
func TestTurns(t *testing.T) {
	var all []netip.Addr
	for n := range 2 * knocksAtOnce {
		all = append(all, netip.AddrFrom4([4]byte{10, 0, 0, byte(n)}))
	}
	e := &entrance{met: map[netip.Addr]string{}, port: "1", lookup: func(context.Context, string, string) ([]netip.Addr, error) {
		mixed := append(slices.Clone(all), netip.MustParseAddr("::ffff:10.0.0.1"))
		slices.Reverse(mixed)
		return mixed, nil
	}}
	e.here([]string{"/ip4/10.0.0.0/tcp/4001", "/ip6/::/tcp/4001"})
	if got := e.addresses(t.Context()); !slices.Equal(got, all) {
		t.Errorf("the name has %v", got)
	}
	if got := e.turn(all); got != enterAfter {
		t.Errorf("the first waits for %v", got)
	}
	if got := e.turn(all[1:]); got != enterAfter+enterTurns*enterTurn {
		t.Errorf("one that the name does not have waits for %v", got)
	}
	e.own = all[2:3]
	if got := e.turn(all); got != enterAfter+2*enterTurn {
		t.Errorf("the third waits for %v", got)
	}
	tried, seen := map[netip.Addr]int{}, map[netip.Addr]bool{}
	for range 2 {
		for _, ip := range e.untried(all, tried) {
			seen[ip] = true
		}
	}
	if len(seen) != len(all)-1 || seen[e.own[0]] {
		t.Errorf("in two rounds %d are asked", len(seen))
	}
	if at := e.address(netip.MustParseAddr("fd00::1")); at != "/ip6/fd00::1/tcp/1" {
		t.Errorf("an address is %s", at)
	}
	e.own = nil
	if e.here([]string{"/ip4/0.0.0.0/tcp/4001"}); !slices.Contains(e.own, netip.MustParseAddr("127.0.0.1")) {
		t.Errorf("this machine's are %v", e.own)
	}
}

// TestKin: members of this build are told from grids of others.
func TestKin(t *testing.T) {
	e := &entrance{met: map[netip.Addr]string{}}
	at := netip.MustParseAddr("10.0.0.1")
	own := across.Portrait{Grid: across.Grid{Build: identity().Digest, Addrs: []string{"/ip4/10.0.0.1/tcp/1/p2p/A", "/ip4/10.0.0.2/tcp/1/p2p/B"}}}
	other := across.Portrait{Grid: across.Grid{Build: "other", Addrs: []string{"/ip4/10.0.0.3/tcp/1/p2p/C"}}}
	kin, others := e.sort([]knocked{{at: at, got: own}, {got: other}, {err: context.Canceled}})
	if !slices.Equal(kin, own.Addrs) || len(others) != 1 || others[0].Build != "other" || e.met[at] != "A" {
		t.Errorf("kin are %q, others %v, met %v", kin, others, e.met)
	}
	e.port = "1"
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if got := e.knock(ctx, across.Visitor{}, []netip.Addr{netip.MustParseAddr("127.0.0.1")}); len(got) != 1 || got[0].err == nil {
		t.Errorf("where nobody is: %+v", got)
	}
}
