package pigeon_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"satingrid/apps/sat/check"
	"satingrid/apps/sat/cnf"
	"satingrid/apps/sat/pigeon"
	"satingrid/satin/effort"
)

// proofMax is enough for all formulas here.
const proofMax = 1 << 20

// refuted has the checker accept the proof of what is refuted.
func refuted(t *testing.T, f *cnf.Formula) bool {
	t.Helper()
	var proof bytes.Buffer
	found := pigeon.Refute(f, proofMax, func(clause []int32) {
		for _, l := range clause {
			fmt.Fprintf(&proof, "%d ", l)
		}
		proof.WriteString("0\n")
	}, nil)
	if found != pigeon.Refute(f, proofMax, nil, nil) {
		t.Error("with a proof the answer is another one")
	}
	if !found {
		return false
	}
	if r, err := check.Proof(f, &proof, "proof"); err != nil {
		t.Errorf("%+v, %v", r, err)
	}
	return true
}

// mixed renames and negates the variables of a formula, and shuffles its clauses.
func mixed(f *cnf.Formula, seed uint64) *cnf.Formula {
	r := rand.New(rand.NewPCG(seed, 7))
	name := r.Perm(f.Vars)
	var clauses [][]int32
	for clause := range f.Clauses() {
		var c []int32
		for _, l := range clause {
			v := int32(name[max(l, -l)-1] + 1)
			if (l < 0) != (name[v-1]%2 == 0) {
				v = -v
			}
			c = append(c, v)
		}
		clauses = append(clauses, c)
	}
	r.Shuffle(len(clauses), func(i, j int) { clauses[i], clauses[j] = clauses[j], clauses[i] })
	out := &cnf.Formula{Vars: f.Vars}
	for _, c := range clauses {
		out.Add(c...)
	}
	return out
}

// functional are pigeons that sit in one hole each.
func functional(holes int) *cnf.Formula {
	f := cnf.Pigeons(holes)
	for p := range holes + 1 {
		for h := range holes {
			for g := range h {
				f.Add(-int32(p*holes+h+1), -int32(p*holes+g+1))
			}
		}
	}
	return f
}

// board wants a board without two opposite corners covered by dominoes.
func board(n int) *cnf.Formula {
	f := &cnf.Formula{}
	at := make(map[[2]int][]int32) // by field: its dominoes
	gone := func(x, y int) bool { return x < 0 || y < 0 || x == y && (x == 0 || x == n-1) }
	for x := range n {
		for y := range n {
			for _, o := range [][2]int{{x - 1, y}, {x, y - 1}} {
				if !gone(x, y) && !gone(o[0], o[1]) {
					f.Vars++
					at[o] = append(at[o], int32(f.Vars))
					at[[2]int{x, y}] = append(at[[2]int{x, y}], int32(f.Vars))
				}
			}
		}
	}
	for x := range n {
		for y := range n {
			ways := at[[2]int{x, y}]
			if !gone(x, y) {
				f.Add(ways...)
			}
			for i := range ways {
				for k := range i {
					f.Add(-ways[i], -ways[k])
				}
			}
		}
	}
	return f
}

// both are two formulas without common variables.
func both(f, g *cnf.Formula) *cnf.Formula {
	out := &cnf.Formula{Vars: f.Vars + g.Vars}
	for c := range f.Clauses() {
		out.Add(c...)
	}
	for clause := range g.Clauses() {
		var c []int32
		for _, l := range clause {
			if l > 0 {
				c = append(c, l+int32(f.Vars))
			} else {
				c = append(c, l-int32(f.Vars))
			}
		}
		out.Add(c...)
	}
	return out
}

