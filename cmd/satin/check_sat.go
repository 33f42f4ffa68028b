package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"satingrid/apps/sat/check"
	"satingrid/apps/sat/cnf"
)

func satChecker() *checker {
	return &checker{
		details: `ANSWER is what satin run sat printed, or another solver with s and v lines. A model is looked at in each clause of the
file as it was read. That there is none takes a PROOF in DRAT format, as text: each of its clauses is verified by unit
propagation (RUP), or as a resolution asymmetric tautology (RAT).`,
		proof: true,
		flags: []cli.Flag{
			&cli.StringFlag{Name: "generate", Usage: "INSTANCE is a formula of a `FAMILY` instead: php,N, 3sat,N,SEED or vdw,K,L,N"},
		},
		verify: verifySAT,
	}
}

// satVerified is what --json says was verified.
type satVerified struct {
	Status  string `json:"status"`
	Clauses int    `json:"clauses"`
	Added   int    `json:"added"` // by the proof
	RAT     int    `json:"rat"`
}

func verifySAT(c *cli.Context, claim claim) (verdict, error) {
	f, _, err := readFormula(c, claim.instance)
	if err != nil {
		return verdict{}, err
	}
	said, err := answerOf(claim.answer, check.Read)
	if err != nil {
		return verdict{}, err
	}
	clauses := 0
	for range f.Clauses() {
		clauses++
	}
	answer := standardInput(claim.answer)
	switch {
	case said.Status == "UNSATISFIABLE":
		return verifyUnsatisfiable(f, clauses, answer, claim.proof)
	case said.Status == "UNKNOWN":
		return verdict{}, fmt.Errorf("%s: it says UNKNOWN: there is nothing to verify", answer)
	case claim.proof != "":
		return verdict{}, fmt.Errorf("%s: a proof is given, but %s says SATISFIABLE, which takes none", claim.proof, answer)
	}
	if err := check.Model(f, said.Model); err != nil {
		return verdict{}, wrongf("%s: %w", answer, err)
	}
	return verdict{
		fmt.Sprintf("satisfiable: the model satisfies %s", allClauses(clauses)),
		satVerified{Status: said.Status, Clauses: clauses},
	}, nil
}

// verifyUnsatisfiable verifies a proof. Without one there is an empty one, which does for what is plain.
func verifyUnsatisfiable(f *cnf.Formula, clauses int, answer, proof string) (verdict, error) {
	out := satVerified{Status: "UNSATISFIABLE", Clauses: clauses}
	if proof == "" {
		if _, err := check.Proof(f, strings.NewReader(""), ""); err != nil {
			return verdict{}, fmt.Errorf("%s: nothing is verified of UNSATISFIABLE without a PROOF, which run sat --proof writes", answer)
		}
		return verdict{"unsatisfiable: " + allClauses(clauses) + " contradict each other by unit propagation", out}, nil
	}
	var report check.Report
	if err := opened(proof, func(r io.Reader) (err error) {
		report, err = check.Proof(f, r, proof)
		var broken check.Broken
		if err != nil && !errors.As(err, &broken) {
			err = wrong{err}
		}
		return err
	}); err != nil {
		return verdict{}, err
	}
	out.Added, out.RAT = report.Added, report.RAT
	return verdict{fmt.Sprintf("unsatisfiable (proof: %s, of them %d by RAT and the others by RUP)", count(report.Added, "clause"), report.RAT), out}, nil
}

func allClauses(n int) string {
	if n == 1 {
		return "the only clause"
	}
	return fmt.Sprintf("all %d clauses", n)
}
