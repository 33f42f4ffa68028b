package ticket

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"satingrid/satin/atomicfile"
)

// Folder is a folder in which the members of a grid publish their tickets, for others who can read
// it: the tasks of a cluster's job, or whoever shares a home. The grid's secret is in [GridFile],
// and each member's ticket in a file of its own, with its addresses, and then those of others that
// it reaches.
//
// Whoever comes first makes the secret: a complete file of [atomicfile.Add], which only one can
// put in place, on a network file system too. Nobody makes another where there is one. Files
// appear whole or not at all. Ages are measured by the clock that the folder's own files have,
// which hosts need not share.
//
// It is ours because what libraries offer for this asks for more: mDNS for hosts on one link, a
// registry such as etcd for a server that somebody runs, file locks for a file system that has them
// across hosts. A hard link is made once on all of them, as open(2) tells for NFS.
type Folder struct{ dir string }

const (
	// FreshFor is how long after it was published a ticket counts as that of a member that
	// lives. It is published anew every RefreshEvery: three may fail, or be late on a busy
	// machine.
	FreshFor     = 2 * time.Minute
	RefreshEvery = 30 * time.Second

	// keptFor is how long the ticket of a member that is gone stays, as a way back; the
	// last one stays for ever.
	keptFor = 24 * time.Hour

	// claimFor is how long a founder that says nothing is waited for. It says
	// something every claimEvery.
	claimFor   = 10 * time.Second
	claimEvery = time.Second

	// postedMax bounds the tickets that are looked at, the youngest first.
	postedMax = 4096

	postedEnding = ".member"
	claimBegin   = "founding."
	clockPattern = ".clock-*"
)

// Published is a ticket in a folder.
type Published struct {
	Ticket Ticket
	Age    time.Duration // since it was published
	name   string
	at     time.Time
}

// Fresh tells whether the member that published it should be there.
func (p Published) Fresh() bool { return p.Age < FreshFor }

// Of is the id under which it was published.
func (p Published) Of() string { return strings.TrimSuffix(p.name, postedEnding) }

// Same tells whether it is the same publication as another.
func (p Published) Same(o Published) bool { return p.name == o.name && p.at.Equal(o.at) }

// OpenFolder is the folder of that name, which must be there: one that is made by a typing error
// would be a grid of its own.
func OpenFolder(dir string) (*Folder, error) {
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return nil, fmt.Errorf("ticket: %w", err)
	case !info.IsDir():
		return nil, fmt.Errorf("ticket: %s is no folder", dir)
	case atomicfile.IsOpen(dir):
		return nil, fmt.Errorf("ticket: others may write in %s, and so let you in to a grid of theirs: chmod go-w %s", dir, dir)
	}
	return &Folder{dir}, nil
}

// String is the folder's name.
func (f *Folder) String() string { return f.dir }

// Begun is the grid of this folder, without addresses, and false where there is none yet. Whoever
// owns the folder is who lets others in, as whoever makes a ticket does.
func (f *Folder) Begun() (Ticket, bool, error) {
	t, ok, err := gridOf(f.dir)
	return Ticket{Grid: t.Grid, Secret: t.Secret}, ok, err
}

// Grid is the grid of this folder, without addresses. Where there is none yet, it is made.
func (f *Folder) Grid() (Ticket, error) {
	t, ok, err := f.Begun()
	if err != nil || ok {
		return t, err
	}
	all, unread, err := f.read()
	switch {
	case err != nil:
		return t, err
	case len(all) > 0:
		// somebody has removed the file: those that are in go on
		t = Ticket{Grid: all[0].Ticket.Grid, Secret: all[0].Ticket.Secret}
	case unread != nil: // theirs may be the secret
		return t, unread
	default:
		if t, err = New(""); err != nil {
			return t, err
		}
	}
	text, err := t.text()
	if err != nil {
		return t, err
	}
	made, err := f.put(GridFile, text)
	if err != nil || made {
		return t, err
	}
	t, ok, err = f.Begun()
	if err == nil && !ok {
		err = fmt.Errorf("ticket: %s was there and is gone", filepath.Join(f.dir, GridFile))
	}
	return t, err
}

// put puts a complete file in place, and tells whether there was none before.
func (f *Folder) put(name string, content []byte) (bool, error) {
	first, err := atomicfile.Add(filepath.Join(f.dir, name), atomicfile.Private, content)
	var link *os.LinkError
	switch {
	case errors.As(err, &link):
		return false, fmt.Errorf("ticket: the folder's file system must have hard links: %w", err)
	case err != nil:
		return false, fmt.Errorf("ticket: %w", err)
	}
	return first, nil
}

// Tickets are the tickets of members and former members of this grid, the youngest first.
func (f *Folder) Tickets(grid Ticket) ([]Published, error) {
	all, _, err := f.read()
	return slices.DeleteFunc(all, func(p Published) bool { return p.Ticket.Grid != grid.Grid || p.Ticket.Secret != grid.Secret }), err
}

