package control

import (
	"log/slog"
	"path/filepath"

	"satingrid/membership"
	"satingrid/membership/addresses"
	"satingrid/satin/peer"
)

// folder is the state folder. It is written beside the loop, whose heartbeats must not wait for a
// disk; the driver says when.
type folder struct {
	name  string
	clock Clock
	log   *slog.Logger
	post  func(do func())
	by    Goroutines
	disk  Hands
	said  map[string]bool // that something cannot be kept; the disk's
}

// KeepAddresses keeps where hosts are, as of now.
func (f *folder) KeepAddresses(known []addresses.Known, over func(ok bool)) {
	name, now := filepath.Join(f.name, AddressesFile), f.clock.Date()
	f.write(func() error { return writeAddresses(name, known, now) }, over,
		"where the grid's hosts are cannot be kept; the next start needs a ticket")
}

// KeepBars keeps who is barred.
func (f *folder) KeepBars(bars []membership.Bar, over func(ok bool)) {
	name := filepath.Join(f.name, barsFile)
	f.write(func() error { return writeBars(name, bars) }, over,
		"the list of barred peers cannot be kept; the grid still has it")
}

// KeepEnds keeps which submissions have ended that kept runs, as of now.
func (f *folder) KeepEnds(ended []peer.Tombstone, over func(ok bool)) {
	name, now := filepath.Join(f.name, endsFile), f.clock.Date()
	f.write(func() error { return writeEnds(name, ended, now) }, over,
		"which runs have ended cannot be kept; the grid still knows")
}

// write has a file written. lost is what to say when it cannot be.
func (f *folder) write(write func() error, over func(ok bool), lost string) {
	f.disk.Give(f.by, func() {
		err := write()
		if err != nil && !f.said[lost] { // it is tried again and again
			f.log.Warn(lost, "error", err)
		}
		if f.said == nil {
			f.said = map[string]bool{}
		}
		f.said[lost] = err != nil
		f.post(func() { over(err == nil) })
	})
}
