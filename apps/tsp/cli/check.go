package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"satingrid/apps/tsp/check"
	"satingrid/satin/program"
	"satingrid/satin/program/wording"
)

func checker() *program.Checker {
	return &program.Checker{
		Details: `ANSWER is what satin run tsp printed, or any tour in the format of TSPLIB95; PROOF is the certificate that --proof
wrote. The tour is measured again. With a certificate it is verified that no tour is shorter, too.`,
		Proof:  true,
		Verify: func(_ *cli.Context, given program.Case) (program.Verdict, error) { return verify(given) },
	}
}

func verify(given program.Case) (program.Verdict, error) {
	p, _, _, err := problem(given.Instance)
	if err != nil {
		return program.Verdict{}, err
	}
	said, err := program.ReadAnswer(given, func(r io.Reader, file string) (check.Claim, error) {
		return check.Answer(r, file, p.Numbering)
	})
	if err != nil {
		return program.Verdict{}, err
	}
	length, err := check.Verify(p, said)
	if err != nil {
		return program.Verdict{}, program.Wrongf("%s: %w", given.Name(), err)
	}
	type verified struct {
		Length  int64  `json:"length"`
		Optimal bool   `json:"optimal"` // proved
		Bound   *int64 `json:"bound"`   // proved; null without a certificate
		Leaves  int64  `json:"leaves"`  // of the certificate
	}
	if given.Proof == "" {
		return program.Verdict{
			Says: fmt.Sprintf("a tour of length %d; that none is shorter was not verified, "+
				"which takes the certificate of run tsp --proof", length),
			Verified: verified{Length: length},
		}, nil
	}
	var report check.Report
	err = program.ReadFile(given.Proof, func(r io.Reader) (err error) {
		report, err = check.Certificate(p, r, given.Proof)
		var broken check.Broken
		if err != nil && !errors.As(err, &broken) {
			err = program.Wrong{Err: err}
		}
		return err
	})
	leaves := wording.Count(int(report.Leaves), "leave")
	if report.Leaves == 1 {
		leaves = "1 leaf"
	}
	switch proved := report.Length; {
	case err != nil:
		return program.Verdict{}, err
	case proved > length:
		return program.Verdict{}, program.Wrongf("%s: it proves that no tour is shorter than %d, but there is one of length %d: this checker is wrong", given.Proof, proved, length)
	case proved < length && said.Optimal:
		return program.Verdict{}, program.Wrongf("%s: it proves that no tour is shorter than %d, the answer says %d", given.Proof, proved, length)
	case proved < length:
		return program.Verdict{
			Says:     fmt.Sprintf("a tour of length %d, and none is shorter than %d (certificate: %s)", length, proved, leaves),
			Verified: verified{length, false, &proved, report.Leaves},
		}, nil
	default:
		return program.Verdict{
			Says:     fmt.Sprintf("a tour of length %d, and no shorter one exists (certificate: %s)", length, leaves),
			Verified: verified{length, true, &proved, report.Leaves},
		}, nil
	}
}
