package satin

// Inside the package: why a type or a value is refused is seen by programs in few of these cases.

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/fxamacker/cbor/v2"
)

// The types of the tables below.
type (
	end   struct{ X, Y int }
	from  end
	to    end
	clash struct {
		from
		to
	}
	shadow struct {
		end
		X int
	}
	renamed struct {
		from
		To to
	}
	//lint:ignore U1000 it is embedded below, for its type
	number int
	Number int
	sunk   struct {
		//lint:ignore U1000 as above
		number
		N int
	}
	swims struct {
		Number
		N int
	}
	sunkPtr struct {
		*end
		N int
	}
	Ends     struct{ A, B end }
	EmbedPtr struct{ *Ends }
	oneTag   struct {
		A int `cbor:"v"`
		B int `cbor:"v"`
	}
	jsonTag struct {
		A int `json:"v"`
		V int `cbor:"v"`
	}
	oneNumber struct {
		A int `cbor:"1,keyasint"`
		B int `cbor:"01,keyasint"`
	}
	noNumber struct {
		A int `cbor:"a,keyasint"`
	}
	numbered struct {
		A int `cbor:"1,keyasint"`
		B int `cbor:"-2,keyasint"`
	}
	array struct {
		_ struct{} `cbor:",toarray"`
		A int
		B []string
	}
	omitInt struct {
		N int    `cbor:",omitempty"`
		S string `json:",omitempty"`
	}
	omitList struct {
		L []int `cbor:",omitempty"`
	}
	omitFloat struct {
		F float64 `cbor:",omitzero"`
	}
	dropped struct {
		A int `cbor:"-"`
	}
	stamped struct {
		time.Time
		N int
	}
	tree           struct{ Kids []tree }
	ring           struct{ Next *ring }
	selfList       []selfList
	selfPtr        *selfPtr
	selfIn         struct{ *selfIn }
	generic[T any] struct{ V T }
	alias          = generic[float32]
	writes         struct{ N int }
	wordy          struct{ N int }
	hidden         struct{ m int }
)

func (writes) MarshalBinary() ([]byte, error) { return nil, nil }
func (wordy) MarshalText() ([]byte, error)    { return nil, nil }
func (wordy) MarshalJSON() ([]byte, error)    { return nil, nil }

type deep16 [1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1]int
type deep17 [1]deep16

func TestCarriage(t *testing.T) {
	for _, c := range []struct {
		of    any
		is    carriage
		where string // ends so
	}{
		{0, carriesAll, ""}, {"", carriesAll, ""}, {[]byte{}, carriesAll, ""}, {[3]byte{}, carriesAll, ""},
		{end{}, carriesAll, ""}, {Ends{}, carriesAll, ""}, {swims{}, carriesAll, ""}, {array{}, carriesAll, ""},
		{generic[[]float64]{}, carriesAll, ""}, {alias{}, carriesAll, ""}, {numbered{}, carriesAll, ""},
		{omitInt{}, carriesAll, ""}, {renamed{}, carriesAll, ""}, {wordy{}, carriesAll, ""},
		{map[end][]int{}, carriesAll, ""}, {struct{}{}, carriesAll, ""}, {deep16{}, carriesAll, ""},

		{struct{ P *int }{}, carriesSome, ".P"}, {EmbedPtr{}, carriesSome, "EmbedPtr.Ends"},
		{time.Time{}, carriesSome, "time.Time"}, {stamped{}, carriesSome, "satin.stamped"},
		{struct{ A netip.Addr }{}, carriesSome, ".A"}, {cbor.RawMessage{}, carriesSome, "RawMessage"},
		{map[float64]int{}, carriesSome, "map[float64]int"}, {map[[2]generic[float32]]int{}, carriesSome, "]int"},
		{omitList{}, carriesSome, ".L"}, {omitFloat{}, carriesSome, ".F"},
		{tree{}, carriesSome, ".Kids"}, {ring{}, carriesSome, ".Next"}, {generic[*alias]{}, carriesSome, ".V"},

		{clash{}, carriesLess, "clash.to.X"}, {shadow{}, carriesLess, "shadow.X"}, {sunk{}, carriesLess, "sunk.number"},
		{sunkPtr{}, carriesLess, "sunkPtr.end"}, {oneTag{}, carriesLess, "oneTag.B"}, {jsonTag{}, carriesLess, "jsonTag.V"},
		{oneNumber{}, carriesLess, "oneNumber.B"}, {noNumber{}, carriesLess, "noNumber.A"}, {dropped{}, carriesLess, "dropped.A"},
		{selfList{}, carriesLess, "selfList"}, {selfPtr(nil), carriesLess, "selfPtr"}, {selfIn{}, carriesLess, "selfIn.selfIn"},
		{generic[chan int]{}, carriesLess, ".V"}, {generic[any]{}, carriesLess, ".V"}, {generic[func()]{}, carriesLess, ".V"},
		{generic[complex64]{}, carriesLess, ".V"}, {generic[uintptr]{}, carriesLess, ".V"}, {generic[hidden]{hidden{m: 1}}, carriesLess, ".V.m"},
		{generic[big.Int]{}, carriesLess, ".V"}, {generic[*big.Int]{}, carriesLess, ".V"}, {writes{}, carriesLess, "writes"},
		{cbor.Tag{}, carriesLess, "Tag.Content"}, {map[*int]int{}, carriesLess, "map[*int]int"}, {deep17{}, carriesLess, "deep17"},
	} {
		v := traitsOf(reflect.TypeOf(c.of))
		if v.carriage != c.is || !strings.HasSuffix(v.where, c.where) || (c.where == "") != (v.where == "") {
			t.Errorf("%T: %d, %v; want %d, …%s", c.of, v.carriage, v, c.is, c.where)
		}
	}
}

