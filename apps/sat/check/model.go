package check

import (
	"fmt"

	"satingrid/apps/sat/cnf"
)

// Model tells whether the literals satisfy all clauses that must hold. A variable that is not among
// them has no value.
func Model(f *cnf.Formula, model []int32) error {
	value, err := valuesOf(f, model)
	if err != nil {
		return err
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

// Cost is what a model costs: the weights of the clauses that it does not satisfy.
func Cost(f *cnf.Formula, model []int32) (cost int64, err error) {
	value, err := valuesOf(f, model)
	if err != nil {
		return 0, err
	}
	for clause, weight := range f.EachSoft() {
		if !satisfied(clause, value) {
			cost += weight
		}
	}
	return cost, nil
}

// valuesOf are the values that a model gives to variables: 1, -1, or 0 where there is none.
func valuesOf(f *cnf.Formula, model []int32) ([]int8, error) {
	value := make([]int8, f.Vars+1)
	for _, l := range model {
		v := max(l, -l)
		if v < 1 || int(v) > f.Vars {
			return nil, fmt.Errorf("the model has literal %d, but the variables are 1 to %d", l, f.Vars)
		}
		sign := int8(1)
		if l < 0 {
			sign = -1
		}
		if value[v] == -sign {
			return nil, fmt.Errorf("the model has both %d and %d", v, -v)
		}
		value[v] = sign
	}
	return value, nil
}

func satisfied(clause []int32, value []int8) bool {
	for _, l := range clause {
		if l > 0 && value[l] > 0 || l < 0 && value[-l] < 0 {
			return true
		}
	}
	return false
}
