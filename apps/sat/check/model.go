package check

import (
	"fmt"

	"satingrid/apps/sat/cnf"
)

// Model tells whether the literals satisfy all clauses. A variable that is not
// among them has no value.
func Model(f *cnf.Formula, model []int32) error {
	value := make([]int8, f.Vars+1)
	for _, l := range model {
		v := max(l, -l)
		if v < 1 || int(v) > f.Vars {
			return fmt.Errorf("the model has literal %d, but the variables are 1 to %d", l, f.Vars)
		}
		sign := int8(1)
		if l < 0 {
			sign = -1
		}
		if value[v] == -sign {
			return fmt.Errorf("the model has both %d and %d", v, -v)
		}
		value[v] = sign
	}
	number := 0
	for clause := range f.Clauses() {
		number++
		if !satisfied(clause, value) {
			return fmt.Errorf("clause %d, %v, is not satisfied", number, clause)
		}
	}
	return nil
}

func satisfied(clause []int32, value []int8) bool {
	for _, l := range clause {
		if l > 0 && value[l] > 0 || l < 0 && value[-l] < 0 {
			return true
		}
	}
	return false
}
