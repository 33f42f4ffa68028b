package driver

import (
	"satingrid/membership"
	"satingrid/satin/peer"
)

// wayIn is how a peer or client gets into its grid, and out of it.
type wayIn struct {
	open   bool // it has begun to look for the grid
	founds bool // nobody is known to it: it is the first
	alone  bool // nobody of the grid answered, and it went on
	in     bool
	over   bool // it has left, was barred, or nobody has let it in
}

// looks tells whether it has been let in since the last look.
func (e *wayIn) looks(s interface{ Joining() bool }) bool {
	if !e.open || e.over || e.in || s.Joining() {
		return false
	}
	e.in = true
	return true
}

// Inherited is what the folder and the store of a process say of its former life.
type Inherited struct {
	Barred []membership.Bar
	Ended  []peer.Tombstone
	Runs   []peer.Recorded
}

// Open has the peer or client look for its grid, after it was told who is barred, which submissions
// have ended, and then which runs there are.
func (d *Driver) Open(from Inherited) {
	if len(from.Barred) > 0 {
		d.Do(d.machine.Barred(d.owner.Now(), from.Barred))
	}
	// by what is stored of runs it only knows who has submitted them
	d.entry.founds = !d.conf.Past && d.machine.Sight().Book().Len() == 0
	if len(from.Ended)+len(from.Runs) > 0 {
		d.Do(d.machine.Remembered(d.owner.Now(), from.Ended, from.Runs))
	}
	d.entry.open = true
	d.Do(d.machine.Open(d.owner.Now()))
}

// Entered tells whether the grid has let it in.
func (d *Driver) Entered() bool { return d.entry.in }

// Beginning is how a peer came to be in its grid.
type Beginning int

// The ways to begin.
const (
	Founded Beginning = iota + 1 // the grid is new
	Joined                       // somebody of the grid has let it in
	// WentOn: it was in the grid before, nobody answered, and it goes on alone, looking for the
	// others.
	WentOn
)

// Beginning is how it came to be there, once it is.
func (d *Driver) Beginning() Beginning {
	switch {
	case d.entry.alone:
		return WentOn
	case d.entry.founds:
		return Founded
	}
	return Joined
}

// leaves ends the process. Of several reasons, as when one is barred that has left, the first
// counts.
func (d *Driver) leaves(why peer.Effect) {
	if !d.entry.over {
		d.entry.over = true
		d.owner.Ends(why)
	}
}
