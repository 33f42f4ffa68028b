package gridsim

import "testing"

// TestDirectedSchedules plays the schedules that are directed at defects without any: what they
// allow to be done twice is enough.
func TestDirectedSchedules(t *testing.T) {
	each := 2
	if *campaignFlag > 0 {
		each = 60
	}
	played := 0
	for _, p := range ofMachines {
		if !p.directed {
			continue
		}
		c := explore(0, each, func(seed uint64) Options { return Directed(seed, p.name) })
		for _, f := range c.failures {
			t.Errorf("%v\n  go test ./gridsim -run TestReplay -v -about %s -seed %d", f.err, p.name, f.seed)
		}
		played += c.played
	}
	t.Logf("%d directed schedules without a defect", played)
}
