// Command satin runs divide-and-conquer programs on computers that come and go.
//
// This build computes on one machine, with all of its cores. See satin help.
package main

import (
	"os"
)

func main() {
	os.Exit(command(os.Args[1:], newConsole(os.Stdout, os.Stderr)))
}
