package satin

import (
	"math"
	"reflect"
	"sync/atomic"

	"github.com/fxamacker/cbor/v2"

	"satingrid/satin/wire"
)

// Tasks and results travel as CBOR, RFC 8949 core deterministic: equal values have equal
// bytes, so that keys can be digests of them. Decoding is strict: what the encoder would not
// have written is refused.

// elementsMax bounds the elements of one array or map. Each takes a byte or more, so the limit on
// bytes, which Open lets be no larger, is reached first.
const elementsMax = math.MaxInt32

var (
	encMode = wire.Must(func() (cbor.EncMode, error) {
		o := cbor.CoreDetEncOptions()
		o.Time = cbor.TimeRFC3339Nano
		o.NaNConvert = cbor.NaNConvertNone // else all NaNs would be one
		return o.EncMode()
	}())
	decMode = wire.Must(func() (cbor.DecMode, error) {
		o := wire.Strict(elementsMax)
		o.UTF8 = cbor.UTF8DecodeInvalid // a Go string may hold any bytes
		return o.DecMode()
	}())
)

// marshal and unmarshal may call code of the program's own. Where that panics, or ends its
// goroutine, it is an error here; and no error that they return has methods of the program's.

func marshal(v any) (data []byte, err error) {
	write := func() (err error) {
		data, err = encMode.Marshal(v)
		return err
	}
	if runsCode(v) {
		err = ofCode(write)
	} else {
		err = write()
	}
	watch("encode", v, len(data))
	return data, err
}

func unmarshal(data []byte, v any) error {
	watch("decode", v, len(data))
	if runsCode(v) {
		return ofCode(func() error { return read(data, v) })
	}
	return read(data, v)
}

func read(data []byte, v any) (err error) {
	defer caught(&err) // the bytes may come from anybody
	return decMode.Unmarshal(data, v)
}

// watched is told of each value and message that is encoded or decoded, by whoever waits for that,
// and how long it is. Only tests set it.
var watched atomic.Pointer[func(what string, v any, bytes int)]

func watch(what string, v any, bytes int) {
	if w := watched.Load(); w != nil {
		(*w)(what, v, bytes)
	}
}

// runsCode tells whether the program's own code runs where this is encoded or decoded.
func runsCode(v any) bool {
	if k, ok := v.(*keyed); ok {
		v = k.Fields
	}
	t := reflect.TypeOf(v)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return traitsOf(t).code
}

// keyed is what a key is the digest of. It is only ever encoded.
type keyed struct {
	_      struct{} `cbor:",toarray"`
	Scope  []byte
	Task   string
	Fields any
}
