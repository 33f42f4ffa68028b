package satin

import (
	"encoding"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/fxamacker/cbor/v2"

	"satingrid/satin/wire"
)

// Two values that differ only in what their encoding leaves out would share a key, and what is
// left out would be missing where the job runs. So each type that travels is judged once, by its
// structure.

// carriage is how much the structure of a type says about the way of its values through CBOR.
type carriage uint8

const (
	carriesAll  carriage = iota // every value arrives as it left
	carriesSome                 // it depends on the value: each is tried before it leaves
	carriesLess                 // some part of each value is lost: the type is refused
)

// traits is what was found out about a type.
type traits struct {
	carriage
	where, why string // of what first made it less than carriesAll
	singles    bool   // it has float32s, see maySignal
	code       bool   // the program's own code may encode or decode it
	several    bool   // it has places for two slices or maps, which may share memory
}

func (v *traits) Error() string { return v.where + " " + v.why }

var judged sync.Map // reflect.Type → *traits; as many as the program has types that travel

// traitsOf judges a type, once a process.
func traitsOf(t reflect.Type) *traits {
	if v, ok := judged.Load(t); ok {
		return v.(*traits)
	}
	var s survey
	s.look(t, t.String())
	s.code = s.code || s.carriage == carriesLess // what is in an interface is not known
	s.several = s.carriage == carriesAll && places(t) > 1
	v, _ := judged.LoadOrStore(t, &s.traits)
	return v.(*traits)
}

// carriable tells why values of a type cannot be carried whole by CBOR.
func carriable(t reflect.Type) error {
	if v := traitsOf(t); v.carriage == carriesLess {
		return v
	}
	return nil
}

// survey goes through a type.
type survey struct {
	traits
	above  []reflect.Type
	levels int
}

// lose notes that a part of each value is lost.
func (s *survey) lose(where, format string, args ...any) {
	if s.carriage < carriesLess {
		s.carriage, s.where, s.why = carriesLess, where, fmt.Sprintf(format, args...)
	}
}

// doubt notes that it depends on the value.
func (s *survey) doubt(where, why string) {
	if s.carriage < carriesSome {
		s.carriage, s.where, s.why = carriesSome, where, why
	}
}

func (s *survey) look(t reflect.Type, path string) {
	if i := slices.Index(s.above, t); i >= 0 {
		// The codec, too, goes through such a type until it comes to a struct.
		isStruct := func(t reflect.Type) bool { return t.Kind() == reflect.Struct }
		if !slices.ContainsFunc(s.above[i:], isStruct) {
			s.lose(path, "is a %v, which refers to itself without a struct between", t)
		}
		s.doubt(path, "refers to its own type, so it may nest too deep, or for ever")
		return
	}
	if s.lookSpecial(t, path) {
		return
	}
	s.above = append(s.above, t)
	defer func() { s.above = s.above[:len(s.above)-1] }()
	switch t.Kind() {
	case reflect.Func, reflect.Chan, reflect.Interface, reflect.UnsafePointer, reflect.Uintptr,
		reflect.Complex64, reflect.Complex128:
		article := "a"
		if t.Kind() == reflect.Interface {
			article = "an"
		}
		s.lose(path, "is %s %s", article, t.Kind())
	case reflect.Float32:
		s.singles = true
	case reflect.Pointer:
		s.doubt(path, "is a pointer, and what two pointers share would come apart")
		s.look(t.Elem(), path)
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() != reflect.Uint8 {
			s.within(path, func() { s.look(t.Elem(), path) })
		}
	case reflect.Map:
		s.lookKey(t.Key(), path)
		s.within(path, func() {
			s.look(t.Key(), path)
			s.look(t.Elem(), path)
		})
	case reflect.Struct:
		s.within(path, func() { s.lookFields(t, path) })
	}
}

// within looks at what is one level further down.
func (s *survey) within(path string, look func()) {
	if s.levels++; s.levels > wire.NestingMax {
		s.lose(path, "nests deeper than %d levels of arrays, maps and structs", wire.NestingMax)
	}
	look()
	s.levels--
}

var (
	timeType          = reflect.TypeFor[time.Time]()
	bigIntType        = reflect.TypeFor[big.Int]()
	cborMarshaler     = reflect.TypeFor[cbor.Marshaler]()
	cborUnmarshaler   = reflect.TypeFor[cbor.Unmarshaler]()
	binaryMarshaler   = reflect.TypeFor[encoding.BinaryMarshaler]()
	binaryUnmarshaler = reflect.TypeFor[encoding.BinaryUnmarshaler]()
	zeroer            = reflect.TypeFor[interface{ IsZero() bool }]()
)

