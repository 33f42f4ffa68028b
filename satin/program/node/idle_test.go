package node

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"satingrid/satin"
)

// TestLeisure: a member leaves when no run has been on for a while, one after the other, and
// whoever is last keeps the answers that are kept.
func TestLeisure(t *testing.T) {
	on := satin.RunStats{State: satin.RunComputing}
	kept := satin.RunStats{State: satin.RunAnswered, Kept: time.Hour}
	over := satin.RunStats{State: satin.RunAnswered}
	away := satin.RunStats{State: satin.RunAnswered, Waits: 1} // by somebody who is not reached
	members := func(ids string) (all []satin.Member) {
		for _, id := range strings.Fields(ids) {
			state := "here"
			if id, state, _ = strings.Cut(id, ":"); state == "" {
				state = "here"
			}
			all = append(all, satin.Member{ID: id, State: state})
		}
		return all
	}
	type look struct {
		after time.Duration // since the first look
		runs  []satin.RunStats
		may   bool
		why   string
	}
	for name, c := range map[string]struct {
		self, leave, here string
		looks             []look
	}{
		"alone": {"a", "a", "a", []look{
			{0, nil, false, ""}, {idleFor - 1, nil, false, ""}, {idleFor, nil, true, ""},
		}},
		"a run begins meanwhile": {"a", "a", "a", []look{
			{0, nil, false, ""}, {4 * time.Second, []satin.RunStats{kept, on}, false, ""}, {6 * time.Second, nil, false, ""},
			{10 * time.Second, nil, false, ""}, {11 * time.Second, []satin.RunStats{over}, true, ""},
		}},
		"the last one keeps an answer": {"a", "a", "a b:leaving", []look{
			{0, []satin.RunStats{kept}, false, ""}, {time.Minute, []satin.RunStats{kept}, false, "it is the last that keeps 1 answer"},
			{time.Hour, nil, true, ""},
		}},
		"the last has an answer for one who is away": {"a", "a", "a b:leaving", []look{
			{0, []satin.RunStats{away}, false, ""}, {time.Minute, []satin.RunStats{away}, false, "whoever waits for 1 answer is away"},
			{time.Minute + 1, nil, true, ""},
		}},
		"who stays away for long": {"a", "a", "a", []look{
			{0, []satin.RunStats{away}, false, ""}, {awayFor - 1, []satin.RunStats{away}, false, "is given 10 min"}, {awayFor, []satin.RunStats{away}, true, ""},
		}},
		"an answer that is kept beside it": {"a", "a", "a", []look{
			{0, []satin.RunStats{away, kept}, false, ""}, {time.Hour, []satin.RunStats{away, kept}, false, "it is the last that keeps 1 answer"},
		}},
		"others have it": {"b", "b", "c a b", []look{
			{0, []satin.RunStats{away}, false, ""}, {idleFor + idleStep, []satin.RunStats{away}, true, ""},
		}},
		"the last of those with the smallest ids": {"b", "b", "c a b", []look{
			{0, []satin.RunStats{kept}, false, ""}, {idleFor, []satin.RunStats{kept}, false, ""}, {idleFor + idleStep, []satin.RunStats{kept}, true, ""},
		}},
		"the smallest waits for others": {"a", "a", "c a b", []look{
			{0, []satin.RunStats{kept}, false, ""}, {soleFor - 1, []satin.RunStats{kept}, false, ""}, {soleFor, []satin.RunStats{kept}, true, ""},
		}},
		"it tells others to leave, and keeps the answer": {"a", "b", "a b", []look{
			{0, []satin.RunStats{kept}, false, ""}, {idleFor + idleStep, []satin.RunStats{kept}, true, ""},
		}},
		"it tells all": {"b", "a b", "a b", []look{
			{0, []satin.RunStats{on}, false, ""}, {idleFor, nil, false, ""}, {2 * idleFor, nil, true, ""},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			var l leisure
			began := time.Unix(1e9, 0)
			for n, at := range c.looks {
				may, why := l.may(began.Add(at.after), c.self, strings.Fields(c.leave), members(c.here), at.runs)
				if may != at.may || (why == "") != (at.why == "") || !strings.Contains(why, at.why) {
					t.Errorf("look %d after %v: %v, %q, wanted %v, %q", n, at.after, may, why, at.may, at.why)
				}
			}
		})
	}
}

// TestManyLeaveOneByOne: however many peers an idle grid has, the last leaves within some seconds.
func TestManyLeaveOneByOne(t *testing.T) {
	var all []satin.Member
	for n := range 500 {
		all = append(all, satin.Member{ID: fmt.Sprintf("%03d", n), State: "here"})
	}
	var l leisure
	now := time.Unix(1e9, 0)
	l.may(now, "000", []string{"000"}, all, nil)
	if ok, _ := l.may(now.Add(idleFor+idleSteps*idleStep), "000", []string{"000"}, all, nil); !ok {
		t.Error("the last of 500 has not left")
	}
}
