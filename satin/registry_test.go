package satin

import (
	"context"
	"net/netip"
	"strings"
	"testing"

	"satingrid/steal"
)

type good struct {
	N    int
	Name string
	List []struct{ X, Y float64 }
	Map  map[string][]byte
	Next *good
	Big  netip.Addr // carries itself
}

func (good) Run(*Scope) (int, error) { return 0, nil }

type hidden struct {
	N int
	m int
}

func (hidden) Run(*Scope) (int, error) { return 0, nil }

type deepHidden struct {
	In []map[string]struct{ F func() }
}

func (deepHidden) Run(*Scope) (int, error) { return 0, nil }

type leftOut struct {
	N int `json:"-"`
}

func (leftOut) Run(*Scope) (int, error) { return 0, nil }

type badResult struct{}

func (badResult) Run(*Scope) (struct{ C chan int }, error) { return struct{ C chan int }{}, nil }

func TestOpenRefusesWhatCannotTravel(t *testing.T) {
	_ = hidden{m: 1}
	for _, c := range []struct {
		tasks []TaskType
		want  string // in the error; empty: accepted
	}{
		{[]TaskType{Type[good](), Type[fibTask]()}, ""},
		{[]TaskType{Type[hidden]()}, "satin.hidden.m is unexported"},
		{[]TaskType{Type[deepHidden]()}, "satin.deepHidden.In.F is a func"},
		{[]TaskType{Type[leftOut]()}, "left out"},
		{[]TaskType{Type[badResult]()}, "is a chan"},
		{[]TaskType{Type[good](), Type[fibTask]().Named("satin.good")}, "both named"},
		{[]TaskType{{}}, "satin.Type"},
	} {
		p, err := Open(context.Background(), Config{Alone: true, Workers: 1, App: App{Tasks: c.tasks}})
		switch {
		case c.want == "" && err != nil:
			t.Errorf("refused: %v", err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("error %v, want %q", err, c.want)
		}
		if err == nil {
			p.Close()
		}
	}
	for _, n := range []int{-1, workersMax + 1} {
		if _, err := Open(context.Background(), Config{Workers: n}); err == nil {
			t.Errorf("%d workers were accepted", n)
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
