package sat

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
)

// Piece is a run of clauses of a proof. It may lean on the pieces before it in a part.
type Piece struct {
	ID   [16]byte // parts of one solver share pieces, which are kept once
	Data []byte
}

// lineage is what the pieces of one solver have in common: it adds clauses, and deletes them in a
// later piece. Two solvers that begin with the same clauses, as when a cube is decided again, have
// each its own copies: what one deletes the other may lean on.
type lineage [16]byte

func newLineage() (l lineage) {
	rand.Read(l[:]) // never fails
	return l
}

// piece is the nth piece of a solver.
func (l lineage) piece(n int, data []byte) Piece {
	return Piece{digest(binary.BigEndian.AppendUint64(l[:], uint64(n))), data}
}

// newPiece is a piece without deletions, which is kept once whoever has made it.
func newPiece(data []byte) Piece { return Piece{digest(data), data} }

func digest(data []byte) [16]byte {
	sum := sha256.Sum256(data)
	return [16]byte(sum[:16])
}

// join puts parts together. What a piece leans on stays before it.
func join(parts []Part) Part {
	var whole Part
	seen := make(map[[16]byte]bool)
	for _, p := range parts {
		whole.Conflicts += p.Conflicts
		for _, piece := range p.Pieces {
			if !seen[piece.ID] {
				seen[piece.ID] = true
				whole.Pieces = append(whole.Pieces, piece)
			}
		}
	}
	return whole
}

// closeCube adds the negation of a cube, both halves of which are refuted.
func (p *Part) closeCube(cube []int32) {
	p.Pieces = append(p.Pieces, newPiece(appendClause(nil, negated(cube))))
}

// data is the whole proof.
func (p *Part) data() []byte {
	var out []byte
	for _, piece := range p.Pieces {
		out = append(out, piece.Data...)
	}
	return out
}
