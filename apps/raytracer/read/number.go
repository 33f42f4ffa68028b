package read

import (
	"math"
	"strconv"

	"satingrid/apps/raytracer/num"
)

// numberMax bounds what a file may say of a place, a colour or a size, as a scene does.
const numberMax = 1e12

// number is field i of the line, as a number.
func (l *lines) number(i int) (float64, error) {
	x, err := strconv.ParseFloat(l.fields[i], 64)
	if err != nil || !(math.Abs(x) <= numberMax) {
		return 0, l.fault("%q in place %d after %q; expected a number", l.fields[i], i, l.fields[0])
	}
	return x, nil
}

// numbers are fields 1 to n of the line.
func (l *lines) numbers(n int) ([]float64, error) {
	if len(l.fields) < n+1 {
		return nil, l.fault("%q with %d numbers; expected %d", l.fields[0], len(l.fields)-1, n)
	}
	out := make([]float64, n)
	for i := range out {
		var err error
		if out[i], err = l.number(i + 1); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// vector is fields 1 to 3 of the line.
func (l *lines) vector() (num.V, error) {
	x, err := l.numbers(3)
	if err != nil {
		return num.V{}, err
	}
	return num.V{X: x[0], Y: x[1], Z: x[2]}, nil
}