// What is refused and what is not, of values that depend on it.
func TestRoundTrip(t *testing.T) {
	one := 1
	self := &ring{}
	self.Next = self
	long := func(n int) *ring {
		var r *ring
		for range n {
			r = &ring{r}
		}
		return r
	}
	rows := []int{1, 2, 3, 4}
	forest := tree{make([]tree, 1)}
	forest.Kids[0] = forest
	pp := &one
	var none *int
	list := []int{1}
	for _, c := range []struct {
		of   any    // a pointer to the value
		want string // in the error
	}{
		{&[]*int{&one, nil}, ""},
		{&[]*int{&one, &one}, "two"},
		{&generic[struct {
			P *int
			L []int
		}]{struct {
			P *int
			L []int
		}{&list[0], list}}, "share memory"},
		{&[]**int{&pp}, ""},
		{&[]**int{&none}, "empty"},
		{&generic[*[]int]{new([]int)}, "empty"},
		{self, "to one value"},
		{long(15), ""},
		{long(40), "nests deeper"},
		{&forest, "nests deeper"},
		{&tree{[]tree{{}, {nil}, {[]tree{}}}}, ""},
		{&omitList{[]int{1}}, ""}, {&omitList{nil}, ""}, {&omitList{[]int{}}, "satin.omitList.L"},
		{&omitFloat{0}, ""}, {&omitFloat{math.Copysign(0, -1)}, "satin.omitFloat.F"},
		{&stamped{time.Time{}, 3}, "satin.stamped.N"}, {&stamped{time.Unix(3, 4).UTC(), 0}, ""},
		{&map[float64]int{1: 2, math.Inf(1): 3}, ""}, {&map[float64]int{math.NaN(): 1}, "found again"},
		{&generic[netip.Addr]{netip.MustParseAddr("fe80::1%eth0")}, ""}, {&generic[netip.Addr]{}, ""},
		{&generic[time.Time]{}, ""}, {&generic[time.Time]{time.Now().UTC()}, ""},
		{&generic[time.Time]{time.Now()}, "its location"},
		{&generic[time.Time]{time.Date(12026, 1, 1, 0, 0, 0, 0, time.UTC)}, "year outside of range"},
		{&generic[unread]{}, "read again"},
		{&cbor.RawMessage{0x01}, ""}, {new(cbor.RawMessage), "empty"},
		{&[][]int{rows[:2], rows[2:]}, ""},
		{&[]float32{math.Float32frombits(0x7fc01234), math.Float32frombits(0xffc00000)}, ""},
		{&[]float32{math.Float32frombits(0x7f800001)}, "otherwise"},
		{&[]float64{math.Float64frombits(0x7ff0000000000001), math.NaN()}, ""},
		{&EmbedPtr{}, ""}, {&EmbedPtr{&Ends{}}, ""},
	} {
		_, err := encodeWhole(c.of, scrutiny{})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%#v: %v, want %q", c.of, err, c.want)
		}
	}
}

