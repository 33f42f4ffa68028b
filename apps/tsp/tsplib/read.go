package tsplib

import (
	"bytes"
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
	text, err := Plain(r, file)
	if err != nil {
		return nil, err
	}
	d := &reader{lines: newLines(bytes.NewReader(text), file)}
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
	ended    bool  // by an EOF inside a section
	numbered bool  // the numbering is known: each city was named
	rows     []int // of a full matrix: the line of each number
	pairs    fixedEdges
}

// header reads entries and sections up to the end.
func (d *reader) header() error {
	for !d.ended {
		text, ok, err := d.next()
		if err != nil || !ok {
			return err
		}
		key, value := entry(text)
		switch key {
		case "EOF", "-1":
			return nil
		case "NODE_COORD_SECTION", "DISPLAY_DATA_SECTION", "EDGE_WEIGHT_SECTION", "FIXED_EDGES_SECTION":
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
	return nil
}

func (d *reader) field(key, value, line string) error {
	switch key {
	case "NAME":
		d.Name = value
	case "COMMENT":
		d.Comment = strings.TrimSpace(d.Comment + " " + value)
	case "TYPE":
		kind, _, _ := strings.Cut(value, " ")
		if d.Directed = kind == "ATSP"; !d.Directed && kind != "TSP" {
			return d.errorf("TYPE is %s, TSP (symmetric) or ATSP (asymmetric) is expected", quote(value))
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
	case key == "FIXED_EDGES_SECTION":
		return d.fixedEdges(key)
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
	case d.Cities > CitiesMaxMatrix:
		return d.errorf("DIMENSION is %d, at most %d cities are expected with a matrix", d.Cities, CitiesMaxMatrix)
	}
	want := d.Layout.count(d.Cities)
	d.Numbers = []int{}
	for k := range want {
		w, err := d.word(fmt.Sprintf("weight %d of %d", k+1, want))
		if err != nil {
			return err
		}
		x, err := strconv.ParseFloat(w, 64)
		if err == nil && d.Layout == FullMatrix && k/d.Cities == k%d.Cities {
			x = 0 // from a city to itself, where files write anything
		}
		if err != nil || x != math.Trunc(x) || math.Abs(x) > WeightMax {
			return d.errorf("weight %d is %s, a whole number of at most %d is expected", k+1, quote(w), WeightMax)
		}
		d.Numbers = append(d.Numbers, int(x))
		if d.Layout == FullMatrix {
			d.rows = append(d.rows, d.line)
		}
	}
	return d.closed(key)
}

// symmetric refuses an asymmetric matrix.
func (d *reader) symmetric() error {
	n := d.Cities
	for i := range n {
		for j := range i {
			if a, b := d.Numbers[i*n+j], d.Numbers[j*n+i]; a != b {
				return &Error{d.file, d.rows[i*n+j],
					fmt.Sprintf("the weight from %d to %d is %d and back it is %d, a symmetric matrix or TYPE: ATSP is expected", i+1, j+1, a, b)}
			}
		}
	}
	return nil
}

// points reads a section of "city x y".
func (d *reader) points(key string) ([]Point, error) {
	out := make([]Point, d.Cities+1) // by the city's number, 0 and n too
	seen := make([]bool, d.Cities+1)
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
		i, err := d.number(w[0], seen)
		if err != nil {
			return nil, err
		}
		seen[i] = true
		for c, v := range []*float64{&out[i].X, &out[i].Y} {
			x, err := strconv.ParseFloat(w[c+1], 64)
			if err != nil || !(math.Abs(x) <= coordinateMax) {
				return nil, d.errorf("coordinate %s, a number of at most %g is expected", quote(w[c+1]), coordinateMax)
			}
			*v = x
		}
	}
	d.Numbering, d.numbered = Numbering(seen[0]), true
	first := d.Numbering.First()
	return out[first : first+d.Cities], nil
}

// number is the number of a city, one of 1 to n, or of 0 to n-1; seen has those before it in its
// section.
func (d *reader) number(word string, seen []bool) (int, error) {
	n := d.Cities
	low, high := 1, n
	if d.numbered && d.Numbering == FromZero || !d.numbered && seen[0] {
		low, high = 0, n-1
	} else if !d.numbered && !seen[n] {
		low = 0
	}
	i, err := strconv.Atoi(word)
	if err != nil || i < low || i > high {
		return 0, d.errorf("city %s, a number from %d to %d is expected", quote(word), low, high)
	}
	if seen[i] {
		return 0, d.errorf("city %d for the second time, each city is expected once", i)
	}
	return i, nil
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
	case d.Metric == Geo && d.Cities > CitiesMaxMatrix:
		return d.errorf("DIMENSION is %d, at most %d cities are expected with EDGE_WEIGHT_TYPE GEO", d.Cities, CitiesMaxMatrix)
	case d.Metric != Explicit && d.Points == nil:
		return d.errorf("the file ends without a NODE_COORD_SECTION, which is expected with %s", d.Metric)
	case d.Directed && (d.Metric != Explicit || d.Layout != FullMatrix):
		return d.errorf("TYPE is ATSP without a FULL_MATRIX, which is expected with EXPLICIT")
	case d.Directed && d.Cities > CitiesMaxATSP:
		return d.errorf("TYPE is ATSP, and DIMENSION is %d: at most %d cities are expected of an asymmetric problem", d.Cities, CitiesMaxATSP)
	case d.Directed && d.pairs.read:
		return &Error{d.file, d.pairs.at, "FIXED_EDGES_SECTION with TYPE ATSP, which has ways and no edges: no such section is expected"}
	}
	if d.Metric == Explicit {
		if d.Display == nil {
			d.Display = d.Points
		}
		d.Points = nil
		if d.Layout == FullMatrix && !d.Directed {
			if err := d.symmetric(); err != nil {
				return err
			}
		}
	}
	return d.fix()
}
