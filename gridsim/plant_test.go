package gridsim

import (
	"slices"
	"testing"
	"time"

	"satingrid/satin/peer"
)

// TestProbePlants is scratch.
func TestProbePlants(t *testing.T) {
	for _, p := range []peer.Plant{
		peer.PlantOldIncarnation, peer.PlantBestHadOnce, peer.PlantEpochReused,
	} {
		found := false
		began := time.Now()
		for seed := range uint64(150) {
			o := Draw(seed)
			if p == peer.PlantOldIncarnation {
				o = Directed(seed, p)
			}
			o.Plant = p
			if _, err := Run(o); err != nil {
				t.Logf("%s found after %d in %v: %.250v", p, seed+1, time.Since(began), err)
				found = true
				break
			}
		}
		if !found {
			t.Logf("%s NOT FOUND in %v", p, time.Since(began))
		}
	}
}

// TestProbeDirected is scratch.
func TestProbeDirected(t *testing.T) {
	for _, p := range []peer.Plant{peer.PlantAdvertsUnsent, peer.PlantLookUpAtSpawn, peer.PlantJoinerBlind, peer.PlantLeaveUnacked, peer.PlantHeirDropsWill} {
		for _, with := range []peer.Plant{"", p} {
			var all []float64
			var used uint64
			for seed := range uint64(40) {
				o := Directed(seed, p)
				o.Plant, o.Redone = with, 100*time.Hour
				r, err := Run(o)
				if err != nil {
					t.Log(err)
				}
				all = append(all, float64(r.Redone)/float64(o.Work))
				used += r.Used
			}
			slices.Sort(all)
			t.Logf("%v with %q: redone %.3f %.3f %.3f %.3f max %.3f used %d", p, with, all[0], all[10], all[20], all[30], all[39], used)
		}
	}
}
