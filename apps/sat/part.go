package sat

import "crypto/sha256"

// Piece is a run of clauses of a proof. It may lean on the pieces before it in a part.
type Piece struct {
	Sum  [16]byte // of the data: equal pieces are kept once
	Data []byte
}

func newPiece(data []byte) Piece {
	sum := sha256.Sum256(data)
	return Piece{[16]byte(sum[:16]), data}
}

// join puts parts together. What a piece leans on stays before it.
func join(parts []Part) Part {
	var whole Part
	seen := make(map[[16]byte]bool)
	for _, p := range parts {
		whole.Conflicts += p.Conflicts
		for _, piece := range p.Pieces {
			if !seen[piece.Sum] {
				seen[piece.Sum] = true
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
