// Package check verifies answers to knapsack problems. It shares nothing with the code that finds
// them, but the instance's type.
//
// [Answer] reads what `satin run knapsack` printed, and [Verify] looks at it: value and weight are
// added up again, and where the problem is small enough, [Optimum] finds the largest value on its
// own, by Bellman's dynamic programming over capacities.
//
// # Costs
//
// Optimum takes about a nanosecond for each item and unit of capacity, 8 bytes a unit.
//
// # Limitations
//
// Of larger problems, and of more than a few items and several constraints, it is only verified
// that the packing is one and has the value; that no other has more is not.
package check

import (
	"errors"
	"fmt"
	"slices"

	"satingrid/apps/knapsack/instance"
)

// Claim is an answer: what is said about a packing.
type Claim struct {
	Value   int64
	Weight  int64
	Items   []int64 // from 1, in file order
	Copies  []int64 // of each of these; nil: one
	Optimal bool
}

// Report is what was verified.
type Report struct {
	Value   int64
	Weight  int64
	Optimal bool // whether the value was proved to be the largest
}

// Verify verifies a claim. A claim that is not said to be optimal is right when the packing is;
// Report.Optimal says what is known then, too.
func Verify(p *instance.Instance, c Claim) (Report, error) {
	value, weight, err := Packing(p, c.Items, c.Copies)
	if err != nil {
		return Report{}, err
	}
	if value != c.Value {
		return Report{}, fmt.Errorf("the items' value is %d, the answer says %d", value, c.Value)
	}
	if weight != c.Weight {
		return Report{}, fmt.Errorf("the items' weight is %d, the answer says %d", weight, c.Weight)
	}
	optimum, err := Optimum(p)
	if errors.Is(err, ErrLarge) {
		return Report{value, weight, false}, nil
	}
	if err != nil {
		return Report{}, err
	}
	if value > optimum {
		return Report{}, fmt.Errorf("the value %d is more than the largest, %d: this checker is wrong", value, optimum)
	}
	if c.Optimal && value < optimum {
		return Report{}, fmt.Errorf("the value %d is said to be optimal, but %d is reached", value, optimum)
	}
	return Report{value, weight, value == optimum}, nil
}

// Packing adds up value and weight, by the first constraint, of items, which are numbered from 1,
// and says why they are no packing. copies are how many of each there are; nil: one.
func Packing(p *instance.Instance, items, copies []int64) (value, weight int64, err error) {
	if copies != nil && len(copies) != len(items) {
		return 0, 0, fmt.Errorf("%d items and %d numbers of copies, as many of both are expected", len(items), len(copies))
	}
	packed := make(map[int64]bool, len(items))
	further := make([]int64, len(p.Further))
	for at, k := range items {
		if k < 1 || k > int64(len(p.Items)) {
			return 0, 0, fmt.Errorf("item %d is packed, items 1 to %d are expected", k, len(p.Items))
		}
		if packed[k] {
			return 0, 0, fmt.Errorf("item %d is packed twice, once is expected", k)
		}
		packed[k] = true
		n := int64(1)
		if copies != nil {
			n = copies[at]
		}
		if may := p.Copies(int(k - 1)); n < 1 || n > may {
			return 0, 0, fmt.Errorf("item %d is packed %d times, 1 to %d are expected", k, n, may)
		}
		value += n * p.Items[k-1].Profit
		weight += n * p.Items[k-1].Weight
		for i, c := range p.Further {
			further[i] += n * c.Weights[k-1]
		}
	}
	if weight > p.Capacity {
		return 0, 0, fmt.Errorf("the items weigh %d, no more than the capacity %d is expected", weight, p.Capacity)
	}
	for i, c := range p.Further {
		if further[i] > c.Capacity {
			return 0, 0, fmt.Errorf("by constraint %d the items weigh %d, no more than the capacity %d is expected", i+2, further[i], c.Capacity)
		}
	}
	return value, weight, nil
}

const (
	stepsMax = 10_000_000_000 // items times capacity: some ten seconds
	cellsMax = 1 << 27        // a GiB
	fewItems = 22             // all sets of which are looked at, whatever the capacity is
)

// ErrLarge is what Optimum returns for a problem that is too large for it.
var ErrLarge = errors.New("the problem is too large to prove its optimum by dynamic programming")

// Optimum is the largest value.
func Optimum(p *instance.Instance) (int64, error) {
	var all []int // items, once for each copy
	var total int64
	for k, x := range p.Items {
		total += x.Weight * p.Copies(k)
		if p.Copies(k) > stepsMax/max(1, p.Capacity)-int64(len(all)) && p.Copies(k) > fewItems {
			return 0, ErrLarge
		}
		for range p.Copies(k) {
			all = append(all, k)
		}
	}
	if len(all) <= fewItems {
		rooms := []int64{p.Capacity}
		for _, c := range p.Further {
			rooms = append(rooms, c.Capacity)
		}
		return sets(p, all, rooms), nil
	}
	capacity := min(p.Capacity, total)
	if len(p.Further) > 0 || capacity >= cellsMax || capacity*int64(len(all)) > stepsMax {
		return 0, ErrLarge
	}
	var items []instance.Item
	for _, k := range all {
		items = append(items, p.Items[k])
	}
	return cells(items, capacity), nil
}

// cells fills a cell for each capacity with the largest value, item by item.
func cells(items []instance.Item, capacity int64) int64 {
	best := make([]int64, capacity+1)
	for _, x := range items {
		if x.Weight > capacity {
			continue
		}
		// From the back, so that no cell has the item twice.
		to, from := best[x.Weight:], best[:capacity+1-x.Weight]
		for c := len(from) - 1; c >= 0; c-- {
			if v := from[c] + x.Profit; v > to[c] {
				to[c] = v
			}
		}
	}
	return best[capacity]
}

// sets looks at all sets of a few items.
func sets(p *instance.Instance, items []int, rooms []int64) int64 {
	if len(items) == 0 {
		return 0
	}
	best := sets(p, items[1:], rooms)
	k := items[0]
	left := []int64{rooms[0] - p.Items[k].Weight}
	for i, c := range p.Further {
		left = append(left, rooms[i+1]-c.Weights[k])
	}
	if slices.Min(left) >= 0 {
		best = max(best, p.Items[k].Profit+sets(p, items[1:], left))
	}
	return best
}
