package control

import (
	"testing"

	"satingrid/membership"
)

// TestLeaversAreTold: a goodbye makes a leaver of one that was leaving, unless a session came up
// again after it; and whether it was late goes with it.
func TestLeaversAreTold(t *testing.T) {
	v := newLeavers(false)
	leaving := membership.Member{ID: "x", How: membership.Killed, Grace: 5}
	v.parts("x")
	v.isLate("x")
	if how, late := v.lost(leaving); how != membership.Went || !late {
		t.Errorf("it was lost by %v, late: %v", how, late)
	}
	if how, late := v.lost(leaving); how != membership.Killed || late {
		t.Errorf("without a goodbye it was lost by %v, late: %v", how, late)
	}
	v.parts("x")
	v.up("x")
	v.isLate("x")
	if how, late := v.lost(leaving); how != membership.Killed || late {
		t.Errorf("with a session after its goodbye it was lost by %v, late: %v", how, late)
	}
}
