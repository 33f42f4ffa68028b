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
}{
	{peer.PlantPathIdentity, false},     // answer
	{peer.PlantNoLedger, false},         // one state
	{peer.PlantNoLease, false},          // end
	{peer.PlantNoFence, false},          // once
	{peer.PlantRestolenIsRoot, false},   // answer
	{peer.PlantAdvertsUnsent, true},     // redone
	{peer.PlantAdvertsUncleared, false}, // empty
	{peer.PlantLeaveUnacked, true},      // will
	{peer.PlantOldIncarnation, true},    // entry, answer
	{peer.PlantRemoteOverLocal, false},  // machine
	{peer.PlantBareBest, false},         // best
	{peer.PlantBestHadOnce, false},      // best
	{peer.PlantWithdrawnStored, false},  // entry
	{peer.PlantLookUpAtSpawn, true},     // redone
	{peer.PlantHitStopsWork, false},     // one state
	{peer.PlantHeirDropsWill, true},     // will
	{peer.PlantEpochReused, false},      // epoch
	{peer.PlantJoinerBlind, true},       // redone
}

// plantBudget is how many schedules a defect has to be found in.
const plantBudget = 2000

// TestPlantedDefectsOfTheMachine plants each defect, and demands that a schedule finds it, which the machine without it passes.
func TestPlantedDefectsOfTheMachine(t *testing.T) {
	found := 0
	for _, p := range plants {
		n, err := firstFound(p.defect, p.directed)
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
func firstFound(defect peer.Plant, directed bool) (int, error) {
	for seed := range uint64(plantBudget) {
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
