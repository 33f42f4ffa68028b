package satintest_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"satingrid/satin"
	"satingrid/satin/satintest"
)

// Point, and the two ends of a Clash that are one each, have the same fields.
type (
	Point struct{ X, Y int }
	From  Point
	To    Point
)

// Clash embeds two structs with fields of the same names: neither travels.
type Clash struct {
	From
	To
	Depth int
}

func (c Clash) Run(s *satin.Scope) (int, error) {
	if c.Depth == 0 {
		computes(time.Millisecond)
		return c.From.X + 10*c.From.Y + 100*c.To.X + 1000*c.To.Y, nil
	}
	return fork(s, Clash{c.From, c.To, c.Depth - 1})
}

// depth is a type that cannot be seen from outside, so that nothing of it travels where it is
// embedded.
type depth int

// Sunk embeds it.
type Sunk struct {
	depth
	N int
}

func (k Sunk) Run(s *satin.Scope) (int, error) {
	if k.depth == 0 {
		computes(time.Millisecond)
		return k.N, nil
	}
	return fork(s, Sunk{k.depth - 1, k.N + 1})
}

// Twins has two fields of one name.
type Twins struct {
	A     int `cbor:"v"`
	B     int `cbor:"v"`
	Depth int
}

func (w Twins) Run(s *satin.Scope) (int, error) {
	if w.Depth == 0 {
		computes(time.Millisecond)
		return w.A + 10*w.B, nil
	}
	return fork(s, Twins{w.A, w.B, w.Depth - 1})
}

// Hour asks what time it is somewhere.
type Hour struct {
	At    time.Time
	Depth int
}

func (h Hour) Run(s *satin.Scope) (int, error) {
	if h.Depth == 0 {
		computes(time.Millisecond)
		return h.At.Hour() + len(h.At.Location().String()), nil
	}
	return fork(s, Hour{h.At, h.Depth - 1})
}

// fork is twice a task, of which thieves may have one.
func fork[T satin.Task[int]](s *satin.Scope, task T) (int, error) {
	x := satin.Spawn[T, int](s, task)
	m, err := task.Run(s)
	if err != nil {
		return 0, err
	}
	n, err := x.Wait(s)
	return n + m, err
}

// What CBOR does not carry whole is refused by name: alone as by a grid's peers, before anything
// is computed.
func TestTypesThatCannotTravel(t *testing.T) {
	t.Parallel()
	refused[Clash](t, Clash{From{4, 3}, To{2, 1}, 8}, "Clash.To.X", "Clash.From.X")
	refused[Sunk](t, Sunk{8, 1}, "Sunk.depth")
	refused[Twins](t, Twins{1, 2, 8}, "Twins.B", "Twins.A")
}

func refused[T satin.Task[int]](t *testing.T, task T, fields ...string) {
	t.Helper()
	_, alone := satin.Run[T, int](context.Background(), nil, task)
	_, grid := satintest.Open(four[T]())
	for _, err := range []error{alone, grid} {
		for _, field := range fields {
			if err == nil || !strings.Contains(err.Error(), field) {
				t.Errorf("%T: %v, and it does not name %s", task, err, field)
			}
		}
	}
}

func four[T satin.Task[int]]() satintest.Config {
	app := satin.App{Name: "carry", Tasks: []satin.TaskType{satin.Type[T, int]()}}
	return satintest.Config{App: app, Sites: []satintest.Site{{Name: "a", Peers: 4}}}
}

// Where it depends on the value, the value is refused that would not arrive, and others compute
// what they do alone.
func TestValuesThatCannotTravel(t *testing.T) {
	t.Parallel()
	g := satintest.Start(t, four[Hour]())
	utc := Hour{time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC), 8}
	alone, err := satin.Run(context.Background(), nil, utc)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := satin.Run(context.Background(), g.Client, utc); err != nil || got != alone {
		t.Errorf("in UTC the grid says %d, %v, and alone it is %d", got, err, alone)
	}
	for what, at := range map[string]time.Time{
		"UTC()":        utc.At.In(time.FixedZone("CEST", 7200)),
		"its location": time.Now(),
	} {
		_, err := satin.Run(context.Background(), g.Client, Hour{at, 8})
		if err == nil || !strings.Contains(err.Error(), "Hour.At") || !strings.Contains(err.Error(), what) {
			t.Errorf("%v: %v", at, err)
		}
	}
}

// Clocks spawns jobs that return times. Those of Far are in no time zone that travels.
type Clocks struct {
	N   int
	Far bool
}

// Clock is one of them.
type Clock struct {
	I   int
	Far bool
}

func (c Clock) Run(*satin.Scope) (time.Time, error) {
	computes(time.Millisecond)
	at := time.Unix(int64(c.I), 0).UTC()
	if c.Far {
		at = at.In(time.FixedZone("far", 3600))
	}
	return at, nil
}

func (c Clocks) Run(s *satin.Scope) (int, error) {
	sum := 0
	err := satin.Each(s, c.N, func(i int) Clock { return Clock{i, c.Far} }, func(_ int, at time.Time) { sum += at.Second() + at.Hour() })
	return sum, err
}

// A result that would not arrive whole fails the run, whoever has made it; no answer is made of it.
func TestResultsThatCannotTravel(t *testing.T) {
	t.Parallel()
	g := satintest.Start(t, satintest.Config{
		App:   satin.App{Name: "clocks", Tasks: []satin.TaskType{satin.Type[Clocks](), satin.Type[Clock]()}},
		Sites: []satintest.Site{{Name: "a", Peers: 4}},
	})
	alone, err := satin.Run(context.Background(), nil, Clocks{N: 400})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := satin.Run(context.Background(), g.Client, Clocks{N: 400}); err != nil || got != alone {
		t.Errorf("in UTC the grid says %d, %v, and alone it is %d", got, err, alone)
	}
	_, err = satin.Run(context.Background(), g.Client, Clocks{400, true})
	if err == nil || !strings.Contains(err.Error(), "Clock cannot travel") || !strings.Contains(err.Error(), "UTC()") {
		t.Errorf("a result in another zone: %v", err)
	}
}
