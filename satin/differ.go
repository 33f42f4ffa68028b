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

	withReading = "is a time with a monotonic clock reading, which would be lost: use its Round(0)"
)

// comparison is of two values. It looks into unexported fields, too, which types with marshallers
// of their own have: there references may loop, and lists be as long as memory.
type comparison struct {
	seen   map[references]bool
	levels int
	later  []couple // what lies deeper than levels may be
}

// references are two whose targets are being compared, or have been.
type references struct {
	a, b uintptr
	n    int          // elements, of slices
	of   reflect.Type // a pointer to a struct and one to its first field are two
}

type couple struct{ a, b reflect.Value }

// levelsMax bounds the recursion: each level is some hundred bytes of stack, and what is deeper
// waits until the stack is free.
const levelsMax = 1000

// differ tells where b is not what a is: floats by their bits, nil is not empty. Of what lies deep
// only the last steps of the path are told.
func differ(a, b reflect.Value) *difference {
	c := comparison{seen: map[references]bool{}}
	d := c.differ(a, b)
	for d == nil && len(c.later) > 0 {
		last := len(c.later) - 1
		x := c.later[last]
		c.later = c.later[:last]
		if d = c.differ(x.a, x.b); d != nil {
			return d.under(" …")
		}
	}
	return d
}

func (c *comparison) differ(a, b reflect.Value) *difference {
	if a.Type() == timeType {
		if a.CanInterface() {
			return differTime(a.Interface().(time.Time), b.Interface().(time.Time))
		}
		if why := hiddenTime(a); why != "" {
			return &difference{why: why}
		}
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
		return c.follow(a, b)
	case reflect.Array:
		return c.differList(a, b)
	case reflect.Struct:
		return c.differFields(a, b)
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

// follow compares what is behind two references. Neither is nil.
func (c *comparison) follow(a, b reflect.Value) *difference {
	if c.levels >= levelsMax {
		c.later = append(c.later, couple{a, b})
		return nil
	}
	c.levels++
	defer func() { c.levels-- }()
	if a.Kind() == reflect.Interface {
		if a.Elem().Type() != b.Elem().Type() {
			return &difference{why: otherwise}
		}
		return c.differ(a.Elem(), b.Elem())
	}
	if a.Kind() == reflect.Slice && a.Len() != b.Len() {
		return &difference{why: otherwise}
	}
	if a.Kind() == reflect.Pointer || !isFlat(a.Type().Elem()) {
		at := references{a: a.Pointer(), b: b.Pointer(), of: a.Type()}
		if a.Kind() == reflect.Slice {
			at.n = a.Len()
		}
		if at.a == at.b || c.seen[at] {
			return nil
		}
		if c.seen[at] = true; len(c.seen) > walkedMax {
			return &difference{why: fmt.Sprintf("has more than %d parts, or refers to itself", walkedMax)}
		}
	}
	switch a.Kind() {
	case reflect.Pointer:
		return c.differ(a.Elem(), b.Elem())
	case reflect.Map:
		return c.differMap(a, b)
	}
	return c.differList(a, b)
}

func (c *comparison) differFields(a, b reflect.Value) *difference {
	for i := range a.NumField() {
		f := a.Type().Field(i)
		if f.Name == "_" {
			continue
		}
		if d := c.differ(a.Field(i), b.Field(i)); d != nil {
			return d.under("." + f.Name)
		}
	}
	return nil
}

// differList compares arrays, or slices of one length.
func (c *comparison) differList(a, b reflect.Value) *difference {
	if a.Kind() == reflect.Slice && a.Type().Elem().Kind() == reflect.Uint8 {
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			return &difference{why: otherwise}
		}
		return nil
	}
	for i := range a.Len() {
		if d := c.differ(a.Index(i), b.Index(i)); d != nil {
			return d.under(fmt.Sprintf("[%d]", i))
		}
	}
	return nil
}

func (c *comparison) differMap(a, b reflect.Value) *difference {
	if a.Len() != b.Len() {
		return &difference{why: otherwise}
	}
	for entry := a.MapRange(); entry.Next(); {
		other := b.MapIndex(entry.Key())
		if !other.IsValid() {
			return &difference{why: "has a key that would not be found again"}
		}
		if d := c.differ(entry.Value(), other); d != nil {
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
		return &difference{why: withReading}
	case a != b: //nolint:staticcheck // as above
		return &difference{why: otherwise}
	}
	return nil
}

// hiddenTime says what of a time in an unexported field depends on the computer. It was encoded by
// a method of the program's, mostly by the time's own: that gives the offset from UTC alone, and
// comes back in Local wherever that is the local one. "" says that nothing does, as far as can be
// seen.
func hiddenTime(a reflect.Value) string {
	wall, loc := a.FieldByName("wall"), a.FieldByName("loc")
	const monotonic = 1 << 63
	switch {
	case !wall.IsValid() || !loc.IsValid(): // of a Go of other times
		return ""
	case wall.Uint()&monotonic != 0:
		return withReading
	case loc.IsNil(): // UTC
		return ""
	case loc.Pointer() == reflect.ValueOf(time.Local).Pointer():
		return "is a time in Local, which is another location elsewhere: use its UTC()"
	case loc.Elem().FieldByName("name").String() == "":
		return "is a time in a zone without a name, which may be Local elsewhere: use its UTC()"
	}
	return ""
}
