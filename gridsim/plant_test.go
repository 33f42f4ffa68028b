package gridsim

import (
	"errors"
	"slices"
	"testing"

	"satingrid/satin/peer"
)

// plants are the defects of FAULTS.md, the schedules that are drawn to find each – any, or those that are directed at it –, and the checkers of which one has to find it.
var plants = []struct {
	defect   peer.Plant
	directed bool
	from     uint64 // where the first seed that finds it is not among the first few: a little before it
	by       []string
}{
	{peer.PlantPathIdentity, false, 0, []string{"answer"}},
	{peer.PlantNoLedger, false, 0, []string{"one state"}},
	{peer.PlantNoLease, false, 36, []string{"end"}},
	{peer.PlantNoFence, false, 0, []string{"once"}},
	{peer.PlantRestolenIsRoot, false, 0, []string{"answer"}},
	{peer.PlantAdvertsUnsent, true, 0, []string{"redone"}},
	{peer.PlantAdvertsUncleared, false, 0, []string{"empty", "machine"}},
	{peer.PlantLeaveUnacked, true, 0, []string{"will"}},
	{peer.PlantOldIncarnation, true, 10, []string{"entry", "answer"}},
	{peer.PlantRemoteOverLocal, false, 0, []string{"machine", "will"}},
	{peer.PlantBareBest, false, 0, []string{"best"}},
	{peer.PlantBestHadOnce, false, 0, []string{"best"}},
	{peer.PlantWithdrawnStored, false, 0, []string{"entry", "answer"}},
	{peer.PlantLookUpAtSpawn, true, 0, []string{"redone"}},
	{peer.PlantHitStopsWork, true, 158, []string{"one state"}},
	{peer.PlantHeirDropsWill, true, 0, []string{"will"}},
	{peer.PlantEpochReused, false, 0, []string{"epoch"}},
	{peer.PlantJoinerBlind, true, 0, []string{"redone"}},
}

// plantBudget is how many schedules a defect has to be found in.
const plantBudget = 2000

// TestPlantedDefectsOfTheMachine plants each defect, and demands that a schedule finds it, which the machine without it passes.
func TestPlantedDefectsOfTheMachine(t *testing.T) {
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

// firstFound plays schedules with a defect until one of the checkers finds something, and then that one without it.
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
