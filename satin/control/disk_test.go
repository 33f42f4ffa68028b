package control

import (
	"errors"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/satin/peer"
	"satingrid/satin/store"
	"satingrid/satin/wire"
	"satingrid/steal"
)

// aDisk is the store of a state folder, whose answers are posted to p.
func aDisk(t *testing.T, folder string, p *posted, by *sync.WaitGroup, said *strings.Builder) *disk {
	t.Helper()
	c := &Config{
		State: folder, Clock: stopped{}, Log: slog.New(slog.NewTextHandler(said, nil)),
		Build: func() (string, error) { return "this build", nil },
	}
	d, _ := openDisk(t.Context(), c, p.post, by)
	if d != nil {
		t.Cleanup(d.close)
	}
	return d
}

var stored = peer.RootOf(steal.KeyOf([]byte("run")), "task", []byte("the root"))

// batch is a record with its root, a best, and a result that was found under it.
func batch() peer.Save {
	h := peer.Head{
		Run:  steal.Instance{Run: stored.Run, First: steal.Submission{Submitter: "anna", Nonce: 7}},
		Task: stored.Task, RootDigest: stored.Digest, RootBytes: uint32(len(stored.Args)),
		Epoch: membership.Epoch{Number: 3}, Master: "b/1", Submissions: []steal.Submission{{Submitter: "anna", Nonce: 7}},
	}
	s := peer.Save{Place: stored.Run, Verify: 0.5, Record: &peer.Record{Head: h, Root: stored.Args}, Best: steal.StampOf([]byte("best"))}
	s.Results = slices.Grow(s.Results, 1)[:1]
	s.Results[0].Key = steal.Key{5}
	s.Results[0].Result = steal.Result{Outcome: steal.Failed, Choosing: true, Cost: 9, Bytes: []byte("bytes")}
	return s
}

// recall is what a disk has of the run.
func recall(d *disk, p *posted, by *sync.WaitGroup) (found peer.Stored) {
	d.Recall(stored.Run, 100, func(f peer.Stored) { found = f })
	by.Wait()
	p.doAll()
	return found
}

// TestWhatIsStoredComesBack in the next process, with root, best and all that a result has; and
// what was forgotten does not.
func TestWhatIsStoredComesBack(t *testing.T) {
	p, by, said, folder := newPosted(), new(sync.WaitGroup), new(strings.Builder), t.TempDir()
	d := aDisk(t, folder, &p, by, said)
	saved := false
	d.Save(batch(), func(ok bool) { saved = ok })
	by.Wait()
	if p.doAll(); !saved {
		t.Fatalf("it is not written: %s", said)
	}
	d.close()

	d = aDisk(t, folder, &p, by, said)
	want := batch()
	all := d.records()
	if len(all) != 1 || string(all[0].Root) != "the root" || all[0].Head.Epoch != want.Record.Head.Epoch ||
		!slices.Equal(all[0].Head.Submissions, want.Record.Head.Submissions) {
		t.Fatalf("the records are %+v", all)
	}
	found := recall(d, &p, by)
	if found.Place != stored.Run || string(found.Best.Value) != "best" || found.Best.Digest != want.Best.Digest || len(found.Results) != 1 {
		t.Fatalf("there is %+v", found)
	}
	x, is := found.Results[0], want.Results[0]
	if x.Best != want.Best.Digest || x.Key != is.Key || x.Result.Outcome != is.Result.Outcome || !x.Result.Choosing ||
		x.Result.Cost != 9 || x.Verify != 0.5 || string(x.Result.Bytes) != "bytes" {
		t.Errorf("the result is %+v", x)
	}

	d.Forget(peer.Forget{Place: stored.Run})
	if found = recall(d, &p, by); len(found.Results) != 1 || len(d.records()) != 0 {
		t.Errorf("without its record there is %+v, and %d runs go on", found, len(d.records()))
	}
	d.Forget(peer.Forget{Place: stored.Run, All: true})
	if found = recall(d, &p, by); len(found.Results) != 0 || found.Best.Value != nil {
		t.Errorf("when all is forgotten there is %+v", found)
	}
	if said.Len() > 0 {
		t.Errorf("it says %q", said)
	}
}

