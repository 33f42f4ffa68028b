package maxsat

// sum counts which of some literals are true: a totalizer (Bailleux and Boufkhad, CP 2003). It is a
// tree of sums. Only what somebody has asked for is made, one output more at a time (Martins,
// Joshi, Manquinho and Lynce, CP 2014), and only in the direction from the literals to the outputs:
// nobody wants to know that few of them are true.
type sum struct {
	left, right *sum // nil: it is a literal
	size        int
	outs        []int32 // outs[k] is true where more than k of the literals are
}

// newSum is the sum of one literal or more.
func newSum(lits []int32) *sum {
	if len(lits) == 1 {
		return &sum{size: 1, outs: lits}
	}
	half := len(lits) / 2
	return &sum{left: newSum(lits[:half:half]), right: newSum(lits[half:]), size: len(lits)}
}

// atLeast is the literal that is true where at least so many are, from 1 to the size.
func (n *sum) atLeast(s *Optimizer, count int) int32 {
	for len(n.outs) < count {
		k := len(n.outs) + 1
		out := s.newVar()
		for i := max(0, k-n.right.size); i <= min(k, n.left.size); i++ {
			clause := []int32{out}
			if i > 0 {
				clause = append(clause, -n.left.atLeast(s, i))
			}
			if i < k {
				clause = append(clause, -n.right.atLeast(s, k-i))
			}
			s.define(clause)
		}
		n.outs = append(n.outs, out)
	}
	return n.outs[count-1]
}
