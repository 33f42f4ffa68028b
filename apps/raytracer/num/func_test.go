package num

import (
	"math"
	"testing"
)

func TestFunctionsAgreeWithMath(t *testing.T) {
	cases := []struct {
		name     string
		ours     func(float64) float64
		theirs   func(float64) float64
		from, to float64
		absolute bool
	}{
		{"Exp", Exp, math.Exp, -700, 700, false},
		{"Exp near 0", Exp, math.Exp, -1, 1, false},
		{"Log", Log, math.Log, 1e-9, 1e9, false},
		{"Log near 1", Log, math.Log, 0.5, 1.5, false},
		{"Sin", Sin, math.Sin, -1000, 1000, true},
		{"Cos", Cos, math.Cos, -1000, 1000, true},
		{"Tan", Tan, math.Tan, -1.5, 1.5, false},
		{"Acos", Acos, math.Acos, -1, 1, true},
		{"Atan2", func(x float64) float64 { return Atan2(x, -0.3) }, func(x float64) float64 { return math.Atan2(x, -0.3) }, -5, 5, true},
		{"Pow", func(x float64) float64 { return Pow(x, 1/2.4) }, func(x float64) float64 { return math.Pow(x, 1/2.4) }, 0, 20, false},
	}
	for _, c := range cases {
		const n = 20000
		worst, at := 0.0, 0.0
		for i := 0; i <= n; i++ {
			x := c.from + (c.to-c.from)*float64(i)/n
			got, want := c.ours(x), c.theirs(x)
			d := math.Abs(got - want)
			if !c.absolute && want != 0 {
				d /= math.Abs(want)
			}
			if !(d <= worst) {
				worst, at = d, x
			}
		}
		if !(worst < 4e-15) {
			t.Errorf("%s differs from math by %g at %g", c.name, worst, at)
		}
	}
}

func TestFunctionsAtTheirEdges(t *testing.T) {
	same := func(name string, got, want float64) {
		t.Helper()
		if got != want && !(got != got && want != want) {
			t.Errorf("%s = %g, want %g", name, got, want)
		}
	}
	same("Exp(-Inf)", Exp(math.Inf(-1)), 0)
	same("Exp(Inf)", Exp(math.Inf(1)), math.Inf(1))
	same("Exp(NaN)", Exp(math.NaN()), math.NaN())
	same("Exp(0)", Exp(0), 1)
	same("Log(0)", Log(0), math.Inf(-1))
	same("Log(-1)", Log(-1), math.NaN())
	same("Log(1)", Log(1), 0)
	same("Log(Inf)", Log(math.Inf(1)), math.Inf(1))
	same("Pow(0, 2)", Pow(0, 2), 0)
	same("Pow(0, 0)", Pow(0, 0), 1)
	same("Pow(0, -1)", Pow(0, -1), math.Inf(1))
	same("Atan2(0, 0)", Atan2(0, 0), 0)
	same("Sin(0)", Sin(0), 0)
	same("Cos(0)", Cos(0), 1)
	if d := math.Abs(Exp(-740)/math.Exp(-740) - 1); d > 1e-2 {
		t.Errorf("Exp of a subnormal is off by %g", d)
	}
	if d := math.Abs(Log(5e-324) + 744.4400719213812); d > 1e-12 {
		t.Errorf("Log of a subnormal is off by %g", d)
	}
}
