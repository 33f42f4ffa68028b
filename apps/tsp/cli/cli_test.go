package cli

import (
	"strings"
	"testing"

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

// TestRefused says what is wrong in one line, and writes nothing.
func TestRefused(t *testing.T) {
	folder, in := programtest.Folder(t, map[string]string{
		"a.tsp":  square,
		"b.tsp":  strings.Replace(square, "4 1 1", "4 1 x", 1),
		"m.tsp":  "DIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: UPPER_ROW\nEDGE_WEIGHT_SECTION\n1 2 3\n",
		"b.tour": "TOUR_SECTION\n1 2 3 3\n",
	})
	for _, c := range []struct {
		want, input string
		flags       []string
	}{
		{"none.tsp: no such file or directory", "none.tsp", nil},
		{`b.tsp:9: coordinate "x", a number of at most 1e+09 is expected`, "b.tsp", nil},
		{"b.tour:2: city 3 for the second time", "a.tsp", []string{"--initial", in("b.tour")}},
		{"a name that ends in .svg or .png is expected", "a.tsp", []string{"-o", in("a.jpg")}},
		{"coordinates are expected for a picture", "m.tsp", []string{"-o", in("m.svg")}},
		{"-o " + in("none/a.svg") + ": there is no folder", "a.tsp", []string{"-o", in("none/a.svg")}},
		{"--tally " + in("none/tally") + ": no such file", "a.tsp", []string{"--tally", in("none/tally")}},
		{"--tally: the peers of --join cannot count", "a.tsp", []string{"--tally", in("tally"), "--join", in("a.ticket")}},
		{"--proof " + in("none/a.proof") + ": there is no folder", "a.tsp", []string{"--proof", in("none/a.proof")}},
	} {
		programtest.Refused(t, Application(), c.want, in(c.input), c.flags...)
	}
	programtest.Alone(t, folder, "a.tsp", "b.tour", "b.tsp", "m.tsp")
}
