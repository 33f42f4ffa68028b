package maxsat_test

import (
	"testing"

	"satingrid/apps/sat/check"
	"satingrid/apps/sat/cnf"
	"satingrid/apps/sat/maxsat"
)

// TestWalk has the first search find models that are right, and far cheaper than the first one,
// before it has found a core.
func TestWalk(t *testing.T) {
	for _, f := range []*cnf.Formula{cnf.Cover(300, 600, 1), cnf.MaxCut(100, 200, 1), cnf.Lateness(20, 1)} {
		s := maxsat.New(maxsat.NewProblem(f, nil), nil)
		var costs []int64
		s.Found = func(cost int64, model []bool) {
			if s.Cores == 0 {
				costs = append(costs, cost)
			}
			lits := make([]int32, len(model))
			for v, yes := range model {
				if lits[v] = int32(v + 1); !yes {
					lits[v] = -lits[v]
				}
			}
			if err := check.Model(f, lits); err != nil {
				t.Fatal(err)
			}
			if is, _ := check.Cost(f, lits); is != cost {
				t.Fatalf("cost %d is told of a model that costs %d", cost, is)
			}
		}
		s.Search(s.Whole(), 1000)
		if len(costs) < 3 || costs[len(costs)-1] > costs[0]-costs[0]/20 {
			t.Errorf("%d variables: costs %v", f.Vars, costs)
		}
	}
}
