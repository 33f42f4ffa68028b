package gridsim

import (
	"reflect"
)

// sumOf sums up a value with all that it points to, private fields included: two states with one
// sum are taken for one. Left out are functions, the hosts and the world, and fields that say
// nothing about what will happen.
func sumOf(x any) uint64 {
	s := summer{sums: map[pointee]uint64{}}
	return s.value(reflect.ValueOf(x))
}

// summer walks through a value, and comes by what a pointer leads to once: the components of a peer
// know each other, and so there are very many ways to each.
type summer struct{ sums map[pointee]uint64 }

// pointee is what a pointer leads to. A struct and its first field stand at one address.
type pointee struct {
	at uintptr
	is reflect.Type
}

// skipped are fields that are scratch space, or that only tell what has been.
var skipped = map[string]bool{"out": true, "arrival": true, "tickDue": true, "stats": true, "losses": true, "busy": true, "jobs": true, "seen": true}

// skippedTypes are those that a state is not made of.
var skippedTypes = map[reflect.Type]bool{reflect.TypeFor[host](): true, reflect.TypeFor[World](): true}

func (s *summer) value(v reflect.Value) uint64 {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return 3
		}
		return 5
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return mix(uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return mix(v.Uint() ^ 1<<60)
	case reflect.Float32, reflect.Float64:
		return mix(uint64(int64(v.Float() * (1 << 20))))
	case reflect.String:
		return sumString(v.String())
	case reflect.Slice, reflect.Array:
		return s.list(v)
	case reflect.Map:
		var sum uint64
		for i := v.MapRange(); i.Next(); {
			sum += mix(s.value(i.Key()) ^ mix(s.value(i.Value())))
		}
		return mix(sum + 7)
	case reflect.Struct:
		return s.fields(v)
	case reflect.Interface:
		if v.IsNil() {
			return 11
		}
		return mix(s.value(v.Elem()) ^ sumString(v.Elem().Type().String()))
	case reflect.Pointer:
		return s.pointer(v)
	}
	return 13 // functions and channels
}

func sumString(x string) uint64 {
	sum := uint64(len(x))
	for n := range len(x) {
		sum = mix(sum ^ uint64(x[n]))
	}
	return sum
}

func (s *summer) list(v reflect.Value) uint64 {
	sum := uint64(v.Len())
	if v.Type().Elem().Kind() == reflect.Uint8 && v.Kind() == reflect.Slice {
		for _, b := range v.Bytes() {
			sum = mix(sum ^ uint64(b))
		}
		return sum
	}
	for n := range v.Len() {
		sum = mix(sum ^ s.value(v.Index(n)))
	}
	return sum
}

func (s *summer) fields(v reflect.Value) uint64 {
	t := v.Type()
	if skippedTypes[t] {
		return 17
	}
	sum := uint64(t.NumField())
	for n := range t.NumField() {
		if !skipped[t.Field(n).Name] {
			sum = mix(sum ^ s.value(v.Field(n)))
		}
	}
	return sum
}

// pointer follows a pointer, but not in a circle.
func (s *summer) pointer(v reflect.Value) uint64 {
	if v.IsNil() {
		return 19
	}
	to := pointee{v.Pointer(), v.Type()}
	if sum, ok := s.sums[to]; ok {
		return sum
	}
	s.sums[to] = 23 // within what it leads to
	sum := mix(s.value(v.Elem()) + 29)
	s.sums[to] = sum
	return sum
}
