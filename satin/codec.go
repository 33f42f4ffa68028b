package satin

import (
	"fmt"

	"github.com/fxamacker/cbor/v2"
)

// Tasks and results travel as CBOR, RFC 8949 core deterministic: equal values have equal bytes, so that keys
// can be digests of them. Decoding is strict: what the encoder would not have written is refused.

const (
	nestingMax  = 16      // levels of arrays, maps and structs in a task or a result
	elementsMax = 1 << 26 // elements of one array or map; the limit on bytes is reached first
)

var (
	encMode = must(func() (cbor.EncMode, error) {
		o := cbor.CoreDetEncOptions()
		o.Time = cbor.TimeRFC3339Nano
		return o.EncMode()
	}())
	decMode = must(cbor.DecOptions{
		DupMapKey:         cbor.DupMapKeyEnforcedAPF,
		IndefLength:       cbor.IndefLengthForbidden,
		TagsMd:            cbor.TagsForbidden,
		ExtraReturnErrors: cbor.ExtraDecErrorUnknownField,
		MaxNestedLevels:   nestingMax,
		MaxArrayElements:  elementsMax,
		MaxMapPairs:       elementsMax,
		UTF8:              cbor.UTF8DecodeInvalid,
		FieldNameMatching: cbor.FieldNameMatchingCaseSensitive,
	}.DecMode())
)

func must[M any](mode M, err error) M {
	if err != nil {
		panic(fmt.Sprintf("satin: BUG: CBOR options: %v", err))
	}
	return mode
}

func marshal(v any) ([]byte, error) { return encMode.Marshal(v) }

func unmarshal(data []byte, v any) error { return decMode.Unmarshal(data, v) }
