package sat

import "testing"

// TestPiecesOfTwoSolversStayApart: a cube that is decided again begins with the same clauses, and
// what one solver deletes later the other leans on.
func TestPiecesOfTwoSolversStayApart(t *testing.T) {
	clause := appendClause(nil, []int32{1, -2})
	deleted := append([]byte{deletion}, clause...)
	a, b := newLineage(), newLineage()
	one := Part{Pieces: []Piece{a.piece(0, clause), a.piece(1, deleted)}}
	longer := Part{Pieces: []Piece{a.piece(0, clause), a.piece(1, deleted), a.piece(2, clause)}}
	other := Part{Pieces: []Piece{b.piece(0, clause)}}
	for _, c := range []struct {
		parts []Part
		want  int
	}{{[]Part{one, longer}, 3}, {[]Part{longer, one}, 3}, {[]Part{one, other, one}, 3}, {[]Part{other, longer, other}, 4}} {
		if whole := join(c.parts); len(whole.Pieces) != c.want {
			t.Errorf("joined, there are %d pieces, wanted %d", len(whole.Pieces), c.want)
		}
	}
	var closed Part
	closed.closeCube([]int32{3})
	if whole := join([]Part{closed, closed}); len(whole.Pieces) != 1 {
		t.Errorf("a cube that is closed twice is kept %d times", len(whole.Pieces))
	}
}
