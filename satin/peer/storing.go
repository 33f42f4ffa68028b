package peer

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// Times and bounds of what is kept on disk.
const (
	// a run that is over by then has left nothing to go on with, and costs the disk nothing
	saveAfter = time.Second
	saveEvery = time.Second // no run is looked at more often
	// after a disk could not be written, when what the workers list meanwhile is tried at once,
	// or not be read
	saveAgain = 10 * time.Second
	// of results in one batch, beyond the first: what is left follows when it is written
	saveBytes = 32 << 20
)

// storing decides what of the runs is kept on this peer's disk, and uses what is found there. When
// all processes are gone, the next ones go on from that.
type storing struct {
	outbox
	on      bool // there is a disk
	self    membership.PeerID
	members members
	runs    *runs
	results *orphan.Results
	salvage *salvage
	parts   func(steal.Instance) []orphan.Part // that the workers have listed last

	at   time.Duration // when to look again; Never: there is no run
	open *saving       // what is being written, or nil
}

// saving is a Save under way, and what is on the disk when it is done.
type saving struct {
	Save
	of     RunNo
	record uint64 // the digest of Record
	rest   bool   // more results are to follow
}

// began hears that a run's root has come.
func (s *storing) began(now time.Duration, r *run) {
	r.disk.from = now
	if s.on {
		s.at = min(s.at, now)
	}
}

// tick looks at all runs.
func (s *storing) tick(now time.Duration) []membership.Effect {
	if now < s.at {
		return nil
	}
	s.at = steal.Never
	for _, r := range s.runs.all {
		if r.root.isHere() {
			s.at = now + saveEvery
			s.use(now, r)
		}
	}
	s.askNext(now)
	s.saveNext(now)
	return s.flush()
}

func (s *storing) deadline() time.Duration { return s.at }

// askNext asks the disk for what it has of a run, one after the other: what is read may be much.
func (s *storing) askNext(now time.Duration) {
	if s.runs.first(func(r *run) bool { return r.disk.know == isAsked }) != nil {
		return
	}
	for _, r := range s.runs.all {
		if r.root.isHere() && s.ask(now, r) {
			return
		}
	}
}

// ask asks the disk for what it has of a run, and tells whether it has.
func (s *storing) ask(now time.Duration, r *run) bool {
	d := &r.disk
	if d.know != notAsked || now < d.askAt {
		return false
	}
	if s.beginsAnew(r) {
		d.know = isKnown
		return false
	}
	bytesMax := s.room()
	d.know, d.some = isAsked, true
	s.do(WantStored{Run: r.no, Place: d.place, BytesMax: bytesMax})
	return true
}

// beginsAnew gives a run its place on the disk, and has that emptied where the run is to use
// nothing that is there: that of another run, or what was left by one of its id.
func (s *storing) beginsAnew(r *run) bool {
	d := &r.disk
	if d.place == (steal.Key{}) {
		d.place = s.placeOf(r)
	}
	if d.remembered || !r.terms.Fresh && d.place == r.instance.Run {
		return false
	}
	s.do(Forget{Place: d.place, All: true})
	return true
}

// placeOf is where a run is on the disk. Two of one root, under other terms, may hold other bests,
// and neither is lost for the other.
func (s *storing) placeOf(r *run) steal.Key {
	if s.runs.first(func(o *run) bool { return o.disk.place == r.instance.Run }) != nil {
		return r.id
	}
	return r.instance.Run
}

// room is how many bytes of results may be read for one run more: those for which others were not
// asked yet get as much.
func (s *storing) room() int {
	room, asks := storedBytesMax-s.results.Bytes(), 0
	for _, r := range s.runs.all {
		if r.disk.know == notAsked {
			asks++
		}
		for _, x := range r.disk.waits.Results {
			room -= len(x.Result.Bytes)
		}
	}
	return max(0, room) / max(1, asks)
}

// lacks tells whether a run is still to be written, so that it is lost with this process alone. A
// disk that fails is tried again.
func (s *storing) lacks(r *run) bool { return s.on && !r.disk.root }

