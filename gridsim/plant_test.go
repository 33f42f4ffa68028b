package gridsim

import (
	"testing"

	"satingrid/satin/peer"
)

// plants are the defects of FAULTS.md, and the schedules that are drawn to find each: any, or those that are directed at it. They are found by the
// checker named.
var plants = []struct {
	defect   peer.Plant
	directed bool
	from     uint64 // where the first seed that finds it is not among the first few: a little before it
}{
	{peer.PlantPathIdentity, false, 0},     // answer
	{peer.PlantNoLedger, false, 0},         // one state
	{peer.PlantNoLease, false, 0},          // end
	{peer.PlantNoFence, false, 0},          // once
	{peer.PlantRestolenIsRoot, false, 0},   // answer
	{peer.PlantAdvertsUnsent, true, 0},     // redone
	{peer.PlantAdvertsUncleared, false, 0}, // empty
	{peer.PlantLeaveUnacked, true, 0},      // will
	{peer.PlantOldIncarnation, true, 10},   // entry, answer
	{peer.PlantRemoteOverLocal, false, 0},  // machine
	{peer.PlantBareBest, false, 0},         // best
	{peer.PlantBestHadOnce, false, 0},      // best
	{peer.PlantWithdrawnStored, false, 0},  // entry
	{peer.PlantLookUpAtSpawn, true, 0},     // redone
	{peer.PlantHitStopsWork, true, 150},    // one state
	{peer.PlantHeirDropsWill, true, 0},     // will
	{peer.PlantEpochReused, false, 0},      // epoch
	{peer.PlantJoinerBlind, true, 0},       // redone
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
		n, err := firstFound(p.defect, p.directed, from)
		if err == nil {
			t.Errorf("%s is not found in %d schedules", p.defect, plantBudget)
			continue
		}
		found++
		t.Logf("%-20s after %4d schedules: %.120v", p.defect, n, err)
	}
	t.Logf("%d of %d planted defects found", found, len(plants))
}

// firstFound plays schedules with a defect until one fails, and then that one without it.
func firstFound(defect peer.Plant, directed bool, from uint64) (int, error) {
	for seed := from; seed < plantBudget; seed++ {
		o := Draw(seed)
		if directed {
			o = Directed(seed, defect)
		}
		o.Plant = defect
		_, err := Run(o)
		if err == nil {
			continue
		}
		o.Plant = ""
		if _, without := Run(o); without == nil {
			return int(seed) + 1, err
		}
	}
	return 0, nil
}
