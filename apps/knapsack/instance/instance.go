// Package instance reads and makes knapsack problems: [Read] reads the files that their users have,
// and [Generate] makes the classes of Pisinger's generator.
//
// # Costs
//
// An [Instance] takes 16 bytes an item; reading is bound by the disk.
//
// # Limitations
//
// Profits and weights are whole numbers from 0, and the sums of each stay below 2^62, so that two
// of them can be added. So are the numbers of copies, and those of the constraints.
package instance

import "fmt"

// Item is what may be packed, once.
type Item struct{ Profit, Weight int64 }

// Instance is a problem: which items, of no more weight than Capacity, have the largest profit?
type Instance struct {
	Name     string
	Items    []Item
	Capacity int64
	Counts   []int64      // how often each item may be packed; nil: once
	Further  []Constraint // that hold, too, each with weights of its own
}

// Constraint says that the items that are packed weigh no more than Capacity, by these weights.
type Constraint struct {
	Weights  []int64 // of each item
	Capacity int64
}

// Copies is how often an item may be packed.
func (p *Instance) Copies(item int) int64 {
	if p.Counts == nil {
		return 1
	}
	return p.Counts[item]
}

const (
	// ItemsMax bounds the number of items, with all their copies, so that their number fits
	// four bytes with room to spare.
	ItemsMax = 1 << 24
	// TotalMax bounds the sum of all profits, that of all weights, and the capacity: two such
	// sums still fit an int64.
	TotalMax = 1<<62 - 1
	// ConstraintsMax bounds the constraints: a linear program with as many is solved for each
	// job.
	ConstraintsMax = 256
)

// Check says what is wrong with an instance that was not read from a file.
func (p *Instance) Check() error {
	if len(p.Items) > ItemsMax {
		return fmt.Errorf("%d items, up to %d are expected", len(p.Items), ItemsMax)
	}
	if p.Capacity < 0 || p.Capacity > TotalMax {
		return fmt.Errorf("the capacity is %d, 0 to %d is expected", p.Capacity, int64(TotalMax))
	}
	if p.Counts != nil && len(p.Counts) != len(p.Items) {
		return fmt.Errorf("%d counts of %d items, as many of both are expected", len(p.Counts), len(p.Items))
	}
	var sum total
	for k, it := range p.Items {
		if what := sum.add(it, p.Copies(k)); what != "" {
			return fmt.Errorf("item %d: %s", k+1, what)
		}
	}
	if len(p.Further) >= ConstraintsMax {
		return fmt.Errorf("%d constraints, up to %d are expected", len(p.Further)+1, ConstraintsMax)
	}
	for n, c := range p.Further {
		if err := p.check(c); err != nil {
			return fmt.Errorf("constraint %d: %w", n+2, err)
		}
	}
	return nil
}

// check says what is wrong with a further constraint.
func (p *Instance) check(c Constraint) error {
	if len(c.Weights) != len(p.Items) {
		return fmt.Errorf("%d weights of %d items, as many of both are expected", len(c.Weights), len(p.Items))
	}
	if c.Capacity < 0 || c.Capacity > TotalMax {
		return fmt.Errorf("the capacity is %d, 0 to %d is expected", c.Capacity, int64(TotalMax))
	}
	var sum total
	for k, w := range c.Weights {
		if what := sum.add(Item{0, w}, p.Copies(k)); what != "" {
			return fmt.Errorf("item %d: %s", k+1, what)
		}
	}
	return nil
}

// total adds items up, and says when they are too many.
type total struct{ profit, weight, copies int64 }

// add returns what is wrong with so many copies of the item, or "".
func (t *total) add(it Item, copies int64) string {
	switch {
	case copies < 0 || copies > ItemsMax-t.copies:
		return fmt.Sprintf("there are %d copies, a number from 0 is expected, and up to %d of all items", copies, ItemsMax)
	case it.Profit < 0:
		return fmt.Sprintf("the profit is %d, a number from 0 is expected", it.Profit)
	case it.Weight < 0:
		return fmt.Sprintf("the weight is %d, a number from 0 is expected", it.Weight)
	case copies > 0 && it.Profit > (TotalMax-t.profit)/copies:
		return fmt.Sprintf("with the profit %d all profits add up to more than %d, which is the most expected", it.Profit, int64(TotalMax))
	case copies > 0 && it.Weight > (TotalMax-t.weight)/copies:
		return fmt.Sprintf("with the weight %d all weights add up to more than %d, which is the most expected", it.Weight, int64(TotalMax))
	}
	t.profit += it.Profit * copies
	t.weight += it.Weight * copies
	t.copies += copies
	return ""
}
