package cnf

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// weights are what a reader knows of the weights of a file.
type weights struct {
	named    bool   // the file's name says that it has weights
	unheaded bool   // there is none but h before clauses that must hold
	least    uint64 // from this weight on a clause must hold
	soft     bool   // the clause that is being read has a weight
	sum      uint64 // of all weights
}

// namedWeighed tells whether a file's name says that it has weights.
func namedWeighed(file string) bool {
	return strings.HasSuffix(strings.TrimSuffix(strings.ToLower(file), ".gz"), ".wcnf")
}

// bare begins a file with weights that has no header.
func (d *reader) bare() {
	d.header, d.unheaded, d.f.Weighed = true, true, true
	d.vars, d.clauses, d.least = -1, -1, math.MaxUint64
}

// top reads how the header of a file with weights ends: behind the word wcnf, which it takes out.
func (d *reader) top(words [][]byte) error {
	d.f.Weighed, d.least = true, math.MaxUint64
	switch len(words) {
	case 4: // all clauses have weights
	case 5:
		var err error
		if d.least, err = strconv.ParseUint(string(words[4]), 10, 64); err != nil || d.least == 0 {
			return fmt.Errorf("the top weight is %q: a number from 1 to %d is expected", brief(words[4]), uint64(math.MaxUint64))
		}
	default:
		return fmt.Errorf("the header is %q: p wcnf VARIABLES CLAUSES TOP is expected", brief(bytes.Join(words, []byte(" "))))
	}
	return d.counts(words)
}

// weigh takes what stands before the literals of a clause.
func (d *reader) weigh(word []byte) error {
	d.open, d.opened, d.soft = true, d.line, false
	if d.unheaded && string(word) == "h" {
		return nil
	}
	w, err := strconv.ParseUint(string(word), 10, 64)
	if err != nil {
		expected := "a number from 0"
		if d.unheaded {
			expected = "h, or a number from 0,"
		}
		return fmt.Errorf("%q is no weight: %s is expected", brief(word), expected)
	}
	if w >= d.least {
		return nil
	}
	if w > WeightMax || d.sum+w > WeightMax {
		return fmt.Errorf("with weight %s all weights add up to more than %d", brief(word), uint64(WeightMax))
	}
	d.sum += w
	d.soft = true
	d.f.Weights = append(d.f.Weights, int64(w))
	return nil
}