// TestTimeGoesOnWhileNobodyRuns: a run, and its answer, are older by the time for which the process
// was gone; by none where the clock was set back.
func TestTimeGoesOnWhileNobodyRuns(t *testing.T) {
	p, by, said, folder := newPosted(), new(sync.WaitGroup), new(strings.Builder), t.TempDir()
	d := aDisk(t, folder, &p, by, said)
	b := batch()
	b.Record.Head.Seconds, b.Record.Head.Answered = 100, 11
	d.Save(b, func(bool) {})
	by.Wait()
	// what follows the record does not make it younger
	d.date = func() time.Time { return stopped{}.Date().Add(10 * time.Minute) }
	b.Record = nil
	d.Save(b, func(bool) {})
	by.Wait()
	for _, c := range []struct {
		down          time.Duration
		age, answered uint32
	}{{time.Hour, 3700, 3611}, {-time.Hour, 100, 11}, {200 * 365 * 24 * time.Hour, math.MaxUint32, math.MaxUint32}} {
		d.date = func() time.Time { return stopped{}.Date().Add(c.down) }
		all := d.records()
		if len(all) != 1 || all[0].Head.Seconds != c.age || all[0].Head.Answered != c.answered {
			t.Errorf("after %v there is %+v", c.down, all)
		}
	}
}

// dated has a date that is set.
type dated struct {
	stopped
	after *time.Duration
}

func (d dated) Date() time.Time { return d.stopped.Date().Add(*d.after) }

// TestWhatGoesOnDoesNotExpire: a run whose record was read when the process began is on, however
// long nothing more is written of it.
func TestWhatGoesOnDoesNotExpire(t *testing.T) {
	p, by, said, folder, after := newPosted(), new(sync.WaitGroup), new(strings.Builder), t.TempDir(), new(time.Duration)
	c := &Config{
		State: folder, Clock: dated{after: after}, Log: slog.New(slog.NewTextHandler(said, nil)),
		Build: func() (string, error) { return "this build", nil },
	}
	d, _ := openDisk(t.Context(), c, p.post, by)
	d.Save(batch(), func(bool) {})
	by.Wait()
	d.close()
	d, all := openDisk(t.Context(), c, p.post, by)
	t.Cleanup(d.close)
	*after = 2 * store.KeepDefault
	other := batch()
	other.Place = steal.Key{1}
	d.Save(other, func(bool) {})
	by.Wait()
	if found := recall(d, &p, by); len(all) != 1 || len(found.Results) != 1 || said.Len() > 0 {
		t.Errorf("%d runs go on, and of the run there is %+v: %s", len(all), found, said)
	}
}

// TestWhatCannotBeReadIsNotNothing: what is written over it could be used with what is there.
func TestWhatCannotBeReadIsNotNothing(t *testing.T) {
	p, by, said, folder := newPosted(), new(sync.WaitGroup), new(strings.Builder), t.TempDir()
	d := aDisk(t, folder, &p, by, said)
	d.Save(batch(), func(bool) {})
	by.Wait()
	all, err := filepath.Glob(filepath.Join(folder, storeFolder, "*.run"))
	if err != nil || len(all) != 1 {
		t.Fatalf("there are %q: %v", all, err)
	}
	aside := filepath.Join(folder, "aside")
	if err := errors.Join(os.Rename(all[0], aside), os.Symlink(filepath.Base(all[0]), all[0])); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	if found := recall(d, &p, by); !found.Unread {
		t.Errorf("a file that cannot be opened is %+v", found)
	}
	if err := os.Rename(aside, all[0]); err != nil {
		t.Fatal(err)
	}
	if found := recall(d, &p, by); found.Unread || len(found.Results) != 1 {
		t.Errorf("then there is %+v", found)
	}
}

// TestARecordThatIsNone does not come back: of another run, or with another root.
func TestARecordThatIsNone(t *testing.T) {
	p, by, said := newPosted(), new(sync.WaitGroup), new(strings.Builder)
	d := aDisk(t, t.TempDir(), &p, by, said)
	for about, spoil := range map[string]func(*store.Batch){
		"no record":            func(b *store.Batch) { b.Record = []byte("nonsense") },
		"another root":         func(b *store.Batch) { b.Root = []byte("other") },
		"of another run":       func(b *store.Batch) { b.Run = store.Key{3} },
		"a run that has ended": func(b *store.Batch) { b.Lifetime = &store.Lifetime{Ended: true} },
	} {
		s := batch()
		b := store.Batch{Run: store.Key(s.Place), Root: s.Record.Root, Record: encodeRecord(s.Record.Head, 0, d.date())}
		spoil(&b)
		if err := d.store.Write(b); err != nil {
			t.Fatal(err)
		}
		if all := d.records(); len(all) != 0 {
			t.Errorf("%s: %+v", about, all)
		}
		d.store.Drop(b.Run)
	}
}