// Of results no two slices or maps share memory, whatever their types guarantee and however closely
// one looks.
func TestPartsOfResultsAreApart(t *testing.T) {
	rows := []int{1, 2, 3, 4}
	m := map[int]int{1: 2}
	for _, c := range []struct {
		of   any
		want string // in the error
	}{
		{&[][]int{rows[:3], rows[2:]}, "[1]"}, {&[][]int{rows[:2], rows[2:]}, "[0] and [1]"},
		{&[][]int{rows[:0], rows}, "share memory"}, {&[][]int{rows[:2:2], rows[2:3:3], rows[3:]}, ""},
		{&[2][]int{rows, rows}, "share memory"}, {&[][]int{nil, {}, {}}, ""}, {&[]struct{}{{}, {}}, ""},
		{&map[string][]int{"a": rows, "b": rows[3:]}, "share memory"}, {&map[int][]int{1: rows}, ""},
		{&[]map[int]int{m, m}, "share memory"}, {&[]map[int]int{m, {}}, ""},
		{&generic[struct {
			L []int
			M map[int][]int
		}]{struct {
			L []int
			M map[int][]int
		}{rows, map[int][]int{1: rows}}}, ".L and .M"},
		{&generic[struct{ A, B time.Time }]{}, ""},
	} {
		for _, strict := range []bool{false, true} {
			_, results := careOf(strict)
			_, err := encodeWhole(c.of, results)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(strings.ReplaceAll(err.Error(), ".V", ""), c.want) {
				t.Errorf("strict %v: %#v: %v, want %q", strict, c.of, err, c.want)
			}
		}
	}
}

func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		of   any
		want int
	}{
		{0, 0}, {"", 0}, {Ends{}, 0}, {[]int{}, 1}, {array{}, 1}, {[1][]int{}, 1}, {[0][]int{}, 0}, {map[string]int{}, 1},
		{[][]byte{}, 2}, {[2][]int{}, 2}, {map[int][]int{}, 2}, {[]map[int]int{}, 2}, {[]array{}, 2},
		{struct {
			A []int
			B map[int]int
		}{}, 2},
	} {
		if n := places(reflect.TypeOf(c.of)); n != c.want {
			t.Errorf("%T: %d, want %d", c.of, n, c.want)
		}
	}
}

// Whatever type the structure of which is said to guarantee the way: random values of it arrive.
func TestGuaranteedTypesArrive(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	count := map[carriage]int{}
	for range 4000 {
		of := randomType(rng, 3)
		v := traitsOf(of)
		count[v.carriage]++
		if v.carriage == carriesLess {
			continue
		}
		for range 3 {
			p := reflect.New(of)
			fill(rng, p.Elem())
			if _, err := roundTrip(p.Interface(), scrutiny{}); err != nil && v.carriage == carriesAll && !hasSignal(p.Interface()) {
				t.Fatalf("%v: %v of %#v", of, err, p.Elem())
			}
		}
	}
	if count[carriesAll] < 500 || count[carriesSome] < 100 || count[carriesLess] < 100 {
		t.Errorf("of each class there were %v", count)
	}
}

func hasSignal(v any) bool {
	data, err := marshal(v)
	return err == nil && maySignal(data)
}

// randomType makes up a type.
func randomType(rng *rand.Rand, depth int) reflect.Type {
	simple := []any{false, int8(0), 0, uint64(0), "", 0.0, float32(0), []byte{}, end{}, Ends{}, omitInt{}, array{}, Number(0), [2]byte{}}
	if n := rng.IntN(20); depth == 0 || n < 8 {
		return reflect.TypeOf(simple[rng.IntN(len(simple))])
	} else if n == 8 {
		rare := []any{time.Time{}, netip.Addr{}, big.Int{}, clash{}, sunk{}, tree{}, omitList{}, stamped{}}
		return reflect.TypeOf(rare[rng.IntN(len(rare))])
	} else if n == 9 {
		return reflect.PointerTo(randomType(rng, depth-1))
	} else if n < 12 {
		return reflect.SliceOf(randomType(rng, depth-1))
	} else if n == 12 {
		return reflect.ArrayOf(rng.IntN(4), randomType(rng, depth-1))
	} else if n < 15 {
		if key := randomType(rng, depth-1); key.Comparable() {
			return reflect.MapOf(key, randomType(rng, depth-1))
		}
	}
	tags := []reflect.StructTag{"", "", "", `cbor:"x"`, `cbor:"A"`, `json:"B"`, `cbor:",omitempty"`, `cbor:"3,keyasint"`, `cbor:",omitzero"`}
	var fields []reflect.StructField
	for i := range rng.IntN(4) {
		fields = append(fields, reflect.StructField{
			Name: string(rune('A' + i)), Type: randomType(rng, depth-1), Tag: tags[rng.IntN(len(tags))],
		})
	}
	return reflect.StructOf(fields)
}

