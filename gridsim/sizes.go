package gridsim

import (
	"reflect"
	"strings"
)

// sizesOf counts what every slice and every map below a value holds, by the way that leads there,
// but for what is below others, which pointers lead to. It sees all tables that there are, those
// too that are added when nobody thinks of this.
func sizesOf(x any, but ...any) map[string]int {
	s := sizer{sizes: map[string]int{}, seen: map[location]bool{}}
	for _, o := range but {
		s.meet(reflect.ValueOf(o).Elem())
	}
	s.value(reflect.ValueOf(x))
	return s.sizes
}

// sizes are those of what ships of a host: its machine, and the driver of that.
func (h *host) sizes() map[string]int {
	sizes := sizesOf(h.peer)
	for path, n := range sizesOf(h.driver, h.peer, h.plane) {
		sizes["driver."+path] = n
	}
	return sizes
}

// sizer walks through a value, and comes by each thing once: by whoever has it, not by those that
// point to it.
type sizer struct {
	sizes map[string]int
	seen  map[location]bool
	path  []string
}

// location is where a value is. A struct and its first field have one address.
type location struct {
	at uintptr
	of reflect.Type
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
		if !v.IsNil() && !s.seen[location{v.Pointer(), v.Type().Elem()}] {
			s.meet(v.Elem())
			s.value(v.Elem())
		}
	}
}

// meet notes a value that a pointer leads to, with the structs that it consists of.
func (s *sizer) meet(v reflect.Value) {
	s.seen[location{v.UnsafeAddr(), v.Type()}] = true
	for n := 0; v.Kind() == reflect.Struct && n < v.NumField(); n++ {
		if v.Field(n).Kind() == reflect.Struct {
			s.meet(v.Field(n))
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
			path := s.path
			if !f.Anonymous { // what is embedded is its holder's own
				s.path = append(s.path, f.Name)
			}
			s.value(v.Field(n))
			s.path = path
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
