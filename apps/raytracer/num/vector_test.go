package num

import (
	"fmt"
	"math"
	"testing"
)

func TestFrameIsOrthonormal(t *testing.T) {
	for i := range uint32(1000) {
		s := NewSampler(0, 0, i)
		u, v := s.Two()
		n := Cone(u, v, -1)
		if i < 2 {
			n = V{0, 0, float64(2*int(i) - 1)}
		}
		f := FrameAround(n)
		for _, d := range []float64{f.S.Dot(f.T), f.S.Dot(f.N), f.T.Dot(f.N), f.S.Len() - 1, f.T.Len() - 1, f.S.Cross(f.T).Dot(f.N) - 1} {
			if math.Abs(d) > 1e-9 {
				t.Fatalf("frame around %v is off by %g", n, d)
			}
		}
		w := V{0.1, -0.2, 0.3}
		if d := f.In(f.Out(w)).Sub(w).Len(); d > 1e-9 {
			t.Fatalf("In(Out(w)) is off by %g", d)
		}
	}
}

func TestUnitOfZero(t *testing.T) {
	if (V{}).Unit() != (V{}) {
		t.Error("the unit of the zero vector is not zero")
	}
	if (V{math.NaN(), 0, 0}).Finite() || (V{0, math.Inf(1), 0}).Finite() || !(V{1, 2, 3}).Finite() {
		t.Error("Finite is wrong")
	}
}

func ExampleV() {
	v := V{1, 2, 2}
	fmt.Println(v.Len(), v.Dot(V{0, 1, 0}), v.Cross(V{1, 0, 0}), v.Add(V{1, 1, 1}).Scale(2))
	// Output: 3 2 {0 2 -2} {4 6 6}
}

func ExampleSampler() {
	s := NewSampler(10, 20, 0)
	u, v := s.Two()
	fmt.Printf("%.3f %.3f %.3f\n", u, v, s.One())
	// Output: 0.383 0.636 0.491
}
