package instance

import (
	"io"
	"strings"
)

// Read reads a problem; file is the name that errors say. What format it has is seen from
// its first two lines:
//
//   - kplib's .kp: the number of items, the capacity, and a line "profit weight" for each item;
//   - the same with number and capacity on one line. In both may stand a line at the end that says
//     of each of three items or more whether it is packed, 1 or 0, which is not believed;
//   - both with a line "profit weight count" for each item, which may be packed so often;
//   - Jooken's .in: the number of items, a line "number profit weight" for each, with numbers from
//     0, or from 1, as Pisinger's generator has them, and the capacity;
//   - Pisinger's csv: a name, "n N", "c CAPACITY", "z OPTIMUM", "time T", a line
//     "number,profit,weight,x" for each item, and "-----";
//   - the OR-Library's of several constraints, as mknap1 and mknapcb1: the number of problems,
//     which may be missing, and for each "ITEMS CONSTRAINTS OPTIMUM", the profits, the weights by
//     the first constraint, by the second and so on, and the capacities, in lines of any length.
//
// Of several problems nth is read, counted from 1: others than the last two have one.
func Read(r io.Reader, file string, nth int) (*Instance, error) {
	d := &reader{lines: newLines(r, file), nth: nth}
	first, err := d.must("a number of items, or the name of a problem,")
	if err != nil {
		return nil, err
	}
	if c := first[0]; c != '-' && c != '+' && (c < '0' || c > '9') {
		err = d.csv(first)
	} else {
		err = d.plain(first)
	}
	if err != nil {
		return nil, err
	}
	if d.nth > 1 {
		return nil, d.errorf("the file ends here, problem %d is expected in it", nth)
	}
	return &d.Instance, nil
}

// reader is a problem half read.
type reader struct {
	Instance
	*lines
	sum   total
	count int64
	first int64 // number of an item
	nth   int   // the problem that is asked for, of those from here on
}

// skipped forgets a problem that was read, unless it is the one that is asked for.
func (d *reader) skipped() bool {
	if d.nth == 1 {
		return false
	}
	d.nth--
	d.Instance, d.sum = Instance{}, total{}
	return true
}

// items takes over how many items there are.
func (d *reader) items(text string) error {
	n, err := d.number(text, "the number of items")
	if err == nil && (n < 1 || n > ItemsMax) {
		err = d.errorf("the number of items is %d, 1 to %d are expected", n, ItemsMax)
	}
	d.count = n
	return err
}

func (d *reader) capacity(text string) error {
	c, err := d.number(text, "the capacity")
	if err == nil && (c < 0 || c > TotalMax) {
		err = d.errorf("the capacity is %d, 0 to %d is expected", c, int64(TotalMax))
	}
	d.Capacity = c
	return err
}

// item takes over the item of a line, which may be packed as often as that says.
func (d *reader) item(profit, weight string, copies int64) error {
	p, err := d.number(profit, "the profit")
	if err != nil {
		return err
	}
	w, err := d.number(weight, "the weight")
	if err != nil {
		return err
	}
	it := Item{p, w}
	if what := d.sum.add(it, copies); what != "" {
		return d.errorf("%s", what)
	}
	d.Items = append(d.Items, it)
	return nil
}

// numbered is an item whose line begins with its number.
func (d *reader) numbered(number string, profit, weight string) error {
	k, err := d.number(number, "the item's number")
	if err != nil {
		return err
	}
	if want := d.first + int64(len(d.Items)); k != want {
		return d.errorf("the item's number is %d, %d is expected", k, want)
	}
	return d.item(profit, weight, 1)
}

// plain reads a .kp or an .in.
func (d *reader) plain(first string) error {
	fields := strings.Fields(first)
	if len(fields) == 3 {
		return d.several(first)
	}
	if len(fields) > 3 {
		return d.errorf("%s are %d fields, the number of items, or that and the capacity, are expected", quote(first), len(fields))
	}
	if err := d.items(fields[0]); err != nil {
		return err
	}
	if len(fields) == 2 {
		if err := d.capacity(fields[1]); err != nil {
			return err
		}
		return d.kp()
	}
	second, err := d.must("a capacity, or an item's number, profit and weight,")
	if err != nil {
		return err
	}
	switch fields := strings.Fields(second); len(fields) {
	case 1:
		if err := d.capacity(second); err != nil {
			return err
		}
		return d.kp()
	case 3:
		if fields[0] != "0" && fields[0] != "1" {
			return d.manySeveral(second)
		}
		return d.in(fields)
	default:
		return d.errorf("%s are %d fields, a capacity or an item's number, profit and weight are expected", quote(second), len(fields))
	}
}

