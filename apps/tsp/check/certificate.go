package check

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"satingrid/apps/tsp/tsplib"
)

const (
	header = "satin tsp certificate 1\n"
	// of nodes that are their parents' first children: each holds multipliers
	depthMax      = 1 << 12
	multiplierMax = 1 << 40
)

// Report is what a certificate had in it.
type Report struct {
	Length  int64 // that no tour falls below
	Leaves  int64 // closed nodes
	Records int64
}

// Broken is the error of a file that is no certificate. Other errors are of one that does
// not prove what it says.
type Broken struct{ error }

// Certificate verifies a certificate of the problem; file is the name that errors say.
func Certificate(p *tsplib.Problem, r io.Reader, file string) (Report, error) {
	v := &verifier{}
	err := v.run(p, r)
	if err != nil {
		return v.Report, fmt.Errorf("%s: record %d: %w", file, v.Records, err)
	}
	return v.Report, nil
}

// verifier is a certificate half read.
type verifier struct {
	Report
	in     *bufio.Reader
	sides  *sides
	tree   *tree
	base   []int64 // by city: the multiplier that the next record adds to
	pi     []int64
	cutoff int64

	cuts       []inequality // of this part
	potentials []int64      // by city, likewise
}

func (v *verifier) run(p *tsplib.Problem, r io.Reader) error {
	z, err := gzip.NewReader(r)
	if err != nil {
		return Broken{fmt.Errorf("this is no gzip file, a certificate is expected: %w", err)}
	}
	v.in = bufio.NewReader(z)
	first := make([]byte, len(header))
	if _, err := io.ReadFull(v.in, first); err != nil || string(first) != header {
		return Broken{fmt.Errorf("the file begins with %q, %q is expected", first, header)}
	}
	n, err := binary.ReadUvarint(v.in)
	if err != nil || n != uint64(p.Cities) {
		return fmt.Errorf("the certificate is for %d cities, %d are expected, as in the problem", n, p.Cities)
	}
	length, err := binary.ReadUvarint(v.in)
	if err != nil || length > tsplib.CitiesMax*tsplib.WeightMax {
		return fmt.Errorf("the length is %d, at most %d is expected", length, tsplib.CitiesMax*tsplib.WeightMax)
	}
	v.Length = int64(length)
	if p.Cities > tsplib.CitiesMaxMatrix {
		return fmt.Errorf("the problem has %d cities, at most %d are expected of one with a certificate", p.Cities, tsplib.CitiesMaxMatrix)
	}
	v.cutoff = (v.Length - 1) * one
	if p.Cities < 3 {
		return v.single(p)
	}
	v.sides = begin(p)
	v.tree = newTree(v.sides.n)
	v.base, v.pi = make([]int64, v.sides.n), make([]int64, v.sides.n)
	v.potentials = make([]int64, v.sides.n)
	if err := v.node(0); err != nil {
		return err
	}
	return v.end()
}

func (v *verifier) end() error {
	if _, err := v.in.ReadByte(); err != io.EOF {
		return errors.New("the file goes on after the tree is complete, its end is expected")
	}
	return nil
}

// single verifies the certificate of a problem that has one tour, of two cities or one.
func (v *verifier) single(p *tsplib.Problem) error {
	op, err := v.in.ReadByte()
	if err != nil || op != 4 {
		return fmt.Errorf("a record %d of %d cities, 4 is expected", op, p.Cities)
	}
	v.Records, v.Leaves = 1, 1
	if only := between(p, 0, p.Cities-1) + between(p, p.Cities-1, 0); only < v.Length {
		return fmt.Errorf("the only tour has the length %d, no less than %d is expected", only, v.Length)
	}
	return v.end()
}

// begin is the root: the cities that the tree is about, twice those of an ATSP, with what is fixed.
func begin(p *tsplib.Problem) *sides {
	n, nodes := p.Cities, p.Cities
	if p.Directed {
		nodes = 2 * n
	}
	cost := make([]int64, nodes*nodes)
	for i := range n {
		for j := range n {
			if d := between(p, i, j); p.Directed {
				cost[(n+i)*nodes+j], cost[j*nodes+n+i] = d, d
			} else {
				cost[i*n+j] = d
			}
		}
	}
	s := newSides(nodes, cost)
	for i := range n {
		for j := range i {
			if p.Directed {
				s.put(i, j, out)
				s.put(n+i, n+j, out)
			}
		}
	}
	for i := range n {
		if p.Directed {
			s.put(i, n+i, in)
		}
	}
	for _, e := range p.Fixed {
		s.put(e[0], e[1], in)
	}
	s.conclude()
	return s
}

