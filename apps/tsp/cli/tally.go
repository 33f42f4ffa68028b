package cli

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"

	"github.com/urfave/cli/v2"

	"satingrid/apps/tsp"
	"satingrid/satin/program/wording"
)

// tallyVariable names the file of --tally to the peers of --sites, which inherit it.
const tallyVariable = "SATIN_TSP_TALLY"

// joinTally has this process count its nodes if it is a peer of a run with --tally.
var joinTally = sync.OnceFunc(func() {
	if file := os.Getenv(tallyVariable); file != "" {
		if err := tallyTo(file); err != nil {
			fmt.Fprintf(os.Stderr, "satin: --tally: the nodes of this peer are not counted: %v\n", err)
		}
	}
})

func tallyTo(file string) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return wording.Bare(err)
	}
	tsp.Tally = f
	return nil
}

// openTally begins the file of --tally, if there is one, for this process and those that it starts.
// Each peer appends a byte a node, so that the file's size counts what peers that were killed have
// done, too.
func openTally(c *cli.Context) (file string, err error) {
	counted.Store(0)
	tsp.Tally = &counted
	os.Unsetenv(tallyVariable)
	if file = c.String("tally"); file == "" {
		return "", nil
	}
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		return "", fmt.Errorf("--tally %w", wording.Bare(err))
	}
	if err := tallyTo(file); err != nil {
		return "", fmt.Errorf("--tally %w", err)
	}
	return file, os.Setenv(tallyVariable, file)
}

// counted is how many nodes this process has begun to explore.
var counted counter

type counter struct{ atomic.Int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.Add(int64(len(p)))
	return len(p), nil
}

// explored is how many nodes were counted in the file, or in this process if there is none.
func explored(file string) int64 {
	if file == "" {
		return counted.Load()
	}
	info, err := os.Stat(file)
	if err != nil {
		return 0
	}
	return info.Size()
}
