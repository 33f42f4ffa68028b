package sat

import "testing"

// SplitSooner has jobs of formulas with weights be split after less work, until the test ends.
func SplitSooner(t *testing.T) {
	before := cheaperBudget
	cheaperBudget = 1
	t.Cleanup(func() { cheaperBudget = before })
}
