package gridsim

import (
	"testing"

	"satingrid/satin/peer"
)

// TestProbePlants is scratch.
func TestProbePlants(t *testing.T) {
	for _, p := range []peer.Plant{
		peer.PlantNoLease, peer.PlantRestolenIsRoot, peer.PlantAdvertsUncleared, peer.PlantOldIncarnation,
		peer.PlantRemoteOverLocal, peer.PlantHitStopsWork,
	} {
		found := false
		for seed := range uint64(100) {
			o := Draw(seed)
			o.Plant = p
			if _, err := Run(o); err != nil {
				t.Logf("%s found after %d: %.250v", p, seed+1, err)
				found = true
				break
			}
		}
		if !found {
			t.Logf("%s NOT FOUND", p)
		}
	}
}
