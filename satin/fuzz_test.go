package satin

// Inside the package: what comes from outside is decoded here, before any program sees it.

import (
	"net/netip"
	"testing"

	"satingrid/satin/build"
	"satingrid/steal"
)

func FuzzHello(f *testing.F) {
	made, err := build.This()
	if err != nil {
		f.Fatal(err)
	}
	mine := hello{App: "a", Version: "1", Schema: steal.Key{1}, Build: made}
	h := handshake{own: func() (hello, error) { return mine, nil }}
	f.Add(mustMarshal(&mine))
	f.Fuzz(func(t *testing.T, data []byte) {
		if h.Accept("x", data) != nil {
			return
		}
		var other hello
		if err := unmarshal(data, &other); err != nil || other.App != "a" || other.Version != "1" || other.Schema != mine.Schema || !other.Build.Matches(made) {
			t.Fatalf("%+v was accepted", other)
		}
	})
}

func FuzzFailure(f *testing.F) {
	f.Add(packFatal(&PanicError{Task: "t", Value: "v", Stack: []byte("s")}).Bytes, true)
	failed := packError(errPlanned)
	f.Add(failed.Bytes, false)
	f.Fuzz(func(t *testing.T, data []byte, panicked bool) {
		r := steal.Result{Outcome: steal.Failed, Bytes: data}
		if panicked {
			r.Outcome = steal.Panicked
		}
		if err := unpackFailure(r); err == nil || err.Error() == "" {
			t.Fatal("a failure became none")
		}
	})
}

// good has fields of many kinds.
type good struct {
	N    int
	Name string
	List []struct{ X, Y float64 }
	Map  map[string][]byte
	Next *good
	Big  netip.Addr // carries itself
}

func (good) Run(*Scope) (int, error) { return 0, nil }

func FuzzFields(f *testing.F) {
	app, err := newRegistry(App{Tasks: []TaskType{Type[good](), Type[fibTask]()}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(true, mustMarshal(&fibTask{3}))
	f.Add(false, mustMarshal(&good{N: 1, Name: "x", Next: &good{N: 2}}))
	f.Fuzz(func(t *testing.T, small bool, data []byte) {
		name := "satin.good"
		if small {
			name = "satin.fibTask"
		}
		j := app.byName[name].make()
		if j.load(data) != nil {
			return
		}
		if _, err := keyOfTask(steal.Key{}, name, j.fields()); err != nil {
			t.Fatalf("fields that were read have no key: %v", err)
		}
	})
}
