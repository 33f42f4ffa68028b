package gridsim

import "satingrid/steal"

// Hunt is a speculative search over a generated tree: every third level's jobs want to know whether
// there is a find below them, and abort their other children when one has found it; the others
// count those of their children that found one. So the answer does not depend on who was aborted;
// but an aborted job that passed for finished would spoil it, and with twins the value that one
// parent aborts is one that another waits for.
type Hunt struct{ Tree }

// Expand makes the children, or tells whether a leaf is a find.
func (h *Hunt) Expand(args, _ []byte) Step {
	state, depth := word(args, 0), word(args, 1)
	n := h.fanOut(state, depth)
	if n == 0 {
		if mix(state^9)%5 == 0 {
			return Step{Value: encode(1)}
		}
		return Step{Value: []byte{}}
	}
	s := Step{Shuffled: h.Shuffled, Children: make([][]byte, n)}
	if depth%3 == 1 {
		s.Any = encode(1)
	}
	for k := range n {
		s.Children[k] = encode(h.kid(state, depth, k), depth+1)
	}
	return s
}

// Combine counts the children that found something; nothing is told by no bytes.
func (h *Hunt) Combine(_ []byte, results [][]byte) []byte {
	var finds uint64
	for _, r := range results {
		if len(r) > 0 {
			finds += word(r, 0)
		}
	}
	if finds == 0 {
		return []byte{}
	}
	return encode(finds)
}

// Choosing is true, as it is for all that aborts.
func (h *Hunt) Choosing() bool { return true }

// Right compares with the hunt alone.
func (h *Hunt) Right(answer steal.Result) error { return same(answer, alone(h, h.Root())) }
