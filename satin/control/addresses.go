package control

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"satingrid/membership"
	"satingrid/membership/addresses"
	"satingrid/satin/atomicfile"
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

// hasPast tells whether a book knows others than the host whose it is: that one's line has no time,
// as it never reached itself.
func hasPast(known []addresses.Known) bool {
	return slices.ContainsFunc(known, func(k addresses.Known) bool { return k.Age >= 0 })
}

// readAddresses reads the file; there may be none.
func readAddresses(name string, now time.Time) (known []addresses.Known, err error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		var k keptHost
		if err := json.Unmarshal(lines.Bytes(), &k); err != nil || k.ID == "" {
			return nil, fmt.Errorf(
				"%s:%d: a host's id and addresses are expected, in JSON", name, n)
		}
		age := time.Duration(-1)
		if !k.Reached.IsZero() {
			age = max(now.Sub(k.Reached), 0)
		}
		known = append(known, addresses.Known{
			ID: membership.PeerID(k.ID), Site: membership.Site(k.Site), Client: k.Client,
			Age: age, Join: k.Join, Addrs: k.Addrs,
		})
	}
	return known, lines.Err()
}

// ticketHosts are the hosts that a ticket's addresses name, in their order.
func ticketHosts(addrs []string) (known []addresses.Known) {
	at := map[string]int{}
	for _, a := range addrs {
		id := a[strings.LastIndexByte(a, '/')+1:]
		n, ok := at[id]
		if !ok {
			n = len(known)
			at[id] = n
			known = append(known, addresses.Known{ID: membership.PeerID(id), Age: -1})
		}
		known[n].Addrs = append(known[n].Addrs, a)
	}
	return known
}

// writeAddresses replaces the file.
func writeAddresses(name string, known []addresses.Known, now time.Time) error {
	var b bytes.Buffer
	for _, k := range known {
		h := keptHost{
			ID: string(k.ID), Site: string(k.Site), Client: k.Client, Join: k.Join, Addrs: k.Addrs,
		}
		if k.Age >= 0 {
			h.Reached = now.Add(-k.Age).UTC().Truncate(time.Second)
		}
		line, err := json.Marshal(h)
		if err != nil {
			return err
		}
		b.Write(append(line, '\n'))
	}
	return atomicfile.Replace(name, atomicfile.Private, b.Bytes())
}
