package main

import "github.com/urfave/cli/v2"

func benchCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:     "bench",
		Category: "2 STUDY",
		Usage:    "what a spawn costs here, beside sequential Go and a goroutine a task",
		Action:   func(c *cli.Context) error { return notYet("bench") },
	}
}
