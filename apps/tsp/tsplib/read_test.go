package tsplib

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestHeaders reads one problem written in the ways that are seen.
func TestHeaders(t *testing.T) {
	for _, text := range []string{
		"NAME : a\nTYPE : TSP\nDIMENSION : 3\nEDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 3 0\n3 0 4\nEOF\n",
		"NAME: a\nTYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION:\n1 0 0\n2 3 0\n3 0 4",
		"NAME:a\r\nDIMENSION:3 \r\nEDGE_WEIGHT_TYPE:EUC_2D\r\nEDGE_WEIGHT_FORMAT: FUNCTION\r\n NODE_COORD_SECTION  \r\n 3 0 4e0\r\n\r\n 1 0.0 -0\r\n 2 +3 0\r\n EOF\r\n\r\n",
		"NAME : a\nTYPE : TSP (M.~Hofmeister)\nDIMENSION : 3\nEDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_TYPE : TWOD_COORDS\nNODE_COORD_SECTION\n1 0 0\n2 3 0\n3 0 4\n-1\nEOF\n",
	} {
		p, err := Read(strings.NewReader(text), "a.tsp")
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		want := []Point{{0, 0}, {3, 0}, {0, 4}}
		if p.Name != "a" || p.Cities != 3 || p.Metric != Euc2D || !slices.Equal(p.Points, want) {
			t.Errorf("%q: %+v", text, p)
		}
	}
}

// TestLayouts writes one matrix in all layouts, its numbers broken into lines anywhere.
func TestLayouts(t *testing.T) {
	const n = 5
	weight := func(i, j int) int {
		if i == j {
			return 0
		}
		return 10*min(i, j) + max(i, j)
	}
	upper := func(i, j int) bool { return i < j }
	lower := func(i, j int) bool { return i > j }
	upperDiag := func(i, j int) bool { return i <= j }
	lowerDiag := func(i, j int) bool { return i >= j }
	keep := map[Layout]func(i, j int) bool{
		FullMatrix: func(i, j int) bool { return true },
		UpperRow:   upper, LowerRow: lower, UpperDiagRow: upperDiag, LowerDiagRow: lowerDiag,
		UpperCol: upper, LowerCol: lower, UpperDiagCol: upperDiag, LowerDiagCol: lowerDiag,
	}
	if len(layouts) != len(keep) {
		t.Fatalf("%d layouts, %d are tried", len(layouts), len(keep))
	}
	for _, layout := range layouts {
		var text strings.Builder
		fmt.Fprintf(&text, "DIMENSION: %d\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: %s\nEDGE_WEIGHT_SECTION\n", n, layout)
		for first := range n {
			for second := range n {
				i, j := first, second
				if strings.HasSuffix(string(layout), "COL") {
					i, j = second, first
				}
				if keep[layout](i, j) {
					fmt.Fprintf(&text, "%d%c", weight(i, j), " \n"[(i*j)%2])
				}
			}
		}
		text.WriteString("\nDISPLAY_DATA_SECTION\n1 1 1\n2 1 2\n3 1 3\n4 1 4\n5 1 5\nEOF\n")
		p, err := Read(strings.NewReader(text.String()), "m.tsp")
		if err != nil {
			t.Fatalf("%s: %v", layout, err)
		}
		for i := range n {
			for j := range n {
				if i != j && p.Number(i, j) != weight(i, j) {
					t.Errorf("%s: %d-%d is %d, want %d", layout, i, j, p.Number(i, j), weight(i, j))
				}
			}
		}
		if len(p.Display) != n || p.Display[4] != (Point{1, 5}) {
			t.Errorf("%s: display data are %v", layout, p.Display)
		}
	}
}

