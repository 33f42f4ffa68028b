package lp

import (
	"math"
	"math/rand/v2"
	"testing"
)

// twin is a program as a table.
type twin struct {
	columns []Column
	rows    []Row
	at      [][]float64 // by row, by column
}

// someTwin is a small program of whole numbers.
func someTwin(rng *rand.Rand) *twin {
	w := new(twin)
	for range 1 + rng.IntN(5) {
		low := float64(rng.IntN(3) - 1)
		w.columns = append(w.columns, Column{Cost: float64(rng.IntN(19) - 9), Low: low, High: low + float64(rng.IntN(3))})
	}
	for range 1 + rng.IntN(3) {
		w.row(rng)
	}
	return w
}

func (w *twin) row(rng *rand.Rand) (columns []int32, values []float64) {
	row := make([]float64, len(w.columns))
	for c := range row {
		if rng.IntN(3) > 0 {
			row[c] = float64(rng.IntN(5) - 2)
		}
		if row[c] != 0 {
			columns, values = append(columns, int32(c)), append(values, row[c])
		}
	}
	w.at = append(w.at, row)
	w.rows = append(w.rows, Row{Right: float64(rng.IntN(5) - 1), Slack: rng.IntN(3) > 0})
	return columns, values
}

// simplex is the program, with the slacks as its basis.
func (w *twin) simplex() *Simplex {
	s := &Simplex{Limit: math.Inf(1)}
	s.Reset(w.rows)
	for c, column := range w.columns {
		s.Column(column)
		for r := range w.rows {
			if v := w.at[r][c]; v != 0 {
				s.Put(c, r, v)
			}
		}
	}
	s.Begin(nil, nil)
	return s
}

// least is the value of the best basis of all that there are; +Inf if none is feasible.
func (w *twin) least() float64 {
	n, m := len(w.columns), len(w.rows)
	best := math.Inf(1)
	for set := range 1 << (n + m) {
		var basis []int
		for v := range n + m {
			if set>>v&1 == 1 {
				basis = append(basis, v)
			}
		}
		if len(basis) != m {
			continue
		}
		for high := range 1 << n {
			if high&set == 0 { // of a column in the basis there is no bound
				best = min(best, w.value(basis, set, high))
			}
		}
	}
	return best
}

// value is that of one basis, with these columns at their high bounds.
func (w *twin) value(basis []int, set, high int) float64 {
	n, m := len(w.columns), len(w.rows)
	x := make([]float64, n)
	for c := range x {
		if x[c] = w.columns[c].Low; high>>c&1 == 1 {
			x[c] = w.columns[c].High
		}
	}
	table := make([][]float64, m) // the basis, and what its columns have to come to
	for r := range table {
		right := w.rows[r].Right
		for c := range x {
			if set>>c&1 == 0 {
				right -= w.at[r][c] * x[c]
			}
		}
		for _, v := range basis {
			switch {
			case v < n:
				table[r] = append(table[r], w.at[r][v])
			case v == n+r:
				table[r] = append(table[r], -1)
			default:
				table[r] = append(table[r], 0)
			}
		}
		table[r] = append(table[r], right)
	}
	if !eliminate(table) {
		return math.Inf(1)
	}
	for k, v := range basis {
		at := table[k][m]
		if v < n {
			x[v] = at
			if at < w.columns[v].Low-1e-9 || at > w.columns[v].High+1e-9 {
				return math.Inf(1)
			}
		} else if at < -1e-9 || !w.rows[v-n].Slack && at > 1e-9 {
			return math.Inf(1)
		}
	}
	sum := 0.0
	for c := range x {
		sum += w.columns[c].Cost * x[c]
	}
	return sum
}

// eliminate solves a square table, and tells whether it can be.
func eliminate(table [][]float64) bool {
	for k := range table {
		p := k
		for r := k; r < len(table); r++ {
			if math.Abs(table[r][k]) > math.Abs(table[p][k]) {
				p = r
			}
		}
		if math.Abs(table[p][k]) < 1e-9 {
			return false
		}
		table[k], table[p] = table[p], table[k]
		for r := range table {
			if r == k {
				continue
			}
			by := table[r][k] / table[k][k]
			for c := range table[r] {
				table[r][c] -= by * table[k][c]
			}
		}
	}
	for k := range table {
		table[k][len(table)] /= table[k][k]
	}
	return true
}

