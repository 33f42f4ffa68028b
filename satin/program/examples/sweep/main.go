// Sweep computes a model for every combination of parameters: an epidemic, for each rate of
// infection and each of recovery.
//
//	sweep run --infection 0.1:1:0.1 --recovery 0.05:0.3:0.05 >peaks.csv
package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
	"satingrid/satin/program"
)

const (
	casesMax = 1_000_000
	step     = 0.001 // of a day, for Euler's method
	days     = 365
)

// Sweep is the root: all values of both parameters.
type Sweep struct{ Infection, Recovery []float64 }

// Run computes all combinations. All keeps their order.
func (w Sweep) Run(s *satin.Scope) (Table, error) {
	var cases []Case
	for _, i := range w.Infection {
		for _, r := range w.Recovery {
			cases = append(cases, Case{i, r})
		}
	}
	rows, err := satin.All(s, cases)
	return rows, err
}

// Case is a job: one epidemic, which begins with one in a thousand who is infected.
type Case struct{ Infection, Recovery float64 }

// Run follows it for a year.
func (c Case) Run(*satin.Scope) (Row, error) {
	row := Row{Case: c}
	healthy, ill := 0.999, 0.001
	for n := range int(days / step) {
		caught, recovered := c.Infection*healthy*ill*step, c.Recovery*ill*step
		healthy, ill = healthy-caught, ill+caught-recovered
		if ill > row.Peak {
			row.Peak, row.Day = ill, float64(n+1)*step
		}
	}
	row.Spared = healthy
	return row, nil
}

// Row is what became of a case: how many were ill at the worst time, when that was, and who never
// was.
type Row struct {
	Case
	Peak, Day, Spared float64
}

// Table is the answer.
type Table []Row

// Text prints it as CSV.
func (t Table) Text(w io.Writer) error {
	var b strings.Builder
	b.WriteString("infection,recovery,peak,day,spared\n")
	for _, r := range t {
		fmt.Fprintf(&b, "%.6g,%.6g,%.6f,%.3f,%.6f\n", r.Infection, r.Recovery, r.Peak, r.Day, r.Spared)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// JSON is the rows.
func (t Table) JSON() any { return []Row(t) }

func parse(in *program.Input) (w Sweep, err error) {
	if w.Infection, err = values(in, "infection"); err != nil {
		return w, err
	}
	if w.Recovery, err = values(in, "recovery"); err == nil && len(w.Infection)*len(w.Recovery) > casesMax {
		err = fmt.Errorf("there are %d cases: %d at most are expected", len(w.Infection)*len(w.Recovery), casesMax)
	}
	return w, err
}

// values reads FROM:TO:STEP, or one value.
func values(in *program.Input, flag string) (all []float64, err error) {
	words := strings.Split(in.Flags.String(flag), ":")
	numbers := make([]float64, len(words))
	for i, word := range words {
		if numbers[i], err = strconv.ParseFloat(word, 64); err != nil {
			break
		}
	}
	switch {
	case err == nil && len(words) == 1:
		return numbers, nil
	case err != nil || len(words) != 3 || !(numbers[2] > 0) || !((numbers[1]-numbers[0])/numbers[2] < casesMax):
		return nil, fmt.Errorf("--%s is %q: FROM:TO:STEP or one number is expected", flag, in.Flags.String(flag))
	}
	// counted, since sums of steps are not exact
	for n := 0; numbers[0]+float64(n)*numbers[2] < numbers[1]+numbers[2]/2; n++ {
		all = append(all, numbers[0]+float64(n)*numbers[2])
	}
	return all, nil
}

func application() *program.Application {
	a := program.Of("sweep", parse, satin.Type[Case]())
	a.Summary = "follow an epidemic for each combination of two rates"
	a.Input = ""
	a.Details = "Prints a line of CSV for each combination."
	a.Flags = []cli.Flag{
		&cli.StringFlag{Name: "infection", Value: "0.2:1:0.2", Usage: "a day: `FROM:TO:STEP`"},
		&cli.StringFlag{Name: "recovery", Value: "0.1:0.3:0.1", Usage: "a day: `FROM:TO:STEP`"},
	}
	return a
}

func main() { program.Main(application()) }
