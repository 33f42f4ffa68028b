package satin_test

import (
	"strings"
	"testing"
	"time"

	"satingrid/satin"
)

// TestOptionsAreChecked: what no run may be submitted under is said at once, with or without a
// grid, and what it may is nothing to a run that computes alone.
func TestOptionsAreChecked(t *testing.T) {
	for about, o := range map[string]satin.Option{
		"kept for less than nothing": satin.Keep(-1), "kept for too short": satin.Keep(time.Millisecond), "kept for too long": satin.Keep(satin.KeepMax + 1),
		"no share": satin.Share(0), "too large a share": satin.Share(satin.ShareMax + 1),
		"a label of two lines": satin.Label("a\nb"), "too long a label": satin.Label(strings.Repeat("x", 201)),
		"a name that is no text": satin.By("\xff"), "too long a name": satin.By(strings.Repeat("x", 65)),
	} {
		if _, err := satin.Run(t.Context(), nil, Nap{1}, o); err == nil || !strings.HasPrefix(err.Error(), "satin: ") {
			t.Errorf("%s: the error is %v", about, err)
		}
	}
	sub, err := satin.Submit(t.Context(), nil, Nap{1}, satin.Keep(satin.KeepMax), satin.Share(satin.ShareMax), satin.Label(strings.Repeat("ä", 100)), satin.By(""))
	if err != nil {
		t.Fatal(err)
	}
	<-sub.Accepted()
	if sub.ID() != (satin.RunID{}) || sub.Release() == nil {
		t.Error("a run that computes alone has an id, or is let go of")
	}
	if n, err := sub.Wait(); n != 2 || err != nil {
		t.Errorf("it comes to %d, %v", n, err)
	}
	if _, _, err := satin.Attach[Nap](t.Context(), nil, sub.ID()); err == nil {
		t.Error("a run that computes alone is attached to")
	}
}