// node verifies the records of a node and all below it. What is dead needs no more evidence, but
// its records are read.
func (v *verifier) node(depth int) error {
	if depth > depthMax {
		return fmt.Errorf("the tree is more than %d deep", depthMax)
	}
	for {
		op, err := v.in.ReadByte()
		if err != nil {
			return fmt.Errorf("the file ends here, a record is expected: the certificate is not complete")
		}
		v.Records++
		switch op {
		case 1:
			err = v.reduce()
		case 2:
			err = v.branch(depth)
		case 3:
			v.Leaves++
			return v.bound()
		case 4:
			v.Leaves++
			if s := v.sides; !s.dead && !(s.chosen == s.n && s.length >= v.Length) {
				return errors.New("a node is called dead, but may have tours")
			}
			return nil
		case 5:
			v.cuts = nil
			clear(v.potentials)
		case 6:
			err = v.cut()
		case 7:
			err = v.fix()
		case 8:
			v.Leaves++
			return v.closed()
		default:
			return fmt.Errorf("a record begins with %d, 1 to 8 is expected", op)
		}
		if err != nil {
			return err
		}
	}
}

func (v *verifier) reduce() error {
	leaf, err := v.multipliers()
	if err != nil {
		return err
	}
	copy(v.base, v.pi)
	if v.sides.dead || v.sides.chosen == v.sides.n {
		return nil
	}
	bound, ok := v.tree.grow(v.sides, v.pi, leaf)
	if !ok {
		v.sides.dead = true
		return nil
	}
	v.tree.reduce(v.sides, bound, v.cutoff)
	return nil
}

func (v *verifier) bound() error {
	leaf, err := v.multipliers()
	if err != nil || v.sides.dead {
		return err
	}
	bound, ok := v.tree.grow(v.sides, v.pi, leaf)
	if ok && bound <= v.cutoff {
		return fmt.Errorf("the bound of a leaf is %d/%d, more than %d is expected", bound, one, v.Length-1)
	}
	return nil
}

// branch verifies the first child, and makes the node the second.
func (v *verifier) branch(depth int) error {
	first, err1 := v.in.ReadByte()
	a, err2 := v.city()
	b, err3 := v.city()
	if err := errors.Join(err1, err2, err3); err != nil {
		return err
	}
	if a == b || side(first) != in && side(first) != out {
		return fmt.Errorf("a branch on edge %d-%d, side %d, two cities and side 1 or 2 are expected", a+1, b+1, first)
	}
	base := append([]int64(nil), v.base...)
	dead, mark := v.sides.dead, len(v.sides.trail)
	v.decide(a, b, side(first))
	if err := v.node(depth + 1); err != nil {
		return err
	}
	v.sides.undo(mark)
	v.sides.dead = dead
	copy(v.base, base)
	v.decide(a, b, in+out-side(first))
	return nil
}

func (v *verifier) decide(a, b int, to side) {
	if !v.sides.dead {
		v.sides.put(a, b, to)
		v.sides.conclude()
	}
}

func (v *verifier) city() (int, error) {
	c, err := binary.ReadUvarint(v.in)
	if err == nil && c >= uint64(v.sides.n) {
		err = fmt.Errorf("city %d, 0 to %d is expected", c, v.sides.n-1)
	}
	return int(c), err
}

// multipliers reads leaf and multipliers.
func (v *verifier) multipliers() (leaf int, err error) {
	if leaf, err = v.city(); err != nil {
		return 0, err
	}
	for c := range v.pi {
		d, err := binary.ReadVarint(v.in)
		if err != nil {
			return 0, fmt.Errorf("multiplier %d of %d: %w", c+1, len(v.pi), err)
		}
		p := v.base[c] + d
		if max(d, -d) > 2*multiplierMax || max(p, -p) > multiplierMax {
			return 0, fmt.Errorf("multiplier %d is %d, at most %d is expected", c+1, p, multiplierMax)
		}
		v.pi[c] = p
	}
	return leaf, nil
}