func (d *reader) kp() error {
	width := 0 // fields of each line, those of the first
	for range d.count {
		text, err := d.must("an item's profit and weight")
		if err != nil {
			return err
		}
		fields := strings.Fields(text)
		if width == 0 {
			width = min(max(len(fields), 2), 3)
		}
		if len(fields) != width {
			return d.errorf("%s are %d fields, an item's profit and weight%s are expected", quote(text), len(fields), countToo(width))
		}
		copies := int64(1)
		if width == 3 {
			if copies, err = d.number(fields[2], "how often it may be packed"); err != nil {
				return err
			}
			d.Counts = append(d.Counts, copies)
		}
		if err := d.item(fields[0], fields[1], copies); err != nil {
			return err
		}
	}
	return d.packed()
}

// countToo says that lines of so many fields have a count.
func countToo(width int) string {
	if width == 3 {
		return " and count"
	}
	return ""
}

// packedMin is the least number of items whose packing is looked for behind them: that of two
// looks like one more item, and that of one like anything.
const packedMin = 3

// packed reads what may stand behind the last item: a line that has 1 for each item that somebody
// has packed, and 0 for the others.
func (d *reader) packed() error {
	text, ok, err := d.next()
	if err != nil || !ok {
		return err
	}
	fields := strings.Fields(text)
	if d.count < packedMin || int64(len(fields)) != d.count {
		return d.behind(text)
	}
	for k, f := range fields {
		if f != "0" && f != "1" {
			return d.errorf("field %d behind the last item is %s, 0 or 1 for each item, or the end of the file, is expected", k+1, quote(f))
		}
	}
	return d.end()
}

func (d *reader) in(fields []string) error {
	if fields[0] == "1" {
		d.first = 1
	}
	for k := range d.count {
		if k > 0 {
			text, err := d.must("an item's number, profit and weight")
			if err != nil {
				return err
			}
			if fields = strings.Fields(text); len(fields) != 3 {
				return d.errorf("%s are %d fields, an item's number, profit and weight are expected", quote(text), len(fields))
			}
		}
		if err := d.numbered(fields[0], fields[1], fields[2]); err != nil {
			return err
		}
	}
	text, err := d.must("the capacity")
	if err != nil {
		return err
	}
	if err := d.capacity(text); err != nil {
		return err
	}
	return d.end()
}

// end sees to it that nothing stands behind a problem.
func (d *reader) end() error {
	text, ok, err := d.next()
	if err == nil && ok {
		err = d.behind(text)
	}
	return err
}

func (d *reader) behind(text string) error {
	return d.errorf("%s stands behind the last item, the end of the file is expected", quote(text))
}

// csv reads problems of Pisinger's files, to the one that is asked for.
func (d *reader) csv(name string) error {
	return d.toTheAsked(name, d.ofCSV, "the name of the next problem")
}

// toTheAsked reads problems, each from its first line on, to the one that is asked for.
func (d *reader) toTheAsked(line string, read func(line string) error, next string) error {
	for {
		if err := read(line); err != nil || !d.skipped() {
			return err
		}
		var err error
		if line, err = d.must(next); err != nil {
			return err
		}
	}
}

// ofCSV reads one.
func (d *reader) ofCSV(name string) error {
	d.Name, d.first = name, 1
	header := []struct {
		key  string
		take func(string) error
	}{
		{"n", d.items},
		{"c", d.capacity},
		{"z", func(v string) error { _, err := d.number(v, "the optimum z"); return err }},
		{"time", func(string) error { return nil }},
	}
	for _, h := range header {
		text, err := d.must("a line that begins with " + h.key)
		if err != nil {
			return err
		}
		fields := strings.Fields(text)
		if len(fields) != 2 || fields[0] != h.key {
			return d.errorf("%s stands here, %s and a number are expected", quote(text), h.key)
		}
		if err := h.take(fields[1]); err != nil {
			return err
		}
	}
	for range d.count {
		text, err := d.must("an item's number,profit,weight,x")
		if err != nil {
			return err
		}
		fields := strings.Split(text, ",")
		if len(fields) != 4 {
			return d.errorf("%s are %d fields, an item's number,profit,weight,x are expected", quote(text), len(fields))
		}
		for k := range fields {
			fields[k] = strings.TrimSpace(fields[k])
		}
		if err := d.numbered(fields[0], fields[1], fields[2]); err != nil {
			return err
		}
		if fields[3] != "0" && fields[3] != "1" {
			return d.errorf("x is %s, 0 or 1 is expected", quote(fields[3]))
		}
	}
	text, ok, err := d.next()
	if err == nil && ok && strings.Trim(text, "-") != "" {
		err = d.errorf("%s stands behind the last item, ----- is expected", quote(text))
	}
	return err
}
