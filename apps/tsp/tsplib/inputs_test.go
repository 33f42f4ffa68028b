package tsplib

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// packed is a text, compressed.
func packed(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const five = "DIMENSION: 5\nEDGE_WEIGHT_TYPE: EUC_2D\n"

var (
	fixedFiles = []string{
		five + "FIXED_EDGES_SECTION\n1 4\n5 4\n-1\nNODE_COORD_SECTION\n1 0 0\n2 1 0\n3 2 0\n4 3 0\n5 4 0\nEOF\n",
		five + "NODE_COORD_SECTION\n1 0 0\n2 1 0\n3 2 0\n4 3 0\n5 4 0\nFIXED_EDGES_SECTION:\n 1  4 5 4 -1\nEOF\n",
		five + "NODE_COORD_SECTION\n1 0 0\n2 1 0\n3 2 0\n4 3 0\n5 4 0\nFIXED_EDGES_SECTION\n1\n4\n5 4\nEOF\n",
		five + "NODE_COORD_SECTION\n1 0 0\n2 1 0\n3 2 0\n4 3 0\n5 4 0\nFIXED_EDGES_SECTION\n1 4\n5 4\n",
	}
	zeroFiles = []string{
		five + "FIXED_EDGES_SECTION\n0 3\n4 3\n-1\nNODE_COORD_SECTION\n0 0 0\n1 1 0\n2 2 0\n3 3 0\n4 4 0\nEOF\n",
		five + "NODE_COORD_SECTION\n4 4 0\n3 3 0\n2 2 0\n1 1 0\n0 0 0\nFIXED_EDGES_SECTION\n0 3\n4 3\n-1\nEOF\n",
	}
)

const arcsFile = "TYPE: ATSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: FULL_MATRIX\nEDGE_WEIGHT_SECTION\n1e12 1 2\n3 9999999999 4\n5 6 -1\nEOF\n"

// TestFixedEdges reads the same edges wherever they stand, and however cities are numbered.
func TestFixedEdges(t *testing.T) {
	for k, text := range append(slices.Clone(fixedFiles), zeroFiles...) {
		p, err := Read(strings.NewReader(text), "f")
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if want := Numbering(k >= len(fixedFiles)); fmt.Sprint(p.Fixed) != "[[0 3] [4 3]]" || p.Numbering != want || p.Points[3].X != 3 {
			t.Errorf("%q: fixed %v, points %v, from zero %v", text, p.Fixed, p.Points, p.Numbering)
		}
	}
}

// TestPacked reads what gzip has compressed, whatever its name is.
func TestPacked(t *testing.T) {
	text := fixedFiles[0]
	p, err := Read(bytes.NewReader(packed(t, text)), "f")
	if err != nil || p.Cities != 5 || len(p.Fixed) != 2 {
		t.Errorf("%+v, %v", p, err)
	}
	tour, err := ReadTour(bytes.NewReader(packed(t, "TOUR_SECTION\n3 1\n4 2\n")), "f", 4, FromOne)
	if err != nil || !slices.Equal(tour, []int{2, 0, 3, 1}) {
		t.Errorf("%v, %v", tour, err)
	}
	whole := packed(t, text)
	spoilt := bytes.Clone(whole)
	spoilt[len(spoilt)-6] ^= 1 // of the sum
	for want, file := range map[string][]byte{
		"f:1: the file begins as one of gzip, and is none (unexpected EOF)":  whole[:5],
		"f:1: the file of gzip is damaged, or not whole (unexpected EOF)":    whole[:len(whole)/2],
		"the file of gzip is damaged, or not whole (gzip: invalid checksum)": spoilt,
		"f:1: the line is longer than 1048576 bytes":                         packed(t, strings.Repeat("x", 2*lineMax)),
		"the text is longer than 67108864 bytes; less is expected":           packed(t, strings.Repeat("\n", textMax+10)),
		"f:1: \"hello\" is not known":                                        packed(t, "hello"),
	} {
		if _, err := Read(bytes.NewReader(file), "f"); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := Read(strings.NewReader(strings.Repeat("\n", textMax+10)), "f"); err == nil || !strings.Contains(err.Error(), "the text is longer") {
		t.Error(err)
	}
}

// TestDirected reads an asymmetric matrix as it stands, whatever is on its diagonal.
func TestDirected(t *testing.T) {
	p, err := Read(strings.NewReader(arcsFile), "f")
	if err != nil || !p.Directed || p.Number(0, 1) != 1 || p.Number(1, 0) != 3 || p.Number(2, 1) != 6 {
		t.Errorf("%+v, %v", p, err)
	}
	late := "TYPE: ATSP\n" + strings.Replace(arcsFile, "TYPE: ATSP\n", "", 1)
	if p, err := Read(strings.NewReader(late), "f"); err != nil || !p.Directed {
		t.Errorf("%+v, %v", p, err)
	}
}

// TestFewCities reads problems of one and of two, however they are written.
func TestFewCities(t *testing.T) {
	const explicit = "EDGE_WEIGHT_TYPE: EXPLICIT\n"
	for text, want := range map[string]int{
		"DIMENSION: 1\nEDGE_WEIGHT_TYPE: GEO\nNODE_COORD_SECTION\n1 10.1 1\nEOF\n":                            1,
		"DIMENSION: 1\nEDGE_WEIGHT_TYPE: GEO\nNODE_COORD_SECTION\n0 10.1 1\nEOF\n":                            1,
		"DIMENSION: 1\n" + explicit + "EDGE_WEIGHT_FORMAT: UPPER_ROW\nEDGE_WEIGHT_SECTION\nEOF\n":             1,
		"DIMENSION: 1\n" + explicit + "EDGE_WEIGHT_FORMAT: LOWER_DIAG_COL\nEDGE_WEIGHT_SECTION\n0\nEOF\n":     1,
		"DIMENSION: 2\n" + explicit + "EDGE_WEIGHT_FORMAT: UPPER_COL\nEDGE_WEIGHT_SECTION\n7\nEOF\n":          2,
		"DIMENSION: 2\n" + explicit + "EDGE_WEIGHT_FORMAT: FULL_MATRIX\nEDGE_WEIGHT_SECTION\n0 7 7 0\nEOF\n":  2,
		"TYPE: ATSP\nDIMENSION: 1\n" + explicit + "EDGE_WEIGHT_FORMAT: FULL_MATRIX\nEDGE_WEIGHT_SECTION\n0\n": 1,
	} {
		p, err := Read(strings.NewReader(text), "f")
		if err != nil || p.Cities != want || p.Cities == 2 && p.Number(1, 0) != 7 {
			t.Errorf("%q: %+v, %v", text, p, err)
		}
	}
}

// TestWrongInputs says file, line and what is expected.
func TestWrongInputs(t *testing.T) {
	const (
		coords = "NODE_COORD_SECTION\n1 0 0\n2 1 0\n3 2 0\n4 3 0\n5 4 0\n"
		zeros  = "NODE_COORD_SECTION\n0 0 0\n1 1 0\n2 2 0\n3 3 0\n4 4 0\n"
		fixed  = five + "FIXED_EDGES_SECTION\n"
		arcs   = "TYPE: ATSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\n"
	)
	for _, c := range []struct{ text, want string }{
		{five + "NODE_COORD_SECTION\n0 0 0\n5 1 0\n", `f:5: city "5", a number from 0 to 4 is expected`},
		{five + "NODE_COORD_SECTION\n5 0 0\n0 1 0\n", `f:5: city "0", a number from 1 to 5 is expected`},
		{five + "NODE_COORD_SECTION\n-1 0 0\n", `f:4: city "-1", a number from 0 to 5 is expected`},
		{five + coords + "DISPLAY_DATA_SECTION\n0 0 0\n", `f:10: city "0", a number from 1 to 5 is expected`},
		{five + zeros + "DISPLAY_DATA_SECTION\n1 0 0\n5 0 0\n", `f:11: city "5", a number from 0 to 4 is expected`},
		{fixed + "0 1\n-1\n" + coords, "f:4: city 0 in a fixed edge, a number from 1 to 5 is expected"},
		{fixed + "1 2\n3 5\n-1\n" + zeros, "f:5: city 5 in a fixed edge, a number from 0 to 4 is expected"},
		{fixed + "1 6\n", `f:4: city "6", a number from 1 to 5, or -1 at the end`},
		{fixed + "1 -2\n", `f:4: city "-2", a number from 1 to 5, or -1`},
		{fixed + "1 x\n", `f:4: city "x", a number from 1 to 5, or -1`},
		{fixed + "1 2\n3\n-1\n", "f:6: the fixed edges end with city 3 alone, a pair"},
		{fixed + "1 2\n3\n", "f:5: the fixed edges end with city 3 alone"},
		{fixed + "1 2 -1 3\n", `f:4: "3" behind the end of FIXED_EDGES_SECTION`},
		{fixed + "-1\nFIXED_EDGES_SECTION\n", "f:5: a second FIXED_EDGES_SECTION"},
		{fixed + "1 2 1 2 1 2 1 2 1 2\n1 2\n", "f:5: more fixed edges than the 5 of a tour"},
		{fixed + "2 2\n-1\n" + coords, "f:4: the fixed edge 2-2 joins a city to itself"},
		{fixed + "1 2\n2 1\n-1\n" + coords, "f:5: the fixed edge 2-1 is there for the second time"},
		{fixed + "1 2\n1 3\n1 4\n-1\n" + coords, "f:6: the fixed edge 1-4 is the third at a city"},
		{fixed + "0 2\n0 3\n3 2\n-1\n" + zeros, "f:6: the fixed edge 3-2 closes a ring"},
		{arcs + "EDGE_WEIGHT_FORMAT: UPPER_ROW\nEDGE_WEIGHT_SECTION\n1 2 3\n", "f:6: TYPE is ATSP without a FULL_MATRIX"},
		{"TYPE: ATSP\n" + five + coords, "f:9: TYPE is ATSP without a FULL_MATRIX"},
		{arcs + "EDGE_WEIGHT_FORMAT: FULL_MATRIX\nEDGE_WEIGHT_SECTION\n0 1 2 1 0 2 2 2 x\n", `f:6: weight 9 is "x"`},
		{arcsFile[:len(arcsFile)-4] + "FIXED_EDGES_SECTION\n1 2\n-1\n", "f:9: FIXED_EDGES_SECTION with TYPE ATSP, which has ways and no edges"},
		{"TYPE: ATSP\nDIMENSION: 1001\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: FULL_MATRIX\nEDGE_WEIGHT_SECTION\n" +
			strings.Repeat(strings.Repeat("1 ", 1001)+"\n", 1001), "f:1006: TYPE is ATSP, and DIMENSION is 1001: at most 1000 cities"},
		{"DIMENSION: 2001\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: UPPER_ROW\nEDGE_WEIGHT_SECTION\n", "f:4: DIMENSION is 2001, at most 2000 cities are expected with a matrix"},
		{"DIMENSION: 2001\nEDGE_WEIGHT_TYPE: GEO\n", "f:2: DIMENSION is 2001, at most 2000 cities are expected with EDGE_WEIGHT_TYPE GEO"},
		{"DIMENSION: 1\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: UPPER_ROW\n", "f:3: the file ends without an EDGE_WEIGHT_SECTION"},
	} {
		_, err := Read(strings.NewReader(c.text), "f")
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.90q: %v, want %s…", c.text, err, c.want)
		}
	}
}

// TestToursFromZero are numbered as their problem.
func TestToursFromZero(t *testing.T) {
	var b bytes.Buffer
	if err := WriteTour(&b, "a", "b", []int{2, 0, 1}, FromZero); err != nil || !strings.Contains(b.String(), "TOUR_SECTION\n2\n0\n1\n-1\n") {
		t.Errorf("%s, %v", &b, err)
	}
	if tour, err := ReadTour(&b, "f", 3, FromZero); err != nil || !slices.Equal(tour, []int{2, 0, 1}) {
		t.Errorf("%v, %v", tour, err)
	}
	if _, err := ReadTour(strings.NewReader("TOUR_SECTION\n1 2 3\n"), "f", 3, FromZero); err == nil || err.Error() != `f:2: city "3", a number from 0 to 2 is expected` {
		t.Error(err)
	}
}