// TestAsManyRecordsAsMayBeOn come back, those that were written last.
func TestAsManyRecordsAsMayBeOn(t *testing.T) {
	p, by, said := newPosted(), new(sync.WaitGroup), new(strings.Builder)
	d := aDisk(t, t.TempDir(), &p, by, said)
	at := stopped{}.Date()
	d.store.Close()
	var err error
	d.store, err = store.Open(t.TempDir(), store.Options{Build: "this build", Now: func() time.Time { return at }})
	if err != nil {
		t.Fatal(err)
	}
	for n := range peer.RunsMax + 2 {
		at = at.Add(time.Second)
		h := batch().Record.Head
		h.Run.Run = steal.KeyOf([]byte{byte(n)})
		root := peer.RootOf(h.Run.Run, stored.Task, stored.Args)
		h.RootDigest, h.Epoch.Number = root.Digest, uint64(n+1)
		b := store.Batch{Run: store.Key(h.Run.Run), Root: root.Args, Record: encodeRecord(h, 0, d.date())}
		if err := d.store.Write(b); err != nil {
			t.Fatal(err)
		}
	}
	all := d.records()
	if len(all) != peer.RunsMax {
		t.Fatalf("%d come back", len(all))
	}
	for n, rec := range all {
		if want := uint64(n + 3); rec.Head.Epoch.Number != want {
			t.Errorf("number %d is that of epoch %d, want %d", n, rec.Head.Epoch.Number, want)
		}
	}
}

// TestADiskThatFails is said once, and the peer goes on in memory.
func TestADiskThatFails(t *testing.T) {
	p, by, said, folder := newPosted(), new(sync.WaitGroup), new(strings.Builder), t.TempDir()
	d := aDisk(t, folder, &p, by, said)
	if other := aDisk(t, folder, &p, by, said); other != nil || strings.Count(said.String(), "not stored") != 1 {
		t.Errorf("a second process has the folder, too, or is told %q", said)
	}
	d.store.Close()
	failed := 0
	for range 3 {
		d.Save(batch(), func(ok bool) {
			if !ok {
				failed++
			}
		})
	}
	by.Wait()
	if p.doAll(); failed != 3 || strings.Count(said.String(), "cannot be stored") != 1 {
		t.Errorf("%d of 3 fail, and it says %q", failed, said)
	}

	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if aDisk(t, file, &p, by, said) != nil {
		t.Error("there is a store in a file")
	}
}

// TestWhatIsWrittenLast is not given up where the disk does not answer, and is there when it does;
// that it cannot be written is said, whatever was said before.
func TestWhatIsWrittenLast(t *testing.T) {
	p, by, said, folder := newPosted(), new(sync.WaitGroup), new(strings.Builder), t.TempDir()
	d := aDisk(t, folder, &p, by, said)
	d.queue.hangs = true
	d.Save(batch(), func(ok bool) {
		if ok {
			t.Error("a disk that does not answer has taken more")
		}
	})
	p.doAll()
	leaves := true
	d.leaves = func() bool { return leaves }
	d.Save(batch(), func(bool) {})
	by.Wait()
	d.close()
	if d = aDisk(t, folder, &p, by, said); len(d.records()) != 1 {
		t.Fatalf("it is not there: %s", said)
	}

	d.store.Close()
	d.leaves = func() bool { return leaves }
	leaves = false
	d.Save(batch(), func(bool) {})
	by.Wait()
	if strings.Contains(said.String(), "as it leaves") {
		t.Errorf("before it leaves it says %s", said)
	}
	leaves = true
	for range 2 {
		d.Save(batch(), func(bool) {})
	}
	by.Wait()
	if strings.Count(said.String(), "as it leaves") != 1 {
		t.Errorf("it says %s", said)
	}
}

