package gridsim

import (
	"testing"
	"time"

	"satingrid/steal"
)

// figure is a run of 32 peers, compared with the ideal: the time of the loss + remaining work / remaining speed.
type figure struct {
	name  string
	most  float64 // total / ideal, at most
	ideal float64 // in undisturbed runs
	far   time.Duration
	sites []int
	fault []Fault // at half time
}

// TestFigures reproduces, in virtual time, what DESIGN 12 asks of losses: two sites of 16 peers, copies every 10 s. The bounds are those of the table there.
func TestFigures(t *testing.T) {
	if *campaignFlag == 0 {
		t.Skip("-campaign is 0: .ci/steps/campaign.sh sets it")
	}
	far := 20 * time.Millisecond
	two := []int{16, 16}
	work := &Tree{Seed: 1, Depth: 9, Width: 5, Leaf: 200 * time.Millisecond}
	all := []figure{
		{"undisturbed", 1.02, 1, far, two, nil},
		{"one site lost", 1.05, 1.5, far, two, []Fault{{Kind: CrashSite}}},
		{"one site left", 1.02, 1.5, far, two, []Fault{{Kind: LeaveSite, For: 30 * time.Second}}},
		{"one site migrated", 1.02, 1, far, two, []Fault{{Kind: Migrate, For: 30 * time.Second}}},
		{"peers doubled", 1.03, 0.75, far, two, []Fault{{Kind: JoinMany, N: 32, Site: "c"}}},
		{"one site of 32", 1.02, 1, 0, []int{32}, nil},
		{"4 sites, 100 ms apart", 1.02, 1, 100 * time.Millisecond, []int{8, 8, 8, 8}, nil},
	}
	var undisturbed time.Duration
	jobs, cost, _ := measure(work)
	t.Logf("%d jobs, %v of one worker\n%-24s %10s %10s %7s %10s %10s", jobs, cost, "", "total", "ideal", "ratio", "redone", "saved")
	for _, f := range all {
		o := quiet(work, f.far, steal.CRS, f.sites...)
		for _, fault := range f.fault {
			fault.At = o.begin() + undisturbed/2
			o.add(fault)
		}
		r := play(t, o)
		if undisturbed == 0 {
			undisturbed = r.Took
		}
		ideal := time.Duration(float64(undisturbed) * f.ideal)
		ratio := float64(r.Took) / float64(ideal)
		t.Logf("%-24s %9.2fs %9.2fs %7.4f %9.2fs %9.2fs", f.name, r.Took.Seconds(), ideal.Seconds(), ratio, r.Redone.Seconds(), r.Saved.Seconds())
		if ratio > f.most {
			t.Errorf("%s: %.4f times the ideal, %.2f at most", f.name, ratio, f.most)
		}
	}
}