// compare solves the program, and compares the value, the solution and what the duals prove.
func (w *twin) compare(t *testing.T, s *Simplex, what string) {
	t.Helper()
	want := w.least()
	switch status := s.Solve(1000); {
	case math.IsInf(want, 1):
		if status != Infeasible {
			t.Fatalf("%s: %+v: status %d, value %g: there is no solution", what, w, status, s.Value)
		}
		return
	case status != Optimal || math.Abs(s.Value-want) > 1e-6:
		t.Fatalf("%s: %+v: status %d, value %g, want %g", what, w, status, s.Value, want)
	}
	cost := 0.0
	for c := range w.columns {
		x := s.At(c)
		if x < w.columns[c].Low-1e-6 || x > w.columns[c].High+1e-6 {
			t.Fatalf("%s: %+v: column %d is %g", what, w, c, x)
		}
		cost += w.columns[c].Cost * x
	}
	if math.Abs(cost-want) > 1e-5 {
		t.Fatalf("%s: %+v: the solution costs %g, want %g", what, w, cost, want)
	}
	if proved := w.proved(s); math.Abs(proved-want) > 1e-5 {
		t.Fatalf("%s: %+v: the duals prove %g, want %g", what, w, proved, want)
	}
}

// proved is the bound that follows from the duals alone.
func (w *twin) proved(s *Simplex) (sum float64) {
	for r, row := range w.rows {
		y := s.Dual(r)
		if row.Slack && y < 0 {
			return math.Inf(-1)
		}
		sum += y * row.Right
	}
	for c, column := range w.columns {
		d := column.Cost
		for r := range w.rows {
			d -= s.Dual(r) * w.at[r][c]
		}
		sum += min(d*column.Low, d*column.High)
	}
	return sum
}

// TestAllBases solves small programs as looking at all bases does, from the slacks, after rows were
// added, bounds changed and loose rows dropped, in a copy, and from its own basis.
func TestAllBases(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	dropped, solved := 0, 0
	for range 500 {
		w := someTwin(rng)
		s := w.simplex()
		w.compare(t, s, "from the slacks")
		if math.IsInf(w.least(), 1) {
			continue
		}
		solved++
		columns, values := w.row(rng)
		s.Add(w.rows[len(w.rows)-1], columns, values)
		w.compare(t, s, "with one more row")
		if math.IsInf(w.least(), 1) {
			continue
		}
		tried := new(Simplex)
		tried.From(s)
		again := *w
		again.columns = append([]Column(nil), w.columns...)
		c := rng.IntN(len(w.columns))
		again.columns[c].Low = again.columns[c].High
		tried.Bound(c, again.columns[c].Low, again.columns[c].High)
		tried.Settle()
		again.compare(t, tried, "with another bound")
		w.compare(t, s, "after a copy was changed")
		s.Again()
		before := s.Steps
		if w.compare(t, s, "computed afresh"); s.Steps > before {
			t.Fatalf("%+v: it has taken %d steps from the best basis", w, s.Steps-before)
		}
		if w.drop(s) {
			dropped++
		}
		w.compare(t, s, "without loose rows")
	}
	if dropped < 40 || solved < 130 {
		t.Errorf("rows were dropped from %d of %d", dropped, solved)
	}
}

// drop drops the loose rows of both.
func (w *twin) drop(s *Simplex) (some bool) {
	marks := make([]bool, len(w.rows))
	var rows []Row
	var at [][]float64
	for r := range marks {
		if marks[r] = s.Loose(r) && w.rows[r].Slack; !marks[r] {
			rows, at = append(rows, w.rows[r]), append(at, w.at[r])
		}
		some = some || marks[r]
	}
	s.Drop(marks)
	w.rows, w.at = rows, at
	return some
}

// TestLimit ends above it.
func TestLimit(t *testing.T) {
	s := &Simplex{Limit: 2.5}
	s.Reset([]Row{{Right: 3, Slack: true}})
	for c := range 4 {
		s.Column(Column{Cost: 1, High: 1})
		s.Put(c, 0, 1)
	}
	s.Begin(nil, nil)
	if status := s.Solve(10); status != Above || s.Value <= 2.5 {
		t.Errorf("status %d, value %g", status, s.Value)
	}
	s.Limit = 10
	if status := s.Solve(10); status != Optimal || s.Value != 3 {
		t.Errorf("status %d, value %g", status, s.Value)
	}
	if status := s.Solve(0); status != Stopped {
		t.Errorf("status %d", status)
	}
}