// TestADiskThatHangsAtTheStart is waited for a little, and then the peer goes on in memory; the
// folder is free for others when the disk has answered.
func TestADiskThatHangsAtTheStart(t *testing.T) {
	for about, c := range map[string]struct {
		takes time.Duration
		opens bool
	}{"in time": {diskOpensWithin - 1, true}, "too late": {diskOpensWithin + 1, false}} {
		folder := t.TempDir()
		synctest.Test(t, func(t *testing.T) {
			clock, by := bubble{time.Now()}, new(sync.WaitGroup)
			d := &disk{date: clock.Date, log: slog.New(slog.DiscardHandler)}
			d.queue = diskQueue{clock: clock, by: by}
			_, err := d.open(t.Context(), func() (*store.Store, error) {
				time.Sleep(c.takes)
				return store.Open(folder, store.Options{})
			})
			if at := clock.Now(); (err == nil) != c.opens || at != min(c.takes, diskOpensWithin) {
				t.Errorf("%s: it is over at %v: %v", about, at, err)
			}
			if by.Wait(); c.opens {
				d.store.Close()
			}
			s, err := store.Open(folder, store.Options{})
			if err != nil {
				t.Fatalf("%s: %v", about, err)
			}
			s.Close()
		})
	}
}

// TestNoDisk: clients have none, nor who does without.
func TestNoDisk(t *testing.T) {
	for about, c := range map[string]Config{
		"no folder": {}, "a client": {State: t.TempDir(), Client: true},
		"off": {State: t.TempDir(), Store: -1}, "no fault tolerance": {State: t.TempDir(), NoFT: true},
	} {
		if d, runs := openDisk(t.Context(), &c, nil, nil); d != nil || runs != nil {
			t.Errorf("%s: there is a disk", about)
		}
	}
	var none *disk
	none.close()
}

// TestADiskTellsWhatItTook, when a run goes: to whoever looks for what is said for that.
func TestADiskTellsWhatItTook(t *testing.T) {
	p, by, said := newPosted(), new(sync.WaitGroup), new(strings.Builder)
	c := &Config{
		State: t.TempDir(), Clock: stopped{}, Build: func() (string, error) { return "this build", nil },
		Log: slog.New(slog.NewTextHandler(said, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	d, _ := openDisk(t.Context(), c, p.post, by)
	t.Cleanup(d.close)
	for range 2 {
		d.Save(batch(), func(bool) {})
	}
	d.Forget(peer.Forget{Place: stored.Run, All: true})
	by.Wait()
	if got := said.String(); !strings.Contains(got, "written so far") || !strings.Contains(got, "batches=2 seconds=0") {
		t.Errorf("it says %q", got)
	}
}

// TestTheDisksTakeLessThanTwiceTheCopies: a part that is copied is written on two disks, and taken
// back on both. That is no more than two bytes for each that it takes on its way, with as few parts
// in a batch as ten, and small ones.
func TestTheDisksTakeLessThanTwiceTheCopies(t *testing.T) {
	p, by, said, folder := newPosted(), new(sync.WaitGroup), new(strings.Builder), t.TempDir()
	d := aDisk(t, folder, &p, by, said)
	first := batch()
	first.Results = nil
	d.Save(first, func(bool) {})
	by.Wait()
	size := func() (bytes int64) {
		names, err := filepath.Glob(filepath.Join(folder, storeFolder, "*.run"))
		if err != nil || len(names) != 1 {
			t.Fatal(names, err)
		}
		i, err := os.Stat(names[0])
		if err != nil {
			t.Fatal(err)
		}
		return i.Size()
	}
	before, copies := size(), 0
	for n := range 20 {
		add := peer.Save{Place: stored.Run, Verify: 0.5, Best: steal.Stamp{Digest: first.Best.Digest}}
		var c orphan.Copy
		for i := range 10 {
			part := orphan.Part{Key: steal.KeyOf([]byte{byte(n), byte(i)}), Result: steal.Result{Cost: 1000, Bytes: []byte{0x1a, 1, 2, 3}}}
			add.Results, c.Parts = append(add.Results, part), append(c.Parts, part)
		}
		d.Save(add, func(bool) {})
		gone := add
		gone.Results = nil
		for _, part := range c.Parts {
			gone.Gone = append(gone.Gone, part.Key)
		}
		d.Save(gone, func(bool) {})
		with, err := wire.Encode(peer.Message{Body: c})
		if err != nil {
			t.Fatal(err)
		}
		without, err := wire.Encode(peer.Message{Body: orphan.Copy{}})
		if err != nil {
			t.Fatal(err)
		}
		copies += len(with) - len(without)
		by.Wait()
	}
	if ratio := 2 * float64(size()-before) / float64(copies); ratio > 2 {
		t.Errorf("two disks take %.2f bytes for each of the copies", ratio)
	} else {
		t.Logf("two disks take %.2f bytes for each of the copies", ratio)
	}
}
