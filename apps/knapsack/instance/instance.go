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
// of them can be added. Of a file of several problems, as Pisinger's are, Read returns the first.
package instance

import "fmt"

// Item is what may be packed, once.
type Item struct{ Profit, Weight int64 }

// Instance is a problem: which items, of no more weight than Capacity, have the largest profit?
type Instance struct {
	Name     string
	Items    []Item
	Capacity int64
}

const (
	// ItemsMax bounds the number of items, so that their number fits four bytes with room to
	// spare.
	ItemsMax = 1 << 24
	// TotalMax bounds the sum of all profits, that of all weights, and the capacity: two such
	// sums still fit an int64.
	TotalMax = 1<<62 - 1
)

// Check says what is wrong with an instance that was not read from a file.
func (p *Instance) Check() error {
	if len(p.Items) > ItemsMax {
		return fmt.Errorf("%d items, up to %d are expected", len(p.Items), ItemsMax)
	}
	if p.Capacity < 0 || p.Capacity > TotalMax {
		return fmt.Errorf("the capacity is %d, 0 to %d is expected", p.Capacity, int64(TotalMax))
	}
	var sum total
	for k, it := range p.Items {
		if what := sum.add(it); what != "" {
			return fmt.Errorf("item %d: %s", k+1, what)
		}
	}
	return nil
}

// total adds items up, and says when they are too many.
type total struct{ profit, weight int64 }

// add returns what is wrong with the item, or "".
func (t *total) add(it Item) string {
	switch {
	case it.Profit < 0:
		return fmt.Sprintf("the profit is %d, a number from 0 is expected", it.Profit)
	case it.Weight < 0:
		return fmt.Sprintf("the weight is %d, a number from 0 is expected", it.Weight)
	case it.Profit > TotalMax-t.profit:
		return fmt.Sprintf("with the profit %d all profits add up to more than %d, which is the most expected", it.Profit, int64(TotalMax))
	case it.Weight > TotalMax-t.weight:
		return fmt.Sprintf("with the weight %d all weights add up to more than %d, which is the most expected", it.Weight, int64(TotalMax))
	}
	t.profit += it.Profit
	t.weight += it.Weight
	return ""
}
