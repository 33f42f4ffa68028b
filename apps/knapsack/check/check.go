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
// Of larger problems it is only verified that the packing is one and has the value; that no
// other has more is not.
package check

import (
	"errors"
	"fmt"

	"satingrid/apps/knapsack/instance"
)

// Claim is an answer: what is said about a packing.
type Claim struct {
	Value   int64
	Weight  int64
	Items   []int64 // from 1, in file order
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
	value, weight, err := Packing(p, c.Items)
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

// Packing adds up value and weight of items, which are numbered from 1, and says why
// they are no packing.
func Packing(p *instance.Instance, items []int64) (value, weight int64, err error) {
	packed := make(map[int64]bool, len(items))
	for _, k := range items {
		if k < 1 || k > int64(len(p.Items)) {
			return 0, 0, fmt.Errorf("item %d is packed, items 1 to %d are expected", k, len(p.Items))
		}
		if packed[k] {
			return 0, 0, fmt.Errorf("item %d is packed twice, once is expected", k)
		}
		packed[k] = true
		value += p.Items[k-1].Profit
		weight += p.Items[k-1].Weight
	}
	if weight > p.Capacity {
		return 0, 0, fmt.Errorf("the items weigh %d, no more than the capacity %d is expected", weight, p.Capacity)
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
	if len(p.Items) <= fewItems {
		return sets(p.Items, p.Capacity), nil
	}
	var total int64
	for _, x := range p.Items {
		total += x.Weight
	}
	capacity := min(p.Capacity, total)
	if capacity >= cellsMax || capacity*int64(len(p.Items)) > stepsMax {
		return 0, ErrLarge
	}
	return cells(p.Items, capacity), nil
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
func sets(items []instance.Item, room int64) int64 {
	if len(items) == 0 {
		return 0
	}
	best := sets(items[1:], room)
	if x := items[0]; x.Weight <= room {
		best = max(best, x.Profit+sets(items[1:], room-x.Weight))
	}
	return best
}
