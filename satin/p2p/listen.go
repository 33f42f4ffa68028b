package p2p

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/libp2p/go-libp2p/p2p/net/swarm"
	ma "github.com/multiformats/go-multiaddr"
	manet "github.com/multiformats/go-multiaddr/net"
)

// listen makes the host reachable. When the user asked for nothing it tries
// the usual port and then any; what the user asked for it does or says why not.
func listen(sw *swarm.Swarm, asked []string, log *slog.Logger) error {
	for _, s := range asked {
		a, err := ma.NewMultiaddr(s)
		if err != nil {
			return fmt.Errorf("p2p: %q is not a multiaddress such as /ip4/0.0.0.0/tcp/%d: %w", s, Port, err)
		}
		err = sw.AddListenAddr(a)
		if errors.Is(err, errInUse) {
			return fmt.Errorf("%w: %s: choose another port, or none (port 0)", ErrPortBusy, s)
		}
		if err != nil {
			return fmt.Errorf("p2p: listen on %s: %w", s, err)
		}
	}
	if len(asked) > 0 {
		return nil
	}
	var first error
	for _, port := range []int{Port, 0} {
		err4 := sw.AddListenAddr(ma.StringCast(fmt.Sprintf("/ip4/0.0.0.0/tcp/%d", port)))
		err6 := sw.AddListenAddr(ma.StringCast(fmt.Sprintf("/ip6/::/tcp/%d", port)))
		busy := errors.Is(err4, errInUse) || errors.Is(err6, errInUse)
		if err4 == nil && !busy || err6 == nil && !busy {
			return nil // a machine may have only one of the two
		}
		if err4 == nil || err6 == nil {
			sw.ListenClose(sw.ListenAddresses()...)
		}
		first = errors.Join(first, err4, err6)
		log.Debug("the usual port is in use, taking another", "port", port)
	}
	return fmt.Errorf("p2p: cannot listen on any port: %w", first)
}

// dialable lists where others can reach this host, best first: addresses
// of real interfaces, then loopback, at most AddrsMax.
func dialable(sw *swarm.Swarm) []string {
	addrs, err := sw.InterfaceListenAddresses()
	if err != nil {
		addrs = sw.ListenAddresses()
	}
	var far, near []string
	for _, a := range addrs {
		s := fmt.Sprintf("%s/p2p/%s", a, sw.LocalPeer())
		switch {
		case isCircuit(a): // whoever dials it needs to know the relay
		case len(s) > addrMax || manet.IsIP6LinkLocal(a) || strings.Contains(s, "/ip6zone/"):
			// Link-local addresses mean another interface elsewhere.
		case manet.IsIPLoopback(a):
			near = append(near, s)
		default:
			far = append(far, s)
		}
	}
	slices.Sort(far)
	slices.Sort(near)
	all := append(far, near...)
	return all[:min(len(all), AddrsMax)]
}
