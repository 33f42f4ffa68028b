package satin

import (
	"bytes"
	"fmt"
	"reflect"

	"satingrid/steal"
)

// encodeWhole encodes the value that v points to, which is to leave this process, or whose key is.
// What its type does not guarantee is tried: what arrives must be what left.
//
// Decoding, comparing and encoding once more make it about ten times as dear as encoding.
func encodeWhole(v any, care scrutiny) ([]byte, error) { return encodeAs(v, v, care) }

// encodeAs encodes what has the value within it.
func encodeAs(v, with any, care scrutiny) ([]byte, error) {
	x := traitsOf(reflect.TypeOf(v).Elem())
	if x.carriage == carriesLess {
		return nil, x
	}
	try := x.carriage == carriesSome || care.always
	if !try && care.apart && x.several {
		if err := checkSpans(reflect.ValueOf(v).Elem(), true); err != nil {
			return nil, err
		}
	}
	data, err := marshalAfter(v, with, try, care)
	if err == nil && x.singles && maySignal(data) {
		return marshalAfter(v, with, true, care)
	}
	return data, err
}

// marshalAfter encodes what has the value within it, after the value was tried.
func marshalAfter(v, with any, try bool, care scrutiny) ([]byte, error) {
	if !try {
		return marshal(with)
	}
	data, err := roundTrip(v, care)
	if err != nil || v == with {
		return data, err
	}
	return marshal(with)
}

// scrutiny says how closely values are looked at beyond what their types ask for.
type scrutiny struct {
	always bool // those of all types are tried
	// no two slices or maps of one may share memory: whoever is given it may write to it, and
	// would see that only where it has not travelled
	apart bool
}

// careOf is that for fields, to which nobody writes, and for results.
func careOf(strict bool) (fields, results scrutiny) {
	return scrutiny{always: strict}, scrutiny{always: strict, apart: true}
}

// maySignal tells whether a float32 of the encoding is a signalling NaN, which no conversion to a
// float64 leaves as it is, and so no decoder. All other floats arrive bit by bit. It goes from
// head to head, and strings are skipped.
func maySignal(data []byte) bool {
	const bytesMajor, textMajor, single = 2, 3, 0xfa
	for i := 0; i < len(data); {
		head := data[i]
		n, after := uint64(head&0x1f), i+1
		if size := 1 << (n - 24); n >= 24 && n < 28 && len(data)-after >= size {
			n = 0
			for _, b := range data[after : after+size] {
				n = n<<8 | uint64(b)
			}
			after += size
		}
		if head == single && isSignalling(uint32(n)) {
			return true
		}
		if major := head >> 5; major == bytesMajor || major == textMajor {
			after += int(n)
		}
		i = after
	}
	return false
}

func isSignalling(bits uint32) bool {
	const exponent, quiet = 0xff << 23, 1 << 22
	return bits&exponent == exponent && bits&quiet == 0 && bits&(quiet-1) != 0
}

// roundTrip encodes a value and tells whether it would arrive whole. Of all values that are
// encoded alike one at most comes back from the encoding, so what passes has an encoding, and a
// key, of its own.
func roundTrip(v any, care scrutiny) ([]byte, error) {
	value := reflect.ValueOf(v).Elem()
	if err := checkSpans(value, care.apart); err != nil {
		return nil, err
	}
	data, err := marshal(v)
	if err != nil {
		return nil, err
	}
	back := reflect.New(value.Type())
	if err := unmarshal(data, back.Interface()); err != nil {
		return nil, fmt.Errorf("%v cannot be read again: %w", value.Type(), err)
	}
	if d := differ(value, back.Elem()); d != nil {
		return nil, fmt.Errorf("%v%s %s", value.Type(), d.path, d.why)
	}
	again, err := marshal(back.Interface())
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(data, again) {
		return nil, fmt.Errorf("%v is encoded otherwise once it has arrived", value.Type())
	}
	return data, nil
}

// keyOfTask is H(scope, task, fields): the identity of what a job computes. Within a run, scope is
// the run key; it is zero where only the task matters.
func keyOfTask(scope steal.Key, task string, fields any) (steal.Key, error) {
	data, err := marshal(&keyed{Scope: scope[:], Task: task, Fields: fields})
	if err != nil {
		return steal.Key{}, err
	}
	return steal.KeyOf(data), nil
}

// keyOfWhole is the key of a task that would arrive as it is: only such a key is
// no other task's, too.
func keyOfWhole(scope steal.Key, task string, fields any, strict bool) (steal.Key, error) {
	care, _ := careOf(strict)
	data, err := encodeAs(fields, &keyed{Scope: scope[:], Task: task, Fields: fields}, care)
	if err != nil {
		return steal.Key{}, err
	}
	return steal.KeyOf(data), nil
}