// TestErrors says file, line and what is expected.
func TestErrors(t *testing.T) {
	const head = "DIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\n"
	const matrix = "DIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: FULL_MATRIX\n"
	for _, c := range []struct{ text, want string }{
		{"", "f:1: the file ends without a DIMENSION"},
		{"hello\n", `f:1: "hello" is not known`},
		{"TYPE: ATSP\n", `f:1: the file ends without a DIMENSION`},
		{"TYPE: HCP\n", `f:1: TYPE is "HCP", TSP (symmetric) or ATSP (asymmetric) is expected`},
		{"DIMENSION: 0\n", `f:1: DIMENSION is "0", 1 to 20000 cities are expected`},
		{"DIMENSION: 1e9\n", `f:1: DIMENSION is "1e9"`},
		{"DIMENSION: 5\nDIMENSION: 6\n", "f:2: DIMENSION is 6, but it was 5 before"},
		{"EDGE_WEIGHT_TYPE: EUC_3D\n", `f:1: EDGE_WEIGHT_TYPE is "EUC_3D", one of [EUC_2D`},
		{"EDGE_WEIGHT_FORMAT: UPPER_COLUMN\n", `f:1: EDGE_WEIGHT_FORMAT is "UPPER_COLUMN"`},
		{"FIXED_EDGES_SECTION\n1 2\n-1\n", `f:1: FIXED_EDGES_SECTION comes before DIMENSION`},
		{"NODE_COORD_SECTION\n", "f:1: NODE_COORD_SECTION comes before DIMENSION"},
		{head, "f:2: the file ends without a NODE_COORD_SECTION"},
		{head + "NODE_COORD_SECTION\n1 0 0\n", "f:4: the file ends after 1 of 3 lines of NODE_COORD_SECTION"},
		{head + "NODE_COORD_SECTION\n1 0\n", `f:4: NODE_COORD_SECTION, line 1 of 3: "1 0", a city and its two`},
		{head + "NODE_COORD_SECTION\n4 0 0\n", `f:4: city "4", a number from 0 to 3 is expected`},
		{head + "NODE_COORD_SECTION\n1 0 0\n1 0 0\n", "f:5: city 1 for the second time"},
		{head + "NODE_COORD_SECTION\n1 0 NaN\n", `f:4: coordinate "NaN", a number`},
		{head + "NODE_COORD_SECTION\n1 0 1e99\n", `f:4: coordinate "1e99", a number of at most 1e+09`},
		{head + "EDGE_WEIGHT_SECTION\n", "f:3: EDGE_WEIGHT_SECTION with EDGE_WEIGHT_TYPE EUC_2D, EXPLICIT is expected"},
		{"DIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_SECTION\n", "f:3: EDGE_WEIGHT_SECTION without an EDGE_WEIGHT_FORMAT"},
		{matrix + "EDGE_WEIGHT_SECTION\n0 1 2\n1 0 3\n2 3 x\n", `f:7: weight 9 is "x", a whole number`},
		{matrix + "EDGE_WEIGHT_SECTION\n0 1 2\n1 0 3\n2 4 0\n", "f:7: the weight from 3 to 2 is 4 and back it is 3, a symmetric matrix or TYPE: ATSP is expected"},
		{matrix + "EDGE_WEIGHT_SECTION\n0 1 2\n1 0 3\n2 3\n", "f:7: the file ends here, weight 9 of 9 is expected"},
		{matrix + "EDGE_WEIGHT_SECTION\n0 1 2 1 0 3 2 3 0 9\n", `f:5: EDGE_WEIGHT_SECTION is complete before "9"`},
		{matrix + "EDGE_WEIGHT_SECTION\n0 1 2 1.5\n", `f:5: weight 4 is "1.5", a whole number`},
		{"COMMENT: " + strings.Repeat("x", lineMax), "f:1: the line is longer than"},
	} {
		_, err := Read(strings.NewReader(c.text), "f")
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%.60q: %v, want %s…", c.text, err, c.want)
		}
	}
}

// TestTours reads tours as they are seen, and says what is wrong with others.
func TestTours(t *testing.T) {
	for _, text := range []string{
		"NAME : a\nTYPE : TOUR\nDIMENSION : 4\nTOUR_SECTION\n3\n1\n4\n2\n-1\nEOF\n",
		"NAME: a\nTYPE: TOUR\nTOUR_SECTION:\n3 1 4 2 -1\nEOF\n",
		"TOUR_SECTION\n3 1\n4 2\n",
		"TOUR_SECTION\n3 1\n4 2\nEOF",
	} {
		tour, err := ReadTour(strings.NewReader(text), "f", 4, FromOne)
		if err != nil || !slices.Equal(tour, []int{2, 0, 3, 1}) {
			t.Errorf("%q: %v, %v", text, tour, err)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"", "f:1: the file ends without a TOUR_SECTION"},
		{"TYPE: TSP\n", `f:1: TYPE is "TSP", TOUR is expected`},
		{"DIMENSION: 5\n", `f:1: DIMENSION is "5", 4 is expected, as in the problem`},
		{"what\n", `f:1: "what" is not known`},
		{"TOUR_SECTION\n1 2\n3\n-1\n", "f:4: the tour ends after 3 cities, 4 are expected"},
		{"TOUR_SECTION\n1 2\n2\n", "f:3: city 2 for the second time"},
		{"TOUR_SECTION\n1 0\n", `f:2: city "0", a number from 1 to 4 is expected`},
		{"TOUR_SECTION\n1 2 3\n", "f:2: the file ends here, city 4 of the tour's 4 is expected"},
		{"TOUR_SECTION\n1 2 3 4 5\n", `f:2: "5" after all 4 cities, -1 is expected`},
	} {
		_, err := ReadTour(strings.NewReader(c.text), "f", 4, FromOne)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s…", c.text, err, c.want)
		}
	}
}

