package gridsim

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"satingrid/steal"
)

// figure is a run of 32 peers, compared with the ideal: the time of the loss + remaining
// work / remaining speed.
type figure struct {
	name  string
	most  float64 // total / ideal, at most
	ideal float64 // in undisturbed runs
	far   time.Duration
	sites []int
	fault []Fault // at half time
}

// TestFigures reproduces, in virtual time, what docs/performance.md says of losses: two sites of 16
// peers, copies every 10 s. The bounds are those of the table there.
func TestFigures(t *testing.T) {
	t.Parallel()
	if *campaignFlag == 0 {
		t.Skip("-campaign is 0: .ci/steps/campaign.sh sets it")
	}
	far, down, copyEvery := 20*time.Millisecond, 10*time.Second, 10*time.Second
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
		{"all lost, all back", 1.1, 1, far, two, []Fault{{Kind: LoseAll, For: down}}},
		// up to a quarter of what was finished is gone, with its maker and the copy
		{"all lost, half back", 1.1, 1.5, far, two, []Fault{{Kind: LoseAll, For: down, N: 2}}},
	}
	var undisturbed [figureSeeds]time.Duration
	jobs, cost, _ := measure(work)
	t.Logf("%d jobs, %v of one worker\n%-24s %10s %10s %7s %10s %10s", jobs, cost, "", "total", "ideal", "ratio", "redone", "saved")
	for _, f := range all {
		var rows []row
		for seed := range undisturbed {
			o := quiet(work, f.far, steal.CRS, f.sites...)
			o.Seed = uint64(seed + 1)
			lost := time.Duration(0) // when all were gone, and since their last copies
			for _, fault := range f.fault {
				fault.At = o.begin() + undisturbed[seed]/2
				o.add(fault)
				if fault.Kind == LoseAll {
					o.Disks, o.Sound = true, true
					lost = fault.For + copyEvery
				}
			}
			r := play(t, o)
			if undisturbed[seed] == 0 {
				undisturbed[seed] = r.Took
			}
			ideal := time.Duration(float64(undisturbed[seed]) * f.ideal)
			rows = append(rows, row{r, ideal + lost, float64(r.Took-lost) / float64(ideal)})
		}
		slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(a.ratio, b.ratio) })
		m := rows[len(rows)/2]
		t.Logf("%-24s %9.2fs %9.2fs %7.4f %9.2fs %9.2fs  %.4f to %.4f", f.name, m.Took.Seconds(), m.ideal.Seconds(), m.ratio,
			m.Redone.Seconds(), m.Saved.Seconds(), rows[0].ratio, rows[len(rows)-1].ratio)
		if m.ratio > f.most {
			t.Errorf("%s: %.4f times the ideal, %.2f at most", f.name, m.ratio, f.most)
		}
	}
}

// figureSeeds is how many runs a figure is the median of: by who has what when a site leaves,
// single ones differ by 3 %.
const figureSeeds = 5

// row is one run of a figure.
type row struct {
	Report
	ideal time.Duration
	ratio float64
}