// read reads all tickets, of whatever grid. unread is why one could not be read.
func (f *Folder) read() (good []Published, unread, err error) {
	now, entries, err := f.look()
	if err != nil {
		return nil, nil, err
	}
	var all []Published
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), postedEnding) || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if info, err := e.Info(); err == nil {
			all = append(all, Published{name: e.Name(), at: info.ModTime(), Age: max(now.Sub(info.ModTime()), 0)})
		}
	}
	slices.SortStableFunc(all, func(a, b Published) int { return b.at.Compare(a.at) })
	all = all[:min(len(all), postedMax)]
	for _, p := range all {
		// One that is being replaced, or is damaged, is no ticket now.
		p.Ticket, err = Load(filepath.Join(f.dir, p.name))
		var failed *fs.PathError
		switch {
		case err == nil && len(p.Ticket.Addrs) > 0:
			good = append(good, p)
		case errors.As(err, &failed) && !errors.Is(err, fs.ErrNotExist):
			unread = err
		}
	}
	return good, unread, nil
}

// look reads the folder, and the time.
func (f *Folder) look() (now time.Time, entries []os.DirEntry, err error) {
	if now, err = f.clock(); err != nil {
		return now, nil, err
	}
	if entries, err = os.ReadDir(f.dir); err != nil {
		return now, nil, fmt.Errorf("ticket: %w", err)
	}
	return now, entries, nil
}

// clock is the time that a file has which is made now. That it is made also makes a client of a
// file server ask for the folder anew.
func (f *Folder) clock() (now time.Time, err error) {
	c, err := os.CreateTemp(f.dir, clockPattern)
	if err != nil {
		return now, fmt.Errorf("ticket: %w", err)
	}
	defer os.Remove(c.Name())
	defer c.Close()
	info, err := c.Stat()
	if err != nil {
		return now, fmt.Errorf("ticket: %w", err)
	}
	return info.ModTime(), nil
}

// Publish makes a member's ticket known, or refreshes it, and clears away those of the long dead.
func (f *Folder) Publish(id string, t Ticket) error {
	if err := Save(filepath.Join(f.dir, id+postedEnding), t); err != nil {
		return err
	}
	all, err := f.Tickets(t)
	if err != nil {
		return err
	}
	for n, p := range all {
		if n > 0 && p.Age > keptFor {
			os.Remove(filepath.Join(f.dir, p.name))
		}
	}
	return nil
}

// Withdraw takes away the ticket of a member that has left, if another is there: the last one is
// the way back. Several may leave at once, and each see the ticket of another that is about to
// go. So it is put aside first, and put back when no other is there then.
func (f *Folder) Withdraw(id string, grid Ticket) error {
	name := filepath.Join(f.dir, id+postedEnding)
	aside := filepath.Join(f.dir, "."+id+postedEnding)
	if has, err := f.hasOther(id, grid); err != nil || !has {
		return err
	}
	if err := os.Rename(name, aside); err != nil {
		return err
	}
	if has, err := f.hasOther(id, grid); err != nil || !has {
		return errors.Join(err, os.Rename(aside, name))
	}
	return os.Remove(aside)
}

// hasOther tells whether there is the ticket of another that should be there.
func (f *Folder) hasOther(id string, grid Ticket) (bool, error) {
	all, err := f.Tickets(grid)
	return slices.ContainsFunc(all, func(p Published) bool { return p.Of() != id && p.Fresh() }), err
}

// Charter is the right to found the grid of a folder, or to go on as it: one at a time has it,
// until it is released or its holder has been silent for long.
type Charter struct {
	folder *Folder
	number int
	done   chan struct{} // closed to end the goroutine that keeps it
	ended  chan struct{}
}

// Claim claims that right; nil: somebody else has it. Whoever gets it must look at the tickets once
// more before it founds: the one before may have published its own in between.
func (f *Folder) Claim() (*Charter, error) {
	now, entries, err := f.look()
	if err != nil {
		return nil, err
	}
	last := 0
	for _, e := range entries {
		text, ok := strings.CutPrefix(e.Name(), claimBegin)
		n, err := strconv.Atoi(text)
		if !ok || err != nil || n <= 0 {
			continue
		}
		if info, err := os.Stat(filepath.Join(f.dir, e.Name())); err == nil && now.Sub(info.ModTime()) < claimFor {
			return nil, nil
		}
		last = max(last, n)
	}
	c := &Charter{folder: f, number: last + 1, done: make(chan struct{}), ended: make(chan struct{})}
	if mine, err := f.put(filepath.Base(c.name()), nil); err != nil || !mine {
		return nil, err
	}
	go c.keep()
	return c, nil
}

func (c *Charter) name() string {
	return filepath.Join(c.folder.dir, claimBegin+strconv.Itoa(c.number))
}

// keep says that the claim is held still, by the clock of the folder.
func (c *Charter) keep() {
	defer close(c.ended)
	every := time.NewTicker(claimEvery)
	defer every.Stop()
	for {
		select {
		case <-c.done:
			return
		case <-every.C:
			if file, err := os.OpenFile(c.name(), os.O_WRONLY|os.O_TRUNC, 0); err == nil {
				file.WriteString("a founder is at work\n")
				file.Close()
			}
		}
	}
}

// Release gives the right back, and with it what founders that have died have left behind.
func (c *Charter) Release() {
	close(c.done)
	<-c.ended
	for n := c.number; n > 0; n-- {
		// of a number, one at a time is in use, and those below belong to the dead
		os.Remove(filepath.Join(c.folder.dir, claimBegin+strconv.Itoa(n)))
	}
}
