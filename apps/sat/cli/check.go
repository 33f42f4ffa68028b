package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"satingrid/apps/sat/check"
	"satingrid/apps/sat/cnf"
	"satingrid/satin/program"
	"satingrid/satin/program/wording"
)

func checker() *program.Checker {
	return &program.Checker{
		Details: `ANSWER is what satin run sat printed, or another solver with s and v lines. A model is looked at in each clause of the
file as it was read. That there is none takes a PROOF in DRAT format, as text: each of its clauses is verified by unit
propagation (RUP), or as a resolution asymmetric tautology (RAT); --lrat writes it with the reasons of each step, as
verified checkers want it. Of a formula with weights the model is verified, and
what it costs, but not that no model costs less.`,
		Proof: true,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: maker, Usage: "INSTANCE is a formula of a `FAMILY` instead, as for run"},
			&cli.StringFlag{Name: "lrat", Usage: "write the proof to `FILE` in LRAT format"},
		},
		Maker:  maker,
		Verify: verify,
	}
}

// verified is what --json says was verified.
type verified struct {
	Status  string `json:"status"`
	Clauses int    `json:"clauses"` // that must hold
	Added   int    `json:"added"`   // by the proof
	RAT     int    `json:"rat"`
	Cost    *int64 `json:"cost,omitempty"` // of a formula with weights
}

func verify(c *cli.Context, given program.Case) (program.Verdict, error) {
	var lrat *program.Output
	if to := c.String("lrat"); to != "" {
		var err error
		if lrat, err = program.OpenOutput("--lrat", to); err != nil {
			return program.Verdict{}, err
		}
		for _, read := range []string{given.Instance, given.Answer, given.Proof} {
			if isSame(read, to) {
				return program.Verdict{}, fmt.Errorf("--lrat %s is what is verified: it would be lost", to)
			}
		}
	}
	f, _, err := readFormula(c, given.Instance)
	if err != nil {
		return program.Verdict{}, err
	}
	said, err := program.ReadAnswer(given, check.Read)
	if err != nil {
		return program.Verdict{}, err
	}
	clauses := 0
	for range f.Clauses() {
		clauses++
	}
	name := given.Name()
	switch {
	case said.Status == "UNSATISFIABLE":
		return verifyUnsatisfiable(f, clauses, name, given.Proof, lrat)
	case lrat != nil:
		return program.Verdict{}, fmt.Errorf("--lrat %s: %s says %s, of which there is no proof", lrat.Name, name, said.Status)
	case said.Status == "OPTIMUM FOUND" && !f.Weighed:
		return program.Verdict{}, fmt.Errorf("%s: it says OPTIMUM FOUND, but the formula has no weights", name)
	case said.Status == "UNKNOWN" && (!f.Weighed || len(said.Model) == 0):
		return program.Verdict{}, fmt.Errorf("%s: it says UNKNOWN: there is nothing to verify", name)
	case given.Proof != "":
		return program.Verdict{}, fmt.Errorf("%s: a proof is given, but %s says %s, which takes none", given.Proof, name, said.Status)
	}
	if err := check.Model(f, said.Model); err != nil {
		return program.Verdict{}, program.Wrongf("%s: %w", name, err)
	}
	if f.Weighed {
		return verifyCost(f, clauses, name, said)
	}
	return program.Verdict{
		Says:     fmt.Sprintf("satisfiable: the model satisfies %s", allClauses(clauses)),
		Verified: verified{Status: said.Status, Clauses: clauses},
	}, nil
}

// verifyCost verifies what a model costs that satisfies all clauses that must hold.
func verifyCost(f *cnf.Formula, clauses int, name string, said check.Answer) (program.Verdict, error) {
	cost, err := check.Cost(f, said.Model)
	switch {
	case err != nil:
		return program.Verdict{}, program.Wrongf("%s: %w", name, err)
	case said.Costs && said.Cost != cost:
		return program.Verdict{}, program.Wrongf("%s: it says cost %d, but the model costs %d", name, said.Cost, cost)
	}
	says := fmt.Sprintf("the model costs %d and satisfies %s that must hold", cost, allClauses(clauses))
	if said.Status == "OPTIMUM FOUND" {
		says += "; that none costs less was not verified: it has no proof"
	} else {
		says += "; whether one costs less was not asked"
	}
	return program.Verdict{Says: says, Verified: verified{Status: said.Status, Clauses: clauses, Cost: &cost}}, nil
}

// verifyUnsatisfiable verifies a proof. Without one there is an empty one, which does for what is
// plain.
func verifyUnsatisfiable(f *cnf.Formula, clauses int, name, proof string, lrat *program.Output) (program.Verdict, error) {
	out := verified{Status: "UNSATISFIABLE", Clauses: clauses}
	if proof == "" {
		_, err := verifyProof(f, strings.NewReader(""), "", lrat)
		var isNone program.Wrong
		switch {
		case errors.As(err, &isNone):
			return program.Verdict{}, fmt.Errorf("%s: nothing is verified of UNSATISFIABLE without a PROOF, which run sat --proof writes", name)
		case err != nil:
			return program.Verdict{}, err
		}
		return program.Verdict{
			Says:     "unsatisfiable: " + allClauses(clauses) + " contradict each other by unit propagation",
			Verified: out,
		}, nil
	}
	var report check.Report
	if err := program.ReadFile(proof, func(r io.Reader) (err error) {
		report, err = verifyProof(f, r, proof, lrat)
		return err
	}); err != nil {
		return program.Verdict{}, err
	}
	out.Added, out.RAT = report.Added, report.RAT
	return program.Verdict{
		Says: fmt.Sprintf("unsatisfiable (proof: %s, of them %d by RAT and the others by RUP)",
			wording.Count(report.Added, "clause"), report.RAT),
		Verified: out,
	}, nil
}

// verifyProof verifies a proof, and writes it where that is wanted.
func verifyProof(f *cnf.Formula, r io.Reader, proof string, lrat *program.Output) (report check.Report, err error) {
	var failed error // of the proof, and not of what is written
	verify := func(w io.Writer) error {
		if w == nil {
			report, failed = check.Proof(f, r, proof)
		} else {
			report, failed = check.LRAT(f, r, proof, w)
		}
		return failed
	}
	if lrat == nil {
		err = verify(nil)
	} else {
		err = lrat.Write(verify)
	}
	var broken check.Broken
	var disk *fs.PathError
	switch {
	case err == nil:
		return report, nil
	case errors.As(err, &disk):
		return report, fmt.Errorf("--lrat %s: %w", lrat.Name, disk.Err)
	case failed == nil || errors.As(failed, &broken):
		return report, err
	}
	return report, program.Wrong{Err: failed}
}

// isSame tells whether two names mean the same file, which is there.
func isSame(a, b string) bool {
	is, err := os.Stat(a)
	other, failure := os.Stat(b)
	return err == nil && failure == nil && os.SameFile(is, other)
}

func allClauses(n int) string {
	if n == 1 {
		return "the only clause"
	}
	return fmt.Sprintf("all %d clauses", n)
}