// lookSpecial judges the types that are not encoded by their structure.
func (s *survey) lookSpecial(t reflect.Type, path string) bool {
	switch t {
	case timeType:
		s.doubt(path, "is a time, whose location and monotonic clock reading would be lost")
		return true
	case bigIntType:
		s.lose(path, "is a big.Int, of which 64 bits travel: carry its Bytes and its Sign")
		return true
	}
	if t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface {
		return false
	}
	p := reflect.PointerTo(t)
	for _, c := range []struct {
		out, in reflect.Type
		name    string
	}{{cborMarshaler, cborUnmarshaler, "CBOR"}, {binaryMarshaler, binaryUnmarshaler, "Binary"}} {
		switch writes, reads := p.Implements(c.out), p.Implements(c.in); {
		case writes && reads:
			s.doubt(path, "has a Marshal"+c.name+" of its own")
			s.code = true
			return true
		case writes:
			s.lose(path, "has a Marshal%s and no Unmarshal%s", c.name, c.name)
			return true
		case reads:
			s.lose(path, "has an Unmarshal%s and no Marshal%s", c.name, c.name)
			return true
		}
	}
	return false
}

// isOpaque tells whether values of the type are encoded by a method, or as times.
func isOpaque(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return t == timeType || p.Implements(cborMarshaler) || p.Implements(binaryMarshaler)
}

// lookKey judges what is special in the key of a map.
func (s *survey) lookKey(t reflect.Type, path string) {
	if isOpaque(t) {
		return // which is doubted already
	}
	switch t.Kind() {
	case reflect.Pointer:
		s.lose(path, "is a map whose keys have pointers: no key would be found again")
	case reflect.Float32, reflect.Float64:
		s.doubt(path, "is a map whose keys have floats: a NaN is not found again")
	case reflect.Array:
		s.lookKey(t.Elem(), path)
	case reflect.Struct:
		for i := range t.NumField() {
			s.lookKey(t.Field(i).Type, path)
		}
	}
}

// lookFields judges a struct, whose embedded structs give it their fields.
func (s *survey) lookFields(t reflect.Type, path string) {
	f := fieldsOf{survey: s, byName: map[string]string{}, byNumber: map[int]string{}}
	f.add(t, path)
}

// fieldsOf collects the fields of a struct by the names under which they travel.
type fieldsOf struct {
	*survey
	byName   map[string]string // to their paths
	byNumber map[int]string
	embedded []reflect.Type
}

func (x *fieldsOf) add(t reflect.Type, path string) {
	if slices.Contains(x.embedded, t) {
		x.lose(path, "embeds itself")
		return
	}
	x.embedded = append(x.embedded, t)
	defer func() { x.embedded = x.embedded[:len(x.embedded)-1] }()
	for i := range t.NumField() {
		if f := t.Field(i); f.Name != "_" { // which has nothing but options
			x.addField(f, path+"."+f.Name)
		}
	}
}

func (x *fieldsOf) addField(f reflect.StructField, path string) {
	base := f.Type
	for base.Kind() == reflect.Pointer {
		base = base.Elem()
	}
	embedded := f.Anonymous && base.Kind() == reflect.Struct
	name, options, leftOut := tagOf(f)
	switch {
	case leftOut:
		x.lose(path, "is left out by its tag")
	case f.Anonymous && !embedded && !f.IsExported():
		x.lose(path, "is embedded, and its type is unexported: it would be left out")
	case !embedded && !f.IsExported():
		x.lose(path, "is unexported")
	case embedded && !f.IsExported() && f.Type.Kind() == reflect.Pointer:
		x.lose(path, "is a pointer embedded, and its type is unexported: it cannot be decoded")
	case embedded && name == "":
		if f.Type.Kind() == reflect.Pointer {
			x.doubt(path, "is a pointer embedded: it is lost when nothing in it is set")
		}
		x.add(base, path)
	default:
		if !f.IsExported() {
			x.doubt(path, "is embedded, and its type is unexported")
		}
		if name == "" {
			name = f.Name
		}
		x.claim(name, slices.Contains(options, "keyasint"), path)
		x.lookOmission(f.Type, options, path)
		x.look(f.Type, path)
	}
}

// tagOf reads the field's tag as the codec does.
func tagOf(f reflect.StructField) (name string, options []string, leftOut bool) {
	tag := f.Tag.Get("cbor")
	if tag == "" {
		tag = f.Tag.Get("json")
	}
	parts := strings.Split(tag, ",")
	return parts[0], parts[1:], tag == "-"
}

// claim notes the name of a field. Of two with one name at most one would travel.
func (x *fieldsOf) claim(name string, asInt bool, path string) {
	if other, ok := x.byName[name]; ok {
		x.lose(path, "would travel as %q like %s: give one another name by a tag", name, other)
	}
	x.byName[name] = path
	if !asInt {
		return
	}
	n, err := strconv.Atoi(name)
	if err != nil {
		x.lose(path, "has the tag keyasint, and %q is no number", name)
	}
	if other, ok := x.byNumber[n]; ok && err == nil {
		x.lose(path, "would travel as %d like %s: give one another number by a tag", n, other)
	}
	x.byNumber[n] = path
}

// lookOmission judges a field that is left out when it is empty: it arrives as its type's zero.
func (x *fieldsOf) lookOmission(t reflect.Type, options []string, path string) {
	if !slices.Contains(options, "omitempty") && !slices.Contains(options, "omitzero") {
		return
	}
	tells := t.Implements(zeroer) || reflect.PointerTo(t).Implements(zeroer)
	x.code = x.code || tells && t != timeType
	switch t.Kind() {
	case reflect.Bool, reflect.String,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if !tells {
			return
		}
	}
	x.doubt(path, "is left out when it is empty, and arrives as its type's zero")
}
