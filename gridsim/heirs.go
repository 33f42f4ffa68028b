package gridsim

import (
	"slices"
	"time"

	"satingrid/satin/peer"
)

// checkHeir sees that what a leaver has is with whoever has it in the end: the runs that are to be
// kept whatever becomes of who has submitted them, and all its answers.
func checkHeir(h *host) {
	heir, lost := lastHeir(h)
	for _, r := range h.peer.Sight().Runs() {
		mine, _ := h.peer.Sight().Root(r.ID)
		keeps, answer := r.Instance.First.Keeps, h.peer.Sight().HasAnswer(r.Instance)
		switch {
		case mine.Args == nil || !keeps && !answer:
		case lost != "":
			h.w.fail("will", "%s has left with run %s, and %s", h.id, r.ID.Short(), lost)
			return
		case heir != nil:
			checkHeirOf(h, heir, r, answer)
		}
	}
}

// checkHeirOf sees that a leaver's heir has of a run what it should. It may know that the run has
// ended.
func checkHeirOf(h, heir *host, r peer.RunStatus, answer bool) {
	its, on := heir.peer.Sight().Root(r.ID)
	over := slices.ContainsFunc(heir.peer.Sight().Ends(), func(t peer.Tombstone) bool { return t.Submission == r.Instance.First })
	switch {
	case over:
	case r.Instance.First.Keeps && its.Args == nil:
		h.w.fail("kept", "%s has left, and its heir %s does not hold run %s", h.id, heir.id, r.ID.Short())
	case on && answer && !heir.peer.Sight().HasAnswer(r.Instance):
		h.w.fail("will", "%s has left, and its heir %s does not have the answer of run %s", h.id, heir.id, r.ID.Short())
	}
}

// deadBefore is for how long an heir must have been dead when a leave began, so that nothing that
// it has sent can have been on its way still.
const deadBefore = 400 * time.Millisecond

// lastHeir is who has in the end what a leaver had: its heir, or that one's, where that has left,
// too. It is nil where that one crashed meanwhile, and with a word for it where that cannot be all.
func lastHeir(h *host) (heir *host, lost string) {
	heir = h.heir
	if !heir.up && heir.endedAt+deadBefore < h.leavesAt {
		return nil, "its heir " + string(heir.id) + " was gone before"
	}
	for seen := []*host{h}; heir != nil && !heir.up; heir = heir.heir {
		switch {
		case heir.killed || heir.leftRuns: // it has said that it hands on none
			return nil, ""
		case slices.Contains(seen, heir.heir):
			return nil, string(heir.id) + " has an heir who has left to it"
		}
		seen = append(seen, heir)
	}
	return heir, ""
}
