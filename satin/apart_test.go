package satin

// Inside the package: a program sees what its encoding fails by only where the process dies of it.

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// touchy is an error whose methods fail where there is none.
type touchy struct{ text string }

func (e *touchy) Error() string { return e.text }
func (e *touchy) Unwrap() error { return errors.New(e.text) }

// stiff is a value whose encoding fails as How says, by an error that fails itself.
type stiff struct{ How string }

func (v stiff) fail(when string) error {
	how, ok := strings.CutPrefix(v.How, when+" ")
	if !ok {
		return nil
	}
	switch how {
	case "nil":
		return (*touchy)(nil)
	case "unwraps":
		return failsBy(func() string { panic("unwraps") })
	case "exits":
		return failsBy(func() string { runtime.Goexit(); return "" })
	}
	return errors.New(how)
}

// failsBy is an error whose methods do that.
type failsBy func() string

func (e failsBy) Error() string  { return e() }
func (e failsBy) Unwrap() error  { return errors.New(e()) }
func (e failsBy) As(any) bool    { return e() == "" }
func (e failsBy) Is(error) bool  { return e() == "" }
func (e failsBy) String() string { return e() }

func (v stiff) MarshalBinary() ([]byte, error) { return []byte(v.How), v.fail("write") }

func (v *stiff) UnmarshalBinary(data []byte) error {
	v.How = string(data)
	return v.fail("read")
}

// What a program's encoding fails by is an error of ours: looking at it runs none of its code.
func TestErrorsOfEncodingAreOurs(t *testing.T) {
	for how, want := range map[string]string{
		"nil": "its code panicked: runtime error", "unwraps": "its code panicked: unwraps",
		"exits": "its code called runtime.Goexit", "no room": "no room", strings.Repeat("x", 2*textMax): "xxx …",
	} {
		_, written := marshal(&generic[stiff]{stiff{"write " + how}})
		data, err := marshal(&generic[stiff]{stiff{"read " + how}})
		if err != nil {
			t.Fatal(err)
		}
		read := unmarshal(data, new(generic[stiff]))
		for when, err := range map[string]error{"written": written, "read": read} {
			said := ""
			failed := apart(func() {
				said = fmt.Errorf("it fails: %w", err).Error()
				errors.As(err, new(*touchy))
				errors.Is(err, errPlanned)
			})
			if failed != nil || !strings.Contains(said, want) || len(said) > textMax+100 {
				t.Errorf("%.20s: %s: %v, %.200q; want %q", how, when, failed, said, want)
			}
		}
	}
}

// knot is a value that has itself within it.
type knot []any

func newKnot() knot {
	k := make(knot, 1)
	k[0] = k
	return k
}

// The text of what code panics with is had where it may fail, and is short.
func TestTextOfPanics(t *testing.T) {
	wide := make(map[int]knot)
	wide[0] = knot{wide}
	for _, c := range []struct {
		value any
		want  string
	}{
		{"why", "why"}, {nil, "<nil>"}, {struct{ X, Y int }{1, 2}, "{1 2}"}, {&struct{ L []int }{[]int{3}}, "&{[3]}"},
		{errPlanned, "planned"}, {(*touchy)(nil), "<nil>"},
		{failsBy(func() string { runtime.Goexit(); return "" }), "a satin.failsBy, whose text called runtime.Goexit"},
		{failsBy(func() string { panic("first") }), "PANIC=Error method: first"},
		// the text of what it panics with fails, and so does that of what this panics with
		{failsBy(func() string {
			panic(failsBy(func() string { panic(failsBy(func() string { runtime.Goexit(); return "" })) }))
		}),
			"a satin.failsBy, whose text panicked with a satin.failsBy"},
		{newKnot(), "a large satin.knot"}, {wide, "a large map[int]satin.knot"}, {new([1 << 20]struct{}), "a large *[1048576]struct {}"},
		{strings.Repeat("x", 2*textMax), "xxx …"},
	} {
		var got string
		if failed := apart(func() { got = textOf(c.value) }); failed != nil || !strings.Contains(got, c.want) || len(got) > textMax+10 {
			t.Errorf("%v: %.200q, want %q", failed, got, c.want)
		}
		if failed := apart(func() { panic(c.value) }); c.value != nil && (failed == nil || failed.text != got) {
			t.Errorf("a panic says %v, want %q", failed, got)
		}
	}
}
