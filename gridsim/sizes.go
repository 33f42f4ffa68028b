package gridsim

import (
	"reflect"
	"strings"
)

// sizesOf counts what every slice and every map below a value holds, by the way that leads there.
// It sees all tables that there are, those too that are added when nobody thinks of this.
func sizesOf(x any) map[string]int {
	s := sizer{sizes: map[string]int{}, seen: map[uintptr]bool{}}
	s.value(reflect.ValueOf(x))
	return s.sizes
}

// sizer walks through a value, and comes by each pointer once.
type sizer struct {
	sizes map[string]int
	seen  map[uintptr]bool
	path  []string
}

// bytesOfOne is how many bytes count as one: a small result is one thing, as it is in the
// table that holds it.
const bytesOfOne = 32

// scratch are fields whose contents are of one event.
var scratch = map[string]bool{"out": true}

func (s *sizer) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			s.count((v.Len() + bytesOfOne - 1) / bytesOfOne)
			return
		}
		s.count(v.Len())
		for n := 0; n < v.Len() && holds(v.Type().Elem()); n++ {
			s.value(v.Index(n))
		}
	case reflect.Map:
		s.count(v.Len())
		for i := v.MapRange(); i.Next() && holds(v.Type().Elem()); {
			s.value(i.Value())
		}
	case reflect.Struct:
		s.fields(v)
	case reflect.Interface:
		if !v.IsNil() {
			s.value(v.Elem())
		}
	case reflect.Pointer:
		if !v.IsNil() && !s.seen[v.Pointer()] {
			s.seen[v.Pointer()] = true
			s.value(v.Elem())
		}
	}
}

func (s *sizer) count(n int) { s.sizes[strings.Join(s.path, ".")] += n }

func (s *sizer) fields(v reflect.Value) {
	t := v.Type()
	if skippedTypes[t] {
		return
	}
	for n := range t.NumField() {
		if f := t.Field(n); !scratch[f.Name] && holds(f.Type) {
			s.path = append(s.path, f.Name)
			s.value(v.Field(n))
			s.path = s.path[:len(s.path)-1]
		}
	}
}

// holds tells whether values of a type may hold others that can be counted.
func holds(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Slice, reflect.Map, reflect.Struct, reflect.Interface, reflect.Pointer:
		return true
	}
	return false
}
