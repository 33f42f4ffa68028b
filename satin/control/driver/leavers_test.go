package driver

import (
	"testing"

	"satingrid/membership"
)

// TestLeaversAreTold: a goodbye makes a leaver of one that was leaving, unless a session came up
// again after it; and whether it was late goes with it.
func TestLeaversAreTold(t *testing.T) {
	v := newLeavers(false)
	leaving := membership.Member{ID: "x", How: membership.Killed, Grace: 5}
	v.saidGoodbye("x")
	v.isLate("x")
	if how, late := v.lost(leaving); how != membership.Went || !late {
		t.Errorf("it was lost by %v, late: %v", how, late)
	}
	if how, late := v.lost(leaving); how != membership.Killed || late {
		t.Errorf("without a goodbye it was lost by %v, late: %v", how, late)
	}
	v.saidGoodbye("x")
	v.up("x")
	v.isLate("x")
	if how, late := v.lost(leaving); how != membership.Killed || late {
		t.Errorf("with a session after its goodbye it was lost by %v, late: %v", how, late)
	}
}

func member(id string, how membership.How) membership.Member {
	return membership.Member{ID: membership.PeerID(id), How: how}
}

// One that was leaving has left when it said so, or said goodbye: killed before, it was killed.
func TestHowMembersAreLost(t *testing.T) {
	leaver := member("x", membership.Killed)
	leaver.Grace = 20_000
	stopped := member("x", membership.Silent)
	stopped.Grace = 20_000
	for _, x := range []struct {
		m              membership.Member
		parted, client bool
		want           string
	}{
		{member("x", membership.Killed), false, false, "kill"}, {member("x", membership.Killed), false, true, "kill"},
		{member("x", membership.Killed), true, false, "kill"}, {member("x", membership.Killed), true, true, "leave"},
		{leaver, true, false, "leave"}, {leaver, false, false, "kill"}, {leaver, false, true, "kill"}, {stopped, true, true, "silent"},
		{member("x", membership.Went), false, false, "leave"}, {member("x", membership.Silent), false, false, "silent"},
	} {
		if got := howOf(x.m, x.parted, x.client).String(); got != x.want {
			t.Errorf("%+v was lost by %s, want %s", x.m, got, x.want)
		}
	}
}
