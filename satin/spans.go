package satin

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"satingrid/satin/wire"
)

// span is the memory that a pointer, a slice or a map of a value refers to.
type span struct {
	from, to uintptr
	pointer  bool
	path     *pathStep
}

// pathStep is the way to a part of a value, from the part up.
type pathStep struct {
	up   *pathStep
	name string
	key  *reflect.Value // of an element of a map
	n    int            // of an element, where there is neither
}

// String calls code of the program's for keys, where that may fail.
func (p *pathStep) String() string {
	switch {
	case p == nil:
		return ""
	case p.key != nil:
		return p.up.String() + "." + textOf(*p.key)
	case p.name != "":
		return p.up.String() + "." + p.name
	}
	return p.up.String() + "[" + strconv.Itoa(p.n) + "]"
}

// spans goes through what of a value will be encoded.
type spans struct {
	all    []span
	seen   map[visit]*pathStep // the targets of pointers
	levels int
	parts  int
	apart  bool // slices reach to their capacity: an append writes there
}

// walkedMax bounds the parts of a value that are gone through, those that refer to nothing aside:
// one that refers to itself more than once on each level has them without end.
const walkedMax = 1 << 26

// visit is a pointer: one to a struct and one to its first field are two.
type visit struct {
	at uintptr
	of reflect.Type
}

// checkSpans tells whether a value can be encoded, and comes back, with all that it shares within
// itself: it does not refer to itself, nothing is referred to twice by pointers. With apart no two
// slices or maps may share memory either, what slices may grow into included.
func checkSpans(v reflect.Value, apart bool) error {
	s := spans{seen: map[visit]*pathStep{}, apart: apart}
	if err := s.walk(v.Addr(), nil); err != nil {
		return fmt.Errorf("%v%w", v.Type(), err)
	}
	slices.SortFunc(s.all, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	// of those so far, and of the pointers among them, the one that ends last
	var last, pointer span
	for _, x := range s.all {
		other := pointer
		if x.pointer || apart {
			other = last
		}
		if x.from < other.to {
			return fmt.Errorf("%v: %s and %s share memory, with what slices may grow into, "+
				"and would come apart: copy one, or cut it as x[i:j:j]", v.Type(), name(other.path), name(x.path))
		}
		if x.to > last.to {
			last = x
		}
		if x.pointer && x.to > pointer.to {
			pointer = x
		}
	}
	return nil
}

func name(p *pathStep) string {
	if p == nil {
		return "the whole"
	}
	return p.String()
}

// walk enters what v refers to. The error begins with the path.
func (s *spans) walk(v reflect.Value, at *pathStep) error {
	if s.parts++; s.parts > walkedMax {
		return fmt.Errorf(" has more than %d parts, or refers to itself", walkedMax)
	}
	t := v.Type()
	if isFlat(t) {
		return nil
	}
	switch t.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		if t.Elem().Size() > 0 {
			here := visit{v.Pointer(), t}
			if before, ok := s.seen[here]; ok {
				return fmt.Errorf("%v and %s are pointers to one value, which would become two",
					at, name(before))
			}
			s.seen[here] = at
			s.all = append(s.all, span{here.at, here.at + t.Elem().Size(), true, at})
		}
		return s.walk(v.Elem(), at)
	case reflect.Slice, reflect.Map:
		if v.IsNil() {
			return nil
		}
	}
	if isOpaque(t) {
		return nil
	}
	if s.levels++; s.levels > wire.NestingMax {
		return fmt.Errorf("%v nests deeper than %d levels of arrays, maps and structs, or refers to itself",
			at, wire.NestingMax)
	}
	defer func() { s.levels-- }()
	return s.walkParts(v, at)
}

func (s *spans) walkParts(v reflect.Value, at *pathStep) error {
	switch t := v.Type(); t.Kind() {
	case reflect.Slice, reflect.Array:
		if t.Kind() == reflect.Slice {
			s.addSlice(v, at)
		}
		if isFlat(t.Elem()) {
			return nil
		}
		for i := range v.Len() {
			if err := s.walk(v.Index(i), &pathStep{up: at, n: i}); err != nil {
				return err
			}
		}
	case reflect.Map:
		s.all = append(s.all, span{v.Pointer(), v.Pointer() + 1, false, at})
		if isFlat(t.Elem()) {
			return nil
		}
		for entry := v.MapRange(); entry.Next(); {
			key := entry.Key()
			if err := s.walk(entry.Value(), &pathStep{up: at, key: &key}); err != nil {
				return err
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := t.Field(i); f.IsExported() || f.Anonymous {
				if err := s.walk(v.Field(i), &pathStep{up: at, name: f.Name}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (s *spans) addSlice(v reflect.Value, at *pathStep) {
	n := v.Len()
	if s.apart {
		n = v.Cap()
	}
	if size := uintptr(n) * v.Type().Elem().Size(); size > 0 {
		s.all = append(s.all, span{v.Pointer(), v.Pointer() + size, false, at})
	}
}

// places is for how many slices and maps a value of the type has places: none, one, or two for
// more. The type must not refer to itself.
func places(t reflect.Type) int {
	n := 0
	switch t.Kind() {
	case reflect.Slice, reflect.Map:
		n = 1 + 2*places(t.Elem())
	case reflect.Array:
		n = t.Len() * places(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			n += places(t.Field(i).Type)
		}
	}
	return min(n, 2)
}

// isFlat tells whether values of the type refer to nothing.
func isFlat(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
		return false
	case reflect.Array:
		return isFlat(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !isFlat(t.Field(i).Type) {
				return false
			}
		}
	}
	return true
}
