package gridsim

import (
	"maps"
	"testing"
)

type sizedPart struct{ all []string }

type sizedWhole struct {
	first  sizedAsker // points to what comes later
	part   sizedPart
	far    *sizedPart
	again  *sizedPart
	others map[string]*sizedPart
}

type sizedAsker struct {
	of   *sizedPart
	asks interface{ size() int }
	own  []int
}

func (p *sizedPart) size() int { return len(p.all) }

// Each table is counted once, under the name of whoever has it: parts point to each other.
func TestSizesAreOfWhoeverHasThem(t *testing.T) {
	w := &sizedWhole{part: sizedPart{make([]string, 3)}, far: &sizedPart{make([]string, 4)}}
	w.first = sizedAsker{of: &w.part, asks: &w.part, own: make([]int, 5)}
	w.again = w.far
	w.others = map[string]*sizedPart{"x": {make([]string, 6)}, "y": {make([]string, 7)}, "z": &w.part}
	want := map[string]int{"first.own": 5, "part.all": 3, "far.all": 4, "others": 3, "others.all": 13}
	if got := sizesOf(w); !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
