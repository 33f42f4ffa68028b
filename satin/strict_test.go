package satin_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"satingrid/satin"
)

// sorter sorts its own field: afterwards it is another job.
type sorter struct{ List []int }

func (q sorter) Run(*satin.Scope) (int, error) {
	q.List[0], q.List[1] = min(q.List[0], q.List[1]), max(q.List[0], q.List[1])
	return q.List[0], nil
}

// meddler changes its child's field after Spawn.
type meddler struct{ Own bool }

func (m meddler) Run(s *satin.Scope) (int, error) {
	list := []int{2, 1}
	if !m.Own {
		x := satin.Spawn(s, sum{list})
		list[0] = 7
		return x.Wait(s)
	}
	x := satin.Spawn(s, sorter{list})
	return x.Wait(s)
}

type sum struct{ List []int }

func (q sum) Run(*satin.Scope) (int, error) { return q.List[0] + q.List[1], nil }

// circular is better than the next one, in a circle of three.
type circular struct{ N int }

func (c circular) Better(d circular) bool { return (c.N+1)%3 == d.N }

// reflexive is better than itself.
type reflexive struct{ N int }

func (c reflexive) Better(d reflexive) bool { return c.N >= d.N }

// vague finds neighbours equally good.
type vague struct{ N int }

func (c vague) Better(d vague) bool { return c.N > d.N+1 }

type offering[T satin.Better[T]] struct{ All []T }

func (o offering[T]) Run(s *satin.Scope) (T, error) {
	for _, v := range o.All {
		satin.Offer(s, v)
	}
	return o.All[0], nil
}

func strictPeer(t *testing.T, workers int) *satin.Peer {
	t.Helper()
	return open(t, satin.Config{Workers: workers, Testing: satin.Testing{Strict: true}})
}

func failure[T satin.Task[R], R any](t *testing.T, task T) string {
	t.Helper()
	if _, err := satin.Run[T, R](context.Background(), alone(t, 1), task); err != nil {
		t.Errorf("without Strict %+v fails: %v", task, err)
	}
	if _, err := satin.Run[T, R](context.Background(), strictPeer(t, 1), task); err != nil {
		return err.Error()
	}
	return ""
}

func TestStrictFindsBreaches(t *testing.T) {
	for what, got := range map[string]string{
		"changed while it ran":  failure[meddler, int](t, meddler{true}),
		"changed after Spawn":   failure[meddler, int](t, meddler{false}),
		"first than the last":   failure[offering[circular], circular](t, offering[circular]{[]circular{{0}, {1}, {2}}}),
		"better than itself":    failure[offering[reflexive], reflexive](t, offering[reflexive]{[]reflexive{{1}}}),
		"not the first as the":  failure[offering[vague], vague](t, offering[vague]{[]vague{{0}, {2}, {1}}}),
		"worker's state is not": failure[leaning, int](t, leaning{}),
	} {
		if !strings.Contains(got, what) {
			t.Errorf("%s: the run says %q", what, got)
		}
	}
	var fault *satin.FaultError
	if _, err := satin.Run(context.Background(), strictPeer(t, 1), meddler{true}); !errors.As(err, &fault) || fault.Task != "satin_test.sorter" {
		t.Errorf("the error names no job: %v", err)
	}
}

// leaning expects to find in its worker's state what it has put there before.
type leaning struct{}

type warm struct{ n int }

func (leaning) Run(s *satin.Scope) (int, error) {
	for i := range 20 {
		w := satin.Local(s, func() *warm { return new(warm) })
		if w.n != i {
			return 0, errors.New("worker's state is not what it was")
		}
		w.n++
		x := satin.Spawn(s, unit{0})
		if _, err := x.Wait(s); err != nil {
			return 0, err
		}
	}
	return 0, nil
}

// hour is a root that may not arrive.
type hour struct{ At time.Time }

func (h hour) Run(*satin.Scope) (int, error) { return h.At.Hour(), nil }

// Under Strict a root that computes alone is looked at as if it travelled.
func TestStrictLooksAtRoots(t *testing.T) {
	here := time.FixedZone("here", 3600)
	for _, at := range []time.Time{time.Now().UTC().Round(0), time.Now(), time.Now().In(here)} {
		got := failure[hour, int](t, hour{at})
		if fits := at.Location() == time.UTC; fits != (got == "") || !fits && !strings.Contains(got, "the root task satin_test.hour cannot travel") {
			t.Errorf("%v: %q", at, got)
		}
	}
	list := []int{2, 1}
	_, err := satin.Run(t.Context(), strictPeer(t, 1), sorter{list})
	if err == nil || !strings.Contains(err.Error(), "changed while it ran") {
		t.Errorf("a root that changes its fields: %v", err)
	}
	if list[0] != 2 {
		t.Error("a root has written to its submitter's memory")
	}
}

// stows spawns a job with many bytes, that returns many.
type stows struct{ Fields, Result int }

type stowed struct {
	Pad    []byte
	Result int
}

func (q stowed) Run(*satin.Scope) ([]byte, error) { return make([]byte, q.Result), nil }

func (q stows) Run(s *satin.Scope) (int, error) {
	got, err := satin.Spawn(s, stowed{make([]byte, q.Fields), q.Result}).Wait(s)
	return len(got), err
}

// Under Strict all sizes are looked at, also of what stays here.
func TestStrictLooksAtSizes(t *testing.T) {
	for _, c := range []struct {
		task stows
		want string
	}{
		{stows{1000, 5000}, ""},
		{stows{1 << 20, 1}, "the fields of a job of task satin_test.stowed cannot travel: they are 1048594 bytes and 1048576 may travel"},
		{stows{1, 6000}, "a result of task satin_test.stowed is 6003 bytes: 6000 may travel (Config.ResultMax)"},
	} {
		for _, strict := range []bool{false, true} {
			p := open(t, satin.Config{Workers: 1, ResultMax: 6000, Testing: satin.Testing{Strict: strict}})
			n, err := satin.Run(t.Context(), p, c.task)
			if fits := !strict || c.want == ""; fits && (err != nil || n != c.task.Result) || !fits && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("strict %v: %d, %v; want %q", strict, n, err, c.want)
			}
		}
	}
}
