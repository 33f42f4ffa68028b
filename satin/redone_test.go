package satin

// Inside the package: what a loss has cost is asked for by the loop alone.

import (
	"slices"
	"testing"
	"time"

	"satingrid/satin/peer"
)

// TestWhatLossesHaveCost: each loss has its own sum, and the longest that was worked on a job in
// vain; of more losses than there is room for the earliest is forgotten.
func TestWhatLossesHaveCost(t *testing.T) {
	var r redone
	if all := r.list(); len(all) > 0 {
		t.Errorf("before any loss it is %+v", all)
	}
	for _, worked := range []time.Duration{2, 5, 3} {
		r.of(4).cameBack(worked)
		(&redoReason{loss: r.of(4), gone: worked}).ended(time.Hour)
	}
	(&redoReason{loss: r.of(7), done: 0.25, gone: 1}).ended(time.Hour)
	want := []peer.Redone{{Loss: 4, Spent: 10, Longest: 5}, {Loss: 7, Spent: time.Hour / 4}}
	if all := r.list(); !slices.Equal(all, want) {
		t.Errorf("losses have cost %+v, want %+v", all, want)
	}
	for no := range peer.LossNo(redoneMax) {
		r.of(10 + no)
	}
	if all := r.list(); len(all) != redoneMax || all[0].Loss != 10 {
		t.Errorf("%d losses are known, the first is %d", len(all), all[0].Loss)
	}
}
