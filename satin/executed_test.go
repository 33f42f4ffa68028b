package satin

// Inside the package: more loans are noted than a grid would make in a second.

import (
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestLastLoansAreKept: whoever has seen some is told of those after them. The oldest go, and their
// numbers tell how many have.
func TestLastLoansAreKept(t *testing.T) {
	var x executed
	if all := x.after(0, 0); all != nil {
		t.Errorf("of none there are %v", all)
	}
	for n := range LoansKept + 3 {
		x.add(LoanStats{Took: time.Duration(n), Ago: time.Duration(n)})
	}
	const now, last = time.Hour, LoansKept + 3
	all := x.after(now, 0)
	if len(all) != LoansKept || all[0].No != 4 || all[LoansKept-1].No != last {
		t.Fatalf("%d are kept, from %d on", len(all), all[0].No)
	}
	for i, l := range all {
		if l.No != all[0].No+uint64(i) || uint64(l.Took) != l.No-1 || l.Ago != now-l.Took {
			t.Fatalf("after %d comes %+v", i, l)
		}
	}
	if all := x.after(now, last-1); len(all) != 1 || all[0].No != last || x.after(now, last) != nil {
		t.Errorf("after the last but one: %v", all)
	}
}

// labelled is a task that says what it is, or fails to.
type labelled struct{ Says string }

func (labelled) Run(*Scope) (int, error) { return 0, nil }

func (l labelled) Label() string {
	switch l.Says {
	case "panics":
		panic(l.Says)
	case "exits":
		runtime.Goexit()
	}
	return l.Says
}

// TestLabels: a job that says what it is is told of so. What its code does beside that harms
// nobody.
func TestLabels(t *testing.T) {
	long := strings.Repeat("x", labelMax)
	for says, want := range map[string]string{"tile 3": "tile 3", "": "", "panics": "", "exits": "", long: long, long + "y": long + " …"} {
		if got := labelOf(&job[labelled, int]{task: labelled{says}}); got != want {
			t.Errorf("of a task that says %q it is told %q", says, got)
		}
	}
	if got := labelOf(&job[fibTask, int]{}); got != "" {
		t.Errorf("of one that says nothing it is told %q", got)
	}
}