// stored hears what the disk has of a run. While that cannot be read nothing is written: it may be
// results that were found under a better best than the run has, which would be taken for theirs.
func (s *storing) stored(now time.Duration, no RunNo, found Stored) []membership.Effect {
	r := s.runs.numbered(no)
	if r == nil || r.disk.know != isAsked {
		return nil
	}
	d := &r.disk
	switch {
	case found.Unread:
		d.know, d.askAt = notAsked, now+saveAgain
	case found.Place == d.place:
		d.know, d.waits = waitsToUse, found
		s.use(now, r)
	default:
		d.know = isKnown
	}
	s.askNext(now)
	s.saveNext(now)
	return s.flush()
}

// use takes what the disk has of a run, once the best that it was found under is held: what was
// pruned by that would be lost without it. The results are orphans': whoever does that work again
// finds them. Under Verify only those are used that were verified as much.
func (s *storing) use(now time.Duration, r *run) {
	d := &r.disk
	if d.know != waitsToUse {
		return
	}
	best := d.waits.Best
	if _, bad := r.best.trial.isSpoilt(best.Digest); bad {
		*d = diskOf{know: isKnown, place: d.place, from: d.from, remembered: d.remembered, pausedUntil: d.pausedUntil}
		s.do(Forget{Place: d.place, All: true})
		return
	}
	if !r.best.knows(best.Digest) {
		s.also(r.best.found(now, s.self, best))
		return
	}
	if !entered(s.members.Self()) { // nobody hears yet what is here
		return
	}
	found := d.waits.Results
	d.know, d.waits, d.best, d.some = isKnown, Stored{}, best.Digest, d.root || best.Value != nil || len(found) > 0
	resumed := Resumed{Run: r.no}
	var more []storedKey
	for _, x := range found {
		if !r.best.knows(x.Best) && best.Value == nil || len(x.Result.Bytes) > int(r.terms.ResultMax) ||
			x.Verify < float32(r.terms.Verify) {
			continue
		}
		resumed.Results++
		resumed.Saved = added(resumed.Saved, milliseconds(x.Result.Cost))
		more = append(more, storedKey{key: x.Key, cost: x.Result.Cost, found: true})
		s.salvage.keep(now, r.instance, x.Key, x.Result)
	}
	d.add(more...)
	if resumed.Results > 0 {
		s.do(resumed)
	}
}

// unblocked hears that a best is held, or that this peer is in.
func (s *storing) unblocked(now time.Duration) []membership.Effect {
	for _, r := range s.runs.all {
		s.use(now, r)
	}
	return s.flush()
}

// gathered hears that the workers have listed their parts: what is new of them is written, and
// what is kept for others.
func (s *storing) gathered(now time.Duration) []membership.Effect {
	for _, r := range s.runs.all {
		r.disk.due = true
	}
	s.saveNext(now)
	return s.flush()
}

// saved hears that what was to be written last is written, or could not be. A disk that has no room
// may have dropped what else it had of the run: then all of that is written anew.
func (s *storing) saved(now time.Duration, ok bool) []membership.Effect {
	b := s.open
	if s.open = nil; b == nil {
		return nil
	}
	r := s.runs.numbered(b.of)
	if !ok {
		if r != nil {
			r.disk.root, r.disk.best, r.disk.results = false, steal.Key{}, nil
		}
		s.at = max(s.at, now+saveAgain)
		return nil
	}
	if r != nil {
		r.disk.has(b)
	}
	s.saveNext(now)
	return s.flush()
}

// saveNext has the next batch written, unless one is. A slow disk has fewer and bigger ones: what
// is finished meanwhile waits where it is.
func (s *storing) saveNext(now time.Duration) {
	for _, r := range s.runs.all {
		if s.open != nil || !s.on {
			return
		}
		if b := s.next(now, r, saveBytes); b != nil {
			// something may be there, whatever is said of it later
			s.open, r.disk.some = b, true
			s.do(b.Save)
		}
	}
}

