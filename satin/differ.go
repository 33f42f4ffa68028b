package satin

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"time"
)

// difference is where two values differ, and how.
type difference struct{ path, why string }

// under prefixes the path with the step that led there.
func (d *difference) under(step string) *difference {
	d.path = step + d.path
	return d
}

const (
	otherwise = "would arrive as another value"
	emptyNil  = "would arrive nil for empty, or empty for nil"
)

// pointers are two whose targets are being compared.
type pointers struct{ a, b uintptr }

// differ tells where b is not what a is: floats by their bits, nil is not empty. It looks into
// unexported fields, too, which types with marshallers of their own have. There pointers may loop:
// seen are the pairs above.
func differ(a, b reflect.Value, seen map[pointers]bool) *difference {
	if a.Type() == timeType && a.CanInterface() {
		return differTime(a.Interface().(time.Time), b.Interface().(time.Time))
	}
	same := true
	switch a.Kind() {
	case reflect.Bool:
		same = a.Bool() == b.Bool()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		same = a.Int() == b.Int()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		same = a.Uint() == b.Uint()
	case reflect.Float32, reflect.Float64:
		same = math.Float64bits(a.Float()) == math.Float64bits(b.Float())
	case reflect.Complex64, reflect.Complex128:
		same = sameComplex(a.Complex(), b.Complex())
	case reflect.String:
		same = a.String() == b.String()
	case reflect.Slice, reflect.Map, reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			if a.IsNil() != b.IsNil() {
				return &difference{why: emptyNil}
			}
			return nil
		}
		return differInside(a, b, seen)
	case reflect.Array, reflect.Struct:
		return differInside(a, b, seen)
	case reflect.Func:
		same = a.IsNil() && b.IsNil()
	default:
		same = a.Pointer() == b.Pointer()
	}
	if !same {
		return &difference{why: otherwise}
	}
	return nil
}

func sameComplex(a, b complex128) bool {
	return math.Float64bits(real(a)) == math.Float64bits(real(b)) &&
		math.Float64bits(imag(a)) == math.Float64bits(imag(b))
}

// differInside compares what has parts. Neither is nil.
func differInside(a, b reflect.Value, seen map[pointers]bool) *difference {
	switch a.Kind() {
	case reflect.Pointer:
		at := pointers{a.Pointer(), b.Pointer()}
		if at.a == at.b || seen[at] {
			return nil
		}
		if seen == nil {
			seen = map[pointers]bool{}
		}
		seen[at] = true
		return differ(a.Elem(), b.Elem(), seen)
	case reflect.Interface:
		if a.Elem().Type() != b.Elem().Type() {
			return &difference{why: otherwise}
		}
		return differ(a.Elem(), b.Elem(), seen)
	case reflect.Slice, reflect.Array:
		return differList(a, b, seen)
	case reflect.Map:
		return differMap(a, b, seen)
	}
	for i := range a.NumField() {
		f := a.Type().Field(i)
		if f.Name == "_" {
			continue
		}
		if d := differ(a.Field(i), b.Field(i), seen); d != nil {
			return d.under("." + f.Name)
		}
	}
	return nil
}

func differList(a, b reflect.Value, seen map[pointers]bool) *difference {
	if a.Len() != b.Len() {
		return &difference{why: otherwise}
	}
	if a.Kind() == reflect.Slice && a.Type().Elem().Kind() == reflect.Uint8 {
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			return &difference{why: otherwise}
		}
		return nil
	}
	for i := range a.Len() {
		if d := differ(a.Index(i), b.Index(i), seen); d != nil {
			return d.under(fmt.Sprintf("[%d]", i))
		}
	}
	return nil
}

func differMap(a, b reflect.Value, seen map[pointers]bool) *difference {
	if a.Len() != b.Len() {
		return &difference{why: otherwise}
	}
	for entry := a.MapRange(); entry.Next(); {
		other := b.MapIndex(entry.Key())
		if !other.IsValid() {
			return &difference{why: "has a key that would not be found again"}
		}
		if d := differ(entry.Value(), other, seen); d != nil {
			return d.under("[" + textOf(entry.Key()) + "]")
		}
	}
	return nil
}

// differTime says what of a time does not travel: only those in UTC without a monotonic reading
// are the same everywhere.
func differTime(a, b time.Time) *difference {
	switch {
	case a.Location() != time.UTC:
		return &difference{why: fmt.Sprintf(
			"is a time in %v, and its location would be lost: use its UTC()", a.Location())}
	case a != a.Round(0): //nolint:staticcheck // not Equal: it is the reading that counts
		return &difference{
			why: "is a time with a monotonic clock reading, which would be lost: use its Round(0)"}
	case a != b: //nolint:staticcheck // as above
		return &difference{why: otherwise}
	}
	return nil
}
