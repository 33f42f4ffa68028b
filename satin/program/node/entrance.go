package node

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"
	"time"

	"satingrid/satin"
	"satingrid/satin/program/across"
	"satingrid/satin/program/console"
	"satingrid/satin/ticket"
)

const (
	// enterAfter is how long whoever finds nobody looks for others that start at this moment,
	// whose addresses the name may not have yet, and enterTurn how much longer each waits for
	// the one whose address comes before its own.
	enterAfter = 2 * time.Second
	enterTurn  = 10 * time.Second
	enterTurns = 8 // at most

	// enterEvery is how often it looks.
	enterEvery = 500 * time.Millisecond

	// enterMax is how many addresses of a name are looked at: as many as a grid has members.
	enterMax = 1024

	// knockMax is how long all those may take that are asked at a time, and knocksAtOnce how
	// many these are: who is asked in vain takes six seconds.
	knockMax     = 8 * time.Second
	knocksAtOnce = 16
)

// entrance is a name that has an address for each member of a grid, as a headless Service of
// Kubernetes has one for each pod. Who is at an address is learnt there: whoever proves the grid's
// secret is one of its hosts. Of many that start at once the one whose address comes first begins
// the grid; where two do, as a name may be late to have all, each finds the other there, and they
// become one.
type entrance struct {
	said    string // as it is typed
	network string // which addresses of the name count: ip, ip4 or ip6
	host    string
	port    string
	own     []netip.Addr // this node's
	met     map[netip.Addr]string
	lookup  func(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// entranceOf is what --join names, if that is an address without the id of a peer; nil: it is
// something else.
func entranceOf(join string) (*entrance, error) {
	words := strings.Split(join, "/")
	networks := map[string]string{"dns": "ip", "dns4": "ip4", "dns6": "ip6", "ip4": "ip4", "ip6": "ip6"}
	if len(words) < 2 || words[0] != "" || networks[words[1]] == "" || strings.Contains(join, "/p2p/") {
		return nil, nil
	}
	if len(words) != 5 || words[2] == "" || words[3] != "tcp" || words[4] == "" {
		return nil, console.Usage("--join %s: a name and a port are expected, as /dns4/NAME/tcp/4001, or an address that ends in /p2p/ and the peer's id", join)
	}
	return &entrance{
		said: join, network: networks[words[1]], host: words[2], port: words[4],
		met: map[netip.Addr]string{}, lookup: net.DefaultResolver.LookupNetIP,
	}, nil
}

// findByEntrance is the way in by such a name. The secret is that of the ticket in the environment,
// whose addresses are tried, too, or of the state folder.
func findByEntrance(con *console.Console, e *entrance, folder string) (*Invitation, error) {
	by := &Invitation{Said: e.said, word: e.said, entrance: e}
	if word := os.Getenv(TicketVariable(con)); word != "" {
		t, err := ticket.Parse(word)
		if err != nil {
			return nil, console.Usage("%s: %v", TicketVariable(con), err)
		}
		by.Ticket = t
		return by, nil
	}
	t, has, err := ticket.Grid(folder)
	switch {
	case err != nil:
		return nil, console.Usage("--join: %v", err)
	case !has:
		return nil, console.Refused("--join %s: neither %s nor %s has a grid's secret: %s key new makes one",
			e.said, TicketVariable(con), folder, con.Name)
	}
	by.Ticket = t
	return by, nil
}

// here notes which addresses are this node's: those at which it listens, or all of this machine.
func (e *entrance) here(listen []string) {
	for _, a := range listen {
		words := strings.Split(a, "/")
		if len(words) < 3 {
			continue
		}
		if ip, err := netip.ParseAddr(words[2]); err == nil && !ip.IsUnspecified() {
			e.own = append(e.own, ip.Unmap())
		}
	}
	if len(e.own) > 0 {
		return
	}
	all, err := net.InterfaceAddrs()
	if err != nil {
		return // it may find itself there, which does no harm
	}
	for _, a := range all {
		if p, err := netip.ParsePrefix(a.String()); err == nil {
			e.own = append(e.own, p.Addr().Unmap())
		}
	}
}

// addresses are those that the name has now, the lowest first. A name that is not known has none
// yet.
func (e *entrance) addresses(ctx context.Context) []netip.Addr {
	ctx, cancel := context.WithTimeout(ctx, knockMax)
	defer cancel()
	all, err := e.lookup(ctx, e.network, e.host)
	if err != nil {
		return nil
	}
	for n, ip := range all {
		all[n] = ip.Unmap()
	}
	slices.SortFunc(all, netip.Addr.Compare)
	all = slices.Compact(all)
	return all[:min(len(all), enterMax)]
}

// knocked is what came of asking at an address of a name.
type knocked struct {
	at  netip.Addr
	got across.Portrait
	err error
}

// knock asks at some addresses who is there, all at once.
func (e *entrance) knock(ctx context.Context, v across.Visitor, at []netip.Addr) []knocked {
	ctx, cancel := context.WithTimeout(ctx, knockMax)
	defer cancel()
	answers := make(chan knocked, len(at))
	for _, ip := range at {
		go func() {
			a, err := v.Ask(ctx, across.Question{Ask: across.AskGrid}, e.address(ip))
			if err == nil && (a.Portrait == nil || len(a.Portrait.Addrs) == 0) {
				err = errors.New("its answer says nothing of its grid")
			}
			k := knocked{at: ip, err: err}
			if err == nil {
				k.got = *a.Portrait
			}
			answers <- k
		}()
	}
	all := make([]knocked, 0, len(at))
	for range at {
		all = append(all, <-answers)
	}
	return all
}

// address is where somebody of this name is reached.
func (e *entrance) address(ip netip.Addr) string {
	kind := "ip6"
	if ip.Is4() {
		kind = "ip4"
	}
	return fmt.Sprintf("/%s/%s/tcp/%s", kind, ip, e.port)
}

// enter opens a node through a name: it joins those who are there, or those whom its ticket names.
// Where the ticket names nobody it begins the grid, or goes on as it, when that is its turn.
func (n *nodeState) enter(ctx context.Context, config satin.Config) error {
	e := n.entrance
	e.here(config.Listen)
	elsewhere := config.Ticket.Addrs
	began, tried := time.Now(), map[netip.Addr]int{}
	for {
		all := e.addresses(ctx)
		kin, others := e.sort(e.knock(ctx, n.visitor(), e.untried(all, tried)))
		switch {
		case len(kin) > 0 || len(elsewhere) > 0:
			config.WhenAlone, config.Ticket.Addrs = satin.AloneFails, each(kin, elsewhere)
			if len(kin) == 0 {
				config.WhenAlone = satin.AloneDefault
			}
			err := n.open(ctx, config)
			if !isNobody(err) || len(kin) == 0 {
				return err
			}
		case len(others) > 0 && !n.next:
			return &console.Error{Code: console.ExitIncompatible, Text: fmt.Sprintf(
				"%s leads to a grid of build %s, and this one is %.12s: start with --next to begin that of this build beside it",
				e.said, others[0].Short(), identity().Digest)}
		case time.Since(began) >= e.turn(all):
			config.WhenAlone, config.Ticket.Addrs = satin.AloneGoesOn, nil
			if len(others) > 0 {
				config.WhenAlone, n.led = satin.AloneFoundsAnew, others[0].Addrs
			}
			return n.open(ctx, config)
		}
		if err := pause(ctx, enterEvery); err != nil {
			return err
		}
	}
}

// untried are the next that are asked, of the addresses of others: those that were asked least.
func (e *entrance) untried(all []netip.Addr, tried map[netip.Addr]int) []netip.Addr {
	all = slices.DeleteFunc(slices.Clone(all), func(ip netip.Addr) bool { return slices.Contains(e.own, ip) })
	slices.SortStableFunc(all, func(a, b netip.Addr) int { return tried[a] - tried[b] })
	all = all[:min(len(all), knocksAtOnce)]
	for _, ip := range all {
		tried[ip]++
	}
	return all
}

// sort notes who is where, and gives the addresses of members of this build, and the grids of
// others.
func (e *entrance) sort(all []knocked) (kin []string, others []across.Grid) {
	for _, k := range all {
		switch {
		case k.err != nil:
		case k.got.Build != identity().Digest:
			others = append(others, k.got.Grid)
		default:
			e.met[k.at] = ticket.HostsOf(k.got.Addrs)[0].ID
			kin = each(kin, k.got.Addrs)
		}
	}
	return kin[:min(len(kin), namedMax)], others
}

// turn is how long this node waits for others to begin the grid.
func (e *entrance) turn(all []netip.Addr) time.Duration {
	at := slices.IndexFunc(all, func(ip netip.Addr) bool { return slices.Contains(e.own, ip) })
	if at < 0 { // the name does not have it yet
		at = enterTurns
	}
	return enterAfter + time.Duration(min(at, enterTurns))*enterTurn
}

// watch looks for members that the name has and this node does not know, until the node ends: a
// grid that was begun twice becomes one so.
func (e *entrance) watch(n *nodeState) {
	tried := map[netip.Addr]int{}
	for pause(n.life, learnEvery) == nil {
		present := map[string]bool{}
		for _, m := range n.peer.Members() {
			present[m.ID] = true
		}
		all := e.addresses(n.life)
		strange := slices.DeleteFunc(all, func(ip netip.Addr) bool { return present[e.met[ip]] })
		if kin, _ := e.sort(e.knock(n.life, n.visitor(), e.untried(strange, tried))); len(kin) > 0 {
			n.peer.Learn(kin)
		}
		if len(tried) > enterMax { // addresses of pods that are long gone
			clear(tried)
			clear(e.met)
		}
	}
}
