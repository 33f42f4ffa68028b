package tsp

import "encoding/binary"

// What a record of a certificate says; package check reads them, and has the format in words.
const (
	recordReduce = 1 + iota
	recordBranch
	recordBound
	recordDead
	recordPart
	recordCut
	recordFix
	recordPriced
)

// proof writes a part of a certificate: the nodes of the tree in the order of their exploration. A
// nil proof writes nothing.
type proof struct {
	data []byte
	base []int64 // by city: the multipliers that the next ones are written relative to

	prices []int64        // by city: the potentials, likewise
	cuts   map[string]int // their numbers, by their bytes
}

// reset starts a part whose first node was handed these multipliers.
func (p *proof) reset(base []int64) {
	if p != nil {
		p.data = nil
		p.rebase(base)
	}
}

func (p *proof) rebase(base []int64) {
	if p != nil {
		p.base = append(p.base[:0], base...)
	}
}

// reduce says that edges were put in and out by the 1-tree of these multipliers.
func (p *proof) reduce(leaf int16, pi []int64) {
	if p != nil {
		p.multipliers(recordReduce, leaf, pi)
		p.rebase(pi)
	}
}

// bound says that the 1-tree of these multipliers closes the node.
func (p *proof) bound(leaf int16, pi []int64) {
	if p != nil {
		p.multipliers(recordBound, leaf, pi)
	}
}

func (p *proof) multipliers(record byte, leaf int16, pi []int64) {
	p.data = append(p.data, record)
	p.data = binary.AppendUvarint(p.data, uint64(leaf))
	for c, x := range pi {
		p.data = binary.AppendVarint(p.data, x-p.base[c])
	}
}

// branch says that a node has two children: the edge is decided to in the first, and
// otherwise in the second.
func (p *proof) branch(u, v int16, to int) {
	if p != nil {
		p.data = append(p.data, recordBranch, byte(to))
		p.data = binary.AppendUvarint(p.data, uint64(u))
		p.data = binary.AppendUvarint(p.data, uint64(v))
	}
}

// dead says that the decisions leave no tour, or one tour only that is no shorter than the best.
func (p *proof) dead() {
	if p != nil {
		p.data = append(p.data, recordDead)
	}
}

// part starts a part of its own, which nothing before it says anything about.
func (p *proof) part() {
	if p != nil {
		*p = proof{data: []byte{recordPart}, cuts: make(map[string]int)}
	}
}

// priced says that edges were put in and out by the bound of these prices, or that it closes the
// node.
func (p *proof) priced(record byte, r *relaxed) {
	if p == nil {
		return
	}
	var list []byte
	count := 0
	for k, c := range r.cuts {
		if r.mu[k] == 0 {
			continue
		}
		key := c.Append(nil)
		at, ok := p.cuts[string(key)]
		if !ok {
			at = len(p.cuts)
			p.cuts[string(key)] = at
			p.data = append(append(p.data, recordCut), key...)
		}
		list = binary.AppendUvarint(list, uint64(at))
		list = binary.AppendUvarint(list, uint64(r.mu[k]))
		count++
	}
	p.data = append(p.data, record)
	if p.prices == nil {
		p.prices = make([]int64, len(r.pi))
	}
	for c, x := range r.pi {
		p.data = binary.AppendVarint(p.data, x-p.prices[c])
	}
	copy(p.prices, r.pi)
	p.data = binary.AppendUvarint(p.data, uint64(count))
	p.data = append(p.data, list...)
}
