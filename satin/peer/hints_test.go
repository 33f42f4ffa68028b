package peer

import (
	"testing"
	"time"

	"satingrid/steal"
)

// TestFactsAreOfARun: one that is on, and whose root is here; and not at a client.
func TestFactsAreOfARun(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*hints, *run, *Facts)
		heard  bool
	}{
		"of a run that is on":      {func(*hints, *run, *Facts) {}, true},
		"of one that is not known": {func(_ *hints, _ *run, m *Facts) { m.Run = steal.Instance{} }, false},
		"its root has not come":    {func(_ *hints, r *run, _ *Facts) { r.root.bytes = nil }, false},
		"at a client":              {func(h *hints, _ *run, _ *Facts) { h.client = true }, false},
	} {
		s := &runs{}
		r, h := s.made(submittedAs("u", 1), 4), &hints{runs: s}
		r.root.bytes, r.facts.again = []byte("root"), steal.Never
		m := Facts{Run: r.instance, Facts: [][]byte{[]byte("fact")}}
		c.change(h, r, &m)
		if heard := len(h.hearFacts(0, "a1", m)) > 0; heard != c.heard {
			t.Errorf("%s: a fact is heard: %v", name, heard)
		}
		h.told(time.Second, r.no, []byte("one's own"))
		if told := len(r.facts.wait) > 0; told == h.client {
			t.Errorf("%s: what a job tells is told: %v", name, told)
		}
		h.told(time.Second, r.no+1, []byte("of no run"))
	}
}