func ExampleWriteTour() {
	WriteTour(os.Stdout, "square", "length 4", []int{0, 1, 2, 3}, FromOne)
	// Output:
	// NAME : square
	// COMMENT : length 4
	// TYPE : TOUR
	// DIMENSION : 4
	// TOUR_SECTION
	// 1
	// 2
	// 3
	// 4
	// -1
	// EOF
}

// TestShared reads all problems and tours of the shared data.
func TestShared(t *testing.T) {
	folder := os.Getenv("SATIN_DATA")
	if folder == "" {
		t.Skip("SATIN_DATA is not set: the shared instances are missing")
	}
	problems, _ := filepath.Glob(filepath.Join(folder, "tsp", "*.tsp"))
	for _, name := range problems {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := Read(f, name)
		f.Close()
		if err != nil {
			t.Error(err)
			continue
		}
		f, err = os.Open(strings.TrimSuffix(name, ".tsp") + ".opt.tour")
		if err == nil {
			if _, err := ReadTour(f, f.Name(), p.Cities, p.Numbering); err != nil {
				t.Error(err)
			}
			f.Close()
		}
	}
	if len(problems) < 20 {
		t.Errorf("%d problems in %s", len(problems), folder)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("NAME : a\nTYPE : TSP\nDIMENSION : 3\nEDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 3 0\n3 0 4\nEOF\n")
	f.Add("DIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: UPPER_DIAG_ROW\nEDGE_WEIGHT_SECTION\n0 1 2 0 3 0\nDISPLAY_DATA_SECTION\n1 1 1\n2 1 1\n3 1 1\n")
	for _, text := range append(slices.Clone(fixedFiles), zeroFiles...) {
		f.Add(text)
		f.Add(string(packed(f, text)))
	}
	f.Add(arcsFile)
	f.Add("DIMENSION: 1\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: LOWER_COL\nEDGE_WEIGHT_SECTION\nEOF\n")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Read(strings.NewReader(text), "f")
		if err != nil {
			var where *Error
			if !errors.As(err, &where) || where.Line < 1 || where.File != "f" {
				t.Fatalf("an error without file and line: %v", err)
			}
			return
		}
		if p.Cities < CitiesMin || p.Cities > CitiesMax || p.Directed && p.Cities > CitiesMaxATSP {
			t.Fatalf("%d cities", p.Cities)
		}
		if _, what := FaultOfFixed(p.Cities, p.Fixed); what != "" || p.Directed && p.Fixed != nil {
			t.Fatalf("the fixed edges %v", p.Fixed)
		}
		if p.Metric == Explicit {
			if p.Cities > 1 && !p.Directed && p.Number(0, p.Cities-1) != p.Number(p.Cities-1, 0) {
				t.Fatal("a problem that is not symmetric")
			}
		} else if len(p.Points) != p.Cities {
			t.Fatalf("%d points of %d cities", len(p.Points), p.Cities)
		}
	})
}

func FuzzReadTour(f *testing.F) {
	f.Add("NAME : a\nTYPE : TOUR\nDIMENSION : 4\nTOUR_SECTION\n3\n1\n4\n2\n-1\nEOF\n")
	f.Fuzz(func(t *testing.T, text string) {
		tour, err := ReadTour(strings.NewReader(text), "f", 4, FromOne)
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := WriteTour(&b, "a", "b", tour, FromZero); err != nil {
			t.Fatal(err)
		}
		again, err := ReadTour(&b, "f", 4, FromZero)
		if err != nil || !slices.Equal(tour, again) {
			t.Fatalf("%v became %v: %v", tour, again, err)
		}
	})
}
