package satin

// Inside the package: it looks at what is left of fibers.

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"
)

// owned is a root whose every job looks at what belongs to its run.
type owned struct{ ID, Depth int }

type piece struct{ ID, Depth int }

type named int

func (o owned) Run(s *Scope) (int, error) { return piece(o).Run(s) }

func (q piece) Run(s *Scope) (int, error) {
	if Root[owned](s).ID != q.ID || Derive(s, func() named { return named(q.ID) }) != named(q.ID) {
		panic("a job sees another run than its own")
	}
	if q.Depth <= 0 {
		return 1, nil
	}
	var fs [4]Future[piece, int]
	for i := range fs {
		fs[i] = Spawn(s, piece{q.ID, q.Depth - 1 - i})
	}
	sum := 0
	for i := range fs {
		k := i
		if q.Depth%2 == 0 {
			k = len(fs) - 1 - i
		}
		n, err := fs[k].Wait(s)
		if err != nil {
			return 0, err
		}
		sum += n
	}
	return sum, nil
}

func (q piece) count() int {
	if q.Depth <= 0 {
		return 1
	}
	n := 0
	for i := range 4 {
		n += piece{q.ID, q.Depth - 1 - i}.count()
	}
	return n
}

// Many runs at once, some of which are cancelled, on more workers than there are cores, and at last
// a close in the middle.
func TestManyRunsAtOnce(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for seed := range uint64(24) {
		rng := rand.New(rand.NewPCG(seed, 5))
		runtime.GOMAXPROCS([]int{1, 2, 8, 17}[seed%4])
		workers := []int{1, 2, 4, 16}[rng.IntN(4)]
		p := openWorkers(t, workers, func(c *poolConfig) {
			c.recording, c.period = seed%2 == 0, 20*time.Microsecond
		})
		var clients sync.WaitGroup
		for id := range 12 {
			depth, cancelled := 4+rng.IntN(6), rng.IntN(3) == 0
			clients.Go(func() {
				for k := range 4 {
					ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
					if cancelled {
						time.AfterFunc(time.Duration(k)*100*time.Microsecond, cancel)
					}
					got, err := Run(ctx, p, owned{10*id + k, depth})
					cancel()
					want := piece{0, depth}.count()
					if err == nil && got != want || err != nil && !(cancelled && errors.Is(err, context.Canceled)) {
						t.Errorf("seed %d, %d workers: %d, %v, want %d", seed, workers, got, err, want)
					}
				}
			})
		}
		clients.Wait()
		for id := range 5 {
			if _, err := Submit(context.Background(), p, owned{id, 9}); err != nil {
				t.Fatal(err)
			}
		}
		// the end comes at any moment
		time.Sleep(time.Duration(rng.IntN(2000)) * time.Microsecond)
		closed := make(chan struct{})
		go func() { p.Close(); close(closed) }()
		select {
		case <-closed:
		case <-time.After(20 * time.Second):
			t.Fatalf("seed %d, %d workers: Close does not return", seed, workers)
		}
		for _, f := range p.pool.fibers.all() {
			d, tracked := f.stack, len(f.checkpoint.tracked)
			if len(d.frames) != 0 || d.dead != noSlot || tracked != 0 || len(d.groups) != 0 {
				t.Errorf("seed %d: a fiber ended with %d frames, %d tracked", seed, len(d.frames), tracked)
			}
		}
	}
}
