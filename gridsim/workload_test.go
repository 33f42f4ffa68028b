package gridsim

import (
	"testing"
	"time"
)

// A workload of more jobs than can be measured is not taken for a smaller one.
func TestMeasureSaysThatThereIsMore(t *testing.T) {
	small := &Tree{Seed: 1, Depth: 3, Width: 2, Leaf: time.Millisecond}
	if jobs, work, span := measure(small); jobs == 0 || jobs != jobsOf(small) || work < span || span == 0 {
		t.Errorf("%d jobs, and %d; they cost %v, those on the longest path %v", jobs, jobsOf(small), work, span)
	}
	large := &Tree{Seed: 1, Depth: 24, Width: 8, Leaf: time.Millisecond}
	if jobs := jobsOf(large); jobs != measureMax+1 {
		t.Errorf("of a large workload %d jobs are counted", jobs)
	}
	defer func() {
		if recover() == nil {
			t.Error("a large workload is measured as if it had no more jobs than were counted")
		}
	}()
	measure(large)
}
