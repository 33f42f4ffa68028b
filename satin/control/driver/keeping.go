package driver

import "satingrid/satin/peer"

// legacy is what a process leaves to its next start, and when that is written.
type legacy struct{ addresses, bars, ends diary }

// diary is one file of a folder. What changes while it is written is written after that, once: a
// disk may be slow, and many changes come at once.
type diary struct {
	keep    func(over func()) // has it written as it is now; nil: there is no folder
	due     bool              // there is news
	writing bool
}

func keepingIn(f Folder, s *peer.Sight) (k legacy) {
	if f != nil {
		k.addresses.keep = func(over func()) { f.KeepAddresses(s.Addresses(), over) }
		k.bars.keep = func(over func()) { f.KeepBars(s.Bars(), over) }
		k.ends.keep = func(over func()) { f.KeepEnds(s.Ends(), over) }
	}
	return k
}

// writes has the news written. Where hosts are is kept by one that the grid has let in: another has
// learned nothing that its ticket does not say.
func (k *legacy) writes(in bool) {
	k.bars.write()
	k.ends.write()
	if in {
		k.addresses.write()
	}
}

// write has the news written, unless that is being done.
func (d *diary) write() {
	if !d.due || d.writing || d.keep == nil {
		return
	}
	d.due, d.writing = false, true
	d.keep(func() {
		d.writing = false
		d.write()
	})
}

// last has what there is written once more, at the end.
func (d *diary) last() {
	if d.keep != nil {
		d.keep(func() {})
	}
}

// Close has the next start find what is known now. Nothing follows it.
func (d *Driver) Close() {
	for _, k := range []*diary{&d.keeping.bars, &d.keeping.ends} {
		if k.due {
			k.last()
		}
	}
	if d.entry.in { // when hosts were reached is never up to date there
		d.keeping.addresses.last()
	}
}