func TestRefute(t *testing.T) {
	for name, f := range map[string]*cnf.Formula{
		"1 hole": cnf.Pigeons(1), "2 holes": cnf.Pigeons(2), "12 holes": cnf.Pigeons(12),
		"functional": functional(9), "board": board(8), "twice": both(cnf.Pigeons(6), cnf.Pigeons(6)),
		"beside others": both(cnf.Random3(80, 3), functional(5)), "units": {Vars: 2, Lits: []int32{1, 0, -1, 2, 0, -2, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(4) {
				if !refuted(t, mixed(f, seed)) {
					t.Errorf("seed %d is not refuted", seed)
				}
			}
		})
	}
}

// TestMissing takes one clause away from formulas that are refuted: all can be satisfied then.
func TestMissing(t *testing.T) {
	for name, f := range map[string]*cnf.Formula{"pigeons": cnf.Pigeons(3), "functional": functional(3), "nothing": {}} {
		k := 0
		for range f.Clauses() {
			g := &cnf.Formula{Vars: f.Vars}
			at := 0
			for clause := range f.Clauses() {
				if at != k {
					g.Add(clause...)
				}
				at++
			}
			k++
			if satisfiable(g) == refuted(t, g) {
				t.Errorf("%s without clause %d is judged wrongly", name, k)
			}
		}
	}
}

// TestRandom has crowded formulas with gaps, doubled literals and overlapping rows: whatever is
// refuted has no model.
func TestRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	found, models := 0, 0
	rounds := effort.Of(100, 300, 1000)
	for n := range rounds {
		rows, places := 3+r.IntN(2), 2+r.IntN(2)
		f := &cnf.Formula{Vars: rows * places}
		gaps := r.Float64() / 3
		for i := range rows {
			var c []int32
			for p := range places {
				if r.Float64() >= gaps {
					c = append(c, int32(i*places+p+1))
				}
			}
			if r.IntN(6) == 0 {
				c = append(c, int32(1+r.IntN(f.Vars)))
			}
			f.Add(c...)
		}
		for p := range places {
			for i := range rows {
				for k := range i {
					if r.IntN(12) > 0 {
						f.Add(-int32(i*places+p+1), -int32(k*places+p+1))
					}
				}
			}
		}
		f = mixed(f, uint64(n))
		possible := satisfiable(f)
		if refuted(t, f) {
			found++
			if possible {
				t.Fatalf("formula %d has a model: %+v", n, f)
			}
		}
		if possible {
			models++
		}
	}
	if min(found, models) < rounds*15/100 {
		t.Errorf("the formulas are not mixed: %d refuted, %d with a model", found, models)
	}
}

func satisfiable(f *cnf.Formula) bool {
	model := make([]int32, f.Vars)
	for bits := range 1 << f.Vars {
		for v := range model {
			model[v] = int32(v + 1)
			if bits>>v&1 == 0 {
				model[v] = -model[v]
			}
		}
		if check.Model(f, model) == nil {
			return true
		}
	}
	return false
}

// TestMost gives up on a proof that is too long, and finds without one what is so.
func TestMost(t *testing.T) {
	f := cnf.Pigeons(9)
	logged := 0
	log := func([]int32) { logged++ }
	if pigeon.Refute(f, 100, log, nil) || logged > 100 {
		t.Errorf("%d clauses of 100", logged)
	}
	if !pigeon.Refute(cnf.Pigeons(100), 0, nil, nil) {
		t.Error("100 holes are not refuted")
	}
}

// TestStop gives up when it is told to, also in the middle of a formula.
func TestStop(t *testing.T) {
	f := cnf.Pigeons(30)
	for last := 1; ; last++ {
		asked := 0
		found := pigeon.Refute(f, 0, nil, func() bool { asked++; return asked >= last })
		if found {
			if last < 3 {
				t.Errorf("it was asked %d times", last-1)
			}
			return
		}
		if asked < last || last > 100 {
			t.Fatalf("asked %d times of %d, and nothing is found", asked, last)
		}
	}
}

func ExampleRefute() {
	// Three pigeons and two holes.
	f := cnf.Pigeons(2)
	clauses := 0
	fmt.Println(pigeon.Refute(f, 1000, func([]int32) { clauses++ }, nil), clauses)
	// Output: true 13
}
