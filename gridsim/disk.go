package gridsim

import (
	"bytes"
	"cmp"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"satingrid/satin/control/driver"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// disk is what a host's folder has of runs, as a disk keeps it: what is written is there a little
// later, whole, and what was on its way when the host died is there whole or not at all. It does
// one thing after another.
type disk struct {
	rng    *rand.Rand
	runs   map[steal.Key]*diskRun // by place
	orders []diskWork             // what is to be done, the first of it now
	fails  time.Duration          // then nothing is written or read any more
	strays bool                   // it takes another run's for what it does not have
	fickle bool                   // now and then it has no room, or cannot be read
	cached *cache                 // nil: what it says is written is safe
	lives  driver.Lives           // of the host's present life
}

// diskRun is what a disk has in a place.
type diskRun struct {
	head    []byte        // a record without its root, as what ships writes it …
	headAt  time.Duration // … and when
	starts  uint8         // … and after how many lives: see driver.Lives
	root    []byte
	written time.Duration // last
	best    steal.Stamp
	results map[steal.Key]peer.StoredResult
}

// diskWork is something that a disk is to do.
type diskWork struct {
	takes time.Duration
	do    func()
	over  func()
}

// newDisk is the disk of a host that was never started before. Of eight one fails at some time, one
// has another run's, which it takes for the one that is asked for, two are fickle, and two say that
// is written what is not safe.
func newDisk(rng *rand.Rand, now time.Duration, work Workload) *disk {
	d := newSoundDisk(rng)
	switch d.rng.IntN(8) {
	case 0:
		d.fails = now + time.Duration(d.rng.Int64N(int64(8*time.Second)))
	case 1:
		d.strays = true
		d.runs[strayKey] = strayRun(work)
	case 2, 3:
		d.fickle = true
	case 4, 5:
		d.cached = newCache()
	}
	return d
}

// newSoundDisk is one that does what disks should.
func newSoundDisk(rng *rand.Rand) *disk {
	return &disk{rng: rng, runs: map[steal.Key]*diskRun{}, fails: steal.Never}
}

// takes is how long the next write takes: some milliseconds, and now and then much longer.
func (d *disk) takes() time.Duration {
	t := time.Millisecond + time.Duration(d.rng.Int64N(int64(40*time.Millisecond)))
	if d.rng.IntN(8) == 0 {
		t += time.Duration(d.rng.Int64N(int64(2 * time.Second)))
	}
	return t
}

// toDisk is the disk of a host as its driver has it.
type toDisk struct{ *host }

// Save writes a batch.
func (t toDisk) Save(s peer.Save, over func(ok bool)) {
	d, w := t.folder.disk, t.w
	var head []byte
	if s.Record != nil {
		head = w.net.codec.encode(t.host, peer.Message{Body: peer.Record{Head: s.Record.Head}})
	}
	t.checkSave(s)
	w.note(t.host, "saves", 0, uint64(len(s.Results)), uint64(len(s.Gone)))
	ok := false
	t.gives(diskWork{d.takes(), func() {
		if ok = w.now < d.fails && d.fits(s); ok {
			t.checkOver(s)
			w.report.Written += d.save(s, head, w.now)
		}
	}, func() { over(ok) }})
}

// fits tells whether a batch is written. One that has no room first lets go what can be done
// without, of which nobody is told. And none takes a result that names a best while there is none.
func (d *disk) fits(s peer.Save) bool {
	x := d.runs[s.Place]
	if d.fickle && x != nil {
		d.evict(x)
	}
	hasBest := s.Best.Value != nil || x != nil && x.best.Value != nil
	names := s.Best.Digest != steal.Key{} && len(s.Results) > 0
	return (hasBest || !names) && !(d.fickle && d.rng.IntN(4) == 0)
}

// evict has some results of a run go, or its best and all that name one, or nothing.
func (d *disk) evict(x *diskRun) {
	how := d.rng.IntN(8)
	if how == 0 {
		x.best = steal.Stamp{}
	}
	for _, k := range x.keys() {
		if how == 0 && x.results[k].Best != (steal.Key{}) || how == 1 && d.rng.IntN(2) == 0 {
			delete(x.results, k)
		}
	}
}

func (x *diskRun) keys() []steal.Key {
	return slices.SortedFunc(maps.Keys(x.results), func(a, b steal.Key) int { return bytes.Compare(a[:], b[:]) })
}

// dearest are the results, those first that took longest.
func (x *diskRun) dearest() (all []peer.StoredResult) {
	for _, k := range x.keys() {
		all = append(all, x.results[k])
	}
	slices.SortStableFunc(all, func(a, b peer.StoredResult) int { return cmp.Compare(b.Result.Cost, a.Result.Cost) })
	return all
}

func (d *disk) save(s peer.Save, head []byte, now time.Duration) int {
	d.cached.add(s.Place, d.runs[s.Place], now)
	x := d.runs[s.Place]
	if x == nil {
		x = &diskRun{results: map[steal.Key]peer.StoredResult{}}
		d.runs[s.Place] = x
	}
	x.written = now
	count, changed := d.lives.Writes(s.Place, len(s.Results))
	if s.Record != nil || changed {
		x.starts = count
	}
	if s.Record != nil {
		x.head, x.headAt = head, now
		if s.Record.Root != nil {
			x.root = s.Record.Root
		}
	}
	if s.Best.Value != nil {
		x.best = s.Best
	}
	for _, k := range s.Gone {
		delete(x.results, k)
	}
	for _, r := range s.Results {
		x.results[r.Key] = peer.StoredResult{Part: r, Best: s.Best.Digest, Verify: s.Verify}
	}
	return len(s.Results)
}

// Forget takes a run off.
func (t toDisk) Forget(f peer.Forget) {
	d, w := t.folder.disk, t.w
	w.note(t.host, "forgets", 0, 0, 0)
	t.gives(diskWork{d.takes(), func() {
		if w.now < d.fails {
			d.forget(f, w.now)
		}
	}, func() {}})
}

func (d *disk) forget(f peer.Forget, now time.Duration) {
	x := d.runs[f.Place]
	if x == nil {
		return
	}
	d.cached.add(f.Place, x, now)
	x.head, x.root = nil, nil
	delete(d.lives, f.Place)
	if f.All {
		delete(d.runs, f.Place)
	}
}

// Recall reads what there is in a place.
func (t toDisk) Recall(place steal.Key, bytesMax int, over func(found peer.Stored)) {
	d, w := t.folder.disk, t.w
	found := peer.Stored{Place: place}
	t.gives(diskWork{time.Millisecond, func() {
		x := d.runs[place]
		if x == nil && d.strays {
			found.Place, x = strayKey, d.runs[strayKey]
		}
		if found.Unread = d.fickle && d.rng.IntN(2) == 0; x == nil || found.Unread || w.now >= d.fails {
			return
		}
		found.Best = x.best
		for _, r := range x.dearest() {
			if bytesMax -= len(r.Result.Bytes); bytesMax >= 0 {
				found.Results = append(found.Results, r)
			}
		}
	}, func() {
		t.recalled(found)
		over(found)
	}})
}

// gives has the disk do something after all that it was given before.
func (h *host) gives(o diskWork) {
	d := h.folder.disk
	d.orders = append(d.orders, o)
	if len(d.orders) == 1 {
		h.works()
	}
}

// works has the disk do the next thing.
func (h *host) works() {
	d := h.folder.disk
	h.w.tagged(d.orders[0].takes, tag("disk", uint64(h.no)), func() {
		if !h.up || len(d.orders) == 0 {
			return
		}
		o := d.orders[0]
		d.orders = d.orders[1:]
		o.do()
		h.turn(0, tag("wrote", uint64(h.no)), o.over)
		if len(d.orders) > 0 {
			h.works()
		}
	})
}

// stops is the end of the process: in order, when all is written, or not, when the first of what
// was on its way is there or is not.
func (d *disk) stops(inOrder bool) {
	if d == nil {
		return
	}
	for n, o := range d.orders {
		if inOrder || n == 0 && d.rng.IntN(2) == 0 {
			o.do()
		}
	}
	d.orders = nil
	if inOrder { // none has ended it
		for place := range d.lives {
			if x := d.runs[place]; x != nil {
				x.starts = 0
			}
		}
	}
}

// records are those with which the host that has the disk goes on.
func (d *disk) records(now time.Duration) []peer.Recorded {
	if d == nil || now >= d.fails {
		return nil
	}
	d.lives = driver.Lives{}
	all := driver.GoOn(d.stored(now))
	for _, rec := range all {
		if count, counts := d.lives.Begins(rec); counts {
			d.runs[rec.Place].starts = count
		}
	}
	return all
}

// stored are the runs that have a record, the youngest first.
func (d *disk) stored(now time.Duration) iter.Seq[driver.StoredRecord] {
	keys := slices.SortedFunc(maps.Keys(d.runs), func(a, b steal.Key) int {
		return cmp.Or(cmp.Compare(d.runs[b].written, d.runs[a].written), bytes.Compare(a[:], b[:]))
	})
	return func(yield func(driver.StoredRecord) bool) {
		for _, k := range keys {
			x := d.runs[k]
			if x.head == nil {
				continue
			}
			m, err := messages.Decode(x.head)
			if err != nil {
				panic("gridsim: BUG: " + err.Error())
			}
			if !yield(driver.StoredRecord{Place: k, Record: m.Body.(peer.Record), Root: x.root, Age: now - x.headAt, Starts: x.starts}) {
				return
			}
		}
	}
}

// loseAll lets all peers die at once. When For has passed, all are started again, or half of them,
// or one, or one that finds the folder of another.
func (w *World) loseAll(f Fault) bool {
	who := w.who.some(len(w.who.hosts))
	for _, h := range who {
		w.kill(h, f.N&1 == 1)
	}
	if len(who) == 0 || len(w.who.members()) > 0 {
		return false
	}
	w.report.LostAll++
	w.after(f.For, func() {
		switch f.N >> 1 % 4 {
		case 0:
		case 1:
			who = who[:(len(who)+1)/2]
		case 2:
			who = who[:1]
		case 3:
			f := who[0].folder
			f.barred = nil
			w.startAs(w.who.name(who[0].site), who[0].site, 1, false, w.net.drawPlace(), f)
			who = nil
		}
		for _, h := range who {
			w.restart(h)
		}
	})
	return true
}

// heads is how many runs of this grid there is the record of.
func (d *disk) heads() (n int) {
	if d == nil {
		return 0
	}
	for k, x := range d.runs {
		if k != strayKey && x.head != nil {
			n++
		}
	}
	return n
}

// hasRun tells whether there is a run's record, and its root.
func (d *disk) hasRun(i steal.Instance) bool {
	for s := range d.stored(0) {
		if s.Root != nil && s.Record.Head.Run == i {
			return true
		}
	}
	return false
}

// strayKey is what a run computes that nobody asks for.
var strayKey = steal.KeyOf([]byte("another run"))

// strayRun is what a disk may have of it: a best that is better than any of the world's, and the
// root's result.
func strayRun(work Workload) *diskRun {
	best := steal.StampOf(encode(1<<40, 0, 0))
	run := steal.KeyOf(work.Root())
	result := peer.StoredResult{Best: best.Digest}
	result.Key, result.Result = run, steal.Result{Cost: 1000, Bytes: encode(1<<40, 0, 0)}
	return &diskRun{best: best, results: map[steal.Key]peer.StoredResult{run: result}}
}

// hasRecord tells whether there is the record of a run of this grid.
func (d *disk) hasRecord() bool { return d.heads() > 0 }
