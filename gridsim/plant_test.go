package gridsim

import (
	"errors"
	"slices"
	"testing"

	"satingrid/satin/peer"
)

// plants are defects of the machine (docs/debugging.md, Planted defects), the schedules that
// are drawn to find each – any, or those that are directed at it –, and the checkers of
// which one has to find it.
var plants = []struct {
	defect   peer.Plant
	directed bool
	from     uint64 // a little before a seed that finds it, without those that play for long
	by       []string
}{
	{peer.PlantPathIdentity, false, 5, []string{"answer"}},
	{peer.PlantNoLedger, false, 0, []string{"one state"}},
	{peer.PlantNoLease, false, 36, []string{"end"}},
	{peer.PlantNoFence, false, 0, []string{"once"}},
	{peer.PlantRestolenIsRoot, false, 20, []string{"answer"}},
	{peer.PlantAdvertsUnsent, true, 0, []string{"redone"}},
	{peer.PlantAdvertsUncleared, false, 0, []string{"empty", "machine"}},
	{peer.PlantLeaveUnacked, true, 0, []string{"will"}},
	{peer.PlantOldIncarnation, true, 20, []string{"entry", "answer"}},
	{peer.PlantRemoteOverLocal, false, 10, []string{"machine", "will"}},
	{peer.PlantBareBest, false, 5, []string{"best"}},
	{peer.PlantBestUncompared, false, 215, []string{"best", "answer"}},
	{peer.PlantBestHadOnce, false, 5, []string{"best"}},
	{peer.PlantWithdrawnStored, false, 0, []string{"entry", "answer"}},
	{peer.PlantLookUpAtSpawn, true, 0, []string{"redone"}},
	{peer.PlantHitStopsWork, true, 166, []string{"one state"}},
	{peer.PlantHeirDropsWill, true, 0, []string{"will"}},
	{peer.PlantEpochReused, false, 0, []string{"epoch"}},
	{peer.PlantJoinerBlind, true, 0, []string{"redone"}},
	{peer.PlantDecodeOnLoop, false, 74, []string{"false death"}},
	{peer.PlantOlderFirst, false, 30, []string{"turns"}},
	{peer.PlantForgetsAddresses, true, 0, []string{"apart"}},
	{peer.PlantDigestNowhere, true, 0, []string{"session"}},
}

// plantBudget is how many schedules a defect has to be found in.
const plantBudget = 2000

// TestPlantedDefectsOfTheMachine plants each defect, and demands that a schedule finds it, which
// the machine without it passes.
func TestPlantedDefectsOfTheMachine(t *testing.T) {
	if slower > 1 {
		t.Skip("too slow with the race detector, and has nothing for it: one goroutine")
	}
	found := 0
	for _, p := range plants {
		from := p.from
		if *campaignFlag > 0 {
			from = 0
		}
		n, err := firstFound(p.defect, p.directed, from, p.by)
		if err == nil {
			t.Errorf("%s is not found in %d schedules by %v", p.defect, plantBudget, p.by)
			continue
		}
		found++
		t.Logf("%-20s after %4d schedules: %.120v", p.defect, n, err)
	}
	t.Logf("%d of %d planted defects found", found, len(plants))
}

// firstFound plays schedules with a defect until one of the checkers finds something, and then
// that one without it.
func firstFound(defect peer.Plant, directed bool, from uint64, by []string) (int, error) {
	for seed := from; seed < plantBudget; seed++ {
		o := Draw(seed)
		if directed {
			o = Directed(seed, defect)
		}
		o.Plant = defect
		_, err := Run(o)
		var found *Finding
		if !errors.As(err, &found) || !slices.Contains(by, found.Checker) {
			continue
		}
		o.Plant = ""
		if _, without := Run(o); without == nil {
			return int(seed) + 1, err
		}
	}
	return 0, nil
}
