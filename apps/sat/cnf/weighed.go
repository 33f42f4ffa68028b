package cnf

import "math/rand/v2"

// graph draws so many different pairs of the numbers 1 to n; there must be as many.
func graph(n, edges int, r *rand.Rand) (list [][2]int32) {
	seen := make(map[[2]int32]bool)
	for len(list) < edges {
		a, b := int32(1+r.IntN(n)), int32(1+r.IntN(n))
		if e := [2]int32{min(a, b), max(a, b)}; a != b && !seen[e] {
			seen[e] = true
			list = append(list, e)
		}
	}
	return list
}

// MaxCut parts the vertices of a random graph in two, so that as few edges as possible have both
// ends in one part: that is what the cheapest model costs. There are at most n(n-1)/2 edges.
func MaxCut(n, edges int, seed uint64) *Formula {
	f := &Formula{Vars: n, Weighed: true}
	for _, e := range graph(n, edges, rand.New(rand.NewPCG(seed, 0xc07))) {
		f.AddSoft(1, e[0], e[1])
		f.AddSoft(1, -e[0], -e[1])
	}
	return f
}

// coverWeight is what a vertex of Cover weighs at most.
const coverWeight = 10

// Cover chooses vertices of a random graph so that each edge has one of them, of as little weight
// as possible: each weighs from 1 to 10. There are at most n(n-1)/2 edges.
func Cover(n, edges int, seed uint64) *Formula {
	f := &Formula{Vars: n, Weighed: true}
	r := rand.New(rand.NewPCG(seed, 0xc0e))
	for _, e := range graph(n, edges, r) {
		f.Add(e[0], e[1])
	}
	for v := range n {
		f.AddSoft(1+r.Int64N(coverWeight), -int32(v+1))
	}
	return f
}

// Limits of Lateness.
const (
	lateWeight = 100 // what a job is worth at most
	lateSpare  = 3   // of so many slots one is missing for all jobs to be in time
)

// Lateness does jobs in slots of time, one in each, before their deadlines, some of them in a given
// order. Those that are not done cost what they are worth, as little as possible.
func Lateness(jobs int, seed uint64) *Formula {
	slots := max(1, jobs-jobs/lateSpare)
	f := &Formula{Vars: jobs * slots, Weighed: true}
	r := rand.New(rand.NewPCG(seed, 0x1a7e))
	in := func(job, slot int) int32 { return int32(job*slots + slot + 1) }
	due := make([]int, jobs)
	for j := range jobs {
		due[j] = 1 + r.IntN(slots)
		var any []int32
		for t := range due[j] {
			any = append(any, in(j, t))
			for u := range t {
				f.Add(-in(j, t), -in(j, u))
			}
		}
		for t := due[j]; t < slots; t++ {
			f.Add(-in(j, t))
		}
		f.AddSoft(1+r.Int64N(lateWeight), any...)
	}
	for t := range slots {
		for j := range jobs {
			for k := range j {
				if t < due[j] && t < due[k] {
					f.Add(-in(j, t), -in(k, t))
				}
			}
		}
	}
	for range jobs {
		first, then := r.IntN(jobs), r.IntN(jobs)
		for t := range due[first] {
			for u := range min(t, due[then]) {
				if first != then {
					f.Add(-in(first, t), -in(then, u))
				}
			}
		}
	}
	return f
}
