package control

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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

// loadAddresses reads what the state folder and the ticket say of where hosts are.
func (l *Loop) loadAddresses() error {
	var err error
	if l.conf.State != "" {
		name := filepath.Join(l.conf.State, AddressesFile)
		if l.known, err = readAddresses(name, l.conf.Clock.Date()); err != nil {
			return fmt.Errorf("satin: where the grid was: %w; "+
				"repair it, or remove it to start without a past", err)
		}
	}
	l.past = hasPast(l.known)
	l.known = append(l.known, ticketHosts(l.conf.Ticket.Addrs)...)
	switch {
	case l.conf.Begin == BeginNever && len(l.known) == 0:
		return errors.New("satin: BeginNever, and no address at which anybody could be")
	case l.conf.Begin == BeginNever:
		l.past = false
	case l.conf.Begin == BeginAlways:
		l.past = l.past || len(l.known) > 0
	}
	return nil
}

// Learn tells of addresses at which hosts of the grid may be.
func (l *Loop) Learn(addrs []string) {
	known := ticketHosts(addrs)
	l.post(func() { l.do(l.machine.Named(l.now(), known)) })
}

// othersMax and waysMax bound Others: an invitation has room for some of the grid, not for all.
const (
	othersMax = 10
	waysMax   = 2
)

// Others are addresses of up to ten other hosts of the grid, members and clients, the one that was
// reached last first, at most two of each.
func (l *Loop) Others() (addrs []string) {
	var known []addresses.Known
	l.ask(func() { known = l.machine.Sight().Addresses() })
	known = slices.DeleteFunc(known, func(k addresses.Known) bool {
		return k.ID == l.self || k.Age < 0
	})
	slices.SortStableFunc(known, func(a, b addresses.Known) int {
		return cmp.Compare(a.Age, b.Age)
	})
	for _, k := range known[:min(len(known), othersMax)] {
		addrs = append(addrs, k.Addrs[:min(len(k.Addrs), waysMax)]...)
	}
	return addrs
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

// keepAddresses keeps the book for the next start.
func (l *Loop) keepAddresses() {
	if l.keepsAddresses() {
		l.note(&l.addressDiary)
	}
}

// keepsAddresses tells whether this peer keeps the book: one that was not let in learned nothing.
func (l *Loop) keepsAddresses() bool { return l.conf.State != "" && l.machine != nil && l.inside }

// addressesNow writes the book as it is now.
func (l *Loop) addressesNow() func() error {
	known, now := l.machine.Sight().Addresses(), l.conf.Clock.Date()
	name := filepath.Join(l.conf.State, AddressesFile)
	return func() error { return writeAddresses(name, known, now) }
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

// Beginning is how this peer came to be in its grid, once it is.
func (l *Loop) Beginning() (b Beginning) {
	l.ask(func() { b = l.beginning() })
	return b
}

func (l *Loop) beginning() Beginning {
	switch {
	case l.onAlone:
		return WentOn
	case l.founds:
		return Founded
	}
	return Joined
}

// wentOn says that nobody of the grid answers.
func (l *Loop) wentOn() {
	l.onAlone = true
	l.conf.log().Warn("nobody of the grid answers at the addresses that this peer knows; "+
		"it goes on alone as the same grid, and keeps looking",
		"grid", l.conf.Ticket.Grid, "hosts", l.machine.Sight().Book().Len())
}

// closeDiaries has the last news written, at the end of the loop.
func (l *Loop) closeDiaries() {
	if l.barsDiary.due {
		l.write(&l.barsDiary)
	}
	if l.keepsAddresses() {
		l.write(&l.addressDiary)
	}
}
