package driver

import (
	"math"
	"time"

	"satingrid/satin/peer"
)

// keepAgain is after how long something is written again that could not be written.
const keepAgain = 10 * time.Second

// legacy is what a process leaves to its next start, and when that is written.
type legacy struct{ addresses, bars, ends diary }

// diary is one file of a folder. What changes while it is written is written after that, once: a
// disk may be slow, and many changes come at once. What could not be written is news still.
type diary struct {
	keep    func(over func(ok bool)) // has it written as it is now; nil: there is no folder
	now     func() time.Duration
	due     bool // there is news
	writing bool
	again   time.Duration // it could not be written, and is not tried before; 0: it could
}

func keepingIn(f Folder, s *peer.Sight, now func() time.Duration) (k legacy) {
	if f != nil {
		k.addresses = diary{now: now, keep: func(over func(ok bool)) { f.KeepAddresses(s.Addresses(), over) }}
		k.bars = diary{now: now, keep: func(over func(ok bool)) { f.KeepBars(s.Bars(), over) }}
		k.ends = diary{now: now, keep: func(over func(ok bool)) { f.KeepEnds(s.Ends(), over) }}
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

// deadline is when something is to be written again.
func (k *legacy) deadline() time.Duration {
	return min(k.bars.deadline(), k.ends.deadline(), k.addresses.deadline())
}

// write has the news written, unless that is being done, or could not be just now.
func (d *diary) write() {
	if !d.due || d.writing || d.keep == nil || d.now() < d.again {
		return
	}
	d.due, d.writing = false, true
	d.keep(func(ok bool) {
		d.writing, d.again = false, 0
		if !ok {
			d.due, d.again = true, d.now()+keepAgain
		}
		d.write()
	})
}

func (d *diary) deadline() time.Duration {
	if d.again == 0 || d.writing {
		return math.MaxInt64
	}
	return d.again
}

// last has what there is written once more, at the end.
func (d *diary) last() {
	if d.keep != nil {
		d.keep(func(bool) {})
	}
}

// Close has the next start find what is known now, and what could not be written before. Nothing
// follows it. The machine gives out what has ended now and then: there may be more of that.
func (d *Driver) Close() {
	k := &d.keeping
	if k.bars.due || k.bars.writing { // which may come to nothing
		k.bars.last()
	}
	if k.ends.due || len(d.machine.Sight().Ends()) > 0 {
		k.ends.last()
	}
	if d.entry.in { // when hosts were reached is never up to date there
		k.addresses.last()
	}
}
