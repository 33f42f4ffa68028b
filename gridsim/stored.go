package gridsim

import (
	"satingrid/satin/peer"
	"satingrid/steal"
)

// What is seen of what hosts write to their disks, and read there.

// recalled checks what a host reads of its disk, and notes it.
func (h *host) recalled(found peer.Stored) {
	w, run := h.w, computesAt(h, found.Place)
	for _, x := range found.Results {
		if found.Place == strayKey {
			continue
		}
		w.report.Recalled++
		w.fromDisk[x.Key] = true
		if want, ok := w.values.of(run, x.Key); ok && same(x.Result, want) != nil {
			w.fail("store", "%s has stored of %v: %v", h.id, x.Key, same(x.Result, want))
		}
	}
}

// computesAt is what the run computes that has a place on a host's disk.
func computesAt(h *host, place steal.Key) steal.Key {
	for _, r := range h.peer.Sight().Runs() {
		if r.ID == place {
			return r.Instance.Run
		}
	}
	return place
}

// checkSave sees that what is written is what the jobs come to, and that results name the best that
// their peer holds.
func (h *host) checkSave(s peer.Save) {
	named := len(s.Results) == 0
	for _, r := range h.peer.Sight().Runs() {
		held, _ := h.peer.Sight().Best(r.Run)
		named = named || (r.Instance.Run == s.Place || r.ID == s.Place) && (held == nil && s.Best.Digest == steal.Key{} || held != nil && steal.StampOf(held).Digest == s.Best.Digest)
	}
	if !named {
		h.w.fail("store", "%s writes results under the best %v, which it does not hold", h.id, s.Best.Digest)
	}
	for _, x := range s.Results {
		if want, ok := h.w.values.of(computesAt(h, s.Place), x.Key); ok && same(x.Result, want) != nil {
			h.w.fail("store", "%s writes of %v: %v", h.id, x.Key, same(x.Result, want))
		}
	}
}

// checkOver sees that a best takes the place of none that is better, with which there may be what
// was found under that, and that what is written then names the one that is there. A record takes
// the place of that of no other run that is on.
func (h *host) checkOver(s peer.Save) {
	var there steal.Stamp
	if x := h.folder.disk.runs[s.Place]; x != nil {
		there = x.best
		if s.Record != nil && x.head != nil && isOnBeside(h, s.Record.Head.Run, x) {
			h.w.fail("store", "%s writes the record of a run over that of another, which is on", h.id)
		}
	}
	if s.Best.Value != nil && there.Value != nil && h.w.work.Better("", there.Value, s.Best.Value) {
		h.w.fail("store", "%s writes the best %x over %x", h.id, s.Best.Value, there.Value)
	}
	if len(s.Results) > 0 && s.Best.Value == nil && s.Best.Digest != there.Digest {
		h.w.fail("store", "%s writes results under the best %v, and %v is there", h.id, s.Best.Digest, there.Digest)
	}
}

// isOnBeside tells whether what is in a place is the record of a run that is on at a host, beside
// another.
func isOnBeside(h *host, other steal.Instance, x *diskRun) bool {
	m, err := messages.Decode(x.head)
	if err != nil {
		panic("gridsim: BUG: " + err.Error())
	}
	is := m.Body.(peer.Record).Head.Run
	_, on := h.peer.Sight().Root(is.ID())
	return is != other && on
}

// checkDisk sees that the disks of those that live have nothing left of a run that was answered.
func (h *host) checkDisk() string {
	if d := h.folder.disk; d != nil && h.w.now < d.fails && d.hasRecord() {
		return "the record of a run"
	}
	return ""
}
