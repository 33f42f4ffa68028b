package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"satingrid/apps/tsp/check"
)

func tspChecker() *checker {
	return &checker{
		details: `ANSWER is what satin run tsp printed, or any tour in the format of TSPLIB95; PROOF is the certificate that --proof
wrote. The tour is measured again. With a certificate it is verified that no tour is shorter, too.`,
		proof:  true,
		verify: func(_ *cli.Context, claim claim) (verdict, error) { return verifyTSP(claim) },
	}
}

func verifyTSP(claim claim) (verdict, error) {
	p, _, _, err := tspProblem(claim.instance)
	if err != nil {
		return verdict{}, err
	}
	said, err := answerOf(claim.answer, check.Answer)
	if err != nil {
		return verdict{}, err
	}
	length, err := check.Verify(p, said)
	if err != nil {
		return verdict{}, wrongf("%s: %w", standardInput(claim.answer), err)
	}
	type verified struct {
		Length  int64  `json:"length"`
		Optimal bool   `json:"optimal"` // proved
		Bound   *int64 `json:"bound"`   // proved; null without a certificate
		Leaves  int64  `json:"leaves"`  // of the certificate
	}
	if claim.proof == "" {
		return verdict{
			fmt.Sprintf("a tour of length %d; that none is shorter was not verified, which takes the certificate of run tsp --proof", length),
			verified{Length: length},
		}, nil
	}
	var report check.Report
	err = opened(claim.proof, func(r io.Reader) (err error) {
		report, err = check.Certificate(p, r, claim.proof)
		var broken check.Broken
		if err != nil && !errors.As(err, &broken) {
			err = wrong{err}
		}
		return err
	})
	leaves := count(int(report.Leaves), "leave")
	if report.Leaves == 1 {
		leaves = "1 leaf"
	}
	switch proved := report.Length; {
	case err != nil:
		return verdict{}, err
	case proved > length:
		return verdict{}, wrongf("%s: it proves that no tour is shorter than %d, but there is one of length %d: this checker is wrong", claim.proof, proved, length)
	case proved < length && said.Optimal:
		return verdict{}, wrongf("%s: it proves that no tour is shorter than %d, the answer says %d", claim.proof, proved, length)
	case proved < length:
		return verdict{
			fmt.Sprintf("a tour of length %d, and none is shorter than %d (certificate: %s)", length, proved, leaves),
			verified{length, false, &proved, report.Leaves},
		}, nil
	default:
		return verdict{
			fmt.Sprintf("a tour of length %d, and no shorter one exists (certificate: %s)", length, leaves),
			verified{length, true, &proved, report.Leaves},
		}, nil
	}
}
