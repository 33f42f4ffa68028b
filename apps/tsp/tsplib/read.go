package tsplib

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// coordinateMax bounds coordinates, so that their differences squared are far from overflow.
const coordinateMax = 1e9

// Read reads a problem; file is the name that errors say.
func Read(r io.Reader, file string) (*Problem, error) {
	d := &reader{lines: newLines(r, file)}
	if err := d.header(); err != nil {
		return nil, err
	}
	if err := d.complete(); err != nil {
		return nil, err
	}
	return &d.Problem, nil
}

// reader is a problem half read.
type reader struct {
	Problem
	*lines
}

// header reads entries and sections up to the end.
func (d *reader) header() error {
	for {
		text, ok, err := d.next()
		if err != nil || !ok {
			return err
		}
		key, value := entry(text)
		switch key {
		case "EOF", "-1":
			return nil
		case "NODE_COORD_SECTION", "DISPLAY_DATA_SECTION", "EDGE_WEIGHT_SECTION":
			if value != "" {
				return d.errorf("%s stands behind %s, the end of the line is expected", quote(value), key)
			}
			err = d.section(key)
		default:
			err = d.field(key, value, text)
		}
		if err != nil {
			return err
		}
	}
}

func (d *reader) field(key, value, line string) error {
	switch key {
	case "NAME":
		d.Name = value
	case "COMMENT":
		d.Comment = strings.TrimSpace(d.Comment + " " + value)
	case "TYPE":
		if kind, _, _ := strings.Cut(value, " "); kind != "TSP" {
			return d.errorf("TYPE is %s, TSP (symmetric) is expected", quote(value))
		}
	case "DIMENSION":
		n, err := strconv.Atoi(value)
		if err != nil || n < CitiesMin || n > CitiesMax {
			return d.errorf("DIMENSION is %s, %d to %d cities are expected", quote(value), CitiesMin, CitiesMax)
		}
		if d.Cities != 0 && d.Cities != n {
			return d.errorf("DIMENSION is %d, but it was %d before", n, d.Cities)
		}
		d.Cities = n
	case "EDGE_WEIGHT_TYPE":
		d.Metric = Metric(value)
		if !slices.Contains(metrics, d.Metric) {
			return d.errorf("EDGE_WEIGHT_TYPE is %s, one of %v is expected", quote(value), metrics)
		}
	case "EDGE_WEIGHT_FORMAT":
		d.Layout = Layout(value)
		if value != "FUNCTION" && !slices.Contains(layouts, d.Layout) {
			return d.errorf("EDGE_WEIGHT_FORMAT is %s, one of %v is expected", quote(value), layouts)
		}
	case "NODE_COORD_TYPE":
		if value != "TWOD_COORDS" && value != "NO_COORDS" {
			return d.errorf("NODE_COORD_TYPE is %s, TWOD_COORDS is expected", quote(value))
		}
	case "DISPLAY_DATA_TYPE", "CAPACITY":
	default:
		return d.errorf("%s is not known, an entry of a TSPLIB95 header such as DIMENSION, or a section, is expected", quote(line))
	}
	return nil
}

func (d *reader) section(key string) (err error) {
	switch {
	case d.Cities == 0:
		return d.errorf("%s comes before DIMENSION, which is expected first", key)
	case key == "EDGE_WEIGHT_SECTION":
		return d.matrix()
	case key == "NODE_COORD_SECTION":
		if d.Points != nil {
			return d.errorf("a second %s, one is expected", key)
		}
		d.Points, err = d.points(key)
	default:
		if d.Display != nil {
			return d.errorf("a second %s, one is expected", key)
		}
		d.Display, err = d.points(key)
	}
	return err
}

