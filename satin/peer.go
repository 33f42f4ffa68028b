package satin

import (
	"context"
	"fmt"
	"runtime"
)

// Config says what a peer is. The zero value of each field is its default.
type Config struct {
	App     App  // the tasks it can run
	Alone   bool // compute in this process only, without a network
	Workers int  // cores to use; 0 is as many as Go may use (GOMAXPROCS)

	// Name is what errors call the peer; by default "here".
	Name string
}

// workersMax bounds the workers of one peer: more than any machine has cores.
const workersMax = 4096

// Peer is one process of the grid, or this process alone.
type Peer struct {
	pool *pool
	app  *registry
}

// Open makes a peer. Its workers start at once and sleep until there is work; Close ends them.
//
// It refuses an App whose task types could not travel: two types of one name, or fields that CBOR cannot
// carry whole.
func Open(ctx context.Context, c Config) (*Peer, error) {
	if c.Workers < 0 || c.Workers > workersMax {
		return nil, fmt.Errorf("satin: %d workers: use 1 to %d, or 0 for all cores", c.Workers, workersMax)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	app, err := newRegistry(c.App)
	if err != nil {
		return nil, err
	}
	if c.Workers == 0 {
		c.Workers = runtime.GOMAXPROCS(0)
	}
	if c.Name == "" {
		c.Name = "here"
	}
	return &Peer{pool: newPool(poolConfig{workers: c.Workers, name: c.Name, app: app, outside: nobody{}}), app: app}, nil
}

// Close ends the peer at once: its runs fail with ErrClosed. It returns when no goroutine of the peer is left, so
// it waits for jobs that compute for long without Spawn, Wait or Aborted.
func (p *Peer) Close() error {
	p.pool.close()
	return nil
}
