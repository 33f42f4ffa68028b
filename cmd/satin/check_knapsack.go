package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"satingrid/apps/knapsack/check"
)

func knapsackChecker() *checker {
	return &checker{
		details: `ANSWER is what satin run knapsack printed. Value and weight are added up again. Where there are few items, or
items times capacity are no more than 10,000,000,000, the largest value is found by dynamic programming, too.`,
		flags: []cli.Flag{
			&cli.StringFlag{Name: "generate", Usage: "INSTANCE is made instead: `CLASS,N,R,SEED`, or subsetsum,N,R,SEED, as for run"},
		},
		verify: verifyKnapsack,
	}
}

func verifyKnapsack(c *cli.Context, claim claim) (verdict, error) {
	p, _, err := knapsackProblem(c.String("generate"), claim.instance)
	if err != nil {
		return verdict{}, err
	}
	said, err := answerOf(claim.answer, check.Answer)
	if err != nil {
		return verdict{}, err
	}
	report, err := check.Verify(p, said)
	if err != nil {
		return verdict{}, wrongf("%s: %w", standardInput(claim.answer), err)
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
	return verdict{says, struct {
		Value   int64 `json:"value"`
		Weight  int64 `json:"weight"`
		Optimal bool  `json:"optimal"` // proved
	}{report.Value, report.Weight, report.Optimal}}, nil
}
