package workerstest

import (
	"bytes"
	"slices"
	"time"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// What the workers say.

func (m *model) Idle(_ time.Duration, n int) []peer.Effect {
	m.hears("Idle")
	if n < 0 || n > m.workers {
		m.breaks(RuleIdle, "%d of %d workers are idle", n, m.workers)
	}
	m.idle = n
	return nil
}

func (m *model) Lacks(_ time.Duration, runs []peer.RunNo) []peer.Effect {
	m.hears("Lacks")
	if slices.Equal(runs, m.lacking) {
		m.breaks(RuleLacks, "%v lack workers, as before", runs)
	}
	for i, no := range runs {
		if m.runs[no] == nil || slices.Contains(runs[:i], no) {
			m.breaks(RuleLacks, "%v lack workers, and are not all on", runs)
		}
	}
	m.lacking = slices.Clone(runs)
	return nil
}

func (m *model) Finished(_ time.Duration, no steal.Borrow, x steal.Result) []peer.Effect {
	m.hears("Finished")
	b := m.borrows[no]
	switch {
	case b == nil:
		m.breaks(RuleFinished, "%d is Finished, and was never executed", no)
	case b.run.ended:
		b.run.late++
	case b.ends > 0 && b.salvaged:
		m.breaks(RuleOneEnd, "%d is Finished, and has ended before", no)
	case b.ends > 0:
		m.breaks(RuleFinished, "%d is Finished twice", no)
	case b.passedOn != nil && b.passedOn.state == out && !b.run.used[b.passedOn.key]:
		m.breaks(RuleFinished, "%d is Finished, and in the machine's hands", no)
	default:
		b.ends++
		b.by = x
		m.right(b.run, steal.Key{}, b.job, x, false)
	}
	return nil
}

func (m *model) Stopped(_ time.Duration, no steal.Borrow) []peer.Effect {
	m.hears("Stopped")
	b := m.borrows[no]
	switch {
	case b == nil || !b.salvaged:
		m.breaks(RuleOneEnd, "%d is Stopped, and was not withdrawn with Salvage", no)
	case b.ends > 0:
		m.breaks(RuleOneEnd, "%d is Stopped, and has ended before", no)
	default:
		b.ends++
		b.saved = m.parts()
	}
	return nil
}

func (m *model) Panicked(_ time.Duration, no peer.RunNo, x steal.Result) []peer.Effect {
	m.hears("Panicked")
	r := m.runs[no]
	if r == nil || x.Outcome != steal.Panicked || r.root.Does&Blows == 0 {
		m.breaks(RulePanicked, "run %d has Panicked with %v, and has no reason to", no, x.Outcome)
		return nil
	}
	r.failed = true
	return nil
}

func (m *model) Salvaged(_ time.Duration, parts []peer.Part) []peer.Effect {
	m.hears("Salvaged")
	for _, x := range parts {
		r := m.partRight(x, true)
		if r == nil {
			continue
		}
		m.gotten = append(m.gotten, x)
		if !r.ended && !slices.ContainsFunc(m.all(r), func(b *borrow) bool { return b.salvaged }) {
			m.breaks(RuleParts, "a part of run %d is Salvaged, of which nothing was withdrawn so", r.no)
		}
	}
	return nil
}

// all are the jobs of a run that the workers were told to execute.
func (m *model) all(r *run) (all []*borrow) {
	for no := steal.Borrow(1); m.borrows[no] != nil; no++ {
		if m.borrows[no].run == r {
			all = append(all, m.borrows[no])
		}
	}
	return all
}

func (m *model) Gathered(_ time.Duration, parts []peer.Part) []peer.Effect {
	m.hears("Gathered")
	if !m.wantParts {
		m.breaks(RuleOnce, "Gathered, when no WantParts is open")
	}
	m.wantParts, m.gotten = false, parts
	for _, x := range parts {
		if r := m.partRight(x, false); r != nil && !slices.ContainsFunc(m.all(r), func(b *borrow) bool { return !b.over }) {
			m.breaks(RuleParts, "a part of run %d, of which all jobs had ended", r.no)
		}
		m.cover("part")
	}
	return nil
}

func (m *model) Unkept(_ time.Duration, no peer.RunNo) []peer.Effect {
	m.hears("Unkept")
	if m.runs[no] == nil || !m.wantParts {
		m.breaks(RuleUnkept, "Unkept is said of run %d, and no WantParts is open: %v", no, !m.wantParts)
	}
	return nil
}

func (m *model) Unfinished(_ time.Duration, no peer.RunNo, keys []steal.Key) []peer.Effect {
	m.hears("Unfinished")
	r := m.runs[no]
	if r == nil || !r.wantKeys {
		m.breaks(RuleOnce, "the keys of run %d, when no WantKeys is open", no)
		return nil
	}
	r.wantKeys, m.keys = false, keys
	if len(keys) > peer.KeysMax {
		m.breaks(RuleKeys, "%d keys", len(keys))
	}
	for _, key := range keys {
		if _, ok := r.keyOf[key]; !ok && r.root.Does&Searches == 0 {
			m.breaks(RuleKeys, "the key of no job of run %d", no)
		}
		m.cover("key")
	}
	return nil
}

func (m *model) Offered(_ time.Duration, no peer.RunNo, s steal.Stamp) []peer.Effect {
	m.hears("Offered")
	r := m.runs[no]
	got, err := m.codec.ReadBytes(s.Value)
	if r == nil || err != nil || s.Digest != steal.KeyOf(s.Value) {
		m.breaks(RuleOffered, "a best of run %d cannot be read: %v", no, err)
		return nil
	}
	if v, _ := got.Of.alone(); v != got.V || r.jobs[got.Of] == nil {
		m.breaks(RuleOffered, "the best %+v is no job's result", got)
	}
	if !r.beats(got, s.Value) {
		m.breaks(RuleOffered, "the best %d is not better than %d", got.V, r.best.V)
	}
	r.best, r.bestBytes = got, s.Value
	return nil
}

// beats tells whether a value is to take the best's place.
func (r *run) beats(x Result, value []byte) bool {
	return r.bestBytes == nil || x.Better(r.best) || !r.best.Better(x) && bytes.Compare(value, r.bestBytes) < 0
}

func (m *model) Compared(_ time.Duration, no peer.RunNo, digest steal.Key, v peer.Merit, _ steal.Result) []peer.Effect {
	m.hears("Compared")
	r := m.runs[no]
	if r == nil || r.comparing == nil || r.comparing.Digest != digest {
		m.breaks(RuleOnce, "a value was Compared, of run %d, for which nobody asked", no)
		return nil
	}
	value := r.comparing.Value
	r.comparing = nil
	x, _ := m.codec.ReadBytes(value)
	want := peer.Worse
	if r.beats(x, value) {
		want = peer.Better
	}
	if v != want && !r.ended {
		m.breaks(RuleCompared, "%d was Compared with %d: %v, want %v", x.V, r.best.V, v, want)
	}
	if want == peer.Better {
		r.best, r.bestBytes = x, value
	}
	return nil
}

func (m *model) Differed(_ time.Duration, nonce steal.Nonce, differ bool) []peer.Effect {
	m.hears("Differed")
	want, open := m.differs[nonce]
	delete(m.differs, nonce)
	if !open {
		m.breaks(RuleOnce, "Differed, when no Differ of %d is open", nonce)
	} else if want != differ {
		m.breaks(RuleDiffered, "two answers differ: %v, want %v", differ, want)
	}
	return nil
}

func (m *model) Told(_ time.Duration, no peer.RunNo, fact []byte) []peer.Effect {
	m.hears("Told")
	r := m.runs[no]
	if r == nil || r.root.Does&Tells == 0 || len(fact) == 0 || len(fact) > peer.FactMax {
		m.breaks(RuleTold, "a fact of %d bytes was told of run %d", len(fact), no)
	}
	return nil
}

func (m *model) hears(event string) {
	m.said++
	m.cover(event)
}

func (m *model) cover(what string) { m.covered[what]++ }
