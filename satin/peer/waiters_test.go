package peer

import (
	"slices"
	"testing"

	"satingrid/membership"
	"satingrid/steal"
)

// waitsOf and keepsOf are submissions of somebody, by their numbers.
func waitsOf(who membership.PeerID, numbers ...int) (all []steal.Submission) {
	for _, n := range numbers {
		all = append(all, steal.Submission{Submitter: who, Nonce: steal.Nonce(n)})
	}
	return all
}

func keepsOf(who membership.PeerID, numbers ...int) []steal.Submission {
	all := waitsOf(who, numbers...)
	for n := range all {
		all[n].Keeps = true
	}
	return all
}

// TestWaitersComeAndGo: each once, those that wait and those that keep the run apart; with the last
// of either it is not wanted any more.
func TestWaitersComeAndGo(t *testing.T) {
	w := &waiters{}
	if w.isWanted() || w.isKept() || w.waits("u") {
		t.Error("nobody has come, and it is wanted")
	}
	u, k := waitsOf("u", 1)[0], keepsOf("u", 1)[0]
	if !w.enters(u) || w.enters(u) || !w.isWanted() || w.isKept() || !w.waits("u") || w.waits("v") {
		t.Errorf("u waits: %+v", w)
	}
	if !w.enters(k) || w.enters(k) || !w.isKept() || !slices.Equal(w.all(), []steal.Submission{u, k}) {
		t.Errorf("it is kept, too: %+v", w)
	}
	w.leaves(u)
	if !w.isWanted() || !w.isKept() || w.waits("u") {
		t.Errorf("u waits no more: %+v", w)
	}
	w.leaves(k)
	if w.leaves(k); w.isWanted() {
		t.Errorf("nobody is left: %+v", w)
	}
}

// TestWaitersAreSorted, in whatever order they come.
func TestWaitersAreSorted(t *testing.T) {
	w := &waiters{}
	for _, s := range slices.Concat(waitsOf("v", 2, 1), keepsOf("v", 9, 3), waitsOf("u", 5)) {
		w.enters(s)
	}
	if want := slices.Concat(waitsOf("u", 5), waitsOf("v", 1, 2), keepsOf("v", 3, 9)); !slices.Equal(w.all(), want) {
		t.Errorf("%v, want %v", w.all(), want)
	}
}

// TestWaitersAreBounded: of one too many the last goes, or does not come; beside all that are
// there only those fit that are, or of which there are fewer.
func TestWaitersAreBounded(t *testing.T) {
	w := &waiters{}
	for n := range SubmissionsMax {
		w.enters(waitsOf("m", n)[0])
	}
	if w.enters(waitsOf("z", 1)[0]) || !w.enters(waitsOf("a", 1)[0]) {
		t.Error("one that is after all others came, or one before them did not")
	}
	if len(w.submissions) != SubmissionsMax || w.submissions[0].Submitter != "a" || slices.Contains(w.submissions, waitsOf("m", SubmissionsMax-1)[0]) {
		t.Errorf("%d wait, the first is %v", len(w.submissions), w.submissions[0])
	}
	asks := slices.Concat(waitsOf("a", 1, 2), keepsOf("a", 1, 2))
	if want := slices.Concat(waitsOf("a", 1), keepsOf("a", 1, 2)); !slices.Equal(w.fitting(asks), want) {
		t.Errorf("there fit %v, want %v", w.fitting(asks), want)
	}
}
