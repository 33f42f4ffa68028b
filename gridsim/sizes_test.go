package gridsim

import (
	"maps"
	"strings"
	"testing"

	"satingrid/membership"
	"satingrid/satin/peer"
)

type sizedComponent struct{ all []string }

type sizedOwn struct{ queue []int }

type sizedWhole struct {
	sizedOwn
	first     sizedAsker // points to what comes later
	component sizedComponent
	far       *sizedComponent
	again     *sizedComponent
	others    map[string]*sizedComponent
}

type sizedAsker struct {
	of   *sizedComponent
	asks interface{ size() int }
	own  []int
}

func (p *sizedComponent) size() int { return len(p.all) }

// Each table is counted once, under the name of whoever has it: components point to each other.
func TestSizesAreOfWhoeverHasThem(t *testing.T) {
	w := &sizedWhole{component: sizedComponent{make([]string, 3)}, far: &sizedComponent{make([]string, 4)}}
	w.queue = make([]int, 8)
	w.first = sizedAsker{of: &w.component, asks: &w.component, own: make([]int, 5)}
	w.again = w.far
	w.others = map[string]*sizedComponent{"x": {make([]string, 6)}, "y": {make([]string, 7)}, "z": &w.component}
	want := map[string]int{"queue": 8, "first.own": 5, "component.all": 3, "far.all": 4, "others": 3, "others.all": 13}
	if got := sizesOf(w); !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// What ships of a host is its machine and its driver, whose tables are counted, too; those of the
// simulator are not.
func TestSizesOfAHost(t *testing.T) {
	w := idle(t, 2)
	h := w.who.members()[0]
	before := h.sizes()
	h.driver.Do([]peer.Effect{membership.Dial{ID: "nobody", Addrs: []string{"/sim/99/p2p/nobody"}}})
	now := h.sizes()
	if now["driver.dialling"] != before["driver.dialling"]+1 || now["book.entries"] != before["book.entries"] || now["book.entries"] == 0 {
		t.Errorf("one more is dialled: of %v it has become %v", before, now)
	}
	for path := range now {
		if strings.HasPrefix(path, "driver.") && (strings.Contains(path, "machine") || strings.Contains(path, "workers")) {
			t.Errorf("%s is counted with the driver", path)
		}
	}
}
