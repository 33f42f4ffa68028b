package sat

import (
	"fmt"
	"slices"

	"satingrid/apps/sat/cnf"
	"satingrid/apps/sat/pigeon"
	"satingrid/satin"
)

// Solve is the root of a run: find a model of a formula, or prove that there is none.
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
	for _, list := range [][]int32{f.Lits, f.Cubes} {
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

// Run decides the formula: by counting, when that is enough, or else by its cubes, when it has
// some, and then what they leave open.
func (v Solve) Run(s *satin.Scope) (Answer, error) {
	if err := v.Check(); err != nil {
		return Answer{}, err
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
		Version: "1",
		Tasks:   []satin.TaskType{satin.Type[Solve](), satin.Type[Cube]()},
	}
}
