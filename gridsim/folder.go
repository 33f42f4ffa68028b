package gridsim

import (
	"math/rand/v2"
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/membership/addresses"
	"satingrid/satin/control/driver"
	"satingrid/satin/peer"
)

// diskTakes is how long a folder's new content takes to be safe on its disk.
const diskTakes = 20 * time.Millisecond

// folder is what a host finds of its former life when it is started again: not what it knew when it
// died, but what was written by then.
type folder struct {
	ticket []addresses.Known // what it was started with
	book   []addresses.Known
	wrote  time.Duration // the book's ages are those of that time
	barred []membership.Bar
	ended  []peer.Tombstone
	buried time.Duration // the ends' ages are those of that time
	disk   *disk         // nil: there is none …
	bare   bool          // … and there never will be
	fickle bool          // now and then it cannot be written
}

// toFolder is the folder of a host as its driver has it.
type toFolder struct{ *host }

// KeepAddresses writes the address book beside all else. Where there is none yet, that is done: who
// has never met anybody, as far as its folder says, needs a ticket, and a person is told so.
func (t toFolder) KeepAddresses(book []addresses.Known, over func(ok bool)) {
	wrote := t.w.now
	_, _, past := t.folder.read(wrote)
	t.writes("keeps", past, func() { t.folder.book, t.folder.wrote = book, wrote }, over)
}

// KeepBars writes who is barred.
func (t toFolder) KeepBars(bars []membership.Bar, over func(ok bool)) {
	t.writes("bars", true, func() { t.folder.barred = bars }, over)
}

// KeepEnds writes which submissions have ended that kept runs.
func (t toFolder) KeepEnds(ended []peer.Tombstone, over func(ok bool)) {
	buried := t.w.now
	t.writes("ends", true, func() { t.folder.ended, t.folder.buried = ended, buried }, over)
}

// ends are those that a folder has, as old as they are by now.
func (f folder) ends(now time.Duration) (all []peer.Tombstone) {
	for _, e := range f.ended {
		age := time.Duration(e.Seconds)*time.Second + now - f.buried
		all = append(all, driver.TombstoneAt(e.Submission, e.How, age))
	}
	return all
}

// writes has something written, which may fail. One that leaves in order ends when that is safe on
// its disk.
func (t toFolder) writes(what string, mayFail bool, write func(), over func(ok bool)) {
	h := t.host
	if h.closing {
		write()
		return
	}
	h.w.tagged(diskTakes, tag(what, uint64(h.no)), func() {
		if !h.up {
			return
		}
		ok := !mayFail || !h.folder.fails(h)
		if ok {
			write()
		}
		h.turn(0, tag("wrote", uint64(h.no)), func() { over(ok) })
	})
}

// fails tells whether a folder cannot be written now. When the faults are over it can.
func (f *folder) fails(h *host) bool {
	return f.fickle && !h.w.net.calm && mix(h.w.opts.Seed^uint64(h.no)<<32^uint64(h.w.now))%4 == 0
}

// equips draws whether a new member has a disk for its runs, as most have, and of which kind, and
// whether its folder can always be written. It has a source of its own, and so has the disk.
func equips(w *World, f *folder, no int) {
	if !w.opts.Disks || f.disk != nil || f.bare {
		return
	}
	kind := mix(w.opts.Seed ^ mix(uint64(no)))
	f.bare, f.fickle = kind%16 == 0, kind>>8%8 == 0
	rng := rand.New(rand.NewPCG(w.opts.Seed, 0x6469736b+uint64(no)))
	switch {
	case w.opts.Sound:
		f.bare, f.fickle, f.disk = false, false, newSoundDisk(rng)
	case !f.bare:
		f.disk = newDisk(rng, w.now, w.work)
	}
}

// closes writes for the last time, at the end of one that leaves in order.
func (h *host) closes() {
	h.closing = true
	h.driver.Close()
	if what := lacks(h); what != "" {
		h.w.fail("kept", "%s has left, and its folder does not have %s", h.id, what)
	}
}

// lacks is what a host knows and its folder does not have: who is barred, or, where it is a member,
// that a run has ended that was kept.
func lacks(h *host) string {
	s, f := h.peer.Sight(), &h.folder
	if slices.ContainsFunc(s.Bars(), func(b membership.Bar) bool { return !slices.Contains(f.barred, b) }) {
		return "who is barred"
	}
	if !h.client && lacksEnds(h) {
		return "the end of a run"
	}
	return ""
}

// demandFolders plays until the folder of each host has what is to be there for its next start.
func demandFolders(w *World) {
	first := func() int {
		return slices.IndexFunc(w.who.hosts, func(h *host) bool { return h.up && !h.says && lacks(h) != "" })
	}
	if first() >= 0 {
		w.play(w.now+foldersWithin, func() bool { return first() < 0 })
	}
	if at := first(); w.err == nil && at >= 0 {
		w.fail("kept", "the folder of %s does not have %s", w.who.hosts[at].id, lacks(w.who.hosts[at]))
	}
}

// foldersWithin is how long what a host knows may not be in its folder: ends wait for others, what
// could not be written is tried again, and the process may be stopped meanwhile.
const foldersWithin = 30 * time.Second

// lacksEnds tells whether a folder does not have all ends of kept runs that its host knows.
func lacksEnds(h *host) bool {
	return slices.ContainsFunc(h.peer.Sight().Ends(), func(t peer.Tombstone) bool {
		return !slices.ContainsFunc(h.folder.ended, func(o peer.Tombstone) bool { return o.Submission == t.Submission })
	})
}

// read is what the folder and the ticket say at some time, and whether that is a past: its host has
// met others.
func (f folder) read(now time.Duration) (known, tickets []addresses.Known, past bool) {
	for _, k := range f.book {
		if k.Age >= 0 {
			k.Age += now - f.wrote
		}
		known = append(known, k)
	}
	for _, k := range f.ticket {
		tickets = append(tickets, addresses.Known{ID: k.ID, Age: -1, Addrs: slices.Clone(k.Addrs)})
	}
	return known, tickets, driver.HasPast(known)
}

// restart starts a process again from the folder that it had: at the address that it had, at
// another, or at one that another had.
func (w *World) restart(dead *host) {
	if w.who.byID[dead.id] == dead && (dead.twin == nil || !dead.twin.up) {
		at := dead.place
		switch w.rng.IntN(4) {
		case 0:
			at = place(w.who.started)
		case 1:
			at = w.net.drawPlace()
		}
		if o := w.net.places[at]; o != nil && o.up { // its place is taken
			at = place(w.who.started)
		}
		w.restartAt(dead, at)
	}
}

// restartAt starts it at that place.
func (w *World) restartAt(dead *host, at string) *host {
	return w.startAs(dead.id, dead.site, 1, false, at, dead.folder)
}
