package control

import (
	"cmp"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/membership/addresses"
	"satingrid/satin/ticket"
)

// AddressesFile is where a peer or client keeps, in its state folder, where the hosts of its grid
// were reached: a line of JSON each.
const AddressesFile = "addresses"

// keptHost is a line of that file.
type keptHost struct {
	ID      string    `json:"id"`
	Site    string    `json:"site,omitempty"`
	Client  bool      `json:"client,omitempty"`
	Reached time.Time `json:"reached,omitzero"` // zero: never
	Join    uint64    `json:"join,omitempty"`   // of this host itself
	Addrs   []string  `json:"addrs"`
}

// errHostLine tells what a line should be.
var errHostLine = errors.New("a host's id and addresses are expected, in JSON")

// readAddresses reads the file; there may be none.
func readAddresses(name string, now time.Time) (known []addresses.Known, err error) {
	err = eachLine(name, func(line []byte) error {
		var k keptHost
		if err := json.Unmarshal(line, &k); err != nil || k.ID == "" {
			return errHostLine
		}
		age := time.Duration(-1)
		if !k.Reached.IsZero() {
			age = max(now.Sub(k.Reached), 0)
		}
		known = append(known, addresses.Known{
			ID: membership.PeerID(k.ID), Site: membership.Site(k.Site), Client: k.Client,
			Age: age, Join: k.Join, Addrs: k.Addrs,
		})
		return nil
	})
	if err != nil {
		return nil, err
	}
	return known, nil
}

// KnownAddrs are the addresses of the other hosts that a state folder knows, but for clients: where
// somebody was reached last comes first. There are none where it cannot be read.
func KnownAddrs(state string) (addrs []string) {
	known, err := readAddresses(filepath.Join(state, AddressesFile), time.Now())
	if err != nil {
		return nil
	}
	slices.SortStableFunc(known, func(a, b addresses.Known) int { return cmp.Compare(a.Age, b.Age) })
	for _, k := range known {
		if k.Age >= 0 && !k.Client { // its own line has none
			addrs = append(addrs, k.Addrs...)
		}
	}
	return addrs
}

// ticketHosts are the hosts that a ticket's addresses name, in their order.
func ticketHosts(addrs []string) (known []addresses.Known) {
	for _, h := range ticket.HostsOf(addrs) {
		known = append(known, addresses.Known{ID: membership.PeerID(h.ID), Age: -1, Addrs: h.Addrs})
	}
	return known
}

// writeAddresses replaces the file.
func writeAddresses(name string, known []addresses.Known, now time.Time) error {
	var lines []keptHost
	for _, k := range known {
		h := keptHost{
			ID: string(k.ID), Site: string(k.Site), Client: k.Client, Join: k.Join, Addrs: k.Addrs,
		}
		if k.Age >= 0 {
			h.Reached = now.Add(-k.Age).UTC().Truncate(time.Second)
		}
		lines = append(lines, h)
	}
	return replaceLines(name, lines)
}
