package orphan

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// Reborn starts this peer's list anew under its incarnation, with all that it holds.
func (t *Table) Reborn(now time.Duration, i membership.Incarnation) {
	t.self.incarnation, t.self.version, t.self.recent, t.self.settled = i, 0, 0, 0
	t.pending, t.pendRun, t.due = nil, nil, Never
	for _, p := range t.self.runs {
		for _, e := range p.entries {
			t.change(now, p.run, Change{Key: e.Key, Cost: e.Cost})
		}
	}
}

// Advertise enters a result that this peer holds.
func (t *Table) Advertise(now time.Duration, run steal.Instance, e Entry) {
	if old, known := t.self.entry(run, e.Key); known && old == e {
		return
	}
	t.enter(t.self, run, e)
	t.change(now, run, Change{Key: e.Key, Cost: e.Cost})
}

// Retract takes out a result that this peer does not hold any more.
func (t *Table) Retract(now time.Duration, run steal.Instance, key steal.Key) {
	if t.remove(t.self, run, key) {
		t.change(now, run, Change{Key: key, Gone: true})
	}
}

func (t *Table) change(now time.Duration, run steal.Instance, c Change) {
	t.self.version++
	t.pending = append(t.pending, c)
	t.pendRun = append(t.pendRun, run)
	if t.due == Never {
		t.due = now + AdvertAfter
	}
}

// Deadline is when Due has something.
func (t *Table) Deadline() time.Duration { return t.due }

// Due is what is to be published now.
func (t *Table) Due(now time.Duration) (out []Advert) {
	if now < t.due {
		return nil
	}
	first := t.self.version - uint64(len(t.pending))
	var a Advert
	flush := func(next int) {
		if len(a.Changes) > 0 {
			out = append(out, a)
		}
		a = Advert{After: first + uint64(next)}
	}
	flush(0)
	for n, c := range t.pending {
		at := slices.Index(a.Runs, t.pendRun[n])
		if len(a.Changes) == ChangesMax || at < 0 && len(a.Runs) == RunsMax {
			flush(n)
			at = -1
		}
		if at < 0 {
			at = len(a.Runs)
			a.Runs = append(a.Runs, t.pendRun[n])
		}
		c.Run = uint16(at)
		a.Changes = append(a.Changes, c)
	}
	flush(len(t.pending))
	t.pending, t.pendRun, t.due = nil, nil, Never
	return out
}

// HearAdvert hears what has changed in the list of a holder that is present in that incarnation. It
// tells whether some changes before it are missing, so that the whole list is wanted.
func (t *Table) HearAdvert(from membership.PeerID, i membership.Incarnation, a Advert) (missing bool) {
	l := t.list(from, i)
	if l == nil || l == t.self || len(a.Changes) > ChangesMax || len(a.Runs) > RunsMax || a.After > 1<<63 {
		return false
	}
	if l.version > a.After+uint64(len(a.Changes))+membership.RaiseMax {
		t.clear(l)
		l.version = 0 // somebody else has told of a list that the holder never had
	}
	if a.After > l.version {
		return true
	}
	for n, c := range a.Changes {
		if a.After+uint64(n) < l.version || int(c.Run) >= len(a.Runs) {
			continue
		}
		if c.Gone {
			t.remove(l, a.Runs[c.Run], c.Key)
		} else {
			t.enter(l, a.Runs[c.Run], Entry{Key: c.Key, Cost: c.Cost})
		}
		l.version++
	}
	return false
}

// Want tells whether to ask for a holder's whole list now: not again before the
// answer can be there.
func (t *Table) Want(now time.Duration, holder membership.PeerID) bool {
	if at, ok := t.find(holder); ok {
		l := t.lists[at]
		if l == t.self || now < l.wantAt {
			return false
		}
		l.wantAt = now + wantListEvery
	}
	return true
}

