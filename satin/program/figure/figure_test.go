package figure_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"satingrid/satin/program/figure"
)

// upTo are the numbers from n down to 1.
func upTo(n int) (some []float64) {
	for i := range n {
		some = append(some, float64(n-i))
	}
	return some
}

// TestIntervals: that of the median is the one of order statistics, as tables have it (Conover,
// Practical Nonparametric Statistics, 3.2).
func TestIntervals(t *testing.T) {
	for n, want := range map[int][2]float64{6: {1, 6}, 8: {1, 8}, 9: {2, 8}, 15: {4, 12}, 20: {6, 15}, 100: {40, 61}} {
		f := figure.Of(upTo(n), figure.AtMost(0))
		if *f.Low != want[0] || *f.High != want[1] || f.Value != float64(n+1)/2 {
			t.Errorf("of %d it is %v, %v to %v, wanted %v", n, f.Value, *f.Low, *f.High, want)
		}
	}
	// Student's t is 2.571 with 5 degrees of freedom, 2.306 with 8.
	for n, deviate := range map[int]float64{6: 2.571, 9: 2.306} {
		f := figure.Mean(upTo(n), figure.AtMost(0))
		off := deviate * math.Sqrt(float64(n+1)/12) // the variance of 1 to n is n(n+1)/12
		if f.Value != float64(n+1)/2 || math.Abs(*f.High-f.Value-off) > 0.01 || math.Abs(f.Value-*f.Low-off) > 0.01 {
			t.Errorf("the mean of %d is %v, %v to %v, wanted %v off", n, f.Value, *f.Low, *f.High, off)
		}
	}
}

func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		of   []float64
		mark figure.Aim
		want string
	}{
		{upTo(6), figure.AtMost(6), "ok"},
		{upTo(6), figure.AtMost(5.9), "undecided"},
		{upTo(6), figure.AtMost(1), "undecided"},
		{upTo(6), figure.AtMost(0.9), "short"},
		{upTo(6), figure.AtLeast(1), "ok"},
		{upTo(6), figure.AtLeast(1.1), "undecided"},
		{upTo(6), figure.AtLeast(6), "undecided"},
		{upTo(6), figure.AtLeast(6.1), "short"},
		{upTo(5), figure.AtMost(10), "undecided"}, // too few
		{nil, figure.AtMost(10), "undecided"},
		{upTo(6), figure.AtMost(10).Best(3.5), "ok"}, // the median is 3.5
		{upTo(6), figure.AtMost(10).Best(3.6), "undecided"},
		{upTo(6), figure.AtLeast(0).Best(3.4), "undecided"},
		{upTo(6), figure.AtLeast(0).Best(3.5), "ok"},
	} {
		if got := figure.Of(c.of, c.mark).Verdict; got != c.want {
			t.Errorf("%v, %+v: %s, wanted %s", c.of, c.mark, got, c.want)
		}
	}
	if f := figure.Mean(upTo(5), figure.AtMost(10)); f.Value != 3 || f.Low != nil || f.Verdict != "undecided" {
		t.Errorf("of five rounds: %+v", f)
	}
}

func ExamplePrint() {
	line := func(format string, args ...any) {
		fmt.Println(strings.TrimRight(fmt.Sprintf(format, args...), " "))
	}
	figure.Print(line, "nine rounds", "sequential", "satin", []figure.Tabled{
		{What: "fib 36, one worker", Beside: "61 ms", Measured: "140 ms", Figure: figure.Of([]float64{2.2, 2.2, 2.3, 2.3, 2.3, 2.3, 2.4, 2.4, 2.4}, figure.AtMost(2.5))},
	})
	// Output:
	// nine rounds                                      sequential        satin    figure      from        to  to reach
	// fib 36, one worker                                    61 ms       140 ms      2.30      2.20      2.40    ≤ 2.50 ok
}
