// Command satin runs divide-and-conquer programs on computers that come and go.
//
// It computes in one process, on a grid of processes of this machine, or on a grid of
// nodes. See satin help.
package main

import (
	"os"

	"satingrid/satin/program/console"
)

func main() {
	os.Exit(command(os.Args[1:], console.New("satin", os.Stdout, os.Stderr)))
}
