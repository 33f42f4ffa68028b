package gridsim

import (
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
	disk   *disk         // nil: there is none
}

// toFolder is the folder of a host as its driver has it.
type toFolder struct{ *host }

// KeepAddresses writes the address book beside all else.
func (t toFolder) KeepAddresses(book []addresses.Known, over func()) {
	wrote := t.w.now
	t.writes("keeps", func() { t.folder.book, t.folder.wrote = book, wrote }, over)
}

// KeepBars writes who is barred.
func (t toFolder) KeepBars(bars []membership.Bar, over func()) {
	t.writes("bars", func() { t.folder.barred = bars }, over)
}

// KeepEnds writes which submissions have ended that kept runs.
func (t toFolder) KeepEnds(ended []peer.Tombstone, over func()) {
	buried := t.w.now
	t.writes("ends", func() { t.folder.ended, t.folder.buried = ended, buried }, over)
}

// ends are those that a folder has, as old as they are by now.
func (f folder) ends(now time.Duration) (all []peer.Tombstone) {
	for _, e := range f.ended {
		age := time.Duration(e.Seconds)*time.Second + now - f.buried
		all = append(all, driver.TombstoneAt(e.Submission, e.How, age))
	}
	return all
}

// writes has something written. One that leaves in order ends when that is safe on its disk.
func (t toFolder) writes(what string, write, over func()) {
	h := t.host
	if h.closing {
		write()
		return
	}
	h.w.tagged(diskTakes, tag(what, uint64(h.no)), func() {
		if h.up {
			write()
			h.turn(0, tag("wrote", uint64(h.no)), over)
		}
	})
}

// closes writes for the last time, at the end of one that leaves in order.
func (h *host) closes() {
	h.closing = true
	h.driver.Close()
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
