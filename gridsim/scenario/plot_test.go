package scenario

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"satingrid/satin/golden"
)

// mean is one with an interval of so much to each side; below 0: without.
func mean(v, off float64) Average {
	if off < 0 {
		return Average{Value: v}
	}
	low, high := v-off, v+off
	return Average{v, &low, &high}
}

// table has a row for each of the efficiencies, of cases by their names.
func table(about string, plots []string, rows ...Summed) *Tabulation {
	for n := range rows {
		rows[n].Ended = 1
	}
	return &Tabulation{About: about, Plots: plots, Rows: rows}
}

func drawn(t *testing.T, r *Tabulation) string {
	t.Helper()
	var b strings.Builder
	if err := r.WritePlot(&b, "text{fill:#123}"); err != nil {
		t.Fatal(err)
	}
	in := xml.NewDecoder(strings.NewReader(b.String()))
	for {
		_, err := in.Token()
		if errors.Is(err, io.EOF) {
			return b.String()
		}
		if err != nil {
			t.Fatalf("it is no XML: %v\n%s", err, b.String())
		}
	}
}

// TestPlotOfRows: a dot for each, in a line of its own, with what its mean may be off.
func TestPlotOfRows(t *testing.T) {
	r := table("a <b> & c", []string{"efficiency"},
		Summed{Case: "all", Efficiency: mean(0.9, 0.05)},
		Summed{Case: "half & more, with a name that is longer than there is room for it", Efficiency: mean(0.5, -1)},
		Summed{Case: "none"})
	r.Rows[2].Ended = 0
	golden.Same(t, "rows.svg", drawn(t, r))
}

// TestPlotOfASweep: the field with the most values goes from left to right, whatever else varies is
// a line, and what never ended is left out.
func TestPlotOfASweep(t *testing.T) {
	r := table("", []string{"bytes_far", "efficiency"})
	for n, far := range []string{"1ms", "20ms", "300ms"} {
		for k, way := range []string{"crs", "rs"} {
			r.Rows = append(r.Rows, Summed{
				Set: []Varied{{"far.latency", far}, {"policy.stealing", way}}, Ended: 1 - n/2*k,
				Efficiency: mean(1-0.1*float64(n)-0.05*float64(k), 0.01), BytesFar: mean(1e6*float64(1+k), 1e5),
			})
		}
	}
	golden.Same(t, "sweep.svg", drawn(t, r))
	p := r.plotOf()
	if p.along != "far.latency" || !slices.Equal(p.places, []string{"1ms", "20ms", "300ms"}) || len(p.lines) != 2 || p.lines[1].name != "policy.stealing rs" {
		t.Errorf("along %s: %q, lines %v", p.along, p.places, p.lines)
	}
}

// TestTicks are round, embrace all, and begin at 0 where there is room for that.
func TestTicks(t *testing.T) {
	for _, c := range []struct {
		values []float64
		ticks  []float64
		names  string
	}{
		{nil, []float64{0, 0.2, 0.4, 0.6, 0.8, 1}, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{[]float64{0.4, 0.98}, []float64{0, 0.2, 0.4, 0.6, 0.8, 1}, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{[]float64{0.88, 0.997}, []float64{0.88, 0.9, 0.92, 0.94, 0.96, 0.98, 1}, "0.88 0.90 0.92 0.94 0.96 0.98 1.00"},
		{[]float64{0, 730}, []float64{0, 200, 400, 600, 800}, "0 200 400 600 800"},
		{[]float64{7}, []float64{6, 6.5, 7, 7.5, 8}, "6.0 6.5 7.0 7.5 8.0"},
		{[]float64{0}, []float64{-1, -0.5, 0, 0.5, 1}, "-1.0 -0.5 0.0 0.5 1.0"},
	} {
		r := table("", []string{"efficiency"})
		for _, v := range c.values {
			r.Rows = append(r.Rows, Summed{Case: fmt.Sprint(v), Ended: 1, Efficiency: mean(v, -1)})
		}
		ticks := r.plotOf().panels[0].ticks
		var names []string
		for n := range ticks {
			names = append(names, named(ticks, n))
		}
		near := slices.EqualFunc(ticks, c.ticks, func(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 })
		if !near || strings.Join(names, " ") != c.names {
			t.Errorf("%v: %v, %s", c.values, ticks, strings.Join(names, " "))
		}
	}
}

// TestWhatIsPlotted: the measures that a scenario names, in the order of the table.
func TestWhatIsPlotted(t *testing.T) {
	const few = "sites: {a: {}}\nworkload: {tree: {depth: 1}}\n"
	for text, want := range map[string]string{
		few:                                    "efficiency",
		few + "plot: redone_seconds":           "redone_seconds",
		few + "plot: [messages, time_seconds]": "time_seconds messages",
	} {
		s, err := Read([]byte(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, q := range (&Tabulation{Plots: s.plots}).plotOf().panels {
			names = append(names, q.name)
		}
		if strings.Join(names, " ") != want {
			t.Errorf("%s: %q", text, names)
		}
	}
	if _, err := Read([]byte(few+"plot: speed"), nil); err == nil || !strings.Contains(err.Error(), `line 3: plot: "speed": some of time_seconds, `) {
		t.Error(err)
	}
}
