package control

import (
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/membership/addresses"
)

// aFolder is a state folder whose writes are heard of by what is posted to p.
func aFolder(t *testing.T, p *posted, by *sync.WaitGroup, log *slog.Logger) *folder {
	return &folder{name: t.TempDir(), clock: stopped{}, log: log, post: p.post, by: by}
}

// TestTheLoopWaitsForNoDisk: who has bars and addresses written goes on while the disk does not
// answer, and hears when they are there. What is read is what was written.
func TestTheLoopWaitsForNoDisk(t *testing.T) {
	p, by := newPosted(), new(sync.WaitGroup)
	f := aFolder(t, &p, by, slog.New(slog.DiscardHandler))
	answers, asked := make(chan struct{}), make(chan struct{})
	f.disk.Give(by, func() { close(asked); <-answers })
	<-asked
	bars := []membership.Bar{{ID: "x", Counter: 3, Barred: true}, {ID: "y", Counter: 4}}
	known := []addresses.Known{
		{ID: "me", Age: -1, Join: 7, Addrs: []string{"/here/p2p/me"}},
		{ID: "z", Site: "b", Age: time.Minute, Addrs: []string{"/there/p2p/z"}},
	}
	over := 0
	f.KeepBars(bars, func(bool) { over++ })
	f.KeepAddresses(known, func(bool) { over++ })
	if p.doAll(); over != 0 {
		t.Error("it is said to be written while the disk does not answer")
	}
	close(answers)
	by.Wait()
	if p.doAll(); over != 2 {
		t.Errorf("it was heard %d times that something is written", over)
	}
	if kept, err := loadBars(f.name); err != nil || !slices.Equal(kept, bars) {
		t.Errorf("%v is kept of %v, %v", kept, bars, err)
	}
	kept, err := readAddresses(filepath.Join(f.name, AddressesFile), stopped{}.Date())
	if err != nil || len(kept) != 2 || kept[0].Join != 7 || kept[0].Age != -1 || kept[1].Age != time.Minute || kept[1].Site != "b" {
		t.Errorf("%+v is kept of %+v, %v", kept, known, err)
	}
}

// TestAFullDiskIsSaid, once, and waited for no more than one that works.
func TestAFullDiskIsSaid(t *testing.T) {
	var said strings.Builder
	p, by := newPosted(), new(sync.WaitGroup)
	f := aFolder(t, &p, by, slog.New(slog.NewTextHandler(&said, nil)))
	f.name = filepath.Join(f.name, "file")
	if err := os.WriteFile(f.name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var over []bool
	for range 2 {
		f.KeepBars(nil, func(ok bool) { over = append(over, ok) })
	}
	by.Wait()
	if p.doAll(); !slices.Equal(over, []bool{false, false}) || strings.Count(said.String(), "cannot be kept") != 1 {
		t.Errorf("over: %v, said %q", over, said.String())
	}
	f.name = t.TempDir()
	f.KeepBars(nil, func(ok bool) { over = append(over, ok) })
	by.Wait()
	if p.doAll(); len(over) != 3 || !over[2] {
		t.Errorf("there is room again, and it is heard: %v", over)
	}
}
