package gridsim

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/membership/addresses"
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

// read is what the folder says at some time, and whether that is a past: its host has met others.
func (f folder) read(now time.Duration) (known []addresses.Known, past bool) {
	for _, k := range f.book {
		if k.Age >= 0 {
			k.Age += now - f.wrote
			past = true
		}
		known = append(known, k)
	}
	for _, k := range f.ticket {
		known = append(known, addresses.Known{ID: k.ID, Age: -1, Addrs: slices.Clone(k.Addrs)})
	}
	return known, past
}

// restart starts a process again from the folder that it had: at the address that it had, at
// another, or at one that another had.
func (w *World) restart(dead *host) {
	if w.byID[dead.id] == dead {
		at := dead.place
		switch w.rng.IntN(4) {
		case 0:
			at = place(w.started)
		case 1:
			at = w.drawPlace()
		}
		if o := w.places[at]; o != nil && o.up { // its place is taken
			at = place(w.started)
		}
		w.restartAt(dead, at)
	}
}

// restartAt starts it at that place.
func (w *World) restartAt(dead *host, at string) *host {
	known, past := dead.folder.read(w.now)
	h := w.startAs(dead.id, dead.site, 1, false, at, known, past, dead.folder.barred...)
	h.folder = dead.folder // until it writes another
	return h
}
