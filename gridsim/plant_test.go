package gridsim

import (
	"slices"
	"testing"
	"time"

	"satingrid/satin/peer"
)

// TestProbeDirected is scratch.
func TestProbeDirected(t *testing.T) {
	for _, p := range []peer.Plant{peer.PlantAdvertsUnsent, peer.PlantLookUpAtSpawn, peer.PlantJoinerBlind, peer.PlantLeaveUnacked} {
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
