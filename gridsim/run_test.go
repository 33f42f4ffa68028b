package gridsim

import "testing"

func TestSeeds(t *testing.T) {
	for seed := uint64(500); seed < 6000; seed++ {
		o := Draw(seed)
		r, err := Run(o)
		if err != nil {
			for _, l := range r.Last {
				t.Log(l)
			}
			t.Fatalf("%v\n%v", err, o)
		}
		_ = r
	}
}
