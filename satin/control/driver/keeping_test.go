package driver

import (
	"math/rand/v2"
	"testing"

	"satingrid/membership"
	"satingrid/membership/addresses"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// slowDisk is a folder that answers when it is told to.
type slowDisk struct {
	known [][]addresses.Known
	bars  [][]membership.Bar
	ends  [][]peer.Tombstone
	overs []func(ok bool)
}

func (s *slowDisk) KeepAddresses(known []addresses.Known, over func(ok bool)) {
	s.known, s.overs = append(s.known, known), append(s.overs, over)
}

func (s *slowDisk) KeepBars(bars []membership.Bar, over func(ok bool)) {
	s.bars, s.overs = append(s.bars, bars), append(s.overs, over)
}

func (s *slowDisk) KeepEnds(ended []peer.Tombstone, over func(ok bool)) {
	s.ends, s.overs = append(s.ends, ended), append(s.overs, over)
}

func (s *slowDisk) answers() { s.says(true) }

// says tells of all that is being written whether it is.
func (s *slowDisk) says(ok bool) {
	overs := s.overs
	s.overs = nil
	for _, over := range overs {
		over(ok)
	}
}

// withDisk gives a driver a folder.
func withDisk(d *Driver) *slowDisk {
	s := new(slowDisk)
	d.keeping = keepingIn(s, d.machine.Sight(), d.owner.Now)
	return s
}

// TestNewsAreWrittenOnce: bars change and change again while the disk does not answer. Then the
// last word is written, and no version between.
func TestNewsAreWrittenOnce(t *testing.T) {
	d, n := alone()
	s := withDisk(d)
	for k := range 10 {
		d.Do(d.machine.Bar(n.Now(), "x", k%2 == 0))
	}
	if len(s.bars) != 1 {
		t.Fatalf("%d versions were given to a disk that does not answer", len(s.bars))
	}
	s.answers()
	if len(s.bars) != 2 || len(s.bars[1]) != 1 || s.bars[1][0].Barred {
		t.Errorf("the last word is %+v", s.bars)
	}
	if s.answers(); len(s.bars) != 2 {
		t.Errorf("without news %d versions are written", len(s.bars))
	}
}

// TestWhatIsBeingWritten at the end is written once more: it may come to nothing.
func TestWhatIsBeingWritten(t *testing.T) {
	d, n := alone()
	s := withDisk(d)
	d.Do(d.machine.Bar(n.Now(), "x", true))
	if d.Close(); len(s.bars) != 2 {
		t.Errorf("the bars are given to the disk %d times", len(s.bars))
	}
}

// TestAddressesAreKeptFromInside: one that the grid has not let in keeps nothing. What it learned
// on its way is written when it is in, and at its end once more.
func TestAddressesAreKeptFromInside(t *testing.T) {
	d, n := before()
	s := withDisk(d)
	d.Do([]peer.Effect{peer.KeepAddresses{}})
	d.Close()
	if len(s.known) > 0 || d.Entered() {
		t.Fatalf("one that is outside keeps %v", s.known)
	}
	d.Open(Inherited{})
	if !d.Entered() || n.entered != 1 || len(s.known) != 1 {
		t.Fatalf("inside: %v, said %d times, kept %d times", d.Entered(), n.entered, len(s.known))
	}
	d.Close()
	if len(s.known) != 2 {
		t.Errorf("at the end it was kept %d times", len(s.known))
	}
	without, _ := alone()
	without.Do([]peer.Effect{peer.KeepAddresses{}, membership.Bar{ID: "x"}})
	without.Close() // there is no folder
}

// TestEndsAreKept: what kept a run and has ended, at once, also by one that is outside; what ended
// while the disk did not answer after that, and at the end what is left.
func TestEndsAreKept(t *testing.T) {
	m := peer.New(peer.Config{Member: membership.Config{ID: "me", Workers: 1}, Store: true}, rand.New(rand.NewPCG(1, 2)))
	n := new(network)
	d := New(Config{}, m, n, quiet{}, n, nil, new(toldStore))
	s := withDisk(d)
	ended := func(no steal.Nonce) peer.Tombstone {
		return peer.Tombstone{Submission: steal.Submission{Submitter: "u", Nonce: no, Keeps: true}}
	}
	d.Open(Inherited{Ended: []peer.Tombstone{ended(1)}})
	if len(s.ends) > 0 {
		t.Errorf("what was read is written again: %v", s.ends)
	}
	d.Do([]peer.Effect{peer.KeepEnds{}})
	d.Do([]peer.Effect{peer.KeepEnds{}})
	if len(s.ends) != 1 || len(s.ends[0]) != 1 || s.ends[0][0] != ended(1) {
		t.Fatalf("%v are given to a disk that does not answer", s.ends)
	}
	d.Close()
	if len(s.ends) != 2 {
		t.Errorf("at the end they are written for the time number %d", len(s.ends))
	}
}

// TestEndsAreKeptAtTheEnd, though the machine has not given them out: it does that now and then.
func TestEndsAreKeptAtTheEnd(t *testing.T) {
	d, _ := alone()
	s := withDisk(d)
	one := peer.Tombstone{Submission: steal.Submission{Submitter: "u", Nonce: 1, Keeps: true}}
	d.Open(Inherited{Ended: []peer.Tombstone{one}})
	d.Close()
	if len(s.ends) != 1 || len(s.ends[0]) != 1 {
		t.Errorf("at the end %v are written", s.ends)
	}
	without, _ := alone()
	s = withDisk(without)
	if without.Close(); len(s.ends) > 0 {
		t.Errorf("nothing has ended, and %v are written", s.ends)
	}
}

// TestWhatCouldNotBeWritten is written again, not at once, and at the end whenever that is.
func TestWhatCouldNotBeWritten(t *testing.T) {
	d, n := before()
	s := withDisk(d)
	d.Open(Inherited{})
	s.answers()
	ordinary := d.Deadline()
	d.Do(d.machine.Bar(n.Now(), "x", true))
	d.Do([]peer.Effect{peer.KeepEnds{}, peer.KeepAddresses{}})
	bars, ends, known := len(s.bars), len(s.ends), len(s.known)
	s.says(false)
	if d.Tick(); len(s.bars) != bars || len(s.ends) != ends || len(s.known) != known {
		t.Error("what could not be written is tried at once")
	}
	at := n.Now() + keepAgain
	if got := d.Deadline(); got > at || got < min(at, ordinary) {
		t.Errorf("it is tried again at %v", got)
	}
	n.now += keepAgain
	if d.Tick(); len(s.bars) != bars+1 || len(s.ends) != ends+1 || len(s.known) != known+1 {
		t.Errorf("then %d bars, %d ends and %d books are written", len(s.bars)-bars, len(s.ends)-ends, len(s.known)-known)
	}
	if s.says(false); d.keeping.deadline() != at+keepAgain {
		t.Errorf("and then at %v", d.keeping.deadline())
	}
	d.Close()
	if len(s.bars) != bars+2 || len(s.ends) != ends+2 || len(s.known) != known+2 {
		t.Error("at the end it is not tried once more")
	}
}
