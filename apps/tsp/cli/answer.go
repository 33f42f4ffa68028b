package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"satingrid/apps/tsp"
	"satingrid/apps/tsp/picture"
	"satingrid/apps/tsp/tsplib"
	"satingrid/satin/program"
	"satingrid/satin/program/wording"
)

// answer is a tour, and the files that show it.
type answer struct {
	cities  *tsplib.Map
	tour    tsp.Tour
	drawing *program.Output // nil: none
	draw    func(*picture.Picture, io.Writer) error
	proof   *program.Output // nil: none

	explored int64 // nodes, counted by --tally or in this process; 0: not counted
	tallied  bool  // by --tally
}

// open finds out whether the files can be written.
func (a *answer) open(drawing, proof string) (err error) {
	if drawing != "" {
		switch strings.ToLower(filepath.Ext(drawing)) {
		case ".svg":
			a.draw = (*picture.Picture).SVG
		case ".png":
			a.draw = (*picture.Picture).PNG
		default:
			return fmt.Errorf("-o %s: a name that ends in .svg or .png is expected", drawing)
		}
		if _, ok := picture.New(a.cities, nil, ""); !ok {
			return fmt.Errorf("-o %s: the problem has distances only, coordinates are expected for a picture", drawing)
		}
		if a.drawing, err = program.OpenOutput("-o", drawing); err != nil {
			return err
		}
	}
	if proof != "" {
		if a.proof, err = program.OpenOutput("--proof", proof); err != nil {
			return err
		}
	}
	return nil
}

func (a answer) optimal() bool { return a.tour.Length == a.tour.Bound }

// says tells in one line what is known.
func (a answer) says() string {
	t := a.tour
	if a.optimal() {
		nodes := wording.Count(int(t.Nodes), "node")
		if a.tallied {
			nodes += fmt.Sprintf(", %d explored, a surplus of %.1f %%", a.explored, 100*float64(a.explored-t.Nodes)/float64(t.Nodes))
		}
		return fmt.Sprintf("length %d, which is optimal (%s)", t.Length, nodes)
	}
	return fmt.Sprintf("length %d; no tour is shorter than %d, a gap of %.2f %%", t.Length, t.Bound, a.gap())
}

// gap is by how much the tour may be too long, in percent of it.
func (a answer) gap() float64 {
	return 100 * float64(a.tour.Length-a.tour.Bound) / float64(max(a.tour.Length, 1))
}

func (a answer) Brief() string {
	return fmt.Sprintf("best %d, bound %d, gap %.2f %%", a.tour.Length, a.tour.Bound, a.gap())
}

func (a answer) Bounds() (best, bound float64) {
	return float64(a.tour.Length), float64(a.tour.Bound)
}

func (a answer) Text(w io.Writer) error {
	return tsplib.WriteTour(w, a.cities.Name, a.says(), a.tour.Cities, a.cities.Numbering)
}

func (a answer) JSON() any {
	type work struct {
		Nodes    int64 `json:"nodes"`              // of the tree
		Explored int64 `json:"explored,omitempty"` // so far, some of them twice
	}
	tour := make([]int, len(a.tour.Cities))
	for k, c := range a.tour.Cities {
		tour[k] = a.cities.Numbering.Of(c)
	}
	return struct {
		Length  int64 `json:"length"`
		Tour    []int `json:"tour"`
		Optimal bool  `json:"optimal"`
		Bound   int64 `json:"bound"`
		Work    work  `json:"work"`
	}{a.tour.Length, tour, a.optimal(), a.tour.Bound, work{a.tour.Nodes, a.explored}}
}

// Draw draws the tour. Of a problem without coordinates there is no picture.
func (a answer) Draw(w io.Writer) error {
	pic, ok := picture.New(a.cities, a.tour.Cities, a.cities.Name)
	if !ok {
		return errors.New("the problem has no coordinates")
	}
	return pic.SVG(w)
}

// Keep writes the picture, and the certificate if there is one: a tour that is not proved has none.
func (a answer) Keep() error {
	if a.drawing != nil {
		pic, ok := picture.New(a.cities, a.tour.Cities, a.cities.Name+": "+a.says())
		if !ok {
			panic("satin: BUG: a problem has lost its coordinates")
		}
		if err := a.drawing.Write(func(w io.Writer) error { return a.draw(pic, w) }); err != nil {
			return err
		}
	}
	if a.proof == nil || !a.optimal() {
		return nil
	}
	return a.proof.Write(func(w io.Writer) error { return tsp.WriteCertificate(w, a.tour) })
}
