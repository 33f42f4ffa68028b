package satintest_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"satingrid/satin"
	"satingrid/satin/satintest"
)

// Values that the program's own code fails on fail the run wherever that happens: not only where a
// job is lent.

// Fussy is a fact that fails, as How says, from the second time on that it is read: the first time
// is where it is told.
type Fussy struct{ How string }

var fussyReads atomic.Int32

func (f Fussy) MarshalBinary() ([]byte, error) { return []byte(f.How), nil }

func (f *Fussy) UnmarshalBinary(data []byte) error {
	f.How = string(data)
	if fussyReads.Add(1) == 1 {
		return nil
	}
	switch f.How {
	case "panic":
		panic("fussy panics")
	case "exit":
		exits()
	}
	return errors.New("fussy refuses")
}

// Gossip tells one and asks for others', until somebody has tried to read it.
type Gossip struct {
	How  string
	Root bool
}

func (q Gossip) Run(s *satin.Scope) (int, error) {
	if q.Root {
		x := satin.Spawn(s, Gossip{How: q.How})
		satin.Tell(s, Fussy{q.How})
		// another worker has x, as this one would not be given its own fact
		computesUntil(s, func() bool { return fussyReads.Load() > 1 })
		return x.Wait(s)
	}
	heard := 0
	computesUntil(s, func() bool {
		heard += len(satin.Heard[Fussy](s))
		return fussyReads.Load() > 1
	})
	return heard, nil
}

// A fact that panics where it is heard fails the run, and says who told it.
func TestFactThatPanics(t *testing.T) {
	p, err := satin.Open(context.Background(), satin.Config{Alone: true, Name: "gossips", Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	g := satintest.Start(t, satintest.Config{
		App:   satin.App{Name: "gossip", Tasks: []satin.TaskType{satin.Type[Gossip]()}},
		Sites: []satintest.Site{{Name: "a", Peers: 1}, {Name: "b", Peers: 1}},
	})
	for how, text := range map[string]string{"panic": "fussy panics", "exit": "Goexit"} {
		for where, on := range map[string]*satin.Peer{"gossips": p, "a/1": g.Client} {
			fussyReads.Store(0)
			n, err := satin.Run(t.Context(), on, Gossip{how, true})
			var panicked *satin.PanicError
			if !errors.As(err, &panicked) || !strings.Contains(err.Error(), text) || !strings.Contains(err.Error(), "a fact from "+where) {
				t.Errorf("%s at %s: %d, %v", how, where, n, err)
			}
		}
	}
}

// One that cannot be read is dropped, and it is said of whom it was.
func TestFactThatCannotBeRead(t *testing.T) {
	var said bytes.Buffer
	p, err := satin.Open(context.Background(), satin.Config{
		Alone: true, Name: "gossips", Workers: 2, Log: slog.New(slog.NewTextHandler(&said, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	fussyReads.Store(0)
	n, err := satin.Run(t.Context(), p, Gossip{"refuse", true})
	if n != 0 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if text := said.String(); strings.Count(text, "a fact was dropped") != 1 || !strings.Contains(text, "peer=gossips") || !strings.Contains(text, "fussy refuses") {
		t.Errorf("it says %q", text)
	}
}

// GrimParts is a list of jobs that take long enough to be kept when they are done.
type GrimParts struct{ Fields, Result string }

type GrimPart struct {
	Fields Grim
	Result string
	I      int
}

func (q GrimPart) Run(*satin.Scope) (Grim, error) {
	computes(20 * time.Millisecond)
	return Grim{q.Result}, nil
}

func (q GrimParts) Run(s *satin.Scope) (int, error) {
	n := 0
	err := satin.Each(s, 60, func(i int) GrimPart { return GrimPart{Grim{q.Fields}, q.Result, i} }, func(int, Grim) { n++ })
	return n, err
}

// A single peer lends nothing, and keeps what is finished.
func TestPartsThatCannotBeEncoded(t *testing.T) {
	t.Parallel()
	g := satintest.Start(t, satintest.Config{
		App:   satin.App{Name: "parts", Tasks: []satin.TaskType{satin.Type[GrimParts](), satin.Type[GrimPart]()}},
		Sites: []satintest.Site{{Name: "a", Peers: 1}},
	})
	for _, task := range []GrimParts{{Fields: "write"}, {Result: "write"}} {
		n, err := satin.Run(t.Context(), g.Client, task)
		var panicked *satin.PanicError
		if !errors.As(err, &panicked) || !strings.Contains(err.Error(), "grim to write") || !strings.HasSuffix(panicked.Task, ".GrimPart") {
			t.Errorf("%+v: %d, %v", task, n, err)
		}
	}
}

// What is kept of a job that is done where it was spawned may be no longer than what travels.
func TestPartsThatAreTooLong(t *testing.T) {
	t.Parallel()
	g := satintest.Start(t, satintest.Config{
		App:   satin.App{Name: "parts", Tasks: []satin.TaskType{satin.Type[GrimParts](), satin.Type[GrimPart]()}},
		Sites: []satintest.Site{{Name: "a", Peers: 1}},
		Peer:  func(c *satin.Config) { c.ResultMax = 1000 },
	})
	const want = "a result of task satintest_test.GrimPart is 1003 bytes: 1000 may travel (Config.ResultMax)"
	_, err := satin.Run(t.Context(), g.Client, GrimParts{Result: strings.Repeat("x", 1000)})
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
}

// Tie is a solution as good as any other, whose encoding panics.
type Tie struct{ N int }

func (Tie) Better(Tie) bool                { return false }
func (Tie) MarshalBinary() ([]byte, error) { panic("no tie") }
func (*Tie) UnmarshalBinary([]byte) error  { return nil }

type Ties struct{}

func (Ties) Run(s *satin.Scope) (Tie, error) {
	satin.Offer(s, Tie{1})
	satin.Offer(s, Tie{2})
	return Tie{3}, nil
}

// A tie is broken by the encoding, also in a process alone.
func TestTieThatPanics(t *testing.T) {
	t.Parallel()
	here, err := satin.Open(t.Context(), satin.Config{Alone: true, StaysHere: true})
	if err != nil {
		t.Fatal(err)
	}
	defer here.Close()
	for _, p := range []*satin.Peer{nil, here} {
		_, err := satin.Run(t.Context(), p, Ties{})
		var panicked *satin.PanicError
		if !errors.As(err, &panicked) || !strings.Contains(err.Error(), "no tie") {
			t.Errorf("%v", err)
		}
	}
}