// matrix reads an EDGE_WEIGHT_SECTION.
func (d *reader) matrix() error {
	const key = "EDGE_WEIGHT_SECTION"
	switch {
	case d.Metric == "":
		return d.errorf("%s comes before EDGE_WEIGHT_TYPE, which is expected first", key)
	case d.Metric != Explicit:
		return d.errorf("%s with EDGE_WEIGHT_TYPE %s, EXPLICIT is expected", key, d.Metric)
	case !slices.Contains(layouts, d.Layout):
		return d.errorf("%s without an EDGE_WEIGHT_FORMAT, one of %v is expected before it", key, layouts)
	case d.Numbers != nil:
		return d.errorf("a second %s, one is expected", key)
	}
	want := d.Layout.count(d.Cities)
	where := make([]int32, 0, min(want, 1<<16)) // lines, of a full matrix
	for k := range want {
		w, err := d.word(fmt.Sprintf("weight %d of %d", k+1, want))
		if err != nil {
			return err
		}
		x, err := strconv.ParseFloat(w, 64)
		if err != nil || x != math.Trunc(x) || math.Abs(x) > WeightMax {
			return d.errorf("weight %d is %s, a whole number of at most %d is expected", k+1, quote(w), WeightMax)
		}
		d.Numbers = append(d.Numbers, int(x))
		if d.Layout == FullMatrix {
			where = append(where, int32(d.line))
		}
	}
	if d.Layout == FullMatrix {
		if err := d.symmetric(where); err != nil {
			return err
		}
	}
	return d.closed(key)
}

// symmetric refuses an asymmetric matrix; where has the line of each number.
func (d *reader) symmetric(where []int32) error {
	n := d.Cities
	for i := range n {
		for j := range i {
			if a, b := d.Numbers[i*n+j], d.Numbers[j*n+i]; a != b {
				return &Error{d.file, int(where[i*n+j]),
					fmt.Sprintf("the weight from %d to %d is %d and back it is %d, a symmetric matrix is expected", i+1, j+1, a, b)}
			}
		}
	}
	return nil
}

// points reads a section of "city x y".
func (d *reader) points(key string) ([]Point, error) {
	out := make([]Point, d.Cities)
	seen := make([]bool, d.Cities)
	for k := range d.Cities {
		text, ok, err := d.next()
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, d.errorf("the file ends after %d of %d lines of %s", k, d.Cities, key)
		}
		w := strings.Fields(text)
		if len(w) != 3 {
			return nil, d.errorf("%s, line %d of %d: %s, a city and its two coordinates are expected", key, k+1, d.Cities, quote(text))
		}
		i, err := strconv.Atoi(w[0])
		if err != nil || i < 1 || i > d.Cities {
			return nil, d.errorf("city %s, a number from 1 to %d is expected", quote(w[0]), d.Cities)
		}
		if seen[i-1] {
			return nil, d.errorf("city %d for the second time, each city is expected once", i)
		}
		seen[i-1] = true
		for c, v := range []*float64{&out[i-1].X, &out[i-1].Y} {
			x, err := strconv.ParseFloat(w[c+1], 64)
			if err != nil || !(math.Abs(x) <= coordinateMax) {
				return nil, d.errorf("coordinate %s, a number of at most %g is expected", quote(w[c+1]), coordinateMax)
			}
			*v = x
		}
	}
	return out, nil
}

// complete says what a file that has ended lacks.
func (d *reader) complete() error {
	switch {
	case d.Cities == 0:
		return d.errorf("the file ends without a DIMENSION, which is expected")
	case d.Metric == "":
		return d.errorf("the file ends without an EDGE_WEIGHT_TYPE, which is expected")
	case d.Metric == Explicit && d.Numbers == nil:
		return d.errorf("the file ends without an EDGE_WEIGHT_SECTION, which is expected with EXPLICIT")
	case d.Metric != Explicit && d.Points == nil:
		return d.errorf("the file ends without a NODE_COORD_SECTION, which is expected with %s", d.Metric)
	case d.Metric == Explicit:
		if d.Display == nil {
			d.Display = d.Points
		}
		d.Points = nil
	}
	return nil
}
