package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"satingrid/apps/tsp"
	"satingrid/apps/tsp/picture"
	"satingrid/apps/tsp/tsplib"
)

func tspApplication() *application {
	joinTally()
	return &application{
		name:    "tsp",
		summary: "find a shortest round trip and prove it",
		input:   "[FILE]",
		details: `FILE is a symmetric problem in the format of TSPLIB95, by default the capitals of Europe.
Prints the tour in the format of TSPLIB95, with its length and what is proved about it.`,
		flags: []cli.Flag{
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "draw the tour in `FILE`.svg or .png"},
			&cli.StringFlag{Name: "initial", Usage: "begin with the tour in `FILE`; none is looked for"},
			&cli.StringFlag{Name: "proof", Usage: "write a certificate to `FILE`"},
			&cli.StringFlag{Name: "tally", Usage: "count in `FILE`, a byte each, the nodes that all peers here explore, killed ones too"},
		},
		app:     tsp.App(),
		chooses: true,
		prepare: prepareTSP,
		checker: tspChecker(),
	}
}

func prepareTSP(c *cli.Context, input string) (*prepared, error) {
	a := tspAnswer{}
	var name string
	var err error
	if a.problem, a.names, name, err = tspProblem(input); err != nil {
		return nil, err
	}
	distances, err := tsp.DistancesOf(a.problem)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	task := tsp.Solve{Distances: distances, Certify: c.String("proof") != ""}
	if file := c.String("initial"); file != "" {
		if err := opened(file, func(r io.Reader) (err error) {
			task.Initial, err = tsplib.ReadTour(r, file, distances.Cities)
			return err
		}); err != nil {
			return nil, err
		}
	}
	if err := a.open(c.String("output"), c.String("proof")); err != nil {
		return nil, err
	}
	tally, err := openTally(c)
	if err != nil {
		return nil, err
	}
	return &prepared{name, submit(task, func(t tsp.Tour) answer {
		shown := a
		shown.tour, shown.explored = t, explored(tally)
		return shown
	})}, nil
}

// tspProblem is the problem, the names of its cities if it has some, and its name in the answer.
func tspProblem(input string) (p *tsplib.Problem, names []string, name string, err error) {
	if input == "" {
		p, names = tsp.Example()
		return p, names, embedded, nil
	}
	err = opened(input, func(r io.Reader) (err error) {
		p, err = tsplib.Read(r, input)
		return err
	})
	return p, nil, input, err
}

// opened reads a file.
func opened(name string, read func(io.Reader) error) error {
	f, err := os.Open(name)
	if err != nil {
		return bare(err)
	}
	defer f.Close()
	return read(f)
}

// tspAnswer is a tour, and the files that show it.
type tspAnswer struct {
	problem *tsplib.Problem
	names   []string
	tour    tsp.Tour
	drawing *output // nil: none
	draw    func(*picture.Picture, io.Writer) error
	proof   *output // nil: none

	explored int64 // nodes, counted by --tally; 0: not counted
}

// open finds out whether the files can be written.
func (a *tspAnswer) open(drawing, proof string) (err error) {
	if drawing != "" {
		switch strings.ToLower(filepath.Ext(drawing)) {
		case ".svg":
			a.draw = (*picture.Picture).SVG
		case ".png":
			a.draw = (*picture.Picture).PNG
		default:
			return fmt.Errorf("-o %s: a name that ends in .svg or .png is expected", drawing)
		}
		if _, ok := picture.New(a.problem, a.names, nil, ""); !ok {
			return fmt.Errorf("-o %s: the problem has distances only, coordinates are expected for a picture", drawing)
		}
		if a.drawing, err = openOutput(drawing); err != nil {
			return err
		}
	}
	if proof != "" {
		if a.proof, err = openOutput(proof); err != nil {
			return errors.New("--proof " + strings.TrimPrefix(err.Error(), "-o "))
		}
	}
	return nil
}

func (a tspAnswer) optimal() bool { return a.tour.Length == a.tour.Bound }

// says tells in one line what is known.
func (a tspAnswer) says() string {
	t := a.tour
	if a.optimal() {
		nodes := count(int(t.Nodes), "node")
		if a.explored > 0 {
			nodes += fmt.Sprintf(", %d explored, a surplus of %.1f %%", a.explored, 100*float64(a.explored-t.Nodes)/float64(t.Nodes))
		}
		return fmt.Sprintf("length %d, which is optimal (%s)", t.Length, nodes)
	}
	return fmt.Sprintf("length %d; no tour is shorter than %d, a gap of %.2f %%", t.Length, t.Bound, a.gap())
}

// gap is by how much the tour may be too long, in percent of it.
func (a tspAnswer) gap() float64 {
	return 100 * float64(a.tour.Length-a.tour.Bound) / float64(max(a.tour.Length, 1))
}

func (a tspAnswer) Brief() string {
	return fmt.Sprintf("best %d, bound %d, gap %.2f %%", a.tour.Length, a.tour.Bound, a.gap())
}

func (a tspAnswer) Text(w io.Writer) error {
	return tsplib.WriteTour(w, a.problem.Name, a.says(), a.tour.Cities)
}

func (a tspAnswer) JSON() any {
	type work struct {
		Nodes    int64 `json:"nodes"`              // of the tree
		Explored int64 `json:"explored,omitempty"` // by all peers, some of them twice
	}
	tour := make([]int, len(a.tour.Cities))
	for k, c := range a.tour.Cities {
		tour[k] = c + 1
	}
	return struct {
		Length  int64 `json:"length"`
		Tour    []int `json:"tour"`
		Optimal bool  `json:"optimal"`
		Bound   int64 `json:"bound"`
		Work    work  `json:"work"`
	}{a.tour.Length, tour, a.optimal(), a.tour.Bound, work{a.tour.Nodes, a.explored}}
}

// Keep writes the picture, and the certificate if there is one: a tour that is not proved has none.
func (a tspAnswer) Keep() error {
	if a.drawing != nil {
		pic, ok := picture.New(a.problem, a.names, a.tour.Cities, a.problem.Name+": "+a.says())
		if !ok {
			panic("satin: BUG: a problem has lost its coordinates")
		}
		if err := a.drawing.write(func(w io.Writer) error { return a.draw(pic, w) }); err != nil {
			return err
		}
	}
	if a.proof == nil || !a.optimal() {
		return nil
	}
	return a.proof.write(func(w io.Writer) error { return tsp.WriteCertificate(w, a.tour) })
}
