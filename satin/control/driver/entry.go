package driver

import "satingrid/membership"

// entry is how a peer or client gets into its grid.
type entry struct {
	open     bool // it has begun to look for the grid
	stranded bool // nobody has let it in, and nobody will
	in       bool
}

// looks tells whether it has been let in since the last look.
func (e *entry) looks(s interface{ Joining() bool }) bool {
	if !e.open || e.stranded || e.in || s.Joining() {
		return false
	}
	e.in = true
	return true
}

// Open has the peer or client look for its grid, after it was told whom its folder says to be
// barred.
func (d *Driver) Open(barred []membership.Bar) {
	if len(barred) > 0 {
		d.Do(d.machine.Barred(d.owner.Now(), barred))
	}
	d.entry.open = true
	d.Do(d.machine.Open(d.owner.Now()))
}

// Entered tells whether the grid has let it in.
func (d *Driver) Entered() bool { return d.entry.in }
