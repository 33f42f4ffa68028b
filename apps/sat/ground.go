package sat

import (
	"satingrid/apps/sat/eliminate"
	"satingrid/satin"
)

// ground is what all workers of a peer start from: the formula after elimination. It is
// the same on all peers.
type ground struct {
	rest  *eliminate.Rest
	proof []byte // of the formula's new clauses, when one is asked for
}

func groundOf(s *satin.Scope) *ground {
	return satin.Derive(s, func() *ground {
		root, g := satin.Root[Solve](s), &ground{}
		var log func([]int32)
		if root.Certify {
			log = func(clause []int32) { g.proof = appendClause(g.proof, clause) }
		}
		// an abort of this job alone must not leave its mark on the others
		ended := func() bool { return s.Context().Err() != nil }
		g.rest = eliminate.Variables(&root.Formula, log, ended)
		return g
	})
}

// part is what all parts lean on. It comes first in the proof.
func (g *ground) part() Part {
	if len(g.proof) == 0 {
		return Part{}
	}
	return Part{Pieces: []Piece{newPiece(g.proof)}}
}
