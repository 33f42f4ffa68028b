package tsp

import "satingrid/satin"

// matrix is the distances of all pairs as a square, made once a peer.
type matrix struct {
	n int
	w []int32
}

func newMatrix(d *Distances) *matrix {
	n := d.Cities
	m := &matrix{n, make([]int32, n*n)}
	k := 0
	for i := range n {
		for j := i + 1; j < n; j++ {
			m.w[i*n+j], m.w[j*n+i] = d.Upper[k], d.Upper[k]
			k++
		}
	}
	return m
}

func (m *matrix) at(a, b int16) int32 { return m.w[int(a)*m.n+int(b)] }
func (m *matrix) row(a int16) []int32 { return m.w[int(a)*m.n:][:m.n] }

// length is the length of a closed tour.
func (m *matrix) length(tour []int16) int64 {
	sum, from := int64(0), tour[len(tour)-1]
	for _, c := range tour {
		sum += int64(m.at(from, c))
		from = c
	}
	return sum
}

// matrixOf is the matrix of the run.
func matrixOf(s *satin.Scope) *matrix {
	root := satin.Root[Solve](s)
	return satin.Derive(s, func() *matrix { return newMatrix(&root.Distances) })
}
