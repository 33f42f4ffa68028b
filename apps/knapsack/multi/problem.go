package multi

import "math/bits"

// Knapsack is a problem of several constraints. Profits, weights and room are at least 0;
// profits add up to no more than [ProfitMax], and the weights of each
// constraint to less than 2^62.
type Knapsack struct {
	Profits []int64
	Weights [][]int64 // of a constraint, of an item
	Room    []int64   // of a constraint
}

// Fits tells whether an item fits into the room.
func (p *Knapsack) Fits(item int) bool {
	for i, room := range p.Room {
		if p.Weights[i][item] > room {
			return false
		}
	}
	return true
}

// Take returns the problem of some of the items, in the room that is left beside others that are
// in; ok is false where those do not fit.
func (p *Knapsack) Take(items, in []int32) (rest *Knapsack, ok bool) {
	rest = &Knapsack{make([]int64, len(items)), make([][]int64, len(p.Room)), make([]int64, len(p.Room))}
	for k, at := range items {
		rest.Profits[k] = p.Profits[at]
	}
	for i := range p.Room {
		rest.Weights[i] = make([]int64, len(items))
		for k, at := range items {
			rest.Weights[i][k] = p.Weights[i][at]
		}
		rest.Room[i] = p.Room[i]
		for _, at := range in {
			if rest.Room[i] -= p.Weights[i][at]; rest.Room[i] < 0 {
				return nil, false
			}
		}
	}
	return rest, true
}

// Profit is that of some items.
func (p *Knapsack) Profit(items []int32) (sum int64) {
	for _, at := range items {
		sum += p.Profits[at]
	}
	return sum
}

// Bound is what multipliers say of a problem. Its figures are in units of 2^-shift.
type Bound struct {
	shift   uint
	costs   []int64 // of a unit of weight, by constraint
	reduced []int64 // profit of an item, less what its weights cost
	weighs  []int64 // what they cost
	total   int64
	room    int64     // what all room costs
	shares  []float64 // of each item, in the linear program's solution
}

// ProfitMax bounds the sum of all profits.
const ProfitMax = 1 << 60

// unitBits is how many bits all profits have, in units: two such sums fit an int64.
const unitBits = 61

// Value is the bound: no packing has more profit.
func (b *Bound) Value() int64 { return b.total >> b.shift }

// over is by how many units the bound exceeds a packing that is better than one of profit z, and so
// what may be lost.
func (b *Bound) over(z int64) int64 {
	z = max(z, -1)
	if z+1 > b.Value() {
		return -1
	}
	return b.total - (z+1)<<b.shift
}

// Relax bounds a problem.
func (p *Knapsack) Relax() *Bound {
	sum := int64(0)
	for _, x := range p.Profits {
		sum += x
	}
	b := &Bound{shift: uint(max(0, unitBits-bits.Len64(uint64(sum)))), costs: make([]int64, len(p.Room))}
	multipliers, shares := p.linear()
	b.shares = shares
	most := sum << b.shift // what all room may cost: no bound that is of use is more
	for i, u := range multipliers {
		b.costs[i] = b.units(u, p.Room[i], most-b.room)
		b.room += b.costs[i] * p.Room[i]
	}
	b.total = b.room
	b.reduced, b.weighs = make([]int64, len(p.Profits)), make([]int64, len(p.Profits))
	for k, profit := range p.Profits {
		if !p.Fits(k) {
			continue // it is out
		}
		for i, c := range b.costs {
			b.weighs[k] += c * p.Weights[i][k] // no more than what the room costs
		}
		b.reduced[k] = profit<<b.shift - b.weighs[k]
		b.total += max(0, b.reduced[k])
	}
	return b
}

// units is a multiplier in units, and so large at most that room does not cost more than most.
func (b *Bound) units(multiplier float64, room, most int64) int64 {
	if !(multiplier > 0) || room <= 0 {
		return 0
	}
	scaled := multiplier * float64(int64(1)<<b.shift)
	if limit := most / room; scaled >= float64(limit) {
		return limit
	}
	return int64(scaled + 0.5)
}
