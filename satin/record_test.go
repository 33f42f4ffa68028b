package satin

// Inside the package: jobs look at what is tracked of them, and compare it with a model.

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"satingrid/steal"
)

// marked is a random tree whose jobs tick at drawn moments, and check what is then tracked of them.
type marked struct {
	Seed  uint64
	Depth int
}

// kept is the dumb model of what is tracked of one fiber: what each unfinished, marked job must
// hold.
type kept struct {
	seed uint64
	on   bool
	left []uint64 // seeds of the children that ended since
}

var model []*kept // of the jobs under way, from the root down; the test has one worker

func (m marked) value() uint64 {
	v := mix(m.Seed, 1)
	for _, c := range m.children() {
		v = mix(v, c.value())
	}
	return v
}

func (m marked) children() (out []marked) {
	if m.Depth == 0 {
		return nil
	}
	for i := range int(mix(m.Seed, 2) % 5) {
		out = append(out, marked{mix(m.Seed, uint64(i)+10), m.Depth - 1})
	}
	return out
}

func (m marked) Run(s *Scope) (uint64, error) {
	model = append(model, &kept{seed: m.Seed})
	own := model[len(model)-1]
	defer func() { model = model[:len(model)-1] }()
	rng := rand.New(rand.NewPCG(m.Seed, 4))
	v := mix(m.Seed, 1)
	tasks := m.children()
	values := make([]uint64, len(tasks))
	fs := make([]Future[marked, uint64], len(tasks))
	maybeTick := func() {
		switch rng.IntN(8) {
		case 0:
			s.markRunning()
			for _, k := range model {
				k.on = true
			}
		case 1:
			s.checkpoint.estimate(&s.deque, s.clock())
		case 2:
			s.Rand()
		case 3:
			s.publish()
		}
		checkTracked(s)
	}
	for i, c := range tasks {
		fs[i] = Spawn(s, c)
		maybeTick()
	}
	for _, i := range rng.Perm(len(tasks)) {
		r, err := fs[i].Wait(s)
		if err != nil {
			return 0, err
		}
		if own.on {
			own.left = append(own.left, tasks[i].Seed)
		}
		values[i] = r
		maybeTick()
	}
	for _, r := range values {
		v = mix(v, r)
	}
	return v, nil
}

// checkTracked compares what is tracked of this stack with the model: exactly the maximal finished
// subtrees, with the right keys and results.
func checkTracked(s *Scope) {
	n := 0
	for k := 0; k < s.deque.top; k++ {
		if s.deque.slots[k].head().word != running {
			continue
		}
		want := model[n]
		n++
		x := s.checkpoint.at(k)
		if !want.on {
			if x != nil && (x.marked || len(x.parts) > 0) {
				panic("a job that no tick has seen is marked")
			}
			continue
		}
		if x == nil || !x.marked || x.costs.n != len(want.left) || len(x.parts) != len(want.left) {
			panic("a marked job does not hold one record for each child that ended since")
		}
		job := *s.deque.slots[k].fields().(*marked)
		for i, c := range want.left {
			at := slices.IndexFunc(job.children(), func(y marked) bool { return y.Seed == c })
			child := job.children()[at]
			key, _ := s.run.keyOf(rootJob(child))
			data, _ := marshal(child.value())
			if x.parts[i].key != key || !slices.Equal(x.parts[i].result, data) {
				panic("a record is not its child's")
			}
		}
	}
	if n != len(model) {
		panic("the running slots are not the chain of unfinished ancestors")
	}
	if share := s.share(); share < 0 || share > 1 {
		panic("an estimate is out of range")
	}
}

// share is what the job at the bottom of this stack is said to have done.
func (s *Scope) share() float64 {
	s.checkpoint.estimate(&s.deque, s.clock())
	s.pool.appraise()
	return math.Float64frombits(s.deque.frames[0].of.progress.Load())
}

func TestRecordsAgainstAModel(t *testing.T) {
	app, err := newRegistry(App{Tasks: []TaskType{Type[marked]()}})
	if err != nil {
		t.Fatal(err)
	}
	p := newPool(poolConfig{workers: 1, name: "here", app: app, outside: nobody{}, recording: true, period: time.Hour, worth: -1})
	defer p.close()
	for seed := range uint64(150) {
		model = nil
		task := marked{mix(seed, 3), 1 + int(seed%5)}
		got, err := Run(context.Background(), &Peer{pool: p, app: app}, task)
		if err != nil || got != task.value() {
			t.Fatalf("seed %d: %d, %v, want %d", seed, got, err, task.value())
		}
	}
}

// Two jobs of one key have one value, whatever fiber they are on, so records may be
// compared by key alone.
func TestKeysOfRecordsAreTheJobs(t *testing.T) {
	p := openWorkers(t, 1).pool
	r, err := p.newRun(context.Background(), rootJob(fibTask{9}))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[steal.Key]int{}
	for i := range 100 {
		key, err := r.keyOf(rootJob(fibTask{i}))
		if err != nil {
			t.Fatal(err)
		}
		if j, ok := seen[key]; ok {
			t.Fatalf("fib(%d) and fib(%d) share a key", i, j)
		}
		seen[key] = i
		if again, _ := r.keyOf(rootJob(fibTask{i})); again != key {
			t.Fatal("one job has two keys")
		}
	}
}

// A key is the same in every process, on every platform and in every release: the digest of the
// CBOR array [h'01 00…', "fib", {"N": 30}], which another implementation gave.
func TestKeysAreStable(t *testing.T) {
	key, err := keyOfTask(steal.Key{1}, "fib", &fibTask{30})
	if err != nil {
		t.Fatal(err)
	}
	if got := key.String(); got != "46bb1e236e94e295477c880c5415876e" {
		t.Errorf("key %s", got)
	}
	other, err := keyOfTask(steal.Key{1}, "fib", &fibTask{31})
	if err != nil || other == key {
		t.Errorf("another job has the same key, or %v", err)
	}
}
