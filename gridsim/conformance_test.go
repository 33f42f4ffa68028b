package gridsim

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/satin/control/driver"
	"satingrid/satin/peer"
	"satingrid/satin/peer/workers"
	"satingrid/satin/peer/workerstest"
	"satingrid/steal"
)

// benchPlane is a host's data plane without its peer: what that would order comes from the bench,
// and what it would hear goes there.
type benchPlane struct {
	benchCodec
	w *World
	h *host
}

func openBench(n int, to workers.Events) workerstest.Bench {
	w := newWorld(Options{Seed: 1, Workload: benchWork{}})
	// a job that begins in the first fifth of a second passes for one that has not begun
	w.now = time.Second
	h := &host{w: w, id: workerstest.Self, up: true, speed: speedOfOne, tickAt: math.MinInt64}
	h.peer = peer.New(peer.Config{Member: membership.Config{ID: h.id, Workers: uint16(n)}}, rand.New(rand.NewPCG(1, 2)))
	h.plane = newPlane(h, n)
	h.driver = driver.New(driver.Config{}, h.peer, toHosts{h}, h.plane, ofDriver{h}, toFolder{h}, nil)
	h.plane.hears = to
	h.do(to.Idle(w.now, n)) // as startAs does
	return &benchPlane{w: w, h: h}
}

func (b *benchPlane) Turn(do func() []peer.Effect) {
	for _, e := range do() {
		if !workers.Carry(b.h.plane, e) {
			panic(fmt.Sprintf("gridsim: BUG: no order: %T", e))
		}
	}
}

func (b *benchPlane) Pass(most time.Duration) {
	until, said := b.w.now+most, b.w.posts
	for len(b.w.queue) > 0 && b.w.queue[0].at <= until {
		if b.w.step(); b.w.posts > said {
			return
		}
	}
	b.w.now = until
}

func (b *benchPlane) Now() time.Duration { return b.w.now }

func (b *benchPlane) Plane() workers.Plane { return b.h.plane }

func (b *benchPlane) TickEvery() time.Duration { return tickEvery }

func (b *benchPlane) Close() error { return b.w.err }

// benchCodec writes as the simulator's workloads do.
type benchCodec struct{}

func (benchCodec) Task() string { return taskName }

func (benchCodec) Fields(j workerstest.Job) []byte {
	return encode(j.Seed, j.Seen, uint64(j.Depth), uint64(j.Wide), uint64(j.Does), uint64(j.Cost), uint64(j.Leaf))
}

func (benchCodec) ReadFields(b []byte) (j workerstest.Job, err error) {
	if len(b) < 7*8 {
		return j, errors.New("no job")
	}
	return workerstest.Job{
		Seed: word(b, 0), Seen: word(b, 1), Depth: uint8(word(b, 2)), Wide: uint8(word(b, 3)), Does: workerstest.Does(word(b, 4)),
		Cost: time.Duration(word(b, 5)), Leaf: time.Duration(word(b, 6)),
	}, nil
}

func (x benchCodec) Bytes(r workerstest.Result) []byte {
	return append(x.Fields(r.Of), encode(r.V, r.Seen)...)
}

func (x benchCodec) ReadBytes(b []byte) (r workerstest.Result, err error) {
	if len(b) != 9*8 {
		return r, errors.New("no result")
	}
	r.Of, err = x.ReadFields(b)
	r.V, r.Seen = word(b, 7), word(b, 8)
	return r, err
}

func (benchCodec) Failure(text string) []byte { return []byte(text) }

func (x benchCodec) Key(i steal.Instance, j workerstest.Job) steal.Key {
	return jobKey(i.Run, x.Fields(j))
}

// benchWork is the program of package workerstest as a workload.
type benchWork struct{ benchCodec }

func (w benchWork) job(args []byte) workerstest.Job {
	j, err := w.ReadFields(args)
	if err != nil {
		panic(err)
	}
	return j
}

func (w benchWork) Root() []byte                   { return w.Fields(workerstest.Job{}) }
func (w benchWork) Cost(args []byte) time.Duration { return w.job(args).Computes() }

func (w benchWork) Expand(args, best []byte) (s Step) {
	j := w.job(args)
	seen, err := w.ReadBytes(best)
	if err != nil || j.Does&workerstest.Searches == 0 {
		seen.V = 0
	}
	for _, c := range j.Children(seen.V) {
		s.Children = append(s.Children, w.Fields(c))
	}
	switch {
	case len(s.Children) > 0:
		return s
	case j.Panics():
		s.Panic = "as it was told to"
	case j.Fails():
		s.Err = "as it was told to"
	default:
		s.Value = w.Bytes(j.Own(seen.V))
	}
	if j.Does&workerstest.Searches != 0 {
		s.Offer = w.Bytes(j.Own(0))
	}
	if j.Does&workerstest.Tells != 0 {
		s.Fact = j.Fact()
	}
	return s
}

func (w benchWork) Combine(args []byte, results [][]byte) []byte {
	all := make([]workerstest.Result, len(results))
	for n, x := range results {
		all[n], _ = w.ReadBytes(x)
	}
	return w.Bytes(w.job(args).Sum(all))
}

func (w benchWork) Better(_ string, a, b []byte) bool {
	x, errX := w.ReadBytes(a)
	y, errY := w.ReadBytes(b)
	return errX == nil && errY == nil && x.Better(y)
}

func (benchWork) Choosing() bool           { return false }
func (benchWork) Right(steal.Result) error { return nil }
func (benchWork) Witnessed([]byte) bool    { return true }
func (benchWork) Implied([]byte) bool      { return true }

// TestPlaneKeepsTheContract holds the simulator's data plane to the contract of package peer, to
// which the one that ships is held, too.
func TestPlaneKeepsTheContract(t *testing.T) {
	for _, s := range workerstest.Scripts() {
		t.Run(s.Name, func(t *testing.T) {
			if err := workerstest.Check(openBench, s, 1); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestPlantsAreFound: each rule has a planted violation, and the suite finds
// every one, as what it is.
func TestPlantsAreFound(t *testing.T) {
	found := map[workerstest.Rule]bool{}
	for _, x := range workerstest.Plants() {
		found[x.Breaks] = true
		if err := x.Find(openBench); !breaks(err, x.Breaks) {
			t.Errorf("%s: found %v, want %q broken", x.Name, err, x.Breaks)
		}
	}
	for _, r := range workerstest.Rules() {
		if !found[r] {
			t.Errorf("nothing is planted that breaks %q", r)
		}
	}
}

func breaks(err error, r workerstest.Rule) bool {
	var b *workerstest.Broken
	return errors.As(err, &b) && b.Rule == r
}

// TestPlaneKeepsTheContractOnWalks draws courses of things.
func TestPlaneKeepsTheContractOnWalks(t *testing.T) {
	t.Parallel()
	for workers := 1; workers <= 3; workers++ {
		covered, err := workerstest.Walks(openBench, workers, 1000, 40/slower)
		if err != nil {
			t.Error(err)
		}
		t.Log(covered)
		for _, event := range workerstest.Events() {
			if covered[event] == 0 && err == nil {
				t.Errorf("%s has not come up in any walk", event)
			}
		}
	}
}