// fill gives a value at random, with what is special of its kind more often than chance would.
func fill(rng *rand.Rand, v reflect.Value) {
	bits := []uint64{0, 1, 1 << 63, 0x7ff8000000000001, 0xfff0000000000001, 0x7ff0000000000000, rng.Uint64(), rng.Uint64() & 0xff}
	n := bits[rng.IntN(len(bits))]
	if isOpaque(v.Type()) || !v.CanSet() {
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(n&1 == 1)
	case reflect.Int, reflect.Int8, reflect.Int64:
		v.SetInt(int64(n))
	case reflect.Uint8, reflect.Uint64:
		v.SetUint(n)
	case reflect.Float64:
		v.SetFloat(math.Float64frombits(n))
	case reflect.Float32:
		v.SetFloat(float64(math.Float32frombits(uint32(n >> 32))))
	case reflect.String:
		v.SetString([]string{"", "a", "\xff", "ä", "\x00"}[rng.IntN(5)])
	case reflect.Pointer:
		if n&1 == 1 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(rng, v.Elem())
		}
	case reflect.Slice:
		if length := rng.IntN(4); length < 3 {
			v.Set(reflect.MakeSlice(v.Type(), length, length))
		}
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			if v.Type() != reflect.TypeFor[[]tree]() {
				fill(rng, v.Index(i))
			}
		}
	case reflect.Map:
		if length := rng.IntN(4); length < 3 {
			v.Set(reflect.MakeMap(v.Type()))
			for range length {
				key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
				fill(rng, key)
				fill(rng, value)
				v.SetMapIndex(key, value)
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(rng, v.Field(i))
		}
	}
}

// A signalling NaN is found among other floats, and not in strings that look like one.
func TestMaySignal(t *testing.T) {
	signal := math.Float32frombits(0xff800001)
	for _, c := range []struct {
		of   any
		want bool
	}{
		{[]float32{1, 0.1, signal}, true},
		{[]any{string(make([]byte, 300)), make([]byte, 70000), signal}, true},
		{[]float32{1, math.Float32frombits(0x7fc00001), float32(math.Inf(1)), 1e-40}, false},
		{"\xfa\x7f\x80\x00\x01", false},
		{[]byte{0xfa, 0x7f, 0x80, 0, 1}, false},
		{[]float64{math.Float64frombits(0x7ff0000000000001)}, false},
		{map[uint64]int{1 << 40: -1 << 20}, false},
	} {
		data, err := marshal(c.of)
		if err != nil || maySignal(data) != c.want {
			t.Errorf("%x: %v, want %v; %v", data[:min(len(data), 20)], !c.want, c.want, err)
		}
	}
}

// What it costs to encode a task that leaves: one whose type guarantees its way, and one that is
// tried.
func BenchmarkEncode(b *testing.B) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	numbers := make([]int, 1000)
	n := 7
	for name, v := range map[string]any{
		"guaranteed/small": &end{3, 4}, "guaranteed/list": &generic[[]int]{numbers},
		"tried/time": &generic[time.Time]{at}, "tried/pointer": &generic[*int]{&n},
		"tried/list": &generic[struct {
			L []int
			P *int
		}]{struct {
			L []int
			P *int
		}{numbers, &n}},
	} {
		b.Run(name+"/marshal", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = marshal(v)
			}
		})
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := encodeWhole(v, scrutiny{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// unread is a type that does not take what it has written.
type unread struct{}

func (unread) MarshalBinary() ([]byte, error) { return []byte{1}, nil }

func (*unread) UnmarshalBinary([]byte) error { return errors.New("no such thing") }
