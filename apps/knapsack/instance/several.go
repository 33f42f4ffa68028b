package instance

import "strings"

// numbers are those of a file in which lines mean nothing.
type numbers struct {
	*lines
	left []string // of the line that was read last
}

// next is the next number.
func (d *numbers) next(what string) (int64, error) {
	for len(d.left) == 0 {
		text, err := d.must(what)
		if err != nil {
			return 0, err
		}
		d.left = strings.Fields(text)
	}
	text := d.left[0]
	d.left = d.left[1:]
	return d.number(text, what)
}

// manySeveral reads problems of several constraints, of which the first line has said how many
// there are, to the one that is asked for.
func (d *reader) manySeveral(line string) error {
	if int64(d.nth) > d.count {
		return d.errorf("there are %d problems, problem %d is expected", d.count, d.nth)
	}
	return d.toTheAsked(line, d.ofSeveral, "the items, constraints and optimum of the next problem")
}

// several reads one problem that has a file of its own.
func (d *reader) several(line string) error {
	if err := d.ofSeveral(line); err != nil {
		return err
	}
	return d.end()
}

// ofSeveral reads a problem of which the line "ITEMS CONSTRAINTS OPTIMUM" was read.
func (d *reader) ofSeveral(line string) error {
	fields := strings.Fields(line)
	if len(fields) != 3 {
		return d.errorf("%s are %d fields, the number of items, that of constraints and the optimum are expected", quote(line), len(fields))
	}
	if err := d.items(fields[0]); err != nil {
		return err
	}
	m, err := d.number(fields[1], "the number of constraints")
	if err == nil && (m < 1 || m > ConstraintsMax) {
		err = d.errorf("the number of constraints is %d, 1 to %d are expected", m, ConstraintsMax)
	}
	if err != nil {
		return err
	}
	in := &numbers{lines: d.lines}
	d.Items = nil
	for range d.count {
		p, err := in.next("a profit")
		if err != nil {
			return err
		}
		d.Items = append(d.Items, Item{Profit: p})
	}
	d.Further = nil
	for i := range m {
		if err := d.weights(in, i); err != nil {
			return err
		}
	}
	for i := range m {
		c, err := in.next("a capacity")
		if err != nil {
			return err
		}
		if i == 0 {
			d.Capacity = c
		} else {
			d.Further[i-1].Capacity = c
		}
	}
	if len(in.left) > 0 {
		return d.errorf("%s stands behind the last capacity, the end of the line is expected", quote(in.left[0]))
	}
	if err := d.Check(); err != nil {
		return d.errorf("the problem that ends here is wrong: %w", err)
	}
	return nil
}

// weights reads those of all items by one constraint.
func (d *reader) weights(in *numbers, constraint int64) error {
	var weights []int64
	for k := range d.Items {
		w, err := in.next("a weight")
		if err != nil {
			return err
		}
		if weights = append(weights, w); constraint == 0 {
			d.Items[k].Weight = w
		}
	}
	if constraint > 0 {
		d.Further = append(d.Further, Constraint{Weights: weights})
	}
	return nil
}
