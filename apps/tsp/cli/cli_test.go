package cli

import (
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"satingrid/satin/program"
	"satingrid/satin/program/programtest"
)

// square is a problem with coordinates.
const square = `NAME: square
TYPE: TSP
DIMENSION: 4
EDGE_WEIGHT_TYPE: MAN_2D
NODE_COORD_SECTION
1 0 0
2 1 0
3 0 1
4 1 1
EOF
`

// TestInputs names the input as the answer does, whatever has packed it.
func TestInputs(t *testing.T) {
	var b strings.Builder
	z := gzip.NewWriter(&b)
	io.WriteString(z, square)
	z.Close()
	_, in := programtest.Folder(t, map[string]string{"a.tsp.gz": b.String(), "b": b.String()})
	programtest.Names(t, Application(), program.Embedded, "")
	programtest.Names(t, Application(), in("a.tsp.gz"), in("a.tsp.gz"))
	programtest.Names(t, Application(), in("b"), in("b"), "--initial", tourFile(t))
}

// tourFile is a tour through the square, packed.
func tourFile(t *testing.T) string {
	var b strings.Builder
	z := gzip.NewWriter(&b)
	io.WriteString(z, "TOUR_SECTION\n4 3 1 2 -1\n")
	z.Close()
	_, in := programtest.Folder(t, map[string]string{"tour.gz": b.String()})
	return in("tour.gz")
}

// TestRefused says what is wrong in one line, and writes nothing.
func TestRefused(t *testing.T) {
	folder, in := programtest.Folder(t, map[string]string{
		"a.tsp":   square,
		"b.tsp":   strings.Replace(square, "4 1 1", "4 1 x", 1),
		"m.tsp":   "DIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: UPPER_ROW\nEDGE_WEIGHT_SECTION\n1 2 3\n",
		"z.tsp":   strings.NewReplacer("4 1 1", "0 1 1", "EOF", "FIXED_EDGES_SECTION\n0 3\n-1\nEOF").Replace(square),
		"z.tour":  "TOUR_SECTION\n0 1 3 2\n",
		"z1.tour": "TOUR_SECTION\n1 4 3 2\n",
		"f.tsp":   "TYPE: ATSP\nDIMENSION: 2\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: FULL_MATRIX\nEDGE_WEIGHT_SECTION\n0 1 2 0\nFIXED_EDGES_SECTION\n1 2\n-1\n",
		"b.tour":  "TOUR_SECTION\n1 2 3 3\n",
	})
	for _, c := range []struct {
		want, input string
		flags       []string
	}{
		{"none.tsp: no such file or directory", "none.tsp", nil},
		{`b.tsp:9: coordinate "x", a number of at most 1e+09 is expected`, "b.tsp", nil},
		{"b.tour:2: city 3 for the second time", "a.tsp", []string{"--initial", in("b.tour")}},
		{"tsp: the initial tour has not the fixed edge 0-3", "z.tsp", []string{"--initial", in("z.tour")}},
		{"z1.tour:2: city \"4\", a number from 0 to 3 is expected", "z.tsp", []string{"--initial", in("z1.tour")}},
		{"f.tsp:7: FIXED_EDGES_SECTION with TYPE ATSP", "f.tsp", nil},
		{"a name that ends in .svg or .png is expected", "a.tsp", []string{"-o", in("a.jpg")}},
		{"coordinates are expected for a picture", "m.tsp", []string{"-o", in("m.svg")}},
		{"-o " + in("none/a.svg") + ": there is no folder", "a.tsp", []string{"-o", in("none/a.svg")}},
		{"--tally " + in("none/tally") + ": no such file", "a.tsp", []string{"--tally", in("none/tally")}},
		{"--tally: the peers of --join cannot count", "a.tsp", []string{"--tally", in("tally"), "--join", in("a.ticket")}},
		{"--proof " + in("none/a.proof") + ": there is no folder", "a.tsp", []string{"--proof", in("none/a.proof")}},
	} {
		programtest.Refused(t, Application(), c.want, in(c.input), c.flags...)
	}
	programtest.Alone(t, folder, "a.tsp", "b.tour", "b.tsp", "f.tsp", "m.tsp", "z.tour", "z.tsp", "z1.tour")
}
