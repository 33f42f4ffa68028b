// Package tsplib reads the travelling salesman problems and the tours of TSPLIB95, also compressed
// by gzip, and writes tours.
//
// [Read] makes a [Problem] of a file: what stands in it, not yet distances, so that solver and
// checker each have their own. [ReadTour] reads a tour for it; [WriteTour] writes one. Cities count
// from 0 in the program, and as [Numbering] says in files.
//
// # Limitations
//
// It reads TYPE TSP with the edge weights EUC_2D, CEIL_2D, MAN_2D, MAX_2D, ATT, GEO and EXPLICIT,
// the latter in all nine layouts of the report but FUNCTION, and TYPE ATSP with a FULL_MATRIX.
// Display data serve the picture only. Fixed edges are read of symmetric problems only. EXPLICIT
// and GEO have at most 2,000 cities, the others 20,000.
package tsplib

import "fmt"

// The limits on what is read.
const (
	CitiesMin = 1
	// of cities that have places: near ones are found without looking at all
	CitiesMax = 20_000
	// of a matrix, and with Geo: two million distances, which whoever submits the problem
	// computes; no branch and bound goes further
	CitiesMaxMatrix = 2000
	// of a problem whose ways back have lengths of their own, each of whose cities is searched
	// as two
	CitiesMaxATSP = CitiesMaxMatrix / 2
	// of one edge: leaves room for 10 more bits of fraction and an edge's number in 64 bits
	WeightMax = 100000000
	lineMax   = 1 << 20 // bytes of one line: a row of a matrix is often one line
	// bytes of a file, unpacked: four million numbers of a full matrix with wide columns; a
	// small file of gzip may be more
	textMax = 1 << 26
)

// Metric is a rule for the distance of two points, an EDGE_WEIGHT_TYPE of TSPLIB95.
type Metric string

// The metrics that are read.
const (
	Euc2D    Metric = "EUC_2D"
	Ceil2D   Metric = "CEIL_2D"
	Man2D    Metric = "MAN_2D"
	Max2D    Metric = "MAX_2D"
	Att      Metric = "ATT"
	Geo      Metric = "GEO"
	Explicit Metric = "EXPLICIT"
)

// Layout is the order of an explicit matrix's numbers, an EDGE_WEIGHT_FORMAT of TSPLIB95.
type Layout string

// The layouts that are read.
const (
	FullMatrix   Layout = "FULL_MATRIX"
	UpperRow     Layout = "UPPER_ROW"
	LowerRow     Layout = "LOWER_ROW"
	UpperDiagRow Layout = "UPPER_DIAG_ROW"
	LowerDiagRow Layout = "LOWER_DIAG_ROW"
	UpperCol     Layout = "UPPER_COL"
	LowerCol     Layout = "LOWER_COL"
	UpperDiagCol Layout = "UPPER_DIAG_COL"
	LowerDiagCol Layout = "LOWER_DIAG_COL"
)

var (
	metrics = []Metric{Euc2D, Ceil2D, Man2D, Max2D, Att, Geo, Explicit}
	layouts = []Layout{FullMatrix, UpperRow, LowerRow, UpperDiagRow, LowerDiagRow, UpperCol, LowerCol, UpperDiagCol, LowerDiagCol}
)

// Point is a city's place. With Geo, X is the latitude and Y the longitude, both as DDD.MM:
// degrees and minutes.
type Point struct{ X, Y float64 }

// Problem is what a file says.
type Problem struct {
	Name      string
	Comment   string
	Cities    int
	Metric    Metric
	Points    []Point   // by city; nil with Explicit
	Layout    Layout    // with Explicit
	Numbers   []int     // with Explicit: the matrix in the order of Layout
	Display   []Point   // by city, for a picture; nil where there are none
	Numbering Numbering // of its cities, in the file and in tours
	Directed  bool      // an ATSP: a way back has a length of its own
	Fixed     [][2]int  // edges that each tour must have; of cities from 0
}

// byRows is the layout by rows with the same order of numbers: the columns of one half of a
// symmetric matrix are the rows of the other.
func (l Layout) byRows() Layout {
	switch l {
	case UpperCol:
		return LowerRow
	case LowerCol:
		return UpperRow
	case UpperDiagCol:
		return LowerDiagRow
	case LowerDiagCol:
		return UpperDiagRow
	}
	return l
}

// Numbers of the layout for n cities.
func (l Layout) count(n int) int {
	switch l.byRows() {
	case FullMatrix:
		return n * n
	case UpperRow, LowerRow:
		return n * (n - 1) / 2
	case UpperDiagRow, LowerDiagRow:
		return n * (n + 1) / 2
	}
	panic(fmt.Sprintf("tsplib: BUG: layout %q", string(l)))
}

// Number is the explicit weight of the way from city i to city j, another one; both count from 0.
func (p *Problem) Number(i, j int) int {
	n := p.Cities
	if p.Layout == FullMatrix {
		return p.Numbers[i*n+j]
	}
	if i > j {
		i, j = j, i
	}
	switch p.Layout.byRows() {
	case UpperRow:
		return p.Numbers[i*(2*n-i-1)/2+j-i-1]
	case LowerRow:
		return p.Numbers[j*(j-1)/2+i]
	case UpperDiagRow:
		return p.Numbers[i*(2*n-i+1)/2+j-i]
	case LowerDiagRow:
		return p.Numbers[j*(j+1)/2+i]
	}
	panic(fmt.Sprintf("tsplib: BUG: layout %q", string(p.Layout)))
}
