package satintest_test

import (
	"context"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"satingrid/satin/await"

	"satingrid/satin"
	"satingrid/satin/satintest"
)

// Heavy is a big root, whose children look at parts of it.
type Heavy struct {
	N    int
	Data []byte
	Hold bool // until it is withdrawn
}

// Weigh looks at one part.
type Weigh struct{ Part []byte }

func (h Heavy) Run(s *satin.Scope) (int, error) {
	if h.Hold && !computesUntil(s, never) {
		return 0, satin.ErrWithdrawn
	}
	sum := 0
	part := func(i int) Weigh { return Weigh{h.Data[i*1000 : (i+1)*1000]} }
	err := satin.Each(s, 64, part, func(_, n int) { sum += n })
	return sum, err
}

func (w Weigh) Run(*satin.Scope) (int, error) {
	computes(time.Millisecond)
	sum := 0
	for _, b := range w.Part {
		sum += int(b)
	}
	return sum, nil
}

func (h Heavy) Value() int { return 64 * 1000 * h.N }

// heavy is a root of so many bytes.
func heavy(n, bytes int) Heavy {
	h := Heavy{N: n, Data: make([]byte, bytes)}
	for i := range h.Data {
		h.Data[i] = byte(n)
	}
	return h
}

// forced is how often memory was collected because somebody asked for it.
func forced() uint64 {
	sample := []metrics.Sample{{Name: "/gc/cycles/forced:gc-cycles"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// When runs with big roots have ended nobody keeps a root, and the system has the memory again.
// This test is alone: it looks at what the whole process uses.
func TestBigRootsAreGivenBack(t *testing.T) {
	const bytes, roots = 13 << 20, 5
	g := satintest.Start(t, satintest.Config{App: heavyApp})
	wait(t, submit[Heavy, int](t, g, heavy(1, 64000)), heavy(1, 64000).Value())
	before, _ := settled(t, g)
	collected := forced()
	for n := range roots {
		task := heavy(n+1, bytes)
		wait(t, submit[Heavy, int](t, g, task), task.Value())
	}
	await.Until(t, "memory is given back", func() bool { return forced() != collected })
	var after uint64
	if !await.Comes(func() bool { // the others hear later of the end
		after, _ = settled(t, g)
		return after <= before+bytes/2
	}) {
		t.Errorf("the heap was %d MiB, and is %d when %d roots of %d have gone",
			before>>20, after>>20, roots, bytes>>20)
	}
}

var heavyApp = satin.App{Name: "heavy", Tasks: []satin.TaskType{satin.Type[Heavy](), satin.Type[Weigh]()}}

// One client may have so many bytes of roots out, and is told in words; when one is withdrawn
// there is room again.
func TestRootsOfOneClientAreBounded(t *testing.T) {
	g := satintest.Start(t, satintest.Config{App: heavyApp, Sites: []satintest.Site{{Name: "a", Peers: 1}}})
	ctx, withdraw := context.WithCancel(context.Background())
	defer withdraw()
	var taken []*satin.Submission[int]
	var refused error
	for n := 0; n < 4 && refused == nil; n++ {
		var sub *satin.Submission[int]
		task := heavy(n+1, 50<<20)
		task.Hold = true
		if sub, refused = satin.Submit(ctx, g.Client, task); refused == nil {
			taken = append(taken, sub)
		}
	}
	if len(taken) != 2 || refused == nil || !strings.Contains(refused.Error(), "150 MiB together: 128") {
		t.Errorf("%d are taken, then: %v", len(taken), refused)
	}
	withdraw()
	for _, sub := range taken {
		if _, err := sub.Wait(); err == nil {
			t.Error("one was not withdrawn")
		}
	}
	task := heavy(9, 16<<20)
	wait(t, submit[Heavy, int](t, g, task), task.Value())
}
