package sat

import (
	"bufio"
	"encoding/binary"
	"io"
	"strconv"
)

// Status is what is known of a formula.
type Status int8

// What a run may find.
const (
	Unknown Status = iota
	Satisfiable
	Unsatisfiable
	Optimal // it has weights, and no model costs less
)

// String is the status as the SAT competitions and the MaxSAT Evaluations write it.
func (s Status) String() string {
	switch s {
	case Satisfiable:
		return "SATISFIABLE"
	case Unsatisfiable:
		return "UNSATISFIABLE"
	case Optimal:
		return "OPTIMUM FOUND"
	default:
		return "UNKNOWN"
	}
}

// Answer is what a run has found.
type Answer struct {
	Status    Status
	Model     []byte // where there is one: a bit for each variable, from the lowest
	Proof     []byte // of one that is not, when asked for; see WriteProof
	Conflicts int64  // that the solvers met with; of an answer that says that all was searched

	// Of a formula with weights: what the model costs, and a number that no model costs less
	// than; and, once all was searched, how many cores there were.
	Cost, Bound, Cores int64
}

// HasModel tells whether there is a model.
func (a Answer) HasModel() bool { return a.Status == Satisfiable || a.Status == Optimal }

// Better prefers answers that have a model to those that have none, models that cost less, and of
// those what says more of how much they must.
func (a Answer) Better(than Answer) bool {
	switch {
	case !a.HasModel() || !than.HasModel():
		return a.HasModel() && !than.HasModel()
	case a.Cost != than.Cost:
		return a.Cost < than.Cost
	case a.Bound != than.Bound:
		return a.Bound > than.Bound
	}
	return a.Status == Optimal && than.Status != Optimal
}

// Literals are the model, as literals of the variables 1 to vars.
func (a Answer) Literals(vars int) []int32 {
	out := make([]int32, vars)
	for v := range out {
		out[v] = -int32(v + 1)
		if v/8 < len(a.Model) && a.Model[v/8]>>(v%8)&1 != 0 {
			out[v] = int32(v + 1)
		}
	}
	return out
}

// pack makes the bits of a model.
func pack(model []bool) []byte {
	bits := make([]byte, (len(model)+7)/8)
	for v, yes := range model {
		if yes {
			bits[v/8] |= 1 << (v % 8)
		}
	}
	return bits
}

// deletion stands before a clause that is deleted: no literal has this code.
const deletion = 1

// appendClause appends a clause as the binary DRAT format has literals: twice the variable, and one
// more for its negation, seven bits a byte, and a 0 at the end.
func appendClause(data []byte, clause []int32) []byte {
	for _, l := range clause {
		code := uint64(l) << 1
		if l < 0 {
			code = uint64(-l)<<1 | 1
		}
		data = binary.AppendUvarint(data, code)
	}
	return append(data, 0)
}

// WriteProof writes the proof of an unsatisfiable formula in DRAT format, as text.
func WriteProof(w io.Writer, a Answer) error {
	out := bufio.NewWriter(w)
	var word []byte
	for data := a.Proof; len(data) > 0; {
		code, n := binary.Uvarint(data)
		data = data[max(n, 1):]
		switch l := int64(code >> 1); {
		case code == 0:
			word = append(word[:0], "0\n"...)
		case code == deletion:
			word = append(word[:0], "d "...)
		case code&1 != 0:
			word = append(strconv.AppendInt(word[:0], -l, 10), ' ')
		default:
			word = append(strconv.AppendInt(word[:0], l, 10), ' ')
		}
		if _, err := out.Write(word); err != nil {
			return err
		}
	}
	return out.Flush()
}
