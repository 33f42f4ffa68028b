package sat

import (
	"errors"
	"fmt"
	"slices"

	"satingrid/apps/sat/cnf"
	"satingrid/apps/sat/pigeon"
	"satingrid/satin"
)

// Solve is the root of a run: find a model of a formula, or prove that there is none; of a formula
// with weights, one that costs least.
type Solve struct {
	Formula cnf.Formula // with cubes, these are decided first
	Certify bool        // whether the answer has a proof
}

// Check says what is wrong with the task.
func (v Solve) Check() error {
	f := &v.Formula
	if f.Vars < 0 || f.Vars > cnf.VarsMax {
		return fmt.Errorf("sat: %d variables: 0 to %d are expected", f.Vars, cnf.VarsMax)
	}
	if v.Certify && f.Weighed {
		return errors.New("sat: a formula with weights has no proof: Certify is for others")
	}
	if err := checkWeights(f); err != nil {
		return err
	}
	for _, list := range [][]int32{f.Lits, f.Cubes, f.Soft} {
		if len(list) > 0 && list[len(list)-1] != 0 {
			return fmt.Errorf("sat: the last clause or cube does not end with 0")
		}
		for _, l := range list {
			if int(max(l, -l)) > f.Vars {
				return fmt.Errorf("sat: literal %d of %d variables", l, f.Vars)
			}
		}
	}
	return nil
}

// checkWeights says what is wrong with the weights of a formula.
func checkWeights(f *cnf.Formula) error {
	if !f.Weighed && len(f.Soft)+len(f.Weights) > 0 || f.Weighed && len(f.Cubes) > 0 {
		return errors.New("sat: a formula has either weights or cubes, and says so by Weighed")
	}
	sum, clauses := int64(0), 0
	for _, l := range f.Soft {
		if l == 0 {
			clauses++
		}
	}
	if clauses != len(f.Weights) {
		return fmt.Errorf("sat: %d weights of %d clauses", len(f.Weights), clauses)
	}
	for _, w := range f.Weights {
		if w < 0 || w > cnf.WeightMax-sum {
			return fmt.Errorf("sat: weight %d: the sum of all is from 0 to %d", w, int64(cnf.WeightMax))
		}
		sum += w
	}
	return nil
}

// Run decides the formula: by counting, when that is enough, or else by its cubes, when it has
// some, and then what they leave open.
func (v Solve) Run(s *satin.Scope) (Answer, error) {
	if err := v.Check(); err != nil {
		return Answer{}, err
	}
	if v.Formula.Weighed {
		return v.cheapest(s)
	}
	if proof, found := v.crowded(s); found {
		return Answer{Status: Unsatisfiable, Proof: proof}, nil
	}
	var cubes []Cube
	for c := range v.Formula.EachCube() {
		cubes = append(cubes, Cube{Lits: slices.Clone(c)})
	}
	parts, err := satin.All(s, cubes)
	if err != nil {
		return Answer{}, err
	}
	whole := join(append([]Part{groundOf(s).part()}, parts...))
	if best, ok := satin.Best[Answer](s); ok {
		return *best, nil
	}
	if v.Certify {
		for _, c := range cubes {
			whole.closeCube(c.Lits)
		}
	}
	rest, err := satin.Spawn(s, Cube{Rest: true}).Wait(s)
	if err != nil {
		return Answer{}, err
	}
	if best, ok := satin.Best[Answer](s); ok {
		return *best, nil
	}
	whole = join([]Part{whole, rest})
	return Answer{Status: Unsatisfiable, Conflicts: whole.Conflicts, Proof: whole.data()}, nil
}

// crowdedMax bounds the clauses of a proof that there are too few places: that of 44 holes. Its
// check takes seconds.
const crowdedMax = 1 << 20

// crowded tells whether the formula puts too many things into too few places, which clause
// learning does not see.
func (v Solve) crowded(s *satin.Scope) (proof []byte, found bool) {
	var log func([]int32)
	if v.Certify {
		log = func(clause []int32) { proof = appendClause(proof, clause) }
	}
	found = pigeon.Refute(&v.Formula, crowdedMax, log, s.Aborted)
	return proof, found
}

// App is what a peer needs to take part.
func App() satin.App {
	return satin.App{
		Name:    "sat",
		Version: "2",
		Tasks:   []satin.TaskType{satin.Type[Solve](), satin.Type[Cube](), satin.Type[Cheaper]()},
	}
}