// List is a holder's whole list as it travels; false when nothing is known of it.
func (t *Table) List(holder membership.PeerID) (List, bool) {
	at, ok := t.find(holder)
	if !ok || t.lists[at].version == 0 {
		return List{}, false
	}
	out := List{Version: t.lists[at].state()}
	for _, p := range t.lists[at].runs {
		out.Runs = append(out.Runs, Listed{Run: p.run, Entries: slices.Clone(p.entries)})
	}
	return out, true
}

// HearList hears a holder's whole list, of an incarnation that is present, and takes it when it is
// newer than what is here. Another's word for it raises its number by membership.RaiseMax at most,
// and its own holds against one that is above its own by more: or a false number would keep the
// true list out for as long as its holder lives.
func (t *Table) HearList(from membership.PeerID, in List) bool {
	l := t.list(in.Holder, in.Incarnation)
	if l == nil || l == t.self || in.Number > membership.CounterMax {
		return false
	}
	isOwn, far := from == in.Holder, in.Number > l.version+membership.RaiseMax
	if isOwn && l.version > in.Number+membership.RaiseMax {
		l.version = 0
	}
	if in.Number <= l.version || far && !isOwn && l.version > 0 {
		return false
	}
	t.clear(l)
	l.version, l.wantAt = in.Number, 0
	for _, r := range in.Runs[:min(len(in.Runs), RunsMax)] {
		for _, e := range r.Entries {
			t.enter(l, r.Run, e)
		}
	}
	return true
}

// published is how new a list is for others: changes of this peer's own that are about to go out
// are not missing anywhere yet.
func (t *Table) published(l *list) Version {
	v := l.state()
	if l == t.self {
		v.Number -= uint64(len(t.pending))
	}
	return v
}

// Age lets time pass: what was known at the last Age but one is settled.
func (t *Table) Age(now time.Duration) {
	if now < t.agedAt+ageAfter {
		return
	}
	t.agedAt = now
	for _, l := range t.lists {
		l.settled, l.recent = l.recent, t.published(l).Number
	}
}

// Versions are those of all lists.
func (t *Table) Versions() (out Versions) {
	for _, l := range t.lists {
		if v := t.published(l); v.Number > 0 {
			out.All = append(out.All, v)
			out.Settled = append(out.Settled, l.settled)
		}
	}
	return out
}

// outgrow raises the number of this peer's own list above one that somebody has told of and that
// it never had. One that is above by more than membership.RaiseMax is believed by nobody who
// hears this peer itself.
func (t *Table) outgrow(number uint64) {
	if number > t.self.version && number <= t.self.version+membership.RaiseMax {
		t.self.version = number + 1 + uint64(len(t.pending))
	}
}

// Compare tells which lists one lacks that has these, and which it should be asked for. What
// has changed a moment ago is on its way to both, unless this peer has joined since: then
// nobody has sent it here.
func (t *Table) Compare(theirs Versions, joined bool) (give, want []membership.PeerID) {
	for _, l := range t.lists {
		if l.settled == 0 {
			continue
		}
		n := slices.IndexFunc(theirs.All, func(v Version) bool { return v.Holder == l.holder })
		if n < 0 || newer(Version{Incarnation: l.incarnation, Number: l.settled}, theirs.All[n]) {
			give = append(give, l.holder)
		}
	}
	for n, v := range theirs.All[:min(len(theirs.All), len(theirs.Settled))] {
		if !joined {
			v.Number = theirs.Settled[n]
		}
		at, ok := t.find(v.Holder)
		if ok && t.lists[at] == t.self && v.Incarnation == t.self.incarnation {
			t.outgrow(theirs.All[n].Number)
		}
		if v.Number == 0 || ok && (t.lists[at] == t.self || !newer(v, t.lists[at].state())) {
			continue
		}
		want = append(want, v.Holder)
	}
	return give, want
}

func newer(a, b Version) bool {
	if c := a.Incarnation.Compare(b.Incarnation); c != 0 {
		return c > 0
	}
	return a.Number > b.Number
}

// Digest tells the states of two tables apart.
func (t *Table) Digest() (sum uint64) {
	for _, l := range t.lists {
		if v := t.published(l); v.Number > 0 {
			sum += v.hash()
		}
	}
	return sum
}