// next is what is to be written of a run, of so many bytes of results, or nil.
func (s *storing) next(now time.Duration, r *run, bytesMax int) *saving {
	d := &r.disk
	if d.know != isKnown || !s.isDue(now, r) {
		return nil
	}
	b := &saving{of: r.no, Save: Save{
		Place: d.place, Best: steal.Stamp{Digest: r.best.digest}, Verify: float32(r.terms.Verify),
	}}
	if sum := r.digest(); !d.root || sum != d.record {
		b.record, b.Record = sum, &Record{Head: r.head(now)}
		if !d.root {
			b.Record.Root = r.root.bytes
		}
	}
	if r.best.value != nil && r.best.digest != d.best {
		b.Best.Value = r.best.value
	}
	worth := b.Record != nil || d.due && b.Best.Value != nil
	if d.due || r.answer != nil {
		d.due = false
		worth = s.addResults(r, b, bytesMax) || worth
	}
	if !worth {
		return nil
	}
	return b
}

// addResults adds to a batch what of a run's results the disk lacks, and, when that is all, what it
// has in vain. It tells whether they are worth writing.
func (s *storing) addResults(r *run, b *saving, bytesMax int) (worth bool) {
	d, size, cost := &r.disk, 0, uint64(0)
	current := s.current(r)
	for _, x := range current {
		if _, known := d.find(x.Key); known {
			continue
		}
		if b.rest = len(b.Results) > 0 && size+len(x.Result.Bytes) > bytesMax; b.rest {
			return worth
		}
		b.Results = append(b.Results, x)
		size += len(x.Result.Bytes)
		cost += uint64(x.Result.Cost)
		worth = worth || cost >= copyCostMin || r.answer != nil
	}
	b.Gone = d.inVain(current)
	return worth
}

// current are the results that are to be on the disk, by key: what is finished here, and what is
// kept here for others. The answer is in place of all that it was made of.
func (s *storing) current(r *run) []orphan.Part {
	var all []orphan.Part
	switch {
	case r.answer == nil:
		all = slices.Clone(s.parts(r.instance))
	case r.answer.Outcome == steal.Value:
		all = append(all, orphan.Part{Key: r.instance.Run, Result: *r.answer})
	}
	for _, i := range s.results.Items(r.instance) {
		all = append(all, orphan.Part{Key: i.Key, Result: i.Result})
		if at, known := r.disk.find(i.Key); known {
			x := &r.disk.results[at]
			x.made = x.made || slices.ContainsFunc(i.Owners, func(whom orphan.KeptFor) bool { return whom.Why == orphan.ForReturn })
		}
	}
	slices.SortStableFunc(all, func(a, b orphan.Part) int { return compareKeys(a.Key, b.Key) })
	return slices.CompactFunc(all, func(a, b orphan.Part) bool { return a.Key == b.Key })
}

// ended hears that a run is over. What was found for one that was answered is of no use any more;
// one that was given up goes on from it when it is asked for again, if it is where that one looks.
// A record goes in any case: it may be there though a later batch was not written.
func (s *storing) ended(r *run) []membership.Effect {
	if d := &r.disk; s.on && d.some {
		s.do(Forget{Place: d.place, All: d.done || d.place == r.id})
	}
	return s.flush()
}

// leaves has all that is here written at once: this peer goes.
func (s *storing) leaves(now time.Duration) []membership.Effect {
	for _, r := range s.runs.all {
		r.disk.due = true
		b := s.next(now, r, orphan.BytesMax)
		if b == nil {
			b = s.blindly(now, r)
		}
		if b != nil && s.on {
			s.do(b.Save)
		}
	}
	return s.flush()
}

// blindly is what is to be written of a run of which the disk has not said what it has, or nil: no
// more than how it goes on. What it has holds beside that.
func (s *storing) blindly(now time.Duration, r *run) *saving {
	d := &r.disk
	if !s.on || d.know == isKnown || !s.isDue(now, r) {
		return nil
	}
	if d.know == notAsked {
		s.beginsAnew(r)
	}
	return &saving{of: r.no, Save: Save{Place: d.place, Record: &Record{Head: r.head(now), Root: r.root.bytes}}}
}

// isDue tells whether a run is to be on the disk by now.
func (s *storing) isDue(now time.Duration, r *run) bool {
	return r.root.isHere() && (now-r.disk.from >= saveAfter || r.isKept())
}
