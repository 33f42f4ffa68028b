package cnf

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// threshold is the number of clauses for each variable at which random 3-SAT turns from satisfiable
// to not, and is hardest (Crawford and Auton, Artificial Intelligence 81, 1996).
const threshold = 4.26

// Limits of the generated formulas: all of them are far harder than anybody can
// wait for, and small.
const (
	holesMax   = 200
	randomMax  = 1 << 20
	numbersMax = 4096
	graphMax   = 1 << 16 // vertices
	edgesMax   = 1 << 20
	jobsMax    = 100
)

// families are those that Generate knows.
const families = "php,N, 3sat,N,SEED, vdw,K,L,N, cut,N,EDGES,SEED, cover,N,EDGES,SEED or late,N,SEED"

// Generate makes a formula of a family: "php,N", "3sat,N,SEED" or "vdw,K,L,N"; or, with weights,
// "cut,N,EDGES,SEED", "cover,N,EDGES,SEED" or "late,N,SEED".
func Generate(family string) (*Formula, error) {
	name, rest, _ := strings.Cut(family, ",")
	var n []int64
	for word := range strings.SplitSeq(rest, ",") {
		v, err := strconv.ParseInt(word, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%q: %q is no number: %s is expected", family, word, families)
		}
		n = append(n, v)
	}
	within := func(what string, v, low, high int64) error {
		if v < low || v > high {
			return fmt.Errorf("%q: %s %d: %d to %d is expected", family, what, v, low, high)
		}
		return nil
	}
	switch {
	case name == "php" && len(n) == 1:
		if err := within("holes", n[0], 1, holesMax); err != nil {
			return nil, err
		}
		return Pigeons(int(n[0])), nil
	case name == "3sat" && len(n) == 2:
		if err := within("variables", n[0], 3, randomMax); err != nil {
			return nil, err
		}
		return Random3(int(n[0]), uint64(n[1])), nil
	case name == "vdw" && len(n) == 3:
		for k, what := range []string{"length", "length", "numbers"} {
			if err := within(what, n[k], []int64{2, 2, 1}[k], numbersMax); err != nil {
				return nil, err
			}
		}
		return VanDerWaerden(int(n[0]), int(n[1]), int(n[2])), nil
	}
	return weighed(family, name, n, within)
}

// weighed makes a formula with weights.
func weighed(family, name string, n []int64, within func(what string, v, low, high int64) error) (*Formula, error) {
	switch {
	case (name == "cut" || name == "cover") && len(n) == 3:
		if err := within("vertices", n[0], 2, graphMax); err != nil {
			return nil, err
		}
		if err := within("edges", n[1], 0, min(edgesMax, n[0]*(n[0]-1)/2)); err != nil {
			return nil, err
		}
		if name == "cut" {
			return MaxCut(int(n[0]), int(n[1]), uint64(n[2])), nil
		}
		return Cover(int(n[0]), int(n[1]), uint64(n[2])), nil
	case name == "late" && len(n) == 2:
		if err := within("jobs", n[0], 1, jobsMax); err != nil {
			return nil, err
		}
		return Lateness(int(n[0]), uint64(n[1])), nil
	}
	return nil, fmt.Errorf("%q: %s is expected", family, families)
}

// Pigeons says that holes+1 pigeons sit in holes, no two in one. It is unsatisfiable, and
// hard for resolution.
func Pigeons(holes int) *Formula {
	f := &Formula{Vars: (holes + 1) * holes}
	in := func(pigeon, hole int) int32 { return int32(pigeon*holes + hole + 1) }
	for p := range holes + 1 {
		for h := range holes {
			f.Lits = append(f.Lits, in(p, h))
		}
		f.Lits = append(f.Lits, 0)
	}
	for h := range holes {
		for p := range holes + 1 {
			for q := range p {
				f.Add(-in(p, h), -in(q, h))
			}
		}
	}
	return f
}

// Random3 has clauses of three different variables drawn at random, as many as make it about as
// often satisfiable as not. n is at least 3.
func Random3(n int, seed uint64) *Formula {
	f := &Formula{Vars: n}
	r := rand.New(rand.NewPCG(seed, 0x35a7))
	for range int(threshold*float64(n) + 0.5) {
		var v [3]int32
		for k := range v {
			for v[k] = 0; v[k] == 0 || k > 0 && v[k] == v[0] || k > 1 && v[k] == v[1]; {
				v[k] = int32(r.IntN(n)) + 1
			}
		}
		for k := range v {
			if r.Uint32()&1 == 0 {
				v[k] = -v[k]
			}
		}
		f.Add(v[:]...)
	}
	return f
}

// VanDerWaerden colours the numbers 1 to n so that no k numbers at equal distances have the
// first colour, and no l the second. It is satisfiable below van der Waerden's number of k and
// l: below 35 for 4 and 4.
func VanDerWaerden(k, l, n int) *Formula {
	f := &Formula{Vars: n}
	for colour, length := range []int{k, l} {
		sign := int32(1 - 2*colour)
		for first := 1; first <= n; first++ {
			for step := 1; first+(length-1)*step <= n; step++ {
				for i := range length {
					f.Lits = append(f.Lits, sign*int32(first+i*step))
				}
				f.Lits = append(f.Lits, 0)
			}
		}
	}
	return f
}
