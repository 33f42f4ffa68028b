package cli

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"satingrid/apps/knapsack/check"
	"satingrid/satin/program"
)

func checker() *program.Checker {
	return &program.Checker{
		Details: `ANSWER is what satin run knapsack printed. Value and weight are added up again. Where there are few items, or
items times capacity are no more than 10,000,000,000, the largest value is found by dynamic programming, too.`,
		Flags:  problemFlags("INSTANCE is made instead, as for run"),
		Maker:  maker,
		Verify: verify,
	}
}

func verify(c *cli.Context, given program.Case) (program.Verdict, error) {
	p, _, err := problem(c, given.Instance)
	if err != nil {
		return program.Verdict{}, err
	}
	said, err := program.ReadAnswer(given, check.Answer)
	if err != nil {
		return program.Verdict{}, err
	}
	report, err := check.Verify(p, said)
	if err != nil {
		return program.Verdict{}, program.Wrongf("%s: %w", given.Name(), err)
	}
	says := fmt.Sprintf("a packing of value %d and weight %d, which is no more than %d", report.Value, report.Weight, p.Capacity)
	switch {
	case report.Optimal:
		says += ", and none is worth more (dynamic programming)"
	case said.Optimal:
		says += "; that none is worth more was not verified: there are too many items and too much capacity"
	default:
		says += "; whether one is worth more was not asked"
	}
	return program.Verdict{Says: says, Verified: struct {
		Value   int64 `json:"value"`
		Weight  int64 `json:"weight"`
		Optimal bool  `json:"optimal"` // proved
	}{report.Value, report.Weight, report.Optimal}}, nil
}
